r"""Intervals and tests behind the claims; the rules are decision 21.

An effect is signed so that a positive one supports the claim. Draws are independent given the data
set, so the variance of a mean of n draws is :math:`s^2/n`. At few labels differences are skewed;
Hall's (1992) monotone transformation of Student's t takes the skewness out:
:math:`g(T) = T + \gamma T^2/3 + \gamma^2 T^3/27 + \gamma/6` with the skewness :math:`\gamma` of the
mean. Where both methods break down now and then the sample's skewness is noise, so an interval has
at each end the wider of the two, plain and transformed, and a test the larger p-value.
``tests/reproduction/verdicts/test_coverage.py`` holds every interval against known truth.
"""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np
from scipy import stats

ALPHA = 0.05

#: An open sentence says how many runs would decide it with this probability.
POWER = 0.8

#: Differences up to this size, relative to the values, are rounding.
ROUNDING = 1e-12

#: Bootstrap samples of the partitions.
SAMPLES = 2000


def generator(*names: str | int) -> np.random.Generator:
    """Return random numbers keyed by names: the same on every machine, in any order of calls."""
    tagged = [f"{type(name).__name__}:{name}".encode() for name in names]
    words = [int.from_bytes(hashlib.sha256(tag).digest()[:8], "little") for tag in tagged]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))


@dataclass(frozen=True)
class Outcome:
    """Outcome of one test over ``n`` draws or data sets.

    The effect is what is beyond the claim, with its 95 % interval and standard error (0 where
    nothing varies). One-sided p-values are those of an effect this large if the claim is false, and
    of one this small if it is true. In a tie the 90 % interval lies within the margin.
    """

    n: int
    effect: float
    low: float
    high: float
    error: float
    p_holds: float
    p_refuted: float
    tie: bool
    name: str

    @property
    def p_either(self) -> float:
        """Two-sided p-value: that there is no effect."""
        return min(1.0, 2 * min(self.p_holds, self.p_refuted))

    @property
    def runs_needed(self) -> float:
        """Runs that would decide with 80 % power if the effect is what it seems; NaN for none."""
        if self.error == 0.0 or self.effect == 0.0:
            return math.nan
        wanted = float(stats.norm.ppf(1 - ALPHA) + stats.norm.ppf(POWER))
        return math.ceil(self.n * (wanted * self.error / self.effect) ** 2)


@dataclass(frozen=True)
class Estimate:
    """A mean over draws: its value, standard error, skewness, degrees of freedom, draws."""

    value: float
    error: float
    skew: float
    freedom: float
    n: int

    def plus(self, shift: float, sign: float = 1.0) -> "Estimate":
        """Return the estimate of ``sign * value + shift``."""
        return replace(self, value=sign * self.value + shift, skew=sign * self.skew)

    def p_above(self) -> float:
        """One-sided p-value: small when the truth is clearly above 0."""
        if self.error == 0.0:
            return 0.0 if self.value > 0 else 1.0
        t, s = self.value / self.error, self.skew
        transformed = t + s * t * t / 3 + s * s * t**3 / 27 + s / 6
        return float(stats.t.sf(min(t, transformed), self.freedom))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the two-sided interval of the truth at a level."""
        if self.error == 0.0:
            return self.value, self.value
        tail, skew = (1 - level) / 2, self.skew
        plain = stats.t.ppf([1 - tail, tail], self.freedom)
        back = plain  # the T whose transform is that quantile
        if abs(skew) >= 1e-8:
            back = 3 / skew * (np.cbrt(1 + skew * (plain - skew / 6)) - 1)
        high, low = max(plain[0], back[0]), min(plain[1], back[1])
        return float(self.value - self.error * high), float(self.value - self.error * low)


def _finite(values: Any) -> np.ndarray:
    array = np.asarray(values, dtype=float)
    if array.ndim != 1 or array.size < 2 or not np.isfinite(array).all():
        raise ValueError(f"a test needs at least 2 values, all finite, got {array}")
    return array


def estimate(strata: Sequence[Any]) -> Estimate:
    """Mean of the strata's means; each stratum, a data set, has draws of its own."""
    parts = [_finite(values) for values in strata]
    many = len(parts)
    variance = third = freedom_below = 0.0
    for d in parts:
        n, centred = d.size, d - d.mean()
        scale = max(1.0, float(np.abs(d).max()))
        own = float(centred @ centred) / (n - 1) / n
        if math.sqrt(own * n) <= ROUNDING * scale:
            continue
        variance += own / many**2
        freedom_below += (own / many**2) ** 2 / (n - 1)
        if n > 2:
            cubed = float((centred**3).sum()) * n / ((n - 1) * (n - 2))
            third += cubed / n**2 / many**3
    value = float(np.mean([d.mean() for d in parts]))
    units = sum(d.size for d in parts)
    if variance == 0.0:
        return Estimate(0.0 if abs(value) <= ROUNDING else value, 0.0, 0.0, math.inf, units)
    freedom = variance**2 / freedom_below
    return Estimate(value, math.sqrt(variance), third / variance**1.5, freedom, units)


