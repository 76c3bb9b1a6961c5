"""The overview: verdicts of all papers as one picture, the summary for GitHub, the README block."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reproduction.files import write_text
from reproduction.pages.claims import claims_headline, claims_markdown, counted
from reproduction.pages.figures import VERDICT_COLOURS, new_figure, standalone_svg
from reproduction.pages.markup import (
    Cell,
    Table,
    badge,
    csv_text,
    markdown_table,
    plain,
    table_html,
)
from reproduction.pages.page import results_folder, write_page
from reproduction.pages.results import (
    load_claims,
    load_ledger,
    result_target,
    snakemake_command,
)
from reproduction.pages.tables import METRIC_NAMES, figure
from reproduction.results.rows import table_text
from reproduction.rooms import find_paper, find_papers, paper_keys
from reproduction.verdicts.agreement import CELL_VERDICTS, NOT_RUN
from reproduction.verdicts.records import SCHEMA_FILE, ledger_json, schema_json
from reproduction.verdicts.words import CLAIM

README_START = "<!-- ledger:start -->"
README_END = "<!-- ledger:end -->"


def cell_verdicts(ledger: pd.DataFrame) -> tuple[str, ...]:
    """Verdicts to show: the four, and "not run" when a shortened configuration left cells out."""
    return (*CELL_VERDICTS, NOT_RUN) if NOT_RUN in set(ledger["verdict"]) else CELL_VERDICTS


def verdict_counts(frame: pd.DataFrame, verdicts: tuple[str, ...]) -> pd.DataFrame:
    """Number of cells (or claims) per paper and verdict; zeros included."""
    counts = pd.crosstab(frame["paper"], frame["verdict"])
    return counts.reindex(index=list(paper_keys()), columns=list(verdicts), fill_value=0)


def _bars(axes: Axes, counts: pd.DataFrame, title: str) -> None:
    """Stacked bars, one per paper, each piece labelled with its count."""
    shares = counts.div(counts.sum(axis=1).clip(lower=1), axis=0) * 100
    left = np.zeros(len(counts))
    for verdict in counts.columns:
        widths = shares[verdict].to_numpy(dtype=float)
        bars = axes.barh(
            np.arange(len(counts)),
            widths,
            left=left,
            color=VERDICT_COLOURS[verdict],
            label=f"{verdict} ({int(counts[verdict].sum())})",
            edgecolor="none",
            height=0.7,
        )
        texts = [
            str(n) if n and w >= 4 else "" for n, w in zip(counts[verdict], widths, strict=True)
        ]
        axes.bar_label(bars, labels=texts, label_type="center", color="#ffffff", fontsize=8)
        left += widths
    axes.set_yticks(np.arange(len(counts)), [find_paper(paper).short for paper in counts.index])
    axes.set_ylim(len(counts) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of each paper")
    axes.set_title(title)
    axes.grid(visible=False)
    axes.legend(loc="upper center", bbox_to_anchor=(0.4, -0.18), ncols=2)


def verdict_figure(ledger: pd.DataFrame, claims: pd.DataFrame) -> Figure:
    """The picture of the overview: verdicts of cells and of claims for each paper."""
    figure, axes = new_figure(2, 1, width=4.9, height=6.4)
    cells = verdict_counts(ledger, cell_verdicts(ledger))
    _bars(axes[0], cells, f"{len(ledger)} published cells")
    said = counted(claims)
    _bars(axes[1], verdict_counts(said, CLAIM), f"{len(said)} claims tested on the paper's data")
    return figure


def verdict_alt(ledger: pd.DataFrame, claims: pd.DataFrame) -> str:
    """The same in words, for readers who cannot see the picture."""
    cells = verdict_counts(ledger, cell_verdicts(ledger))
    said = verdict_counts(counted(claims), CLAIM)
    lines = []
    for paper in paper_keys():
        own = ", ".join(f"{n} {verdict}" for verdict, n in cells.loc[paper].items())
        stated = ", ".join(f"{n} {verdict}" for verdict, n in said.loc[paper].items())
        lines.append(f"{find_paper(paper).short}: cells {own}; claims {stated}")
    return "Verdicts per paper. " + ". ".join(lines) + "."


def deviation_figure(ledger: pd.DataFrame) -> Figure:
    """How far ours is from each comparable cell, in units of its tolerance."""
    figure, axes = new_figure(width=8.0, height=3.2)
    shown = ledger[ledger["verdict"].isin(CELL_VERDICTS[:3])]
    limit = 8.0
    for place, paper in enumerate(paper_keys()):
        part = shown[shown["paper"] == paper]
        ratio = (part["difference"] / part["tolerance"]).to_numpy(dtype=float).clip(-limit, limit)
        # golden-ratio steps spread the points evenly without chance
        offset = ((np.arange(len(part)) * 0.618034) % 1.0 - 0.5) * 0.6
        colours = [VERDICT_COLOURS[verdict] for verdict in part["verdict"]]
        axes.scatter(ratio, place + offset, s=9, c=colours, linewidths=0, alpha=0.85)
    for edge in (-2.5, -1.0, 1.0, 2.5):
        axes.axvline(edge, lw=0.8, ls="--", color=VERDICT_COLOURS["not comparable"])
    axes.set_yticks(np.arange(len(paper_keys())), [card.short for card in find_papers().values()])
    axes.set_ylim(len(paper_keys()) - 0.5, -0.5)
    axes.set_xlim(-limit - 0.3, limit + 0.3)
    axes.set_xlabel("(ours − published) / tolerance, cut at ±8")
    return figure


def _integers(counts: Any) -> list[int]:
    return [int(count) for count in counts]


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def headline(ledger: pd.DataFrame, claims: pd.DataFrame) -> str:
    """Two sentences with the numbers a visitor wants first (Markdown)."""
    cells = Counter(ledger["verdict"])
    compared = sum(cells[verdict] for verdict in CELL_VERDICTS[:3])
    share = f" ({100 * cells['reproduced'] / compared:.0f} %)" if compared else ""
    left_out = cells[NOT_RUN]
    extra = f" {left_out} are left out by a shortened configuration." if left_out else ""
    return (
        f"Of {_count(len(ledger), 'published cell')}, {compared} could be compared on the papers' "
        f"own data: **{cells['reproduced']} reproduced**{share}, **{cells['close']} close**, "
        f"**{cells['differs']} different**; {cells['not comparable']} rest on other data than the "
        f"paper's.{extra} " + claims_headline(claims)
    )


def paper_table(ledger: pd.DataFrame, claims: pd.DataFrame) -> Table:
    """One row per paper: verdict counts, linked to its page."""
    verdicts = cell_verdicts(ledger)
    cells = verdict_counts(ledger, verdicts)
    said = verdict_counts(counted(claims), CLAIM)
    header = ["paper", "cells", *verdicts, "claims", *CLAIM]
    rows = []
    records = []
    for paper in [*paper_keys(), "all"]:
        own = _integers(cells.sum() if paper == "all" else cells.loc[paper])
        stated = _integers(said.sum() if paper == "all" else said.loc[paper])
        name = "all papers" if paper == "all" else find_paper(paper).title
        link = name if paper == "all" else f'<a href="{paper}.html">{html.escape(name)}</a>'
        rows.append(
            [
                Cell(link, name, name, "text"),
                plain(sum(own)),
                *map(plain, own),
                plain(sum(stated)),
                *map(plain, stated),
            ]
        )
        records.append([paper, sum(own), *own, sum(stated), *stated])
    return Table(
        name="verdicts",
        caption="Verdicts of the published cells, then of the claims, for each paper",
        header=header,
        rows=rows,
        csv=csv_text(pd.DataFrame(records, columns=header)),
        commands=[snakemake_command("")],
    )


def _figure_cell(mean: float, deviation: float, metric: str) -> Cell:
    text = figure(mean, deviation, metric)
    return Cell(text, text, "" if pd.isna(mean) else float(mean), "num")


def _ledger_row(row: pd.Series) -> list[Cell]:
    metric = str(row["metric"])
    name = str(row["cell"])
    return [
        Cell(f"<code>{html.escape(name)}</code>", name, name, "id"),
        plain(METRIC_NAMES.get(metric, metric)),
        _figure_cell(row["published"], row["published_std"], metric),
        _figure_cell(row["ours"], row["ours_std"], metric),
        plain(int(row["runs"])),
        plain(row["difference"]),
        plain(row["tolerance"]),
        badge(str(row["verdict"])),
        plain(row["provenance"]),
    ]


def ledger_table(ledger: pd.DataFrame) -> Table:
    """Every published cell of every paper, to sort and to filter."""
    columns = "cell metric published ours runs difference tolerance verdict data"
    return Table(
        name="ledger",
        caption="Every published cell",
        header=columns.split(),
        rows=[_ledger_row(row) for _, row in ledger.iterrows()],
        csv=csv_text(ledger),
        commands=[
            *(snakemake_command(result_target(paper, "ledger.csv")) for paper in paper_keys()),
            f"python -m reproduction explain {ledger['cell'].iloc[0]}",
        ],
    )


def show(table: Table) -> None:
    """Show a table in the overview notebook."""
    from IPython.display import HTML, display

    display(HTML(table_html(table)))


def counts_markdown(ledger: pd.DataFrame, claims: pd.DataFrame, pages: str = "") -> list[str]:
    """Verdict counts as a Markdown table; ``pages`` is the folder the links point to."""
    verdicts = cell_verdicts(ledger)
    cells = verdict_counts(ledger, verdicts)
    said = verdict_counts(counted(claims), CLAIM)
    rows = []
    for paper in paper_keys():
        own, stated = _integers(cells.loc[paper]), _integers(said.loc[paper])
        card = find_paper(paper)
        link = f"[{card.short} ({card.year})]({pages}{paper}.html)"
        counts = [*map(str, own), f"{stated[0]} of {sum(stated)}"]
        rows.append([f"`{paper}`", link, card.summary, *counts])
    totals = [str(int(cells[verdict].sum())) for verdict in verdicts]
    rows.append(
        ["", "**all**", "", *totals, f"{int(said['holds'].sum())} of {said.to_numpy().sum()}"]
    )
    return markdown_table(["key", "paper", "what it is", *verdicts, "claims that hold"], rows)


def summary_markdown(ledger: pd.DataFrame, claims: pd.DataFrame, stamp: Mapping[str, str]) -> str:
    """The whole outcome as one Markdown page for GitHub."""
    lines = ["# What holds of the papers", "", headline(ledger, claims), ""]
    lines += ["![Verdicts per paper](verdicts.svg)", ""]
    lines += counts_markdown(ledger, claims)
    lines += ["", "## Claims", ""]
    lines += claims_markdown(claims)
    lines += ["", "## Cells that differ", ""]
    differs = ledger[ledger["verdict"] == "differs"]
    rows = [
        [
            f"`{row['cell']}`",
            figure(row["published"], row["published_std"], row["metric"]),
            figure(row["ours"], row["ours_std"], row["metric"]),
        ]
        for _, row in differs.iterrows()
    ]
    lines += markdown_table(["cell", "published", "ours"], rows) if rows else ["None."]
    lines += ["", "## This run", ""]
    lines += [f"- {key}: {value}" for key, value in stamp.items()]
    lines += ["", "All cells: [tables/ledger.csv](tables/ledger.csv)."]
    return "\n".join(lines) + "\n"


def readme_block(ledger: pd.DataFrame, claims: pd.DataFrame) -> str:
    """What README shows between its markers, markers included."""
    lines = [
        README_START,
        headline(ledger, claims),
        "",
        "![Verdicts per paper](reports/verdicts.svg)",
        "",
        *counts_markdown(ledger, claims, "reports/"),
        README_END,
    ]
    return "\n".join(lines)


def update_readme(readme: Path, ledger: pd.DataFrame, claims: pd.DataFrame) -> bool:
    """Replace README's block between the markers; return whether the file changed."""
    text = readme.read_text(encoding="utf-8")
    if README_START not in text or README_END not in text:
        raise ValueError(f"{readme} lacks the markers {README_START} and {README_END}; add them")
    before, rest = text.split(README_START, 1)
    after = rest.split(README_END, 1)[1]
    updated = before + readme_block(ledger, claims) + after
    if updated != text:
        write_text(readme, updated)
    return updated != text


