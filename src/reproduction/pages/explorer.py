"""The explorer: every published cell on one page, to search, to filter, to link to.

Rows stand in the page as they are, so it reads without a script; what a card says besides lies in
a data block, column by column. ``assets/explorer.js`` filters the rows, draws the scatter and opens
the cards.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd
from markupsafe import Markup

from reproduction.files import write_text
from reproduction.pages.markup import MARKS, json_block, render, slug
from reproduction.pages.page import configured, page_html, results_folder
from reproduction.pages.results import load_ledger, results_root, snakemake_command
from reproduction.pages.tables import figure, metric_name, table_name
from reproduction.pages.wording import shown_settings
from reproduction.results.rows import read_rows
from reproduction.results.summary import decimals
from reproduction.rooms import find_papers, tables_of
from reproduction.verdicts.agreement import NEAR_MARGINS, STABLE
from reproduction.verdicts.margins import load_margins
from reproduction.verdicts.words import AGREEMENT, DATA, PROTOCOL, SAME

#: Page of the explorer, without its ending.
NAME = "ledger"

#: What readers choose by: column of the ledger -> title, in the order of the panel.
FACETS = {
    "agreement": "Agreement",
    "text_agreement": "Agreement, text reading",
    "data": "Data",
    "protocol": "Protocol",
    "paper": "Paper",
    "table": "Table",
    "dataset": "Data set",
    "method": "Method",
    "metric": "Metric",
}

#: Order of the words of an axis; other facets keep the order of the papers.
_ORDERED = {"agreement": AGREEMENT, "text_agreement": AGREEMENT, "data": DATA, "protocol": PROTOCOL}

#: Columns of numbers the cards and the scatter read.
_NUMBERS = (
    "published", "published_std", "ours", "low", "high", "difference", "margin", "prediction_low",
    "prediction_high", "text_ours", "readings_low", "readings_high", "stable",
)  # fmt: skip
_COUNTS = ("runs", "published_runs", "text_runs", "n_readings")
_WORDS = (
    "unit", "seen", "reason", "repeats", "text_protocol", "data_key", "data_source", "seed", "code",
    "source", "rerun",
)  # fmt: skip

#: Significant digits of numbers in the data block: pictures need no more.
_DIGITS = 6


def cell_anchor(cell: str) -> str:
    """Fragment that leads to a cell's card, such as ``cell/mvplsa/3/Cornell/...``."""
    return "cell/" + quote(cell, safe="/=+")


def cell_link(cell: str) -> str:
    """Address of a cell's card, seen from any page of the report."""
    return f"{NAME}.html#{cell_anchor(cell)}"


def _number(value: Any) -> float | int | None:
    if pd.isna(value):
        return None
    short = float(f"{float(value):.{_DIGITS}g}")
    return int(short) if short.is_integer() and abs(short) < 1e9 else short


def _coded(values: Sequence[str], order: Sequence[str] = ()) -> dict[str, Any]:
    """Texts as places in a list of the different ones."""
    found = dict.fromkeys(values)
    words = [*(word for word in order if word in found), *(w for w in found if w not in order)]
    place = {word: number for number, word in enumerate(words)}
    return {"words": words, "at": [place[value] for value in values]}


def _texts(ledger: pd.DataFrame, column: str) -> list[str]:
    return ["" if pd.isna(value) else str(value) for value in ledger[column]]


def _facet(ledger: pd.DataFrame, column: str) -> dict[str, Any]:
    papers = find_papers()
    # tables of different papers share their numbers
    values = _places(ledger) if column == "table" else _texts(ledger, column)
    coded = _coded(values, _ORDERED.get(column, ()))
    if column == "metric":
        coded["labels"] = [metric_name(word) for word in coded["words"]]
    if column == "paper":
        coded["labels"] = [papers[word].short for word in coded["words"]]
        coded["titles"] = [f"{papers[word].title} ({papers[word].year})" for word in coded["words"]]
    return coded


def _places(ledger: pd.DataFrame) -> list[str]:
    """What readers call the tables: ``MVPLSA, Table 3``."""
    short = {key: card.short for key, card in find_papers().items()}
    pairs = zip(ledger["paper"], ledger["table"], strict=True)
    return [f"{short[paper]}, {table_name(str(table))}" for paper, table in pairs]


def _figures(ledger: pd.DataFrame, mean: str, spread: str) -> list[str]:
    return [
        figure(*part) for part in zip(ledger[mean], ledger[spread], ledger["metric"], strict=True)
    ]


