"""Counts of a ledger, and what a wrong ledger would score: the base rates beside every count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from manyviews.seeding import generator
from reproduction.rooms import controls
from reproduction.verdicts.agreement import WORDS, Figure, codes, compare
from reproduction.verdicts.margins import Margins, load_margins
from reproduction.verdicts.words import INFERRED, NOT_RUN, SAME, TEXT

#: A column: all published cells of one table, data set, setting and metric.
COLUMN = ("paper", "table", "dataset", "setting", "metric")
_ROW = ("paper", "table", "dataset", "method", "metric")

SHUFFLES = 2000

#: Headline -> columns of the ledger with its mean, deviation, runs and word.
READING = {
    TEXT: ("text_ours", "text_std", "text_runs", "text_agreement"),
    INFERRED: ("ours", "ours_std", "runs", "agreement"),
}

#: How many of the words, best first, count as agreeing.
LEVELS = {"equivalent": 1, "equivalent or compatible": 2}


def judged(ledger: pd.DataFrame) -> pd.DataFrame:
    """Cells that were compared with print, repeated ones left out."""
    return ledger[ledger["agreement"].isin(WORDS) & (ledger["repeats"] == "")]


def mission(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of the papers themselves; controls are counted apart."""
    return table[~table["paper"].isin(controls())]


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

    def column(name: str) -> np.ndarray:
        return cells[name].to_numpy(dtype=float)

    mean, std, runs, _ = READING[headline]
    published = Figure(column("published"), column("published_std"), column("published_runs"))
    return published, Figure(column(mean), column(std), column(runs))


def _taken(figure: Figure, rows: np.ndarray) -> Figure:
    return Figure(*(np.asarray(part)[rows] for part in figure))


def crossed(published: Figure, ours: Figure, metric: str, margins: Margins) -> np.ndarray:
    """Codes of every published figure (rows) judged by every one of ours (columns)."""
    unit = margins.unit(metric)
    down = Figure(*(np.asarray(part)[:, None] for part in published))
    across = Figure(*(np.asarray(part)[None, :] for part in ours))
    return codes(compare(down, across, unit), unit.margin)


class _Column(NamedTuple):
    """Cells that stand together: their figures, their metric, and which of them count."""

    published: Figure
    ours: Figure
    metric: str
    own: np.ndarray


def _columns(ledger: pd.DataFrame, by: tuple[str, ...], headline: str) -> Iterator[_Column]:
    """Yield groups of cells that have a run of a headline, in the order of their names."""
    there = ledger[ledger[READING[headline][3]].isin(WORDS)]
    published, ours = figures(there, headline)
    metrics = there["metric"].to_numpy()
    own = (there["repeats"] == "").to_numpy() & (there["data"] == SAME).to_numpy()
    # frames of a few rows would take most of the time: groups are places in the arrays
    groups: dict[tuple[str, ...], np.ndarray] = there.groupby(list(by)).indices  # type: ignore[assignment]
    for _, rows in sorted(groups.items()):
        yield _Column(_taken(published, rows), _taken(ours, rows), str(metrics[rows[0]]), own[rows])


def exchanged(rng: np.random.Generator, size: int, many: int) -> np.ndarray:
    """Return random orders of ``size`` things, none of which stays in its place."""
    orders = rng.permuted(np.tile(np.arange(size), (many, 1)), axis=1)
    while True:
        stay = (orders == np.arange(size)).any(axis=1)
        if not stay.any():
            return orders
        orders[stay] = rng.permuted(orders[stay], axis=1)


def shuffled_counts(
    ledger: pd.DataFrame, headline: str, name: str, margins: Margins, shuffles: int = SHUFFLES
) -> np.ndarray:
    """Counted cells per shuffle (rows) and code (columns), methods exchanged within columns.

    No method stays in its place; a column of one has nothing to exchange and agrees with nothing.
    """
    rng = generator("methods exchanged within columns", name, headline)
    totals = np.zeros((shuffles, len(WORDS)), dtype=int)
    for column in _columns(ledger, COLUMN, headline):
        size = column.own.size
        if size < 2:
            continue
        matrix = crossed(column.published, column.ours, column.metric, margins)
        order = exchanged(rng, size, shuffles)
        found = matrix[np.arange(size), order][:, column.own]
        for code in range(len(WORDS)):
            totals[:, code] += (found == code).sum(axis=1)
    return totals


def median_counts(ledger: pd.DataFrame, headline: str, margins: Margins) -> np.ndarray:
    """Counted cells per code when every value is the published median of its column."""
    totals = np.zeros(len(WORDS), dtype=int)
    for published, ours, metric, own in _columns(ledger, COLUMN, headline):
        middle = np.full(own.size, np.median(published.mean))
        unit = margins.unit(metric)
        found = codes(compare(published, ours._replace(mean=middle), unit), unit.margin)
        totals += np.bincount(found[own], minlength=len(WORDS))
    return totals


def elsewhere_shares(ledger: pd.DataFrame, headline: str, margins: Margins) -> np.ndarray:
    """Shares per code when the same method at another setting stands in every counted cell.

    A cell with several other settings counts by their mean; one without any does not count.
    """
    rows = []
    for published, ours, metric, own in _columns(ledger, _ROW, headline):
        if own.size < 2:
            continue
        matrix = crossed(published, ours, metric, margins)
        others = ~np.eye(own.size, dtype=bool)
        for place in np.flatnonzero(own):
            found = matrix[place, others[place]]
            rows.append(np.bincount(found, minlength=len(WORDS)) / found.size)
    return np.mean(rows, axis=0) if rows else np.full(len(WORDS), np.nan)


def corrected(observed: float, chance: float) -> float:
    """Share beyond chance: 0 for a wrong ledger, 1 for a perfect one."""
    return (observed - chance) / (1 - chance) if chance < 1 else np.nan


@dataclass(frozen=True)
class Count:
    """How many counted cells agree, beside what wrong ledgers score."""

    paper: str
    reading: str
    level: str
    cells: int
    agree: int
    shuffled: float
    shuffled_most: int
    median: int
    elsewhere: float

    @property
    def share(self) -> float:
        """Share of the cells that agree."""
        return self.agree / self.cells if self.cells else np.nan

    @property
    def chance(self) -> float:
        """Cells that the best of the three wrong ledgers would have: the strictest base rate."""
        elsewhere = 0.0 if np.isnan(self.elsewhere) else self.elsewhere * self.cells
        return max(self.shuffled, float(self.median), elsewhere)

    @property
    def beyond_chance(self) -> float:
        """Share beyond the strictest base rate."""
        return corrected(self.share, self.chance / self.cells) if self.cells else np.nan


def count(
    ledger: pd.DataFrame, paper: str, headline: str, margins: Margins | None = None
) -> list[Count]:
    """Counts of a paper's ledger (or of all papers') with their base rates, one a level."""
    units = margins or load_margins()
    cells = counted(ledger)
    words = word_counts(cells, headline)
    shuffled = shuffled_counts(ledger, headline, paper, units)
    median = median_counts(ledger, headline, units)
    elsewhere = elsewhere_shares(ledger, headline, units)
    found = []
    for level, number in LEVELS.items():
        totals = shuffled[:, :number].sum(axis=1)
        found.append(
            Count(
                paper=paper,
                reading=headline,
                level=level,
                cells=len(cells),
                agree=sum(words[word] for word in WORDS[:number]),
                shuffled=float(totals.mean()),
                shuffled_most=int(totals.max()),
                median=int(median[:number].sum()),
                elsewhere=float(elsewhere[:number].sum()),
            )
        )
    return found
