"""The overview: front page and explorer, one picture of all verdicts, summary, README block."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from asprinted.base_rates import counted
from asprinted.simulate import simulate
from asprinted.words import AGREEMENT, CLAIM, DIFFERENT, INFERRED, NOT_RUN, TEXT
from reproduction.files import write_text
from reproduction.pages.cells import count_frame, counts_markdown
from reproduction.pages.claims import claims_markdown, false_words
from reproduction.pages.explorer import NAME as EXPLORER
from reproduction.pages.explorer import write_explorer
from reproduction.pages.figures import (
    INK,
    ON_COLOUR,
    VERDICT_COLOURS,
    figure_html,
    new_figure,
    standalone_svg,
)
from reproduction.pages.front import front_body
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
from reproduction.pages.tables import figure
from reproduction.results.rows import table_text
from reproduction.rooms import find_paper, paper_keys
from reproduction.verdicts.cells import records
from reproduction.verdicts.records import SCHEMA_FILE, ledger_json, schema_json
from reproduction.verdicts.replication import counted_claims, headline, replication_table

README_START = "<!-- ledger:start -->"
README_END = "<!-- ledger:end -->"


def _panels(ledger: pd.DataFrame, claims: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Title -> counts of each panel of the picture: a row a paper, a column a word."""
    once, said = ledger[ledger["repeats"] == ""], counted_claims(claims)
    shown = {
        f"{len(once)} cells as the text says": (once, AGREEMENT, "text_agreement"),
        f"{len(once)} cells, inferred reading": (once, AGREEMENT, "agreement"),
        f"{len(said)} sentences as the text says": (said, CLAIM, TEXT),
        f"{len(said)} sentences, inferred reading": (said, CLAIM, INFERRED),
    }
    return {
        title: pd.crosstab(frame["paper"], frame[column]).reindex(
            index=list(paper_keys()), columns=list(words), fill_value=0
        )
        for title, (frame, words, column) in shown.items()
    }


def verdict_figure(ledger: pd.DataFrame, claims: pd.DataFrame) -> Figure:
    """The picture of the overview: words of cells (both readings) and of claims for each paper."""
    panels = _panels(ledger, claims)
    figure, axes = new_figure(len(panels), 1, width=4.9, height=12.8)
    for each, (title, counts) in zip(axes, panels.items(), strict=True):
        shares = counts.div(counts.sum(axis=1).clip(lower=1), axis=0) * 100
        shares.index = [find_paper(paper).short for paper in counts.index]
        shares.columns = [f"{word} ({number})" for word, number in counts.sum().items()]
        colours: list[Any] = [VERDICT_COLOURS[str(word)] for word in counts]
        shares.plot.barh(stacked=True, ax=each, color=colours, width=0.7, legend=False)
        for bars, word, share in zip(each.containers, counts, shares, strict=True):
            wide = (shares[share] >= 4).to_numpy()
            texts = [
                str(n) if n and fits else "" for n, fits in zip(counts[word], wide, strict=True)
            ]
            # what was not run is an empty frame: a second grey could not be told from the first
            if word == NOT_RUN:
                plt.setp(bars.patches, facecolor="none", edgecolor=VERDICT_COLOURS[word])
            ink = INK if word == NOT_RUN else ON_COLOUR
            each.bar_label(bars, labels=texts, label_type="center", color=ink, fontsize=8)
        for place in np.flatnonzero(counts.sum(axis=1) == 0):
            each.text(1, float(place), "none", va="center", fontsize=8)
        each.invert_yaxis()
        each.set(xlim=(0, 100), xlabel="% of each paper", title=title)
        each.grid(visible=False)
        each.legend(loc="upper center", bbox_to_anchor=(0.4, -0.18), ncols=2)
    return figure


def verdict_alt(ledger: pd.DataFrame, claims: pd.DataFrame) -> str:
    """The same in words, for readers who cannot see the picture."""
    panels = _panels(ledger, claims)
    lines = []
    for paper in paper_keys():
        told = (
            f"{title.partition(' ')[2]}: "
            + ", ".join(f"{n} {word}" for word, n in counts.loc[paper].items())
            for title, counts in panels.items()
        )
        lines.append(f"{find_paper(paper).short}: {'; '.join(told)}")
    return "Verdicts per paper. " + ". ".join(lines) + "."


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
    picture = "\n![Verdicts per paper](reports/verdicts.svg)\n"
    counts = counts_markdown(ledger, claims, "reports/")
    said = " ".join(headline(ledger, gaps, claims))
    return "\n".join([README_START, said, picture, counts, README_END])


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
    ledger (as JSON with its schema, too), claims and their parts, gaps between methods, counts with
    their base rates, counts by the field's criteria, error rates of the words and the numbers of
    the findings.
    """
    folder = Path(output).parent
    with results_folder(Path(results)):
        cells, said, gaps, parts = load_ledger(), load_claims(), load_gaps(), load_claim_parts()
        fronts = load_fronts(load_results)
    drawn, alt = verdict_figure(cells, said), verdict_alt(cells, said)
    tables = {
        "ledger": cells, "claims": said, "claim_parts": parts, "gaps": gaps,
        "counts": count_frame(cells), "replication": replication_table(cells, gaps),
        "simulated": simulate(cells), "findings": findings_frame(fronts),
    }  # fmt: skip
    texts = {
        **{f"tables/{name}.csv": table_text(table) for name, table in tables.items()},
        "tables/ledger.json": ledger_json(cells),
        f"tables/{SCHEMA_FILE}": schema_json(),
        "SUMMARY.md": summary_markdown(cells, gaps, said, stamp),
        "verdicts.svg": standalone_svg(drawn, "verdicts", alt),
    }
    for name, text in texts.items():
        write_text(folder / name, text)
    full, surrogates = run_facts(Path(results), paper_keys(), stamp)
    caption = (
        "Words of all cells (each number once) and of the sentences that count, for each paper; "
        "“none” where there are none."
    )
    with results_folder(Path(results)), configured(stamp):
        body = front_body(
            cells,
            gaps,
            said,
            fronts,
            picture=figure_html(drawn, "verdicts", alt, caption),
            surrogates=surrogates,
            beside={k: label for k, label in BESIDE.items() if (folder / f"{k}.html").is_file()},
        )
    write_text(output, page_html(body, page="index", stamp=full))
    write_explorer(folder / f"{EXPLORER}.html", results=results, stamp=full)