def runs_behind(ledger: pd.DataFrame) -> list[list[float]]:
    """Values of the runs behind every cell of the ledger.

    A cell's runs are found by its file, its metric and its mean: the ledger says which reading was
    compared. A cell whose file is gone, or whose mean no group of runs has, has none.
    """
    groups: dict[tuple[str, str], list[list[float]]] = {}
    for paper, source in dict.fromkeys(zip(ledger["paper"], ledger["source"], strict=True)):
        path = results_root() / str(paper) / str(source).rpartition(f"/{paper}/")[2]
        if not source or not path.is_file():
            continue
        rows = read_rows(path, tables_of(str(paper)))
        keys = [name for name in rows.columns if name not in ("run", "value")]
        group = rows.groupby(keys, sort=False, dropna=False).ngroup().to_numpy()
        order = np.lexsort((rows["run"], group))
        metrics, values = rows["metric"].to_numpy(), rows["value"].to_numpy(dtype=float)
        for places in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
            key = str(source), str(metrics[places[0]])
            groups.setdefault(key, []).append(values[places].tolist())
    found = []
    for row in ledger.to_dict("records"):
        near = groups.get((str(row["source"]), str(row["metric"])), [])
        known = (values for values in near if len(values) == row["runs"])
        found.append(next((v for v in known if _has_mean(v, row["ours"])), []))
    return found


def _has_mean(values: Sequence[float], mean: float) -> bool:
    return math.isclose(sum(values) / len(values), mean, rel_tol=1e-9, abs_tol=1e-9)


def explorer_data(ledger: pd.DataFrame, runs: Sequence[Sequence[float]]) -> dict[str, Any]:
    """What the script reads: facets, numbers and texts of all cells, column by column."""
    margins = load_margins()
    rerun = [snakemake_command(str(t)) if t else "" for t in _texts(ledger, "target")]
    full = ledger.assign(rerun=rerun)
    return {
        "facets": {
            name: {"title": title, **_facet(ledger, name)} for name, title in FACETS.items()
        },
        "numbers": {name: [_number(v) for v in ledger[name]] for name in _NUMBERS},
        "counts": {name: [_number(v) for v in ledger[name]] for name in _COUNTS},
        "texts": {name: _coded(_texts(full, name)) for name in _WORDS},
        "setting": _coded(shown_settings(ledger)),
        "shown": {
            "published": _figures(ledger, "published", "published_std"),
            "ours": _figures(ledger, "ours", "ours_std"),
            "text": _figures(ledger, "text_ours", "text_std"),
        },
        "decimals": {name: decimals(name) for name in sorted(set(ledger["metric"]))},
        "runs_of": [[_number(value) for value in values] for values in runs],
        "table_at": [
            f"{paper}.html#table-{slug(f'{paper}-table-{table}')}"
            for paper, table in zip(ledger["paper"], ledger["table"], strict=True)
        ],
        "log_units": sorted({u.name for u in margins.units.values() if u.scale == "log10"}),
        "near": NEAR_MARGINS,
        "stable": STABLE,
        "marks": {word: MARKS[word] for word in AGREEMENT},
        "same": SAME,
    }


def _joined(ledger: pd.DataFrame, names: Sequence[str], between: str) -> list[str]:
    texts = zip(*(_texts(ledger, name) for name in names), strict=True)
    return [between.join(filter(None, parts)) for parts in texts]


def explorer_body(ledger: pd.DataFrame, runs: Sequence[Sequence[float]]) -> str:
    """Body of the page: tools, scatter, rows, and the data the script reads."""
    data = explorer_data(ledger, runs)
    rows = ledger.assign(
        anchor=ledger["cell"].map(cell_anchor),
        axes=_joined(ledger, ("data", "protocol"), " · "),
        place=_joined(ledger.assign(setting=shown_settings(ledger)), ("dataset", "setting"), ", "),
        in_table=_places(ledger),
        metric_name=ledger["metric"].map(metric_name),
        shown_published=data["shown"]["published"],
        shown_ours=data["shown"]["ours"],
    )
    block = Markup(json_block(data, id="cells-data"))
    return render("explorer.html", rows=rows.to_dict("records"), data=block)


def write_explorer(output: Path | str, *, results: Path | str, stamp: Mapping[str, str]) -> None:
    """Write the page of all cells from the scored results."""
    with results_folder(Path(results)), configured(stamp):
        ledger = load_ledger()
        body = explorer_body(ledger, runs_behind(ledger))
    write_text(output, page_html(body, page=NAME, stamp=stamp, parts=("explorer",)))
