r"""Tests behind the claims: one-sided, with the 95 % interval of the effect, and Holm's adjustment.

An effect is signed so that a positive one supports the claim. Where runs share rows (folds, random
partitions) the corrected resampled t-test of Nadeau and Bengio (2003) is due: the variance of the
mean of n differences is :math:`(1/n + n_{test}/n_{train})\,s^2`; ``overlap`` is the second term.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

ALPHA = 0.05

#: Differences up to this size, relative to the values, are rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Outcome:
    """Outcome of one test: units, effect, its 95 % interval, one-sided p-value, the test's name."""

    n: int
    effect: float
    low: float
    high: float
    p_value: float
    name: str

    def texts(self) -> tuple[str, str, str, str]:
        """Effect, both ends of its interval and p-value, rounded as readers see them."""
        ends = f"{self.low:.3g}", f"{self.high:.3g}"
        return f"{self.effect:+.3g}", *ends, f"{self.p_value:.2g}"

    def __str__(self) -> str:
        effect, low, high, p_value = self.texts()
        return f"{effect} [{low}, {high}], n {self.n}, {self.name} p {p_value}"


def _finite(values: Any, what: str) -> np.ndarray:
    array = np.asarray(values, dtype=float)
    if array.ndim != 1 or array.size < 2:
        raise ValueError(f"{what} needs at least 2 values, got {array.size}")
    if not np.isfinite(array).all():
        raise ValueError(f"{what} needs finite values; a run in these rows is NaN")
    return array


def is_zero(values: Any, scale: float = 1.0) -> bool:
    """Whether all differences are 0 up to rounding: the methods compared are identical."""
    array = np.asarray(values, dtype=float)
    return bool(np.all(np.abs(array) <= ROUNDING * max(1.0, scale)))


def _spread(values: np.ndarray) -> float:
    """Standard deviation, exactly 0 when the values are equal up to rounding."""
    spread = float(values.std(ddof=1))
    return 0.0 if spread <= ROUNDING * max(1.0, float(np.abs(values).max())) else spread


def _certain(n: int, effect: float, name: str) -> Outcome:
    """Outcome where every difference is the same number."""
    effect = 0.0 if abs(effect) <= ROUNDING else effect
    return Outcome(n, effect, effect, effect, 0.0 if effect > 0 else 1.0, name)


def _student(n: int, effect: float, error: float, freedom: float, name: str) -> Outcome:
    half = float(stats.t.ppf(1 - ALPHA / 2, freedom)) * error
    p_value = float(stats.t.sf(effect / error, freedom))
    return Outcome(n, effect, effect - half, effect + half, p_value, name)


def mean_above(differences: Any, margin: float = 0.0, *, overlap: float = 0.0) -> Outcome:
    """Outcome that the mean difference is above ``margin``; the effect is what is beyond it.

    Parameters
    ----------
    differences
        One difference for each unit.
    margin
        What the sentence claims at least.
    overlap
        Rows tested over rows trained on, where runs share rows; 0 where they do not.
    """
    if overlap < 0:
        raise ValueError(f"overlap {overlap}: a ratio of rows cannot be negative")
    d = _finite(differences, "a paired test")
    n, effect, spread = d.size, float(d.mean()) - margin, _spread(d)
    name = "corrected t-test" if overlap else "t-test"
    if spread == 0.0:
        return _certain(n, effect, name)
    return _student(n, effect, spread * math.sqrt(1.0 / n + overlap), n - 1, name)


def difference_above(left: Any, right: Any, margin: float = 0.0) -> Outcome:
    """Welch's test that ``left`` has the larger mean; for runs that have no partner."""
    a, b = _finite(left, "a two-sample test"), _finite(right, "a two-sample test")
    effect = float(a.mean() - b.mean()) - margin
    parts = [_spread(x) ** 2 / x.size for x in (a, b)]
    if sum(parts) == 0.0:
        return _certain(a.size + b.size, effect, "Welch's test")
    freedom = sum(parts) ** 2 / sum(
        part**2 / (x.size - 1) for part, x in zip(parts, (a, b), strict=True)
    )
    return _student(a.size + b.size, effect, math.sqrt(sum(parts)), freedom, "Welch's test")


def mean_within(
    differences: Any, margin: float, centre: float = 0.0, *, overlap: float = 0.0
) -> Outcome:
    """Two one-sided tests that the mean difference is within ``centre`` ± ``margin``.

    The effect is the margin that is left; its interval lies below 0 exactly when the 95 % interval
    of the difference lies outside the margin.
    """
    if margin <= 0:
        raise ValueError(f"margin {margin}: an equivalence test needs a positive margin")
    d = _finite(differences, "an equivalence test") - centre
    above = mean_above(d, -margin, overlap=overlap)
    below = mean_above(-d, -margin, overlap=overlap)
    low, high = above.low - margin, above.high - margin  # of the difference itself
    nearest = 0.0 if low <= 0.0 <= high else min(abs(low), abs(high))
    return Outcome(
        d.size,
        margin - abs(float(d.mean())),
        margin - max(abs(low), abs(high)),
        margin - nearest,
        max(above.p_value, below.p_value),
        "corrected equivalence test" if overlap else "equivalence test",
    )


def correlation_above(x: Any, y: Any, sign: float = 1.0) -> Outcome:
    """Outcome that Pearson's r has the ``sign`` claimed; needs 4 points."""
    a, b = _finite(x, "a correlation"), _finite(y, "a correlation")
    if a.size < 4:
        raise ValueError(f"a correlation needs at least 4 points, got {a.size}")
    if _spread(a) == 0.0 or _spread(b) == 0.0:
        raise ValueError("a correlation needs values that vary")
    found = stats.pearsonr(a, math.copysign(1.0, sign) * b, alternative="greater")
    both = stats.pearsonr(a, math.copysign(1.0, sign) * b).confidence_interval(1 - ALPHA)
    return Outcome(
        a.size, float(found.statistic), float(both.low), float(both.high), float(found.pvalue),
        "correlation",
    )  # fmt: skip


def rank_correlation(x: Any, y: Any) -> float:
    """Spearman's rho; 0 for a flat curve."""
    values = np.asarray(y, dtype=float)
    return 0.0 if np.ptp(values) == 0.0 else float(stats.spearmanr(x, values)[0])


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's adjusted p-values: to be compared with the level as they are.

    The k-th smallest of m is multiplied by m - k + 1; none may fall below a smaller one's.
    """
    adjusted: dict[str, float] = {}
    largest = 0.0
    order = sorted(p_values, key=lambda name: (p_values[name], name))
    for place, name in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - place) * p_values[name]))
        adjusted[name] = largest
    return adjusted


def paired_test(left: Sequence[float] | np.ndarray, right: Sequence[float] | np.ndarray) -> Outcome:
    """Plain paired t-test with a two-sided p-value, for tables that claim no direction."""
    difference = _finite(left, "a paired test") - _finite(right, "a paired test")
    test = mean_above(difference)
    two_sided = min(1.0, 2.0 * min(test.p_value, 1.0 - test.p_value))
    if test.low == test.high:
        two_sided = 0.0 if test.effect else 1.0
    return Outcome(test.n, test.effect, test.low, test.high, two_sided, "t-test, two-sided")
