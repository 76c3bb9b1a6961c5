"""Is a method ahead of the plain one? One test for all tasks, which pays for the number of methods.

The question is whether it would be ahead on new rows of the same kind. What all splits share does
not show in the spread of their scores, so every split is scored on a part of the rows alone, and
the variance of a mean difference is the spread's times ``1 / splits + overlap``, where ``overlap``
is ``share / (1 - share)`` of the rows in a part. For scores that hang on the rows of the part this
is never too little (Hoeffding 1948, on statistics of subsets); for folds it is the correction of
Nadeau and Bengio (2003), doubled where a space is learnt. ``benchmarks/compare_truth.py`` measures
both errors for every task.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

from manyviews.seeding import generator

#: Chance of a wrong "ahead" over all methods: at the last look, and at all earlier ones together.
ALPHA, EARLY = 0.045, 0.005
#: Draws behind the distribution of the largest of several differences.
DRAWS = 2000


@dataclass(frozen=True)
class Difference:
    """Mean, interval (each end wrong with a chance of :data:`ALPHA`), and p if all were equal."""

    mean: float
    low: float
    high: float
    p: float = 1.0

    def __str__(self) -> str:
        low, high = max(self.low, -1.0), min(self.high, 1.0)  # no score lies beyond
        return f"{self.mean:.3f} ({low:.3f} to {high:.3f})"


def interval(scores: np.ndarray, overlap: float) -> Difference:
    """Return the mean of a method's scores with its interval."""
    n, mean = len(scores), float(np.mean(scores))
    half = stats.t.ppf(1 - ALPHA, n - 1) * np.std(scores, ddof=1) * np.sqrt(1 / n + overlap)
    return Difference(mean, mean - float(half), mean + float(half))


def against(
    scores: Mapping[str, np.ndarray], reference: str, overlap: float, alpha: float = ALPHA
) -> dict[str, Difference]:
    """Return how far every other method is ahead of the reference, on the same splits.

    Intervals and p hold for all methods together, so that one may be picked after the fact: they
    come from the largest of as many t values, correlated as the differences are, under "none is
    ahead". ``overlap`` is added to 1 / splits in the variance of a mean; ``alpha`` is the chance
    that any lower bound is wrong, and that any upper one is.
    """
    keys = [key for key in scores if key != reference]
    if not keys:
        return {}
    table = np.array([scores[key] - scores[reference] for key in keys], dtype=float)
    means, n = table.mean(axis=1), table.shape[1]
    error = table.std(axis=1, ddof=1) * np.sqrt(1 / n + overlap)
    largest = _largest(table - means[:, None])
    half = np.quantile(largest, 1 - alpha) * error
    p = [(1 + np.sum(largest * e >= m)) / (1 + DRAWS) for m, e in zip(means, error, strict=True)]
    return {
        key: Difference(float(m), float(m - h), float(m + h), float(chance))
        for key, m, h, chance in zip(keys, means, half, p, strict=True)
    }


def _largest(centred: np.ndarray) -> np.ndarray:
    """Draw the largest t value of differences that are correlated as these rows, with mean 0."""
    n = centred.shape[1]
    rng = generator("compare", "largest difference")
    root = np.linalg.qr(centred.T, mode="r")  # its square is the covariance
    drawn = rng.standard_normal((DRAWS, n, len(root))) @ root
    spread = drawn.std(axis=1, ddof=1)
    spread[spread == 0] = 1.0  # of methods that answer alike
    return np.asarray((drawn.mean(axis=1) * np.sqrt(n) / spread).max(axis=1))


def leader_of(scores: Mapping[str, np.ndarray]) -> str:
    """Return the method with the largest mean; the first by name of equals."""
    return min(scores, key=lambda key: (-float(np.mean(scores[key])), key))


def decided(scores: Mapping[str, np.ndarray], overlap: float, looks: int) -> bool:
    """Tell whether the leader is ahead of every other method, plainly enough to stop early."""
    found = against(scores, leader_of(scores), overlap, EARLY / looks)
    return all(difference.high < 0 for difference in found.values())