def apart(left: Any, right: Any) -> Estimate:
    """Mean of ``left`` minus mean of ``right``, for draws that have no partner."""
    return estimate([2 * _finite(left), -2 * _finite(right)])


def above(found: Estimate, margin: float = 0.0, practical: float = 0.0) -> Outcome:
    """Outcome that a mean is above ``margin``; the effect is what is beyond it.

    ``practical`` is the size up to which a difference does not matter; it makes ties where no gain
    is claimed.
    """
    beyond = found.plus(-margin)
    low, high = beyond.interval(1 - ALPHA)
    tie = False
    if practical and not margin:
        inner = found.interval(1 - 2 * ALPHA)
        tie = -practical < inner[0] and inner[1] < practical
    return Outcome(
        found.n, beyond.value, low, high, found.error, beyond.p_above(),
        beyond.plus(0.0, -1.0).p_above(), tie, "t-test for skewed differences",
    )  # fmt: skip


def within(found: Estimate, margin: float) -> Outcome:
    """Two one-sided tests that a mean is at most ``margin`` from 0.

    The effect is the margin that is left; its interval lies below 0 exactly when that of the
    difference lies outside the margin.
    """
    if margin <= 0:
        raise ValueError(f"margin {margin}: an equivalence test needs a positive margin")
    low, high = found.interval(1 - ALPHA)
    nearest = 0.0 if low <= 0.0 <= high else min(abs(low), abs(high))
    inside = [found.plus(margin).p_above(), found.plus(margin, -1.0).p_above()]
    outside = [found.plus(-margin).p_above(), found.plus(-margin, -1.0).p_above()]
    return Outcome(
        found.n, margin - abs(found.value), margin - max(abs(low), abs(high)), margin - nearest,
        found.error, max(inside), min(outside), False, "equivalence test",
    )  # fmt: skip


#: Means and deviations of a table (samples × data sets × columns) -> support for a claim, a number
#: for each sample; positive supports it.
Statistic = Callable[[np.ndarray, np.ndarray], np.ndarray]


def bootstrap(tables: Mapping[str, np.ndarray], statistic: Statistic) -> Outcome:
    """Outcome that a statistic of a table is above 0: its partitions are drawn again.

    A bootstrap of few runs is too narrow; percentiles are moved out by Student's t for the fewest
    runs of a data set (Hesterberg 2015). ``tables`` has the runs (rows) of every data set by
    columns that all of them have.
    """
    names = sorted(tables)
    means, spreads = [], []
    for name in names:
        values = np.asarray(tables[name], dtype=float)
        runs = len(values)
        # the same draws for every claim about a table: a claim and its opposite never both hold
        rng = generator("bootstrap of partitions", name, runs)
        order = np.vstack([np.arange(runs), rng.integers(0, runs, size=(SAMPLES, runs))])
        # how often each run was drawn, as a share: moments are then products of two matrices
        places = order + runs * np.arange(SAMPLES + 1)[:, None]
        share = np.bincount(places.ravel(), minlength=places.size).reshape(places.shape) / runs
        centre = values.mean(axis=0)
        # einsum's own loops: a product by BLAS differs in its last bits with the number of threads
        off = np.einsum("sr,rc->sc", share, values - centre)
        means.append(centre + off)
        squares = np.einsum("sr,rc->sc", share, (values - centre) ** 2) - off**2
        spreads.append(np.sqrt(np.maximum(squares, 0.0) * runs / max(runs - 1, 1)))
    found = statistic(np.stack(means, axis=1), np.stack(spreads, axis=1))
    effect, drawn = float(found[0]), found[1:]
    few = min(map(len, tables.values()))
    wide = math.sqrt(few / (few - 1))
    low, high = (
        float(np.quantile(drawn, stats.norm.cdf(wide * stats.t.ppf(p, few - 1))))
        for p in (ALPHA / 2, 1 - ALPHA / 2)
    )
    p_holds, p_refuted = (
        float(stats.t.sf(stats.norm.isf((1 + int(not_so.sum())) / (SAMPLES + 1)) / wide, few - 1))
        for not_so in (drawn <= 0, drawn >= 0)
    )
    return Outcome(
        sum(len(values) for values in tables.values()), effect, low, high,
        float(drawn.std(ddof=1)), p_holds, p_refuted, False, "bootstrap of partitions",
    )  # fmt: skip


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's adjusted p-values: the k-th of m times m - k + 1, none below a smaller one's."""
    order = sorted(p_values, key=lambda name: (p_values[name], name))
    raised = (min(1.0, (len(order) - k) * p_values[name]) for k, name in enumerate(order))
    return dict(zip(order, accumulate(raised, max), strict=True))
