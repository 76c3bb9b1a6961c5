"""Cells for readers: counts beside what a wrong ledger would score, gaps, choices, an example."""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from asprinted.agreement import WORDS
from asprinted.base_rates import READING, count, counted, word_counts
from asprinted.margins import load_margins
from asprinted.words import COMPATIBLE, EQUIVALENT, INFERRED, JUDGED, NOT_RUN, TEXT
from reproduction.pages.markup import markdown_table, render
from reproduction.pages.results import load_gaps
from reproduction.pages.tables import (
    EXPLORER,
    cell_anchor,
    figures_of,
    metric_name,
    show_table,
    table_name,
)
from reproduction.pages.wording import shown_settings
from reproduction.results.published import load_published
from reproduction.rooms import find_paper, tables_of
from reproduction.verdicts.readings import load_readings
from reproduction.verdicts.replication import (
    FIELD,
    counted_claims,
    mission,
    replication_table,
    tally,
)

ALL = "all"

#: Headline -> how a sentence names it.
NAMES = {TEXT: "as the text says", INFERRED: "inferred"}

_WORDS = (*WORDS, NOT_RUN)


def percent(share: float) -> str:
    """Share as text; nothing where there is none."""
    return "" if np.isnan(share) else f"{100 * share:.0f} %"


def part_of(frame: pd.DataFrame, paper: str) -> pd.DataFrame:
    """Rows of one paper, or of all that are no controls."""
    return mission(frame) if paper == ALL else frame[frame["paper"] == paper]


def paper_name(paper: str) -> str:
    """What readers call a paper, or all of them."""
    return "all papers" if paper == ALL else find_paper(paper).short


_RATES = ("shuffled", "most", "median", "elsewhere", "beyond chance")
_SHARES = [f"{name} {mark}" for mark in ("✓", "✓~") for name in _RATES]

_RATES_NOTE = (
    "Shares behind ✓ are of <em>equivalent</em> cells, behind ✓~ of <em>equivalent</em> and "
    "<em>compatible</em> ones. <em>Shuffled</em>: methods exchanged within their columns, none "
    "left in its place, mean of 2,000 draws; <em>most</em>: the best of them; <em>median</em>: the "
    "column's published median in every cell; <em>elsewhere</em>: the same method at another "
    "setting of the table. <em>Beyond chance</em>: the share less the largest of these, divided by "
    "what is left to gain."
)


def count_frame(ledger: pd.DataFrame) -> pd.DataFrame:
    """Counts of every paper under both readings, with the base rates as shares."""
    rows = []
    for paper, headline in product((*dict.fromkeys(ledger["paper"]), ALL), READING):
        part = part_of(ledger, paper)
        levels, words = count(part, paper, headline), word_counts(counted(part), headline)
        row = [paper, NAMES[headline], levels[0].cells, *(words[word] for word in _WORDS)]
        for each in levels:
            cells = each.cells or np.nan
            row += [n / cells for n in (each.shuffled, each.shuffled_most, each.median)]
            row += [each.elsewhere, each.beyond_chance]
        rows.append(row)
    return pd.DataFrame(rows, columns=["paper", "reading", "cells", *_WORDS, *_SHARES])


def show_counts(ledger: pd.DataFrame) -> None:
    """Show two rows per paper, one a reading: words, and what wrong ledgers would score."""
    frame = count_frame(ledger)
    frame = frame.assign(
        paper=frame["paper"].map(paper_name), **{name: frame[name].map(percent) for name in _SHARES}
    )
    caption = "Cells on the paper's own data, each once, beside what a wrong ledger scores"
    show_table(frame, "verdicts", caption, notes=[_RATES_NOTE], targets=[""])


#: What :func:`paper_counts` counts; pairs are of the text and the inferred reading.
COUNTED = (
    "cells compared on own data", "text: equivalent / compatible",
    "inferred: equivalent / compatible", "equivalent in a wrong ledger (text / inferred)",
    "sentences that hold (text / inferred)",
)  # fmt: skip


def paper_counts(ledger: pd.DataFrame, claims: pd.DataFrame) -> dict[str, list[str]]:
    """Paper -> its counts, as texts; all papers come last."""
    found = {}
    for paper in (*dict.fromkeys(ledger["paper"]), ALL):
        part, said = part_of(ledger, paper), part_of(claims, paper)
        own = counted(part)
        words = [word_counts(own, name) for name in READING]
        chance = " / ".join(f"{count(part, paper, name)[0].chance:.0f}" for name in READING)
        hold = " / ".join(str(tally(said, name).holds) for name in READING)
        found[paper] = [
            str(len(own)), *(f"{each[EQUIVALENT]} / {each[COMPATIBLE]}" for each in words),
            chance if len(own) else "–", f"{hold} of {len(counted_claims(said))}",
        ]  # fmt: skip
    return found


