"""Cells for readers: counts under both readings, beside what a wrong ledger would score."""

from __future__ import annotations

import html

import numpy as np
import pandas as pd

from reproduction.pages.markup import Cell, Table, csv_text, markdown_table, plain
from reproduction.pages.results import load_gaps, snakemake_command
from reproduction.pages.tables import METRIC_NAMES, figure, show_table, table_name
from reproduction.results.published import load_published
from reproduction.rooms import find_paper, paper_keys, tables_of
from reproduction.verdicts.agreement import STABLE, WORDS
from reproduction.verdicts.base_rates import (
    READING,
    Count,
    count,
    counted,
    judged,
    word_counts,
)
from reproduction.verdicts.readings import load_readings
from reproduction.verdicts.words import (
    COMPATIBLE,
    DATA,
    EQUIVALENT,
    INFERRED,
    JUDGED,
    NOT_COMPARABLE,
    NOT_RUN,
    SAME,
    TEXT,
)

ALL = "all"

#: Headline -> how a sentence names it.
NAMES = {TEXT: "as the text says", INFERRED: "inferred"}

_WORDS = (*WORDS, NOT_RUN)


def percent(share: float) -> str:
    """Share as text; nothing where there is none."""
    return "" if np.isnan(share) else f"{100 * share:.0f} %"


def part_of(frame: pd.DataFrame, paper: str) -> pd.DataFrame:
    """Rows of one paper, or all."""
    return frame if paper == ALL else frame[frame["paper"] == paper]


def paper_cell(paper: str, css: str = "") -> Cell:
    """Return the cell that names a paper and leads to its page."""
    if paper == ALL:
        return Cell("all papers", "all papers", "all papers", css)
    name = find_paper(paper).short
    return Cell(f'<a href="{paper}.html">{html.escape(name)}</a>', name, name, css)


def _told(words: dict[str, int]) -> str:
    rest = [f"{words[word]} {word}" for word in _WORDS[1:] if words[word] or word in WORDS]
    return ", ".join([f"**{words[EQUIVALENT]} {EQUIVALENT}**", *rest])


def cells_headline(ledger: pd.DataFrame, paper: str = ALL) -> str:
    """What became of the published cells, both readings with their base rates (Markdown)."""
    own = counted(ledger)
    repeated = int((ledger["repeats"] != "").sum())
    once = ledger[ledger["repeats"] == ""]
    beside = len(judged(ledger)) - len(own)
    apart = int((once["agreement"] == NOT_COMPARABLE).sum())
    left_out = int((once["agreement"] == NOT_RUN).sum())
    again = f"{repeated} print a number again and count once; " if repeated else ""
    first = (
        f"Of {len(ledger)} published cells, {again}{len(own)} could be compared on the paper's own "
        f"data, {beside} on a part of it or with other features, {apart} not at all."
    )
    if left_out:
        first += f" {left_out} are left out by a shortened configuration."
    if own.empty:
        return first
    found = {name: count(ledger, paper, name)[0] for name in READING}
    chance = {name: found[name].shuffled for name in READING}
    return (
        f"{first} On its own data, as the text says: {_told(word_counts(own, TEXT))}. As the "
        f"evidence suggests the authors worked (inferred): {_told(word_counts(own, INFERRED))}. "
        f"With methods shuffled at random {chance[TEXT]:.0f} and {chance[INFERRED]:.0f} would be "
        f"{EQUIVALENT} ({COMPATIBLE} ones are not counted here). Corrected for chance, "
        f"{percent(found[TEXT].beyond_chance)} and {percent(found[INFERRED].beyond_chance)} are "
        f"{EQUIVALENT}."
    )


def _count_row(part: pd.DataFrame, paper: str, headline: str) -> list[str | int | float]:
    first, second = count(part, paper, headline)
    words = word_counts(counted(part), headline)
    return [
        NAMES[headline],
        first.cells,
        *(words[word] for word in _WORDS),
        *_rates(first),
        *_rates(second),
    ]


def _rates(found: Count) -> list[float]:
    cells = found.cells or np.nan
    return [
        found.shuffled / cells,
        found.shuffled_most / cells,
        found.median / cells,
        found.elsewhere,
        found.beyond_chance,
    ]


