"""Simulated papers with known truth: how often the rule gives which word.

Print and ours are drawn anew around what a run recorded, with its deviations and runs. Print
comes from the same code with other seeds, from another reading of the same cell, or from another
method of the same column; ours always from the recorded cell. So the words have error rates.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from asprinted.agreement import NEAR_MARGINS, WORDS, Figure, codes, compare
from asprinted.base_rates import COLUMN, figures
from asprinted.margins import Unit, load_margins
from asprinted.statistics import generator
from asprinted.words import INFERRED

PAPERS = 500  #: simulated papers for each truth

SAME_CODE = "same code, other seeds"
OTHER_READING = "another reading of the cell"
OTHER_METHOD = "another method of the column"

#: How far the truth behind print lies from the truth behind ours.
SIZES = ("nowhere", "within the margin", "up to 2.5 margins", "beyond 2.5 margins")


class _Source(NamedTuple):
    """Cells of one real paper and one unit, as arrays; ``ends`` of the means over all readings."""

    unit: Unit
    published: Figure
    ours: Figure
    ends: np.ndarray
    column: np.ndarray


def _sources(ledger: pd.DataFrame) -> list[list[_Source]]:
    """Return for each paper what is drawn from: cells with a deviation over several runs."""
    found: dict[str, list[_Source]] = {}
    usable = ledger[(ledger["runs"] >= 2) & ledger["ours_std"].notna() & (ledger["repeats"] == "")]
    for (paper, unit), part in usable.groupby(["paper", "unit"], sort=True):
        published, ours = figures(part, INFERRED)
        published = published._replace(runs=np.maximum(published.runs, 2))
        ends = part[["readings_low", "readings_high"]].to_numpy(dtype=float).T
        column = part.groupby(list(COLUMN[1:]), sort=True).ngroup().to_numpy()
        source = _Source(load_margins().units[str(unit)], published, ours, ends, column)
        found.setdefault(str(paper), []).append(source)
    return list(found.values())


def _drawn(mean: np.ndarray, std: np.ndarray, runs: np.ndarray, rng: np.random.Generator) -> Figure:
    """Return mean and deviation of that many new runs around a truth."""
    spread = std * np.sqrt(rng.chisquare(runs - 1) / (runs - 1))
    return Figure(rng.normal(mean, std / np.sqrt(runs)), spread, runs)


def _truth(kind: str, source: _Source, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Mean and deviation of the truth behind print; NaN where there is no such truth."""
    mean, std = source.ours.mean, source.ours.std
    if kind == OTHER_READING:  # the lowest or the highest, at random; never ours
        first = rng.random(mean.size) < 0.5
        chosen, other = np.where(first, source.ends, source.ends[::-1])
        chosen = np.where(chosen == mean, other, chosen)
        return np.where(chosen == mean, np.nan, chosen), std
    if kind == OTHER_METHOD:  # another cell of the same column, at random
        mean, std = np.full(mean.size, np.nan), std.copy()
        for column in np.unique(source.column):
            places = np.flatnonzero(source.column == column)
            if places.size > 1:
                step = rng.integers(1, places.size, places.size)
                chosen = places[(np.arange(places.size) + step) % places.size]
                mean[places], std[places] = source.ours.mean[chosen], source.ours.std[chosen]
    return mean, std


def simulate(ledger: pd.DataFrame, papers: int = PAPERS) -> pd.DataFrame:
    """Judge simulated papers; return how often each word came, by truth and its distance.

    Values and deviations of the ledger of all papers are drawn from; for each truth the real papers
    take turns as models of so many simulated ones.
    """
    known, rows = _sources(ledger), []
    for truth in (SAME_CODE, OTHER_READING, OTHER_METHOD):
        counts = np.zeros((len(SIZES), len(WORDS)), dtype=int)
        for number in range(papers if known else 0):
            rng = generator("simulated paper", truth, number)
            for source in known[number % len(known)]:
                unit, published, ours = source[:3]
                mean, std = _truth(truth, source, rng)
                there = ~np.isnan(mean)
                printed = _drawn(np.where(there, mean, 0.0), std, published.runs, rng)
                hidden = np.where(np.isnan(published.std), np.nan, printed.std)
                again = _drawn(*ours, rng)
                words = codes(compare(printed._replace(std=hidden), again, unit), unit.margin)
                distance = np.abs(unit.place(mean) - unit.place(ours.mean))
                edges = [1e-12, unit.margin, NEAR_MARGINS * unit.margin]
                sizes = np.searchsorted(edges, distance, side="left")
                np.add.at(counts, (sizes[there], words[there]), 1)
        for size, found in zip(SIZES, counts, strict=True):
            if found.any():
                rows.append([truth, size, int(found.sum()), *(found / found.sum())])
    columns = ["truth behind print", "distance of the truths", "cells", *WORDS]
    return pd.DataFrame(rows, columns=columns)
