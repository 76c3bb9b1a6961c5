"""Simulated papers with known truth: how often the rule gives which word.

Print and ours are drawn anew around what this run recorded, with its deviations and runs. Print
comes from the same code with other seeds, from another reading of the same cell, or from another
method of the same column; ours always from the recorded cell. So the words have error rates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from manyviews.seeding import generator
from reproduction.verdicts.agreement import NEAR_MARGINS, WORDS, Figure, codes, compare
from reproduction.verdicts.base_rates import figures
from reproduction.verdicts.margins import Margins, Unit, load_margins
from reproduction.verdicts.words import INFERRED

PAPERS = 500  #: simulated papers for each truth

SAME_CODE = "same code, other seeds"
OTHER_READING = "another reading of the cell"
OTHER_METHOD = "another method of the column"
TRUTHS = (SAME_CODE, OTHER_READING, OTHER_METHOD)

#: How far the truth behind print lies from the truth behind ours.
SIZES = ("nowhere", "within the margin", "up to 2.5 margins", "beyond 2.5 margins")

_COLUMN = ["table", "dataset", "setting", "metric"]


@dataclass(frozen=True)
class Source:
    """Cells of one real paper and one unit, as arrays."""

    unit: Unit
    ours: Figure
    printed_runs: np.ndarray
    has_deviation: np.ndarray
    low: np.ndarray
    high: np.ndarray
    column: np.ndarray


def sources(ledger: pd.DataFrame, margins: Margins) -> dict[str, list[Source]]:
    """Return per paper what is drawn from: cells with a deviation over several runs."""
    found: dict[str, list[Source]] = {}
    usable = ledger[(ledger["runs"] >= 2) & ledger["ours_std"].notna() & (ledger["repeats"] == "")]
    for (paper, unit), part in usable.groupby(["paper", "unit"], sort=True):
        ends = [part[f"readings_{end}"].to_numpy(dtype=float) for end in ("low", "high")]
        published, ours = figures(part, INFERRED)
        found.setdefault(str(paper), []).append(
            Source(
                unit=next(each for each in margins.units.values() if each.name == unit),
                ours=ours,
                printed_runs=np.maximum(published.runs, 2),
                has_deviation=~np.isnan(published.std),
                low=ends[0],
                high=ends[1],
                column=part.groupby(_COLUMN, sort=True).ngroup().to_numpy(),
            )
        )
    return found


def _drawn(mean: np.ndarray, std: np.ndarray, runs: np.ndarray, rng: np.random.Generator) -> Figure:
    """Return mean and deviation of that many new runs around a truth."""
    spread = std * np.sqrt(rng.chisquare(runs - 1) / (runs - 1))
    return Figure(rng.normal(mean, std / np.sqrt(runs)), spread, runs)


def _same_code(source: Source, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return source.ours.mean, source.ours.std


def _other_reading(source: Source, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The lowest or the highest reading, at random; the other one where ours is that one."""
    first = rng.random(source.ours.mean.size) < 0.5
    chosen = np.where(first, source.low, source.high)
    other = np.where(first, source.high, source.low)
    chosen = np.where(chosen == source.ours.mean, other, chosen)
    return np.where(chosen == source.ours.mean, np.nan, chosen), source.ours.std


def _other_method(source: Source, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Another cell of the same column, at random."""
    mean, std = np.full(source.ours.mean.size, np.nan), source.ours.std.copy()
    for column in np.unique(source.column):
        places = np.flatnonzero(source.column == column)
        if places.size > 1:
            step = rng.integers(1, places.size, places.size)
            chosen = places[(np.arange(places.size) + step) % places.size]
            mean[places], std[places] = source.ours.mean[chosen], source.ours.std[chosen]
    return mean, std


_DRAWS: dict[str, Callable[[Source, np.random.Generator], tuple[np.ndarray, np.ndarray]]] = {
    SAME_CODE: _same_code,
    OTHER_READING: _other_reading,
    OTHER_METHOD: _other_method,
}


def _sizes(source: Source, truth: np.ndarray) -> np.ndarray:
    distance = np.abs(source.unit.place(truth) - source.unit.place(source.ours.mean))
    edges = [1e-12, source.unit.margin, NEAR_MARGINS * source.unit.margin]
    return np.searchsorted(edges, distance, side="left")


def simulate(
    ledger: pd.DataFrame, papers: int = PAPERS, margins: Margins | None = None
) -> pd.DataFrame:
    """Judge simulated papers; return how often each word came, by truth and its distance.

    Values and deviations of the ledger of all papers are drawn from; for each truth the real papers
    take turns as models of so many simulated ones.
    """
    known = sources(ledger, margins or load_margins())
    names = sorted(known)
    tally: dict[tuple[str, int], np.ndarray] = {}
    for truth in TRUTHS:
        for number in range(papers if names else 0):
            rng = generator("simulated paper", truth, number)
            for source in known[names[number % len(names)]]:
                mean, std = _DRAWS[truth](source, rng)
                there = ~np.isnan(mean)
                printed = _drawn(np.where(there, mean, 0.0), std, source.printed_runs, rng)
                printed = printed._replace(std=np.where(source.has_deviation, printed.std, np.nan))
                ours = _drawn(source.ours.mean, source.ours.std, source.ours.runs, rng)
                words = codes(compare(printed, ours, source.unit), source.unit.margin)
                sizes = _sizes(source, mean)
                for size in np.unique(sizes[there]):
                    found = np.bincount(words[there & (sizes == size)], minlength=len(WORDS))
                    key = (truth, int(size))
                    tally[key] = tally.get(key, np.zeros(len(WORDS), dtype=int)) + found
    records = [
        {
            "truth behind print": truth,
            "distance of the truths": SIZES[size],
            "cells": int(found.sum()),
            **dict(zip(WORDS, found / found.sum(), strict=True)),
        }
        for (truth, size), found in sorted(
            tally.items(), key=lambda item: (TRUTHS.index(item[0][0]), item[0][1])
        )
    ]
    columns = ["truth behind print", "distance of the truths", "cells", *WORDS]
    return pd.DataFrame(records, columns=columns)
