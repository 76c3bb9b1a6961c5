"""The explorer: every published cell on one page, to search, to filter, to link to.

Rows stand in the page as they are, so it reads without a script; what a card says besides lies in
a data block, column by column. ``assets/explorer.js`` filters the rows, draws the scatter and opens
the cards.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from asprinted.agreement import NEAR_MARGINS, STABLE
from asprinted.margins import load_margins
from asprinted.words import AGREEMENT, DATA, PROTOCOL, SAME
from reproduction.files import write_text
from reproduction.pages.markup import MARKS, render, slug
from reproduction.pages.page import configured, page_html, results_folder
from reproduction.pages.results import load_ledger, snakemake_command
from reproduction.pages.tables import EXPLORER, cell_anchor, figure, metric_name, table_name
from reproduction.pages.why import with_reasons
from reproduction.pages.wording import shown_settings
from reproduction.results.summary import decimals
from reproduction.rooms import find_papers

#: What readers choose by: column of the ledger -> title, in the order of the panel.
FACETS = {
    "agreement": "Agreement", "text_agreement": "Agreement, text reading", "data": "Data",
    "protocol": "Protocol", "paper": "Paper", "table": "Table", "dataset": "Data set",
    "method": "Method", "metric": "Metric",
}  # fmt: skip

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


def _short(value: float) -> float | int | None:
    """Six significant digits: pictures need no more."""
    if pd.isna(value):
        return None
    short = float(f"{float(value):.6g}")
    return int(short) if short.is_integer() and abs(short) < 1e9 else short


def _coded(values: Sequence[str], order: Sequence[str] = ()) -> dict[str, Any]:
    """Texts as places in a list of the different ones."""
    found = dict.fromkeys(values)
    words = [*(word for word in order if word in found), *(w for w in found if w not in order)]
    place = {word: number for number, word in enumerate(words)}
    return {"words": words, "at": [place[value] for value in values]}


def _facet(ledger: pd.DataFrame, column: str) -> dict[str, Any]:
    papers = find_papers()
    # tables of different papers share their numbers
    values = list(ledger["in_table" if column == "table" else column])
    coded = {"title": FACETS[column], **_coded(values, _ORDERED.get(column, ()))}
    if column == "metric":
        coded["labels"] = [metric_name(word) for word in coded["words"]]
    if column == "paper":
        coded["labels"] = [papers[word].short for word in coded["words"]]
        coded["titles"] = [f"{papers[word].title} ({papers[word].year})" for word in coded["words"]]
    return coded


def _figures(ledger: pd.DataFrame, mean: str, spread: str) -> list[str]:
    return list(map(figure, ledger[mean], ledger[spread], ledger["metric"]))


def _joined(between: str, *texts: Iterable[str]) -> list[str]:
    return [between.join(filter(None, parts)) for parts in zip(*texts, strict=True)]


def explorer_data(ledger: pd.DataFrame) -> dict[str, Any]:
    """What the script reads: facets, numbers and texts of all cells, column by column."""
    return {
        "facets": {name: _facet(ledger, name) for name in FACETS},
        "numbers": {name: list(map(_short, ledger[name])) for name in _NUMBERS},
        "counts": {name: list(map(_short, ledger[name])) for name in _COUNTS},
        "texts": {name: _coded(list(ledger[name])) for name in _WORDS},
        "setting": _coded(list(ledger["in_words"])),
        "shown": {
            "published": list(ledger["shown_published"]),
            "ours": list(ledger["shown_ours"]),
            "text": _figures(ledger, "text_ours", "text_std"),
        },
        "decimals": {name: decimals(name) for name in sorted(set(ledger["metric"]))},
        "table_at": [
            f"{paper}.html#table-{slug(f'{paper}-table-{table}')}"
            for paper, table in zip(ledger["paper"], ledger["table"], strict=True)
        ],
        "log_units": [u.name for u in load_margins().units.values() if u.scale == "log10"],
        "near": NEAR_MARGINS,
        "stable": STABLE,
        "marks": {word: MARKS[word] for word in AGREEMENT},
        "same": SAME,
    }


def write_explorer(output: Path | str, *, results: Path | str, stamp: Mapping[str, str]) -> None:
    """Write the page of all cells from the scored results: tools, scatter, rows, data block."""
    with results_folder(Path(results)), configured(stamp):
        ledger = with_reasons(load_ledger())
        short = {key: card.short for key, card in find_papers().items()}
        settings = shown_settings(ledger)
        ledger = ledger.assign(
            rerun=[snakemake_command(target) if target else "" for target in ledger["target"]],
            in_words=settings,
            in_table=ledger["paper"].map(short) + ", " + ledger["table"].map(table_name),
            anchor=ledger["cell"].map(cell_anchor),
            axes=_joined(" · ", ledger["data"], ledger["protocol"]),
            place=_joined(", ", ledger["dataset"], settings),
            metric_name=ledger["metric"].map(metric_name),
            shown_published=_figures(ledger, "published", "published_std"),
            shown_ours=_figures(ledger, "ours", "ours_std"),
        )
        rows = ledger.to_dict("records")
        body = render("explorer.html", rows=rows, data=explorer_data(ledger))
    write_text(output, page_html(body, page=EXPLORER, stamp=stamp, parts=("explorer",)))