def write_overview(
    notebook: Path | str,
    output: Path | str,
    *,
    results: Path | str,
    stamp: Mapping[str, str],
    summary: Path | str | None = None,
    ledger: Path | str | None = None,
    claims: Path | str | None = None,
    picture: Path | str | None = None,
) -> None:
    """Write the overview page and, beside it, summary, picture and the tables of all papers.

    The further files default to ``SUMMARY.md``, ``tables/ledger.csv``, ``tables/claims.csv`` and
    ``verdicts.svg`` in the page's folder. The ledger is also written as JSON, with its schema.
    """
    folder = Path(output).parent
    with results_folder(Path(results)):
        cells, said = load_ledger(), load_claims()
    table = Path(ledger or folder / "tables" / "ledger.csv")
    write_text(table, table_text(cells))
    write_text(table.with_suffix(".json"), ledger_json(cells))
    write_text(table.with_name(SCHEMA_FILE), schema_json())
    write_text(claims or folder / "tables" / "claims.csv", table_text(said))
    write_text(summary or folder / "SUMMARY.md", summary_markdown(cells, said, stamp))
    svg = standalone_svg(verdict_figure(cells, said), "verdicts", verdict_alt(cells, said))
    write_text(picture or folder / "verdicts.svg", svg)
    write_page(notebook, output, results=results, stamp=stamp)