_RATES = ("shuffled", "most", "median", "elsewhere", "beyond chance")
COUNT_HEADER = (
    "paper", "reading", "cells", *_WORDS, *(f"{name} ✓" for name in _RATES),
    *(f"{name} ✓~" for name in _RATES),
)  # fmt: skip


_RATES_NOTE = (
    "Shares behind ✓ are of <em>equivalent</em> cells, behind ✓~ of <em>equivalent</em> and "
    "<em>compatible</em> ones. <em>Shuffled</em>: methods shuffled within their columns, mean of "
    "2,000 shuffles; <em>most</em>: the best of them; <em>median</em>: the column's published "
    "median in every cell; <em>elsewhere</em>: the same method at another setting of the table. "
    "<em>Beyond chance</em>: the share less that of shuffled methods, divided by what is left to "
    "gain."
)


def count_frame(ledger: pd.DataFrame) -> pd.DataFrame:
    """Counts of every paper under both readings, with the base rates as shares."""
    records = [
        [paper, *_count_row(part_of(ledger, paper), paper, headline)]
        for paper in (*paper_keys(), ALL)
        for headline in READING
    ]
    return pd.DataFrame(records, columns=list(COUNT_HEADER))


def paper_table(ledger: pd.DataFrame) -> Table:
    """Two rows per paper, one a reading: words, and what wrong ledgers would score."""
    frame = count_frame(ledger)
    rows = []
    for record in frame.itertuples(index=False, name=None):
        shares = [plain(percent(float(share))) for share in record[3 + len(_WORDS) :]]
        counts = [plain(int(number)) for number in record[2 : 3 + len(_WORDS)]]
        rows.append([paper_cell(record[0], "text"), plain(record[1]), *counts, *shares])
    return Table(
        name="verdicts",
        caption="Cells on the paper's own data, each once, beside what a wrong ledger scores",
        header=list(COUNT_HEADER),
        rows=rows,
        csv=csv_text(frame),
        notes=[_RATES_NOTE],
        commands=[snakemake_command("")],
    )


def data_frame(ledger: pd.DataFrame) -> pd.DataFrame:
    """Cells per paper and data word, under both readings; each number once."""
    once = ledger[(ledger["repeats"] == "") & (ledger["agreement"] != NOT_RUN)]
    records = []
    for paper in paper_keys():
        for word in DATA:
            part = once[(once["paper"] == paper) & (once["data"] == word)]
            if part.empty:
                continue
            told = [
                ", ".join(f"{n} {w}" for w, n in word_counts(part, name).items() if n)
                if word in JUDGED
                else NOT_COMPARABLE
                for name in READING
            ]
            records.append([find_paper(paper).short, word, len(part), *told])
    return pd.DataFrame(records, columns=["paper", "data", "cells", *NAMES.values()])


def counts_markdown(ledger: pd.DataFrame, claims: pd.DataFrame, pages: str = "") -> list[str]:
    """Counts as a Markdown table; ``claims`` are the counted ones, ``pages`` the links' folder."""
    header = [
        "key", "paper", "what it is", "cells", "text: equivalent", "text: compatible",
        "inferred: equivalent", "inferred: compatible", "near", "different",
        "equivalent by chance", "beyond chance", "claims that hold",
    ]  # fmt: skip
    rows = []
    for paper in (*paper_keys(), ALL):
        part = part_of(ledger, paper)
        own = counted(part)
        text, words = word_counts(own, TEXT), word_counts(own, INFERRED)
        first = count(part, paper, INFERRED)[0]
        said = part_of(claims, paper)
        numbers = [
            len(own), text[EQUIVALENT], text[COMPATIBLE], *(words[word] for word in WORDS),
        ]  # fmt: skip
        card = None if paper == ALL else find_paper(paper)
        link = f"[{card.short} ({card.year})]({pages}{paper}.html)" if card else "**all**"
        rows.append(
            [
                f"`{paper}`" if card else "",
                link,
                card.summary if card else "",
                *map(str, numbers),
                f"{first.shuffled:.0f}",
                percent(first.beyond_chance),
                f"{int((said['verdict'] == 'holds').sum())} of {len(said)}",
            ]
        )
    return markdown_table(header, rows)


