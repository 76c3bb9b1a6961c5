"""The explorer: every published cell on one page, to search, to filter, to link to.

Rows stand in the page as they are, so it reads without a script; what a card says besides lies in
a data block, column by column. ``assets/explorer.js`` filters the rows, draws the scatter and opens
the cards.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd

from reproduction.files import write_text
from reproduction.pages.markup import MARKS, json_block, slug
from reproduction.pages.page import configured, page_html, results_folder
from reproduction.pages.results import load_ledger, results_root, snakemake_command
from reproduction.pages.tables import METRIC_NAMES, figure, table_name
from reproduction.pages.wording import in_words
from reproduction.results.summary import decimals
from reproduction.rooms import find_papers, tables_of
from reproduction.verdicts.agreement import NEAR_MARGINS, STABLE
from reproduction.verdicts.edges import with_further_runs
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
_ORDERED = {
    "agreement": AGREEMENT,
    "text_agreement": AGREEMENT,
    "data": DATA,
    "protocol": PROTOCOL,
}

#: Columns of numbers the cards and the scatter read.
_NUMBERS = (
    "published", "published_std", "ours", "low", "high", "difference", "margin", "prediction_low",
    "prediction_high", "text_ours", "readings_low", "readings_high", "stable",
)  # fmt: skip
_COUNTS = ("runs", "published_runs", "text_runs", "n_readings")
_WORDS = (
    "unit", "seen", "reason", "repeats", "text_protocol", "data_key", "data_source", "seed", "code",
    "source", "rerun", "runs_why", "text_runs_why",
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
    values = _texts(ledger, column)
    if column == "table":  # tables of different papers share their numbers
        short = {key: card.short for key, card in find_papers().items()}
        values = [
            f"{short[p]}, {t}" for p, t in zip(ledger["paper"], table_names(ledger), strict=True)
        ]
    coded = _coded(values, _ORDERED.get(column, ()))
    if column == "metric":
        coded["labels"] = [METRIC_NAMES.get(word, word) for word in coded["words"]]
    if column == "paper":
        papers = find_papers()
        coded["labels"] = [papers[word].short for word in coded["words"]]
        coded["titles"] = [f"{papers[word].title} ({papers[word].year})" for word in coded["words"]]
    return coded


def table_names(ledger: pd.DataFrame) -> list[str]:
    """What readers call the tables: ``Table 3``; names that are words stay as they are."""
    return [table_name(str(table)) for table in ledger["table"]]


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
        rows = with_further_runs(path, tables_of(str(paper)))
        keys = [name for name in rows.columns if name not in ("run", "value")]
        for _, part in rows.groupby(keys, sort=False, dropna=False):
            values = [float(value) for value in part.sort_values("run")["value"]]
            groups.setdefault((str(source), str(part["metric"].iloc[0])), []).append(values)
    found = []
    for row in ledger.to_dict("records"):
        near = groups.get((str(row["source"]), str(row["metric"])), [])
        fits = (v for v in near if len(v) == row["runs"] and _same(_mean(v), row["ours"]))
        found.append(next(fits, []))
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


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
        "setting": _coded([in_words(text) for text in _texts(ledger, "setting")]),
        "shown": {
            name: [figure(*part) for part in zip(mean, spread, ledger["metric"], strict=True)]
            for name, mean, spread in (
                ("published", ledger["published"], ledger["published_std"]),
                ("ours", ledger["ours"], ledger["ours_std"]),
                ("text", ledger["text_ours"], ledger["text_std"]),
            )
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


def _row_html(row: Mapping[str, Any], short: str, table: str) -> str:
    def text(value: Any) -> str:
        return html.escape("" if value is None else str(value))

    metric = str(row["metric"])
    word = str(row["agreement"])
    axes = " · ".join(str(row[name]) for name in ("data", "protocol") if row[name])
    place = in_words(", ".join(str(row[name]) for name in ("dataset", "setting") if row[name]))
    name = str(row["cell"])
    return (
        f'<li id="cell/{text(name)}"><a href="#{text(cell_anchor(name))}">'
        f'<span class="c-word"><span class="badge v-{word.replace(" ", "-")}">'
        f'{MARKS[word]} {text(word)}</span> <span class="c-axes">{text(axes)}</span></span> '
        f'<span class="c-method">{text(row["method"])}</span> '
        f'<span class="c-place">{text(place)}</span> '
        f'<span class="c-paper">{text(short)}, {text(table)}</span> '
        f'<span class="c-metric">{text(METRIC_NAMES.get(metric, metric))}</span> '
        f'<span class="c-published"><i>published</i> '
        f"{figure(row['published'], row['published_std'], metric)}</span> "
        f'<span class="c-ours"><i>ours</i> '
        f"{figure(row['ours'], row['ours_std'], metric) or 'not run'}</span></a></li>"
    )


def rows_html(ledger: pd.DataFrame) -> str:
    """All cells as a list of links, in the order the papers print them."""
    papers = find_papers()
    rows = [{str(key): value for key, value in row.items()} for row in ledger.to_dict("records")]
    return "\n".join(
        _row_html(row, papers[str(row["paper"])].short, table)
        for row, table in zip(rows, table_names(ledger), strict=True)
    )


def explorer_body(ledger: pd.DataFrame, runs: Sequence[Sequence[float]]) -> str:
    """Body of the page: tools, scatter, rows, and the data the script reads."""
    return f"""<h1 id="every-published-cell">Every published cell</h1>
