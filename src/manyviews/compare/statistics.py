"""Is the leader ahead? Paired tests, intervals, ranks, and the price of having chosen the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

#: Chance of a wrong "ahead" over all looks together.
ALPHA = 0.05


@dataclass(frozen=True)
class Difference:
    """Mean paired difference with its interval and two-sided p."""

    mean: float
    low: float
    high: float
    p: float


def paired(a: np.ndarray, b: np.ndarray, overlap: float, level: float = 0.95) -> Difference:
    """Corrected resampled t test (Nadeau and Bengio 2003) of ``a - b`` over the same splits.

    Parameters
    ----------
    a, b
        Scores on the same splits.
    overlap
        Added to 1 / splits in the variance of the mean, because splits share rows: test rows
        over training rows.
    level
        Of the interval.
    """
    difference = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    n = difference.size
    mean = float(difference.mean())
    if n < 2:
        return Difference(mean, -np.inf, np.inf, 1.0)
    spread = float(difference.std(ddof=1))
    if spread == 0:
        return Difference(mean, mean, mean, 1.0 if mean == 0 else 0.0)
    error = spread * np.sqrt(1 / n + overlap)
    half = float(stats.t.ppf(0.5 + level / 2, n - 1)) * error
    p = float(2 * stats.t.sf(abs(mean) / error, n - 1))
    return Difference(mean, mean - half, mean + half, p)


def interval(scores: np.ndarray, overlap: float) -> Difference:
    """Mean of the scores with its interval, corrected in the same way."""
    return paired(scores, np.zeros_like(scores), overlap)


def holm(p: Mapping[str, float]) -> dict[str, float]:
    """Adjust p values for their number (Holm 1979)."""
    order = sorted(p, key=lambda key: (p[key], key))
    adjusted, largest = {}, 0.0
    for i, key in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - i) * p[key]))
        adjusted[key] = largest
    return adjusted


def leader_of(scores: Mapping[str, np.ndarray]) -> str:
    """Return the method with the largest mean; the first by name of equals."""
    return min(scores, key=lambda key: (-float(np.mean(scores[key])), key))


def against_leader(scores: Mapping[str, np.ndarray], overlap: float) -> dict[str, Difference]:
    """Return leader minus each other method, p adjusted by Holm."""
    best = leader_of(scores)
    found = {
        key: paired(scores[best], values, overlap) for key, values in scores.items() if key != best
    }
    adjusted = holm({key: difference.p for key, difference in found.items()})
    return {key: Difference(d.mean, d.low, d.high, adjusted[key]) for key, d in found.items()}


def decided(scores: Mapping[str, np.ndarray], overlap: float, looks: int) -> bool:
    """Tell whether the leader beats every other method; the error is shared among the looks."""
    if len(scores) < 2:
        return True
    return all(d.p < ALPHA / looks for d in against_leader(scores, overlap).values())


def mean_ranks(scores: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Return the mean rank of every method over the splits (1 is best, ties share)."""
    keys = sorted(scores)
    table = np.array([scores[key] for key in keys])
    ranks = stats.rankdata(-table, axis=0)
    return dict(zip(keys, ranks.mean(axis=1).tolist(), strict=True))


def critical_difference(n_methods: int, n_splits: int) -> float:
    """Nemenyi's critical difference of mean ranks at 5 % (Demsar 2006).

    Splits of one data set share rows, so the real difference is larger: the picture is a guide,
    the corrected test decides.
    """
    q = float(stats.studentized_range.ppf(1 - ALPHA, n_methods, np.inf)) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_splits)))


def without_luck(
    truth: np.ndarray, predictions: Mapping[str, np.ndarray],
    score: Callable[[np.ndarray, np.ndarray], float], rng: np.random.Generator, draws: int = 200,
) -> float:  # fmt: skip
    """Score of "take the best of these methods", without the luck of having chosen it.

    The best is chosen on a bootstrap sample of the predictions and scored on the rows outside it
    (Tsamardinos et al. 2018); the mean over the draws.
    """
    n = truth.size
    found = []
    for _ in range(draws):
        inside = rng.integers(n, size=n)
        outside = np.setdiff1d(np.arange(n), inside)
        if not outside.size:
            continue
        best = max(
            sorted(predictions), key=lambda key: score(truth[inside], predictions[key][inside])
        )
        found.append(score(truth[outside], predictions[best][outside]))
    return float(np.mean(found))
