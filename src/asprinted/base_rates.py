"""Counts of a ledger, and what a wrong ledger would score: the base rates beside every count."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from asprinted.agreement import WORDS, Figure, codes, compare
from asprinted.margins import Margins, Unit, load_margins
from asprinted.statistics import generator
from asprinted.words import INFERRED, NOT_RUN, SAME, TEXT

#: A column: all published cells of one table, data set, setting and metric.
COLUMN = ("paper", "table", "dataset", "setting", "metric")
_ROW = ("paper", "table", "dataset", "method", "metric")

SHUFFLES = 2000

#: Headline -> columns of the ledger with its mean, deviation, runs and word.
READING = {
    TEXT: ("text_ours", "text_std", "text_runs", "text_agreement"),
    INFERRED: ("ours", "ours_std", "runs", "agreement"),
}

#: How many of the words, best first, count as agreeing: equivalent, then compatible too.
LEVELS = (1, 2)


def judged(ledger: pd.DataFrame) -> pd.DataFrame:
    """Cells that were compared with print, repeated ones left out."""
    return ledger[ledger["agreement"].isin(WORDS) & (ledger["repeats"] == "")]


def counted(ledger: pd.DataFrame) -> pd.DataFrame:
    """Cells of the headline: compared, on the paper's own data, each number once."""
    cells = judged(ledger)
    return cells[cells["data"] == SAME]


def word_counts(cells: pd.DataFrame, headline: str) -> dict[str, int]:
    """Cells per word under a headline; those without a run of that reading are "not run"."""
    found = cells[READING[headline][3]].value_counts()
    return {word: int(found.get(word, 0)) for word in (*WORDS, NOT_RUN)}


def figures(cells: pd.DataFrame, headline: str) -> tuple[Figure, Figure]:
    """Figures of print and of ours under a headline, as arrays."""
    print_ = ("published", "published_std", "published_runs")
    published, ours = (
        Figure(*(cells[name].to_numpy(dtype=float) for name in names))
        for names in (print_, READING[headline][:3])
    )
    return published, ours


def _crossed(published: Figure, ours: Figure, unit: Unit) -> np.ndarray:
    """Codes of every published figure (rows) judged by every one of ours (columns)."""
    down = Figure(*(part[:, None] for part in published))
    return codes(compare(down, ours, unit), unit.margin)


def _groups(
    ledger: pd.DataFrame, by: tuple[str, ...], headline: str, margins: Margins
) -> Iterator[tuple[Figure, Figure, Unit, np.ndarray]]:
    """Yield cells that stand together, in the order of their names."""
    there = ledger[ledger[READING[headline][3]].isin(WORDS)]
    for _, part in there.groupby(list(by), sort=True):
        own = ((part["repeats"] == "") & (part["data"] == SAME)).to_numpy()
        yield *figures(part, headline), margins.unit(str(part["metric"].iloc[0])), own


def exchanged(rng: np.random.Generator, size: int, many: int) -> np.ndarray:
    """Return random orders of ``size`` things, none of which stays in its place."""
    orders = rng.permuted(np.tile(np.arange(size), (many, 1)), axis=1)
    while (stay := (orders == np.arange(size)).any(axis=1)).any():
        orders[stay] = rng.permuted(orders[stay], axis=1)
    return orders


def shuffled_counts(ledger: pd.DataFrame, headline: str, name: str, margins: Margins) -> np.ndarray:
    """Counted cells per shuffle (rows) and code (columns), methods exchanged within columns.

    No method stays in its place; a column of one has nothing to exchange and agrees with nothing.
    """
    rng = generator("methods exchanged within columns", name, headline)
    totals = np.zeros((SHUFFLES, len(WORDS)), dtype=int)
    for published, ours, unit, own in _groups(ledger, COLUMN, headline, margins):
        if own.size > 1:
            order = exchanged(rng, own.size, SHUFFLES)
            found = _crossed(published, ours, unit)[np.arange(own.size), order][:, own]
            totals += (found[..., None] == np.arange(len(WORDS))).sum(axis=1)
    return totals


def median_counts(ledger: pd.DataFrame, headline: str, margins: Margins) -> np.ndarray:
    """Counted cells per code when every value is the published median of its column.

    The median of a column of one is print itself, so such a column agrees with nothing.
    """
    totals = np.zeros(len(WORDS), dtype=int)
    for published, ours, unit, own in _groups(ledger, COLUMN, headline, margins):
        if own.size == 1:
            continue
        middle = ours._replace(mean=np.full(own.size, np.median(published.mean)))
        found = codes(compare(published, middle, unit), unit.margin)
        totals += np.bincount(found[own], minlength=len(WORDS))
    return totals


def elsewhere_shares(ledger: pd.DataFrame, headline: str, margins: Margins) -> np.ndarray:
    """Shares per code when the same method at another setting stands in every counted cell.

    A cell with several other settings counts by their mean; one without any does not count.
    """
    rows = []
    for published, ours, unit, own in _groups(ledger, _ROW, headline, margins):
        if own.size > 1:
            matrix = _crossed(published, ours, unit)
            for place in np.flatnonzero(own):
                found = np.delete(matrix[place], place)
                rows.append(np.bincount(found, minlength=len(WORDS)) / found.size)
    return np.mean(rows, axis=0) if rows else np.full(len(WORDS), np.nan)


class Count(NamedTuple):
    """How many counted cells agree, beside what wrong ledgers score."""

    cells: int
    agree: int
    shuffled: float
    shuffled_most: int
    median: int
    elsewhere: float

    @property
    def chance(self) -> float:
        """Cells that the best of the three wrong ledgers would have: the strictest base rate."""
        elsewhere = 0.0 if np.isnan(self.elsewhere) else self.elsewhere * self.cells
        return max(self.shuffled, float(self.median), elsewhere)

    @property
    def beyond_chance(self) -> float:
        """Share beyond the strictest base rate: 0 for a wrong ledger, 1 for a perfect one."""
        left = self.cells - self.chance
        return (self.agree - self.chance) / left if left > 0 else np.nan


def count(
    ledger: pd.DataFrame, paper: str, headline: str, margins: Margins | None = None
) -> list[Count]:
    """Counts of a paper's ledger (or of all papers') with their base rates, one a level."""
    cells, margins = counted(ledger), margins or load_margins()
    words = word_counts(cells, headline)
    shuffled = shuffled_counts(ledger, headline, paper, margins)
    median = median_counts(ledger, headline, margins)
    elsewhere = elsewhere_shares(ledger, headline, margins)
    found = []
    for number in LEVELS:
        agree = sum(words[word] for word in WORDS[:number])
        totals = shuffled[:, :number].sum(axis=1)
        wrong = int(median[:number].sum()), float(elsewhere[:number].sum())
        found.append(Count(len(cells), agree, float(totals.mean()), int(totals.max()), *wrong))
    return found
