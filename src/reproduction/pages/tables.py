"""Tables for the notebooks: the papers' tables beside ours, and provenance."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import IPython.display as notebook
import numpy as np
import pandas as pd

from asprinted.agreement import STABLE
from asprinted.words import AGREEMENT, JUDGED, NOT_COMPARABLE, NOT_RUN
from reproduction.pages.choices import switch
from reproduction.pages.markup import MARKS, Cell, Table, csv_text, frame_cells, plain, render
from reproduction.pages.results import load_ledger, load_provenance, load_results, snakemake_command
from reproduction.pages.wording import readable, shown_settings
from reproduction.results.rows import INFERRED
from reproduction.results.summary import decimals, mean_and_deviation, with_deviation
from reproduction.rooms import tables_of
from reproduction.verdicts.cells import records
from reproduction.verdicts.data_facts import data_name

#: Columns of the ledger that a table's download has; the rest stands in the ledger's own files.
_SAVED = [
    "cell", "table", "dataset", "setting", "method", "metric", "published", "published_std", "ours",
    "ours_std", "runs", "agreement", "data", "protocol", "text_ours", "text_agreement",
]  # fmt: skip

METRIC_NAMES = {
    "accuracy_pct": "accuracy %", "macro_f1_pct": "macro F1 %", "nmi_pct": "NMI %",
    "f1_pct": "F1 %", "error_pct": "error %", "map_at_10": "MAP",
    "view_agreement": "view agreement", "relative_gain_pct": "relative gain %",
    "average_rank": "average rank", "pearson_r": "Pearson r", "p_value": "p-value",
}  # fmt: skip

#: Page of all cells, without its ending.
EXPLORER = "ledger"


def cell_anchor(cell: str) -> str:
    """Fragment that leads to a cell's card, such as ``cell/mvplsa/3/Cornell/...``."""
    return "cell/" + quote(cell, safe="/=+")


def metric_name(metric: str) -> str:
    """What readers call a metric."""
    return METRIC_NAMES.get(metric, metric)


def figure(mean: float, deviation: float, metric: str) -> str:
    """Text ``82.1 ± 3.7`` with the decimals of the metric."""
    text = with_deviation(mean, deviation, decimals(metric))
    return re.sub(r"^-(?=0(?:\.0+)?(?: |$))", "", text)  # what rounds to nothing has no sign


def method_name(method: str, role: str) -> str:
    """Name of a method for readers: what the paper does not have says so."""
    return method if role == "published" else f"{method} ({role})"


def table_name(table: str) -> str:
    """What readers call a published table: ``Table 3``; a name that is a word stays as it is."""
    return f"Table {table}" if table[:1].isdigit() else table


def frame_table(
    frame: pd.DataFrame,
    name: str,
    caption: str,
    *,
    notes: Sequence[str] = (),
    targets: Sequence[str] = (),
    saved: pd.DataFrame | None = None,
    **look: Any,
) -> Table:
    """Return a data frame as a table to sort, filter and save; a named index comes first.

    ``name`` is unique on its page, ``notes`` are lines of HTML below, ``targets`` what Snakemake
    remakes the numbers by, ``saved`` is downloaded in place of the frame. How cells ``look`` is
    said as in :func:`frame_cells`; the download has all digits.
    """
    shown = frame.reset_index() if any(frame.index.names) else frame
    cells = frame_cells(shown, **look)
    commands = [snakemake_command(target) for target in targets]
    header = list(map(str, shown.columns))
    csv = csv_text(shown if saved is None else saved)
    return Table(name, caption, header, cells, csv, notes, commands)


def show_table(frame: pd.DataFrame, name: str, caption: str, **options: Any) -> None:
    """Show a data frame as a table; options as in :func:`frame_table`."""
    notebook.display(notebook.HTML(frame_table(frame, name, caption, **options).__html__()))


