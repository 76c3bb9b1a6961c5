"""How often the rule gives which word where the truth is known: simulated papers.

Print and ours are drawn anew around what a run recorded, with its deviations and runs. Print
comes from the same code with other seeds, from another reading of the same cell, from another
method of the same column or from another paper; ours always from the recorded cell. So the words
have error rates. A sentence says of two neighbours in a column that the one that print has ahead
is better, and is judged by the rule for claims on means and deviations.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from asprinted.agreement import EQUIVALENCE, NEAR_MARGINS, WORDS, Figure, codes, compare
from asprinted.base_rates import COLUMN, figures
from asprinted.margins import Unit, load_margins
from asprinted.statistics import generator
from asprinted.words import CLAIM, INFERRED

PAPERS = 500  #: simulated papers for each truth

SAME_CODE = "same code, other seeds"
OTHER_READING = "another reading of the cell"
OTHER_METHOD = "another method of the column"
OTHER_PAPER = "another paper"

#: How far the truth behind print lies from the truth behind ours, or a sentence from the truth.
SIZES = ("nowhere", "within the margin", "up to 2.5 margins", "beyond 2.5 margins")
ANY = "any"

SAID = CLAIM[:4]  #: words of a sentence in the order of their codes
COUNTS = ("cells", *WORDS, "sentences", *SAID)


class _Source(NamedTuple):
    """Cells of one real paper and one unit, as arrays; ``ends`` of the means over all readings."""

    unit: Unit
    published: Figure
    ours: Figure
    ends: np.ndarray
    column: np.ndarray
    pairs: np.ndarray  # neighbours in a column
    foreign: Figure  # ours of other papers' cells


def _sources(ledger: pd.DataFrame) -> list[list[_Source]]:
    """Return for each paper what is drawn from: cells with a deviation over several runs."""
    found: dict[str, list[_Source]] = {}
    usable = ledger[(ledger["runs"] >= 2) & ledger["ours_std"].notna() & (ledger["repeats"] == "")]
    for (paper, unit), part in usable.groupby(["paper", "unit"], sort=True):
        ends = part[["readings_low", "readings_high"]].to_numpy(dtype=float).T
        column = part.groupby(list(COLUMN[1:]), sort=True).ngroup().to_numpy()
        order = np.argsort(column, kind="stable")
        pairs = np.column_stack([order[:-1], order[1:]])
        pairs = pairs[column[pairs[:, 0]] == column[pairs[:, 1]]]
        others = usable[(usable["unit"] == unit) & (usable["paper"] != paper)]
        foreign, margin = figures(others, INFERRED)[1], load_margins().units[str(unit)]
        source = _Source(margin, *figures(part, INFERRED), ends, column, pairs, foreign)
        found.setdefault(str(paper), []).append(source)
    return list(found.values())


def _drawn(mean: np.ndarray, std: np.ndarray, runs: np.ndarray, rng: np.random.Generator) -> Figure:
    """Return mean and deviation of that many new runs around a truth."""
    spread = std * np.sqrt(rng.chisquare(runs - 1) / (runs - 1))
    return Figure(rng.normal(mean, std / np.sqrt(runs)), spread, runs)


def _behind_print(kind: str, source: _Source, rng: np.random.Generator) -> Figure:
    """Return the truth that print is drawn from; its mean is NaN where there is none."""
    own, foreign = source.ours, source.foreign
    mean, std, runs = (part.copy() for part in own)
    if kind == OTHER_READING:  # the lowest or the highest, at random; never ours
        first = rng.random(mean.size) < 0.5
        chosen, other = np.where(first, source.ends, source.ends[::-1])
        chosen = np.where(chosen == mean, other, chosen)
        mean = np.where(chosen == mean, np.nan, chosen)
    if kind == OTHER_METHOD:  # another cell of the same column, at random
        mean = np.full(mean.size, np.nan)
        for column in np.unique(source.column):
            places = np.flatnonzero(source.column == column)
            if places.size > 1:
                step = rng.integers(1, places.size, places.size)
                chosen = places[(np.arange(places.size) + step) % places.size]
                mean[places], std[places], runs[places] = (part[chosen] for part in own)
    if kind == OTHER_PAPER:  # any of its cells that has the unit
        mean = np.full(mean.size, np.nan)
        if foreign.mean.size:
            chosen = rng.integers(foreign.mean.size, size=mean.size)
            mean, std, runs = (part[chosen] for part in foreign)
    return Figure(mean, std, runs)


def _add(
    counts: np.ndarray, source: _Source, printed: Figure, ours: Figure, behind: np.ndarray
) -> None:
    """Count words of cells and of sentences by the distance of the truth, ``behind`` print."""
    unit, place = source.unit, source.unit.place
    edges = [1e-12, unit.margin, NEAR_MARGINS * unit.margin]
    there, truth = ~np.isnan(behind), place(source.ours.mean)
    words = codes(compare(printed, ours, unit), unit.margin)
    sizes = np.searchsorted(edges, np.abs(place(behind) - truth))
    np.add.at(counts[0], (sizes[there], words[there]), 1)
    one, two = source.pairs[there[source.pairs].all(axis=1)].T
    first, second = (Figure(*(part[side] for part in ours)) for side in (one, two))
    found = compare(second, first, unit)
    claimed = np.sign(place(printed.mean)[one] - place(printed.mean)[two])
    ahead, half = claimed * found.difference, found.half(EQUIVALENCE)
    rules = [(ahead >= half) & (ahead > 0), np.abs(ahead) + half < unit.margin, ahead > -half]
    words = np.select(rules, [0, 1, 2], default=3)
    sizes = np.searchsorted(edges, claimed * (truth[two] - truth[one]))
    np.add.at(counts[1], (sizes[claimed != 0], words[claimed != 0]), 1)


def shares(counts: np.ndarray) -> list[float]:
    """Number of cells and share of each word, then those of sentences; NaN where there are none."""
    return [x for part in counts for x in (int(part.sum()), *(part / (part.sum() or np.nan)))]


def simulate(ledger: pd.DataFrame, papers: int = PAPERS) -> pd.DataFrame:
    """Judge simulated papers; return how often each word came, by truth and its distance."""
    known, rows = _sources(ledger), []
    for truth in (SAME_CODE, OTHER_READING, OTHER_METHOD, OTHER_PAPER):
        counts = np.zeros((2, len(SIZES), len(WORDS)), dtype=int)
        for number in range(papers if known else 0):
            rng = generator("simulated paper", truth, number)
            for source in known[number % len(known)]:
                mean, std, _ = _behind_print(truth, source, rng)
                printed = _drawn(mean, std, np.maximum(source.published.runs, 2), rng)
                hidden = np.where(np.isnan(source.published.std), np.nan, printed.std)
                ours = _drawn(*source.ours, rng)
                _add(counts, source, printed._replace(std=hidden), ours, mean)
        found = {**dict(zip(SIZES, counts.swapaxes(0, 1), strict=True)), ANY: counts.sum(axis=1)}
        rows += [[truth, size, *shares(each)] for size, each in found.items() if each.any()]
    return pd.DataFrame(rows, columns=["truth behind print", "distance of the truths", *COUNTS])
