"""The overview: front page and explorer, one picture of all verdicts, summary, README block."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reproduction.files import write_text
from reproduction.pages.cells import cells_headline, count_frame, counts_markdown
from reproduction.pages.claims import claims_headline, claims_markdown, text_verdicts
from reproduction.pages.claims import counted as tested
from reproduction.pages.explorer import NAME as EXPLORER
from reproduction.pages.explorer import write_explorer
from reproduction.pages.figures import INK, VERDICT_COLOURS, figure_html, new_figure, standalone_svg
from reproduction.pages.front import FRONT_CONTENTS, front_body
from reproduction.pages.markup import markdown_table
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
from reproduction.rooms import find_paper, find_papers, paper_keys
from reproduction.verdicts.agreement import NEAR_MARGINS
from reproduction.verdicts.base_rates import counted
from reproduction.verdicts.records import SCHEMA_FILE, ledger_json, schema_json
from reproduction.verdicts.simulate import simulate
from reproduction.verdicts.words import AGREEMENT, CLAIM, DIFFERENT, NOT_COMPARABLE, NOT_RUN

README_START = "<!-- ledger:start -->"
README_END = "<!-- ledger:end -->"


def verdict_counts(frame: pd.DataFrame, words: tuple[str, ...], column: str) -> pd.DataFrame:
    """Number of cells (or claims) per paper and word; zeros included."""
    counts = pd.crosstab(frame["paper"], frame[column])
    return counts.reindex(index=list(paper_keys()), columns=list(words), fill_value=0)


def _panels(ledger: pd.DataFrame, claims: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Title -> counts of each panel of the picture."""
    once = ledger[ledger["repeats"] == ""]
    said = tested(claims)
    said = said.assign(text_verdict=text_verdicts(said))
    said = said[said["text_verdict"] != NOT_RUN]
    words = AGREEMENT
    return {
        f"{len(once)} cells as the text says": verdict_counts(once, words, "text_agreement"),
        f"{len(once)} cells, inferred reading": verdict_counts(once, words, "agreement"),
        f"{len(said)} claims tested on the paper's data, as the text says": verdict_counts(
            said, CLAIM, "text_verdict"
        ),
    }


