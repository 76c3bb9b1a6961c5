"""The overview: front page, explorer, one picture of all verdicts, tables, README block.

The explorer has every published cell on one page, to search, to filter, to link to. Its rows stand
in the page as they are, so it reads without a script; what a card says besides lies in a data
block, column by column, which ``assets/explorer.js`` reads.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from asprinted.agreement import NEAR_MARGINS, STABLE
from asprinted.base_rates import counted
from asprinted.margins import load_margins
from asprinted.simulate import simulate
from asprinted.words import AGREEMENT, DATA, PROTOCOL, SAME
from reproduction.files import write_text
from reproduction.pages.cells import count_frame
from reproduction.pages.claims import false_words
from reproduction.pages.figures import standalone_svg
from reproduction.pages.front import TITLE, front_body, outcome_figure, outcome_words
from reproduction.pages.markup import MARKS, markdown_table, render, slug
from reproduction.pages.page import BESIDE, page_html, results_folder, run_facts
from reproduction.pages.results import (
    load_claim_parts,
    load_claims,
    load_gaps,
    load_ledger,
    snakemake_command,
)
from reproduction.pages.said import findings_frame, load_front
from reproduction.pages.tables import EXPLORER, cell_anchor, figure, metric_name, table_name
from reproduction.pages.why import tried_said, with_reasons
from reproduction.pages.wording import shown_settings
from reproduction.results.rows import table_text
from reproduction.results.summary import decimals
from reproduction.rooms import find_papers, paper_keys
from reproduction.verdicts.replication import headline, mission, replication_table

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
#: Beginning of a method's name, or the whole -> what else readers may look for.
_ALSO = {
    "NBC": "naive Bayes", "CoTr": "co-training cotraining", "COTRAIN": "co-training",
    "PA ": "passive-aggressive", "Two-view PA": "passive-aggressive", "PA Cat": "concatenation",
    "V12": "concatenation", "DPLSA": "dual PLSA", "SCM": "semantic correlation matching",
    "PCoSC": "co-regularised spectral clustering", "VPLSA": "vote PLSA",
    "K-means": "kmeans", "CoPLSA": "co-regularised PLSA", "CCAMC": "CCA canonical correlation",
    "co-training": "cotraining", "SGC": "graph convolution", "supervised": "naive Bayes",
}  # fmt: skip
_COUNTS = ("runs", "published_runs", "text_runs", "n_readings")
_WORDS = (
    "unit", "seen", "reason", "also", "repeats", "text_protocol", "data_key", "data_source", "seed",
    "code", "source", "rerun",
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
    return {"words": words, "at": list(map({w: n for n, w in enumerate(words)}.get, values))}


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


def explorer_data(ledger: pd.DataFrame) -> dict[str, Any]:
    """What the script reads: facets, numbers and texts of all cells, column by column."""
    shown = {name: list(ledger[f"shown_{name}"]) for name in ("published", "ours")}
    return {
        "facets": {name: _facet(ledger, name) for name in FACETS},
        "numbers": {name: list(map(_short, ledger[name])) for name in _NUMBERS},
        "counts": {name: list(map(_short, ledger[name])) for name in _COUNTS},
        "texts": {name: _coded(list(ledger[name])) for name in _WORDS},
        "setting": _coded(list(ledger["in_words"])),
        "shown": {**shown, "text": _figures(ledger, "text_ours", "text_std")},
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


def explorer_body(ledger: pd.DataFrame) -> str:
    """Body of the page of all cells: tools, scatter, rows, data block."""
    ledger = with_reasons(ledger)
    short = {key: card.short for key, card in find_papers().items()}
    ledger = ledger.assign(
        rerun=[snakemake_command(target) if target else "" for target in ledger["target"]],
        in_words=shown_settings(ledger),
        in_table=ledger["paper"].map(short) + ", " + ledger["table"].map(table_name),
        anchor=ledger["cell"].map(cell_anchor),
        also=[
            " ".join(words for name, words in _ALSO.items() if method.startswith(name))
            for method in ledger["method"]
        ],
        metric_name=ledger["metric"].map(metric_name),
        shown_published=_figures(ledger, "published", "published_std"),
        shown_ours=_figures(ledger, "ours", "ours_std"),
    )
    return render("explorer.html", rows=ledger.to_dict("records"), data=explorer_data(ledger))


def papers_markdown(folder: str = "") -> str:
    """Papers with links to their pages in a folder, as a Markdown table."""
    rows = [
        [f"`{key}`", f"[{card.short} ({card.year})]({folder}{key}.html)", card.summary]
        for key, card in find_papers().items()
    ]
    return markdown_table(["key", "paper", "what it is"], rows)


def headline_markdown(ledger: pd.DataFrame, gaps: pd.DataFrame, claims: pd.DataFrame) -> str:
    """The three sentences, and the letter of the text below them."""
    said = headline(ledger, gaps, claims)
    return "\n\n".join([" ".join(said[:3]), *said[3:]])


def summary_markdown(
    ledger: pd.DataFrame, gaps: pd.DataFrame, claims: pd.DataFrame, stamp: Mapping[str, str]
) -> str:
    """The outcome as one Markdown page for GitHub."""
    said, wrong = headline_markdown(ledger, gaps, claims), false_words(claims)
    text = {"headline": said, "false_words": wrong, "papers": papers_markdown()}
    return render("summary.md", **text, stamp=stamp) + "\n"


def readme_block(ledger: pd.DataFrame, gaps: pd.DataFrame, claims: pd.DataFrame) -> str:
    """What README shows between its markers."""
    picture = "\n![What became of printed numbers and sentences](reports/verdicts.svg)\n"
    said = headline_markdown(ledger, gaps, claims)
    return "\n".join([said, picture, papers_markdown("reports/")])


def write_overview(output: Path | str, *, results: Path | str, stamp: Mapping[str, str]) -> None:
    """Write the front page and, beside it, explorer, summary, picture and ``tables``.

    These are the ledger, claims and their parts, gaps between methods, counts with their base
    rates, counts by the field's criteria, error rates of the words, the numbers of the findings.
    """
    folder = Path(output).parent
    there = {name: label for name, label in BESIDE.items() if (folder / f"{name}.html").is_file()}
    with results_folder(Path(results), stamp.get("Configuration", "")):
        full, surrogates = run_facts(paper_keys(), stamp)
        cells, said, gaps, parts = load_ledger(), load_claims(), load_gaps(), load_claim_parts()
        fronts = {key: load_front(key) for key in paper_keys()}
        tried = tried_said() if len(counted(mission(cells))) else ""  # as with the findings
        more: dict[str, Any] = {"surrogates": surrogates, "beside": there, "tried": tried}
        body = front_body(cells, gaps, said, fronts, **more)
        explorer = explorer_body(cells)
    tables = {
        "ledger": cells, "claims": said, "claim_parts": parts, "gaps": gaps,
        "counts": count_frame(cells), "replication": replication_table(cells, gaps),
        "simulated": simulate(cells), "findings": findings_frame(fronts),
    }  # fmt: skip
    for name, table in tables.items():
        write_text(folder / "tables" / f"{name}.csv", table_text(table))
    picture = standalone_svg(outcome_figure(cells, said), "verdicts", outcome_words(cells, said))
    write_text(folder / "verdicts.svg", picture)
    write_text(folder / "SUMMARY.md", summary_markdown(cells, gaps, said, stamp))
    write_text(output, page_html(body, page="index", title=TITLE, stamp=full))
    page = page_html(
        explorer, page=EXPLORER, title="Every published cell", stamp=full, parts=("explorer",)
    )
    write_text(folder / f"{EXPLORER}.html", page)