def _headings(ledger: pd.DataFrame, across: str) -> dict[str, str]:
    """Columns of a table with their titles; figures over all settings have that of the metric."""
    metrics = ledger["metric"].map(metric_name)
    shown = shown_settings(ledger) if across == "setting" else metrics
    titles = zip(ledger[across], shown, metrics, strict=True)
    return {column: title or metric for column, title, metric in titles}


def figures_of(row: Mapping[Any, Any] | pd.Series) -> dict[str, Any]:
    """What texts tell of a cell: ours, the published figure, the text reading, all readings."""
    metric = str(row["metric"])
    return {
        "ours": figure(row["ours"], row["ours_std"], metric),
        "published": figure(row["published"], row["published_std"], metric),
        "told": figure(row["text_ours"], row["text_std"], metric),
        "ends": [figure(row[f"readings_{end}"], np.nan, metric) for end in ("low", "high")],
    }


def _compared(rows: pd.DataFrame) -> Cell:
    """Cell that shows ours and the published figure, coloured by verdict."""
    (row,) = records(rows)
    shown, word = figures_of(row), str(row["agreement"])
    # deviations stand in the hint: a number with one is three words
    ours, published = (shown[name].partition(" ")[0] for name in ("ours", "published"))
    mark, css = MARKS[word], f"cell v-{word.replace(' ', '-')}"
    below = f'<span class="published">{published}</span>'
    if word == NOT_RUN:
        markup = f'<span class="ours">not run</span>{below}'
        return Cell(markup, f"({published}) {mark}", "", css, f"{row['cell']}\nnot run")
    markup = f'<span class="ours">{ours}</span><span class="mark">{mark}</span>{below}'
    lines = render("cell.txt", row=row, unsure=row["stable"] < STABLE, **shown).rstrip("\n")
    hint = f"{row['cell']}\n{lines}"
    return Cell(markup, f"{ours} ({published}) {mark}", float(row["ours"]), css, hint)


def _ours_only(rows: pd.DataFrame) -> Cell:
    values = rows["value"]
    text = mean_and_deviation(values, decimals(rows["metric"].iloc[0]))
    markup = f'<span class="ours">{text}</span>'
    return Cell(markup, text, float(values.mean()), "cell v-none", "no published figure")


def _extra_rows(paper: str, ledger: pd.DataFrame, table: str) -> pd.DataFrame:
    """Rows of the same table without a published cell: controls, our methods, stand-ins."""
    rows = load_results(paper)
    rows = rows[(rows["table"] == table) & (rows["reading"] == INFERRED)]
    known = load_provenance(paper)
    names = {key: entry.get("published_name") or data_name(key) for key, entry in known.items()}
    shape, at = tables_of(paper)[table], records(rows)
    parts = [(names.get(row["dataset"], row["dataset"]), shape.write(row, part=True)) for row in at]
    rows = rows.assign(
        dataset=[f"{name} {part}".rstrip() for name, part in parts],
        setting=[shape.write(row, part=False) for row in at],
    )
    columns = ["dataset", "setting", "method", "metric"]
    ours, printed = (pd.MultiIndex.from_frame(each[columns]) for each in (rows, ledger))
    rows = rows[~(ours.isin(printed) & (rows["role"] == "published").to_numpy())]
    # a row at a setting that print does not have would be mixed into one that it has
    rows = rows[rows["setting"].isin(ledger["setting"]) & rows["metric"].isin(ledger["metric"])]
    return rows.assign(method=list(map(method_name, rows["method"], rows["role"])))


def _legend(ledger: pd.DataFrame) -> str:
    once = ledger[ledger["repeats"] == ""]
    counts, text = (once[name].value_counts() for name in ("agreement", "text_agreement"))
    told = ledger[ledger["reason"].ne("") & ledger["agreement"].ne(NOT_RUN)]
    return render(
        "legend.html",
        counts={word: counts[word] for word in AGREEMENT if word in counts},
        told=[f"{text[word]} {word}" for word in AGREEMENT if word in text],
        again=len(ledger) - len(once),
        reasons=dict.fromkeys(zip(told["data"], told["reason"], strict=True)),
    )