def _bars(axes: Axes, counts: pd.DataFrame, title: str) -> None:
    """Stacked bars, one per paper, each piece labelled with its count."""
    shares = counts.div(counts.sum(axis=1).clip(lower=1), axis=0) * 100
    left = np.zeros(len(counts))
    for verdict in counts.columns:
        widths = shares[verdict].to_numpy(dtype=float)
        # what was not run is an empty frame: a second grey could not be told from the first
        open_frame = verdict == NOT_RUN
        bars = axes.barh(
            np.arange(len(counts)),
            widths,
            left=left,
            color="none" if open_frame else VERDICT_COLOURS[verdict],
            label=f"{verdict} ({int(counts[verdict].sum())})",
            edgecolor=VERDICT_COLOURS[verdict] if open_frame else "none",
            height=0.7,
        )
        texts = [
            str(n) if n and w >= 4 else "" for n, w in zip(counts[verdict], widths, strict=True)
        ]
        ink = INK if open_frame else "#ffffff"
        axes.bar_label(bars, labels=texts, label_type="center", color=ink, fontsize=8)
        left += widths
    for place in np.flatnonzero(counts.sum(axis=1).to_numpy() == 0):
        axes.text(1, float(place), "none", va="center", fontsize=8)
    axes.set_yticks(np.arange(len(counts)), [find_paper(paper).short for paper in counts.index])
    axes.set_ylim(len(counts) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of each paper")
    axes.set_title(title)
    axes.grid(visible=False)
    axes.legend(loc="upper center", bbox_to_anchor=(0.4, -0.18), ncols=2)


def verdict_figure(ledger: pd.DataFrame, claims: pd.DataFrame) -> Figure:
    """The picture of the overview: words of cells (both readings) and of claims for each paper."""
    panels = _panels(ledger, claims)
    figure, axes = new_figure(len(panels), 1, width=4.9, height=9.6)
    for place, (title, counts) in enumerate(panels.items()):
        _bars(axes[place], counts, title)
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


def deviation_figure(ledger: pd.DataFrame) -> Figure:
    """How far ours is from each cell on the paper's own data, in units of its margin."""
    figure, axes = new_figure(width=8.0, height=3.2)
    shown = counted(ledger)
    limit = 8.0
    for place, paper in enumerate(paper_keys()):
        part = shown[shown["paper"] == paper]
        ratio = (part["difference"] / part["margin"]).to_numpy(dtype=float).clip(-limit, limit)
        # golden-ratio steps spread the points evenly without chance
        offset = ((np.arange(len(part)) * 0.618034) % 1.0 - 0.5) * 0.6
        colours = [VERDICT_COLOURS[verdict] for verdict in part["agreement"]]
        axes.scatter(ratio, place + offset, s=9, c=colours, linewidths=0, alpha=0.85)
    for edge in (-NEAR_MARGINS, -1.0, 1.0, NEAR_MARGINS):
        axes.axvline(edge, lw=0.8, ls="--", color=VERDICT_COLOURS[NOT_COMPARABLE])
    axes.set_yticks(np.arange(len(paper_keys())), [card.short for card in find_papers().values()])
    axes.set_ylim(len(paper_keys()) - 0.5, -0.5)
    axes.set_xlim(-limit - 0.3, limit + 0.3)
    axes.set_xlabel("(ours − published) / margin, cut at ±8")
    return figure


def headline(ledger: pd.DataFrame, claims: pd.DataFrame) -> str:
    """The numbers a visitor wants first (Markdown)."""
    return f"{cells_headline(ledger)} {claims_headline(claims)}"


def summary_markdown(ledger: pd.DataFrame, claims: pd.DataFrame, stamp: Mapping[str, str]) -> str:
    """The whole outcome as one Markdown page for GitHub."""
    lines = ["# What holds of the papers", "", headline(ledger, claims), ""]
    lines += ["![Verdicts per paper](verdicts.svg)", ""]
    lines += counts_markdown(ledger, tested(claims))
    lines += ["", "## Claims", ""]
    lines += claims_markdown(claims)
    lines += ["", "## Cells that differ, on the paper's own data and by the inferred reading", ""]
    own = counted(ledger)
    differs = own[own["agreement"] == DIFFERENT]
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
        *counts_markdown(ledger, tested(claims), "reports/"),
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
    output: Path | str,
    *,
    results: Path | str,
    stamp: Mapping[str, str],
    summary: Path | str | None = None,
    ledger: Path | str | None = None,
    claims: Path | str | None = None,
    picture: Path | str | None = None,
) -> None:
    """Write the front page and the explorer and, beside them, summary, picture and tables.

    The further files default to ``SUMMARY.md``, ``tables/ledger.csv``, ``tables/claims.csv`` and
    ``verdicts.svg`` in the page's folder; the explorer is ``ledger.html`` there. Beside the ledger
    lie the same as JSON with its schema, the gaps between methods, the counts with their base
    rates, the error rates of the words and the numbers of the findings; beside the claims their
    parts.
    """
    folder = Path(output).parent
    with results_folder(Path(results)):
        cells, said, gaps = load_ledger(), load_claims(), load_gaps()
        parts = load_claim_parts()
        fronts = load_fronts(load_results)
    table = Path(ledger or folder / "tables" / "ledger.csv")
    write_text(table, table_text(cells))
    write_text(table.with_suffix(".json"), ledger_json(cells))
    write_text(table.with_name(SCHEMA_FILE), schema_json())
    write_text(table.with_name("gaps.csv"), table_text(gaps))
    write_text(table.with_name("counts.csv"), table_text(count_frame(cells)))
    write_text(table.with_name("simulated.csv"), table_text(simulate(cells)))
    write_text(table.with_name("findings.csv"), table_text(findings_frame(fronts)))
    told = Path(claims or folder / "tables" / "claims.csv")
    write_text(told, table_text(said))
    write_text(told.with_name("claim_parts.csv"), table_text(parts))
    write_text(summary or folder / "SUMMARY.md", summary_markdown(cells, said, stamp))
    drawn, alt = verdict_figure(cells, said), verdict_alt(cells, said)
    write_text(picture or folder / "verdicts.svg", standalone_svg(drawn, "verdicts", alt))
    full, surrogates = run_facts(Path(results), paper_keys(), stamp)
    caption = (
        "Words of all cells (each number once) and of the claims that count and were tested, for "
        "each paper; “none” where there are none."
    )
    with results_folder(Path(results)), configured(stamp):
        body = front_body(
            cells,
            said,
            fronts,
            picture=figure_html(drawn, "verdicts", alt, caption),
            surrogates=surrogates,
            beside={
                name: label for name, label in BESIDE.items() if (folder / f"{name}.html").is_file()
            },
        )
    write_text(output, page_html(body, page="index", contents=FRONT_CONTENTS, stamp=full))
    write_explorer(folder / f"{EXPLORER}.html", results=results, stamp=full)