<p>All {len(ledger)} numbers the papers print, each beside ours. Tick what to see, or type:
a word that names a method, a data set or a verdict means just that. Open a row for its card.
The address keeps what you chose, so any selection can be shared.
<a href="reading.html">How to read the words</a>.</p>
<div class="explorer" data-marks="explorer">
<form class="finder" role="search" aria-label="Cells">
<label for="cells-query">Search</label>
<input type="search" id="cells-query" autocomplete="off" spellcheck="false"
 aria-describedby="cells-read" placeholder="cornell MVPLSA accuracy">
<p id="cells-read" class="note" aria-live="polite"></p>
<details class="choices" open><summary>Choose</summary><div id="cells-facets"></div></details>
</form>
<div class="found">
<p class="status"><strong id="cells-count" aria-live="polite">{len(ledger)} cells</strong>
<span id="cells-chips"></span></p>
<figure class="scatter" id="cells-figure" hidden>
<div class="scatter-tools"><label for="cells-unit">Scatter of</label>
<select id="cells-unit"></select></div>
<div id="cells-scatter"></div>
<figcaption>One mark a cell: the published figure across, ours upward. On the line both are equal;
the band is the margin. Click a mark to open its cell, or drag a box to choose those inside it.
</figcaption></figure>
<p class="scatter-tools"><label for="cells-sort">Order</label>
<select id="cells-sort"><option value="">as in the papers</option>
<option value="distance">farthest from print first</option>
<option value="published">highest published first</option>
<option value="ours">highest of ours first</option></select></p>
<div class="cells-head" aria-hidden="true"><span>agreement; data, protocol</span><span>method</span>
<span>data set, setting</span><span>paper</span><span>metric</span><span>published</span>
<span>ours</span></div>
<ol class="cells" id="cells">
{rows_html(ledger)}
</ol>
<p class="note" id="cells-none" hidden>No cell fits. <button type="button" id="cells-clear">Show all
cells</button></p>
</div>
</div>
<p class="note">The same as files: <a href="tables/ledger.csv">CSV</a>,
<a href="tables/ledger.json">JSON</a> with its <a href="tables/ledger.schema.json">schema</a>. In a
terminal, <code>python -m reproduction explain</code> and a cell's name print the same card.</p>
{json_block(explorer_data(ledger, runs), id="cells-data")}"""


def write_explorer(output: Path | str, *, results: Path | str, stamp: Mapping[str, str]) -> None:
    """Write the page of all cells from the scored results."""
    with results_folder(Path(results)), configured(stamp):
        ledger = load_ledger()
        body = explorer_body(ledger, runs_behind(ledger))
    text = page_html(
        body,
        page=NAME,
        contents=[{"id": "every-published-cell", "text": "Every published cell", "level": 1}],
        stamp=stamp,
        parts=("explorer",),
    )
    write_text(output, text)