def published_table(paper: str, table: str, *, caption: str = "", extras: bool = True) -> None:
    """Show every cell of a published table beside ours, with verdict and Snakemake target.

    Rows without a verdict are folded: drawn data and, when ``extras`` is true, what print does not
    have (controls, stand-ins).
    """
    ledger = load_ledger(paper)
    first = table == ledger["table"].iloc[0]  # one switch turns all tables of a page
    ledger = ledger[ledger["table"] == table]
    if ledger.empty:
        raise ValueError(f"{paper} has no published table {table!r}")
    # the columns are the settings, or the metrics when there is one setting
    across = "metric" if len(set(ledger["setting"])) == 1 else "setting"
    columns = _headings(ledger, across)
    many = across == "setting" and len(set(ledger["metric"])) > 1
    row_keys = ["dataset", "method", *(["metric"] if many else [])]
    order = {name: place for place, name in enumerate(dict.fromkeys(ledger["dataset"]))}
    ledger = ledger.sort_values("dataset", key=lambda names: names.map(order), kind="stable")

    def lines(part: pd.DataFrame, names: Iterable[str], show: Callable[..., Cell]) -> list[Any]:
        made = []
        for key, own in part.groupby(row_keys, sort=False):
            there = dict(iter(own.groupby(across)))
            cells = [show(there[name]) if name in there else plain("") for name in names]
            made.append([*(plain(metric_name(str(text))) for text in key), *cells])
        return made

    # rows without any verdict are folded, unless the table has nothing else
    told = ledger["agreement"] != NOT_COMPARABLE
    told = told.groupby([ledger[name] for name in row_keys]).transform("any") | (not told.any())
    own, drawn = ledger[told], ledger[~told]
    shown = {name: title for name, title in columns.items() if name in set(own[across])}
    name, heads = f"{paper}-table-{table}", ["data set", *row_keys[1:]]
    commands = [snakemake_command(target) for target in dict.fromkeys(ledger["target"]) if target]
    commands.append(f"python -m reproduction explain '{ledger['cell'].iloc[0]}'")
    made = Table(
        name, caption or f"Table {table}: ours beside print", [*heads, *shown.values()],
        lines(own, shown, _compared), csv_text(ledger[_SAVED]), [_legend(own)], commands,
    ).__html__()  # fmt: skip
    others = _extra_rows(paper, ledger, table) if extras else ledger[:0]
    if more := [*lines(drawn, columns, _compared), *lines(others, columns, _ours_only)]:
        header, saved = [*heads, *columns.values()], drawn[_SAVED]
        if len(others):
            groups = others.groupby([*row_keys, "setting"])["value"]
            saved = groups.agg(["mean", "std", "count"]).reset_index()
        csv = csv_text(saved)
        beside = Table(f"{name}-beside", "No verdict", header, more, csv).__html__()
        made += (
            f'<details class="appendix"><summary>Rows without a verdict ({len(more)}): drawn data, '
            f"controls, stand-ins</summary>{beside}</details>"
        )
    turned = switch(paper) if first else ""
    notebook.display(notebook.HTML(f"<section>{turned}{made}</section>"))


def provenance_table(paper: str) -> Table:
    """Where the data came from and how it differs from what the paper used."""
    rows = [
        {
            "data set": data_name(dataset),
            "published as": entry.get("published_name") or "",
            "kind": entry.get("kind", ""),
            "got from": entry.get("source", ""),
            "compared": "yes" if entry.get("kind") in JUDGED else "no",
            "difference from the paper's": readable(entry.get("differences") or ""),
        }
        for dataset, entry in load_provenance(paper).items()
    ]
    caption = "Data: where it came from, and how it differs from the paper's"
    return frame_table(pd.DataFrame(rows), f"{paper}-provenance", caption)
