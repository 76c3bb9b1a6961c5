"""The overview: front page and explorer, one picture of all verdicts, summary, README block."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from asprinted.base_rates import counted
from asprinted.simulate import simulate
from asprinted.words import DIFFERENT
from reproduction.files import write_text
from reproduction.pages.cells import count_frame, counts_markdown, paper_link
from reproduction.pages.claims import claims_markdown, false_words
from reproduction.pages.explorer import write_explorer
from reproduction.pages.figures import standalone_svg
from reproduction.pages.front import front_body, outcome_figure, outcome_words
from reproduction.pages.markup import markdown_table, render
from reproduction.pages.page import BESIDE, configured, page_html, results_folder, run_facts
from reproduction.pages.results import (
    load_claim_parts,
    load_claims,
    load_gaps,
    load_ledger,
    load_results,
)
from reproduction.pages.said import findings_frame, load_fronts
from reproduction.pages.tables import EXPLORER, figure
from reproduction.results.rows import table_text
from reproduction.rooms import find_papers, paper_keys
from reproduction.verdicts.cells import records
from reproduction.verdicts.replication import headline, replication_table

README_START = "<!-- ledger:start -->"
README_END = "<!-- ledger:end -->"
TITLE = "Papers on multi-view learning, rebuilt: what holds"


def summary_markdown(
    ledger: pd.DataFrame, gaps: pd.DataFrame, claims: pd.DataFrame, stamp: Mapping[str, str]
) -> str:
    """The whole outcome as one Markdown page for GitHub."""
    own = counted(ledger)
    names = ["published", "ours"]
    rows = [
        [f"`{row['cell']}`", *(figure(row[n], row[f"{n}_std"], row["metric"]) for n in names)]
        for row in records(own[own["agreement"] == DIFFERENT])
    ]
    text = render(
        "summary.md",
        headline=" ".join(headline(ledger, gaps, claims)),
        false_words=false_words(claims),
        counts=counts_markdown(ledger, claims),
        claims=claims_markdown(claims),
        differing=markdown_table(["cell", *names], rows) if rows else "",
        stamp=stamp,
    )
    return text + "\n"


def readme_block(ledger: pd.DataFrame, gaps: pd.DataFrame, claims: pd.DataFrame) -> str:
    """What README shows between its markers, markers included."""
    picture = "\n![What became of printed numbers and sentences](reports/verdicts.svg)\n"
    said = " ".join(headline(ledger, gaps, claims))
    known = find_papers().items()
    rows = [[f"`{key}`", paper_link(key, "reports/"), card.summary] for key, card in known]
    papers = markdown_table(["key", "paper", "what it is"], rows)
    return "\n".join([README_START, said, picture, papers, README_END])


def update_readme(
    readme: Path, ledger: pd.DataFrame, gaps: pd.DataFrame, claims: pd.DataFrame
) -> bool:
    """Replace README's block between the markers; return whether the file changed."""
    text = readme.read_text(encoding="utf-8")
    if README_START not in text or README_END not in text:
        raise ValueError(f"{readme} lacks the markers {README_START} and {README_END}; add them")
    before, after = text.partition(README_START)[0], text.partition(README_END)[2]
    updated = before + readme_block(ledger, gaps, claims) + after
    if updated != text:
        write_text(readme, updated)
    return updated != text


def write_overview(output: Path | str, *, results: Path | str, stamp: Mapping[str, str]) -> None:
    """Write the front page and the explorer and, beside them, summary, picture and tables.

    ``SUMMARY.md``, ``verdicts.svg`` and the explorer lie in the page's folder, ``tables`` below it:
    ledger, claims and their parts, gaps between methods, counts with their base rates, counts by
    the field's criteria, error rates of the words and the numbers of the findings.
    """
    folder = Path(output).parent
    with results_folder(Path(results)):
        cells, said, gaps, parts = load_ledger(), load_claims(), load_gaps(), load_claim_parts()
        fronts = load_fronts(load_results)
    drawn, alt = outcome_figure(cells, said), outcome_words(cells, said)
    tables = {
        "ledger": cells, "claims": said, "claim_parts": parts, "gaps": gaps,
        "counts": count_frame(cells), "replication": replication_table(cells, gaps),
        "simulated": simulate(cells), "findings": findings_frame(fronts),
    }  # fmt: skip
    texts = {
        **{f"tables/{name}.csv": table_text(table) for name, table in tables.items()},
        "SUMMARY.md": summary_markdown(cells, gaps, said, stamp),
        "verdicts.svg": standalone_svg(drawn, "verdicts", alt),
    }
    for name, text in texts.items():
        write_text(folder / name, text)
    full, surrogates = run_facts(Path(results), paper_keys(), stamp)
    with results_folder(Path(results)), configured(stamp):
        body = front_body(
            cells,
            gaps,
            said,
            fronts,
            surrogates=surrogates,
            beside={k: label for k, label in BESIDE.items() if (folder / f"{k}.html").is_file()},
        )
    top = [{"id": "what-holds", "text": TITLE, "level": 1}]  # nothing to list beside
    write_text(output, page_html(body, page="index", contents=top, stamp=full))
    write_explorer(folder / f"{EXPLORER}.html", results=results, stamp=full)
