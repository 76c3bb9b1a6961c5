"""Cells for readers: counts under both readings, beside what a wrong ledger would score."""

from __future__ import annotations

import html
import math
from itertools import product

import numpy as np
import pandas as pd

from reproduction.pages.markup import Cell, Table, csv_text, markdown_table, plain, render
from reproduction.pages.results import load_gaps, load_ledger, snakemake_command
from reproduction.pages.tables import figure, metric_name, show_table, table_name
from reproduction.pages.wording import in_words, number, shown_settings
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
from reproduction.verdicts.headline import counted_claims, tally
from reproduction.verdicts.readings import load_readings
from reproduction.verdicts.replication import FIELD, mission, replication_table
from reproduction.verdicts.words import (
    COMPATIBLE,
    DATA,
    EQUIVALENT,
    INFERRED,
    JUDGED,
    NOT_COMPARABLE,
    NOT_RUN,
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
    """Rows of one paper, or of all that are no controls."""
    return mission(frame) if paper == ALL else frame[frame["paper"] == paper]


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
    once = ledger[ledger["repeats"] == ""]
    found = [count(ledger, paper, name)[0] for name in READING] if len(own) else []
    return render(
        "headline.md",
        cells=len(ledger),
        repeated=len(ledger) - len(once),
        own=len(own),
        beside=len(judged(ledger)) - len(own),
        apart=int((once["agreement"] == NOT_COMPARABLE).sum()),
        left_out=int((once["agreement"] == NOT_RUN).sum()),
        text=_told(word_counts(own, TEXT)),
        inferred=_told(word_counts(own, INFERRED)),
        chance=[f"{each.chance:.0f}" for each in found],
        beyond=[percent(each.beyond_chance) for each in found],
    )


def _rates(found: Count) -> list[float]:
    cells = found.cells or np.nan
    counts = (found.shuffled, found.shuffled_most, found.median)
    return [*(n / cells for n in counts), found.elsewhere, found.beyond_chance]


_RATES = ("shuffled", "most", "median", "elsewhere", "beyond chance")
COUNT_HEADER = (
    "paper", "reading", "cells", *_WORDS, *(f"{name} ✓" for name in _RATES),
    *(f"{name} ✓~" for name in _RATES),
)  # fmt: skip


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
    records = []
    for paper, headline in product((*dict.fromkeys(ledger["paper"]), ALL), READING):
        part = part_of(ledger, paper)
        first, second = count(part, paper, headline)
        words = word_counts(counted(part), headline)
        numbers = (first.cells, *(words[word] for word in _WORDS))
        records.append([paper, NAMES[headline], *numbers, *_rates(first), *_rates(second)])
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
    for paper, word in product(paper_keys(), DATA):
        part = once[(once["paper"] == paper) & (once["data"] == word)]
        counts = [word_counts(part, name).items() for name in READING]
        told = [", ".join(f"{n} {w}" for w, n in found if n) for found in counts]
        if len(part):
            shown = told if word in JUDGED else [NOT_COMPARABLE] * len(told)
            records.append([find_paper(paper).short, word, len(part), *shown])
    return pd.DataFrame(records, columns=["paper", "data", "cells", *NAMES.values()])


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


def counts_markdown(ledger: pd.DataFrame, claims: pd.DataFrame, pages: str = "") -> list[str]:
    """Counts as a Markdown table, one row a paper; ``pages`` is the folder of its links."""
    rows = []
    for paper, numbers in paper_counts(ledger, claims).items():
        head = ["", "**all**", ""]
        if paper != ALL:
            card = find_paper(paper)
            name = f"[{card.short} ({card.year})]({pages}{paper}.html)"
            head = [f"`{paper}`", name, card.summary]
        rows.append([*head, *numbers])
    return markdown_table(["key", "paper", "what it is", *COUNTED], rows)


def unsure(ledger: pd.DataFrame) -> pd.DataFrame:
    """Cells whose word may change with other seeds, the least sure first."""
    cells = judged(ledger)
    cells = cells[cells["stable"] < STABLE].sort_values(["stable", "cell"], kind="stable")
    numbers = zip(cells["ours"], cells["ours_std"], cells["metric"], strict=True)
    shown = cells.assign(
        paper=cells["paper"].map(lambda key: find_paper(key).short),
        table=cells["table"].map(table_name),
        metric=cells["metric"].map(metric_name),
        ours=[figure(*each) for each in numbers],
        setting=shown_settings(cells),
    )
    names = {"dataset": "data set", "stable": "share that gives it"}
    columns = [
        "paper", "table", "data set", "setting", "method", "metric", "agreement",
        "share that gives it", "ours", "runs", "published",
    ]  # fmt: skip
    return shown.rename(columns=names)[columns]


def replication_frame(ledger: pd.DataFrame, gaps: pd.DataFrame) -> pd.DataFrame:
    """Counts by the field's criteria with their shares, per paper and reading; the field last."""
    found = replication_table(ledger, gaps)
    of = {name: "cells" if "interval" in name else "gaps" for name in FIELD}
    of["significantly_opposite"] = "gaps"
    for name, whole in of.items():
        pairs = zip(found[name], found[whole], strict=True)
        found[name] = [f"{n} ({percent(n / size)})" if size else "–" for n, size in pairs]
    found["paper"] = [paper_cell(paper).text for paper in found["paper"]]
    field = {"paper": "cancer biology", **{name: f"{share} %" for name, share in FIELD.items()}}
    frame = pd.concat([found, pd.DataFrame([field])], ignore_index=True)
    return frame.rename(columns=lambda name: name.replace("_", " "))


def gaps_table(paper: str) -> None:
    """Show a paper's gaps between its own methods and the others, published beside ours."""
    gaps, ledger = load_gaps(paper), load_ledger(paper)
    # what surrogates do says nothing about print
    real = gaps[gaps["data"].isin(JUDGED)]
    if real.empty:
        return
    columns = {
        "table": "table", "dataset": "data set", "setting": "setting", "metric": "metric",
        "gap": "gap", "published": "published", "ours": "ours", "apart": "ours − published",
        "agreement": "agreement", "text_ours": "text reading", "text_agreement": "as the text says",
    }  # fmt: skip
    settings = dict(zip(ledger["setting"], shown_settings(ledger), strict=True))
    shown = real.assign(
        table=real["table"].map(table_name),
        metric=real["metric"].map(metric_name),
        setting=real["setting"].replace(settings),
        gap=real["method"] + " − " + real["other"],
        apart=[
            f"{number(low)} to {number(high)}" if math.isfinite(low) else ""
            for low, high in zip(real["low"], real["high"], strict=True)
        ],
    )
    # what all rows share is said once: the table is narrow enough for a line a row
    shared = [
        name for name in ("table", "dataset", "setting", "metric") if len(set(shown[name])) == 1
    ]
    alike = ", ".join(filter(None, (in_words(str(shown[name].iloc[0])) for name in shared)))
    left = len(gaps) - len(real)
    file = '<a href="tables/gaps.csv">gaps.csv</a>'
    notes = [
        "Ours − published is the 95 % interval of the difference. Signs, data and protocol are in "
        f"{file}" + (f", and {left} gaps on other data." if left else ".")
    ]
    if alike:
        notes.insert(0, f"All rows: {html.escape(alike)}.")
    show_table(
        shown[list(columns)].drop(columns=shared).rename(columns=columns),
        f"{paper}-gaps",
        "The paper's own methods minus the others: published gaps beside ours",
        badges=("agreement", "as the text says"),
        notes=notes,
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
