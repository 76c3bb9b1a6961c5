"""Cells for readers: counts beside what a wrong ledger would score, gaps, choices, an example.

And what the verdicts say where the answer is known: of simulated papers, and of controls.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from string import Formatter

import numpy as np
import pandas as pd

from asprinted import simulate as s
from asprinted.agreement import WORDS, Figure, figure_of, judge
from asprinted.base_rates import READING, count, counted, judged, word_counts
from asprinted.margins import load_margins
from asprinted.words import EQUIVALENT, INFERRED, NOT_RUN, TEXT
from reproduction.pages.markup import render
from reproduction.pages.results import load_results
from reproduction.pages.said import Said
from reproduction.pages.tables import EXPLORER, cell_anchor, figures_of, metric_name, show_table
from reproduction.pages.wording import shown_settings
from reproduction.results.published import load_published
from reproduction.rooms import controls, find_paper, open_module, tables_of
from reproduction.verdicts.claim_scores import answer, checked, load_claims_file
from reproduction.verdicts.readings import load_readings
from reproduction.verdicts.replication import ALL, FIELD, part_of, replication_table

#: Headline -> how a sentence names it.
NAMES = {TEXT: "as the text says", INFERRED: "inferred"}

_WORDS = (*WORDS, NOT_RUN)


def percent(share: float) -> str:
    """Share as text; nothing where there is none."""
    return "" if np.isnan(share) else f"{100 * share:.0f} %"


def paper_name(paper: str) -> str:
    """What readers call a paper, or all of them."""
    return "all papers" if paper == ALL else find_paper(paper).short


AS_IS = "as it is"
#: What is done to simulated print -> the truth behind it, and how far off that is.
KNOWN = {
    "same code, other seeds": (s.SAME_CODE, s.ANY),
    "a fault within the margin": (s.OTHER_READING, s.SIZES[1]),
    "a small fault, up to 2.5 margins": (s.OTHER_READING, s.SIZES[2]),
    "a large fault, beyond 2.5 margins": (s.OTHER_READING, s.SIZES[3]),
    "methods exchanged": (s.OTHER_METHOD, s.ANY),
    "print of another paper": (s.OTHER_PAPER, s.ANY),
}

_RATES = ("shuffled", "most", "median", "elsewhere", "beyond chance")
_SHARES = [f"{name} {mark}" for mark in ("✓", "✓~") for name in _RATES]

_RATES_NOTE = (
    "Shares behind ✓ are of <em>equivalent</em> cells, behind ✓~ of <em>equivalent</em> and "
    "<em>compatible</em> ones. <em>Shuffled</em>: methods exchanged within their columns, none "
    "left in its place, mean of 2,000 draws; <em>most</em>: the best of them; <em>median</em>: the "
    "column's published median in every cell; <em>elsewhere</em>: the same method at another "
    "setting of the table. <em>Beyond chance</em>: (share − largest of these) / (1 − largest)."
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


def agreement_said(ledger: pd.DataFrame, paper: str, texts: Sequence[str]) -> Said:
    """Say how many numbers come back, by the text for no data, for other data or for its own."""
    beside = judged(ledger)
    agree = int((beside["agreement"] == EQUIVALENT).sum())
    known: dict[str, float] = {"all": len(ledger), "beside": len(beside), "agree": agree}
    text = texts[1 if len(beside) else 0]
    if len(counted(ledger)):
        own, within_noise = count(ledger, paper, INFERRED)
        known |= {"cells": own.cells, "inferred": own.agree, "luck": own.chance}
        known |= {"more": within_noise.agree - own.agree}
        known |= {"text": count(ledger, paper, TEXT)[0].agree}
        text = texts[2]
    return Said(text, {name: known[name] for _, name, _, _ in Formatter().parse(text) if name})


def replication_frame(ledger: pd.DataFrame, gaps: pd.DataFrame) -> pd.DataFrame:
    """Counts by the field's criteria with their shares, per paper and reading; the field last."""
    found = replication_table(ledger, gaps)
    for name in (*FIELD, "significantly_opposite"):
        pairs = zip(found[name], found["cells" if "interval" in name else "gaps"], strict=True)
        found[name] = [f"{n} ({percent(n / size)})" if size else "–" for n, size in pairs]
    found["paper"] = found["paper"].map(paper_name)
    field = {"paper": "cancer biology", **{name: f"{share} %" for name, share in FIELD.items()}}
    frame = pd.concat([found, pd.DataFrame([field])], ignore_index=True)
    counts = ["gaps", "ahead_in_print", "ahead_in_both", "cells"]
    frame[counts] = frame[counts].astype("Int64")
    return frame.rename(columns=lambda name: name.replace("_", " "))


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
    return pd.DataFrame(
        {
            "unit": unit.name.replace("_", " "),
            "margin": f"{unit.margin:g}{' powers of ten' if unit.scale == 'log10' else ''}",
            "metrics": ", ".join(map(metric_name, metrics[units == unit])),
        }
        for unit in dict.fromkeys(units)
    )


def _of_control(paper: str, cells: pd.DataFrame) -> Iterator[tuple[str, list[float]]]:
    """Yield the words of a control as it is, and with each fault that it declares as a choice."""
    rows, checks = load_results(paper), open_module(paper, "claims")
    columns = dict.fromkeys([*rows.columns, *tables_of(paper).columns])  # also of choices not run
    rows = rows[rows["role"] == "published"].reindex(columns=list(columns))
    stead = {"table": cells["table"].iloc[0], "reading": INFERRED}
    own = (rows["table"] == stead["table"]) & (rows["reading"] == INFERRED)
    tried = own | rows["table"].str.startswith("choice:")
    for (table, setting, reading), part in rows[tried].groupby(["table", "setting", "reading"]):
        runs = dict(iter(part.groupby(["dataset", "method", "metric"])["value"]))
        faulty, words = pd.concat([rows[~own], part.assign(**stead)]), []
        for _, cell in cells.iterrows():
            if (place := (cell["data_key"], cell["method"], cell["metric"])) in runs:
                printed = Figure(*cell[["published", "published_std", "published_runs"]])
                unit = load_margins().unit(cell["metric"])
                words.append(judge(printed, figure_of(runs[place].to_numpy()), unit).word)
        said = [
            answer(checked(claim, checks), faulty, {**claim.params, **(claim.inferred or {})}).word
            for claim in load_claims_file(paper)
        ]
        counts = [[words.count(word) for word in WORDS], [said.count(word) for word in s.SAID]]
        choice = str(table).partition("choice:")[2].replace("_", " ")
        yield f"{choice}: {setting or reading}" if choice else AS_IS, s.shares(np.array(counts))


def instrument_frame(ledger: pd.DataFrame, simulated: pd.DataFrame) -> pd.DataFrame:
    """What the verdicts say where the answer is known: numbers, and the share of each word."""
    known = simulated.set_index(list(simulated.columns[:2])).reindex(list(KNOWN.values()))
    numbers = zip(KNOWN, known.itertuples(index=False), strict=True)
    rows = [[f"{s.PAPERS} simulated papers", name, *row] for name, row in numbers]
    cells = counted(ledger)
    for paper, own in cells[cells["paper"].isin(controls())].groupby("paper"):
        short, found = find_paper(str(paper)).short, _of_control(str(paper), own)
        rows += [[short, name, *row] for name, row in found]
    return pd.DataFrame(rows, columns=["judged", "what is done to it", *s.COUNTS])