def counts_markdown(ledger: pd.DataFrame, claims: pd.DataFrame) -> str:
    """Counts as a Markdown table, one row a paper."""
    counts = paper_counts(ledger, claims).items()
    rows = [
        ["**all**" if paper == ALL else paper_link(paper), *numbers] for paper, numbers in counts
    ]
    return markdown_table(["paper", *COUNTED], rows)


def paper_link(paper: str, pages: str = "") -> str:
    """Name and year of a paper as a Markdown link to its page in a folder."""
    card = find_paper(paper)
    return f"[{card.short} ({card.year})]({pages}{paper}.html)"


def replication_frame(ledger: pd.DataFrame, gaps: pd.DataFrame) -> pd.DataFrame:
    """Counts by the field's criteria with their shares, per paper and reading; the field last."""
    found = replication_table(ledger, gaps)
    for name in (*FIELD, "significantly_opposite"):
        pairs = zip(found[name], found["cells" if "interval" in name else "gaps"], strict=True)
        found[name] = [f"{n} ({percent(n / size)})" if size else "–" for n, size in pairs]
    found["paper"] = found["paper"].map(paper_name)
    field = {"paper": "cancer biology", **{name: f"{share} %" for name, share in FIELD.items()}}
    frame = pd.concat([found, pd.DataFrame([field])], ignore_index=True)
    return frame.rename(columns=lambda name: name.replace("_", " "))


def gaps_table(paper: str) -> None:
    """Show by table and data set how many of a paper's gaps have the printed sign.

    A gap is one of its own methods minus another; what surrogates do says nothing about print.
    """
    gaps = load_gaps(paper)
    real = gaps[gaps["data"].isin(JUDGED) & (gaps["repeats"] == "")]
    if real.empty:
        return
    columns: dict[str, Any] = {
        "gaps": 1,
        "printed sign, as the text says": real["text_same_sign"] == "yes",
        "printed sign, inferred": real["same_sign"] == "yes",
    }
    names: dict[str, Any] = {"table": real["table"].map(table_name), "data set": real["dataset"]}
    shown = real.assign(**names, **columns).groupby(list(names), sort=False)[list(columns)].sum()
    show_table(
        shown,
        f"{paper}-gaps",
        "The paper's own methods minus the others: how many gaps have the printed sign",
        notes=['Every gap, with its interval, is in <a href="tables/gaps.csv">gaps.csv</a>.'],
    )


def choices_table(paper: str) -> None:
    """Show what a paper leaves open: what it says, both readings, when, after how many tries."""
    rows = []
    for choice in load_readings(paper, load_published(paper), tables_of(paper)):
        told, taken = choice.option(TEXT), choice.option(INFERRED)
        rows.append(
            {
                "question": choice.question,
                "the paper says": f"{choice.says} ({choice.place})",
                "text reading": f"{told.name} ({told.status})",
                "inferred reading": "the same" if taken == told else taken.name,
                "evidence": " ".join(choice.evidence.split()),
                "tried": choice.tried,
                "numbers": f"{'after' if choice.made.numbers_seen else 'before'} they were seen",
                "commit": choice.made.commit,
            }
        )
    caption = "What is left open, and how it was read"
    show_table(pd.DataFrame(rows), f"{paper}-open-choices", caption)


def example_text(ledger: pd.DataFrame) -> str:
    """Tell one cell from print to verdict (Markdown); every number comes from its row."""
    own = counted(ledger)
    # the one that shows most: inferred, with both readings run and several runs
    rich = (own["runs"] > 1) & (own["text_runs"] > 1) & (own["n_readings"] > 1)
    shows = rich.astype(int) + (rich & (own["protocol"] == INFERRED))
    if own.empty:
        return "This run has no cell on a paper's own data."
    row = own.iloc[int(shows.to_numpy().argmax())]
    return render(
        "example.md",
        row=row.to_dict(),
        setting=shown_settings(row.to_frame().T)[0],
        card=find_paper(str(row["paper"])),
        metric=metric_name(str(row["metric"])),
        link=f"{EXPLORER}.html#{cell_anchor(str(row['cell']))}",
        **figures_of(row),
    )


def margins_frame(ledger: pd.DataFrame) -> pd.DataFrame:
    """Margin of every unit, and the metrics it holds for."""
    metrics = ledger["metric"].drop_duplicates()
    units = metrics.map(load_margins().unit)
    rows = [
        {
            "unit": unit.name.replace("_", " "),
            "margin": f"{unit.margin:g}{' powers of ten' if unit.scale == 'log10' else ''}",
            "metrics": ", ".join(map(metric_name, metrics[units == unit])),
        }
        for unit in dict.fromkeys(units)
    ]
    return pd.DataFrame(rows)