def unsure(ledger: pd.DataFrame) -> pd.DataFrame:
    """Cells whose word may change with other seeds, the least sure first."""
    cells = judged(ledger)
    cells = cells[cells["stable"] < STABLE].sort_values(["stable", "cell"], kind="stable")
    numbers = cells.apply(lambda row: figure(row["ours"], row["ours_std"], row["metric"]), axis=1)
    return pd.DataFrame(
        {
            "paper": cells["paper"].map(lambda key: find_paper(key).short),
            "table": cells["table"].map(table_name),
            "data set": cells["dataset"],
            "setting": cells["setting"],
            "method": cells["method"],
            "metric": cells["metric"].map(lambda key: METRIC_NAMES.get(key, key)),
            "agreement": cells["agreement"],
            "share that gives it": cells["stable"],
            "ours": numbers,
            "runs": cells["runs"],
            "published": cells["published"],
        }
    )


def gap_frame(gaps: pd.DataFrame) -> pd.DataFrame:
    """Gaps per paper: how many keep their sign and their size, on the paper's own data."""
    own = gaps[(gaps["data"] == SAME) & (gaps["repeats"] == "")]
    records = []
    for paper in (*paper_keys(), ALL):
        part = part_of(own, paper)
        for headline, prefix in ((TEXT, "text_"), (INFERRED, "")):
            signs = part[f"{prefix}same_sign"].value_counts()
            words = part[f"{prefix}agreement"].value_counts()
            records.append(
                [
                    "all papers" if paper == ALL else find_paper(paper).short,
                    NAMES[headline],
                    len(part),
                    int(signs.get("yes", 0)),
                    int(signs.get("no", 0)),
                    *(int(words.get(word, 0)) for word in _WORDS),
                ]
            )
    columns = ["paper", "reading", "gaps", "same sign", "other sign", *_WORDS]
    return pd.DataFrame(records, columns=columns)


def gaps_table(paper: str) -> None:
    """Show a paper's gaps between its own methods and the others, published beside ours."""
    gaps = load_gaps(paper)
    # what surrogates do says nothing about print
    real = gaps[gaps["data"].isin(JUDGED)]
    if real.empty:
        return
    left = len(gaps) - len(real)
    shown = real[
        [
            "table", "dataset", "setting", "metric", "method", "other", "published", "ours", "low",
            "high", "same_sign", "agreement", "text_ours", "text_same_sign", "text_agreement",
            "data", "protocol",
        ]
    ]  # fmt: skip
    names = {
        "dataset": "data set",
        "same_sign": "same sign",
        "text_ours": "ours, as the text says",
        "text_same_sign": "same sign, as the text says",
        "text_agreement": "as the text says",
    }
    shown = shown.assign(
        table=shown["table"].map(table_name),
        metric=shown["metric"].map(lambda key: METRIC_NAMES.get(key, key)),
    )
    show_table(
        shown.rename(columns=names),
        f"{paper}-gaps",
        "The paper's own methods minus the others: published gaps beside ours",
        badges=("agreement", "as the text says"),
        notes=[
            f"{left} gaps on other data are left out; all are in "
            '<a href="tables/gaps.csv">gaps.csv</a>.'
        ]
        if left
        else (),
    )


def choices_frame(paper: str | None = None) -> pd.DataFrame:
    """Every open choice: what the paper says, both readings, when and after how many tries."""
    records = []
    for key in [paper] if paper else paper_keys():
        for choice in load_readings(key, load_published(key), tables_of(key)):
            told, taken = choice.option(TEXT), choice.option(INFERRED)
            seen = "after" if choice.made.numbers_seen else "before"
            records.append(
                {
                    "paper": find_paper(key).short,
                    "question": choice.question,
                    "the paper says": f"{choice.says} ({choice.place})",
                    "text reading": f"{told.name} ({told.status})",
                    "inferred reading": "the same" if taken == told else taken.name,
                    "evidence": " ".join(choice.evidence.split()),
                    "tried": choice.tried,
                    "numbers": f"{seen} they were seen",
                    "commit": choice.made.commit,
                }
            )
    frame = pd.DataFrame(records)
    return frame.drop(columns="paper") if paper and len(frame) else frame


def choices_table(paper: str | None = None) -> None:
    """Show what a paper (or every paper) leaves open and how it was read."""
    show_table(
        choices_frame(paper),
        f"{paper or 'all'}-open-choices",
        "What is left open, and how it was read",
    )
