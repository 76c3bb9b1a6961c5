"""Agreement of one published figure with ours, with the uncertainty of both sides.

The rule is that of ``docs/decisions/0014-verdicts-on-three-axes.md``. All of it takes arrays, so
that a bootstrap, a shuffled ledger and a simulated paper are judged by the very same code.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from asprinted.margins import Unit
from asprinted.statistics import generator
from asprinted.words import AGREEMENT

#: Words of agreement in the order of their codes, best first.
WORDS = AGREEMENT[:4]

#: A difference beyond this many margins is different.
NEAR_MARGINS = 2.5

#: Bootstrap samples behind the share that gives the same word.
SAMPLES = 1000

#: Below this share a verdict may change with other seeds.
STABLE = 0.9

EQUIVALENCE = 0.95  # two one-sided tests at 5 %: the 90 % interval
INTERVAL = 0.975  # the 95 % interval
_SLACK = 1e-9  # a difference equal to the margin passes, whatever its rounding error


class Figure(NamedTuple):
    """Mean, deviation (NaN where there is none) and number of runs; numbers or arrays."""

    mean: Any
    std: Any
    runs: Any


class Comparison(NamedTuple):
    """Two figures compared, on the unit's scale; arrays."""

    difference: np.ndarray
    se: np.ndarray
    df: np.ndarray

    def half(self, quantile: float) -> np.ndarray:
        """Half the width of an interval; 0 where neither side has a spread."""
        sure = self.se <= 0
        return np.where(sure, 0.0, stdtrit(np.where(sure, 1.0, self.df), quantile) * self.se)


def compare(published: Figure, ours: Figure, unit: Unit) -> Comparison:
    """Compare print with ours: difference, standard error and Welch's degrees of freedom.

    A side without a deviation takes the other's, and the degrees of freedom are then those of the
    one deviation there is. Without any, the standard error is 0. Figures are of numbers, or of
    arrays that fit together.
    """
    mean_p, std_p, n_p = (np.asarray(part, dtype=float) for part in published)
    mean_o, std_o, n_o = (np.asarray(part, dtype=float) for part in ours)
    s_p, s_o = unit.spread(mean_p, std_p), unit.spread(mean_o, std_o)
    no_p, no_o = np.isnan(s_p), np.isnan(s_o)
    # each deviation borrowed where it is missing
    first = np.where(no_p, s_o, s_p) ** 2 / n_p
    second = np.where(no_o, s_p, s_o) ** 2 / n_o
    none = no_p & no_o
    first, second = np.where(none, 0.0, first), np.where(none, 0.0, second)
    total = first + second
    share = np.divide(first, total, out=np.zeros(total.shape), where=total > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = 1.0 / (share**2 / (n_p - 1) + (1 - share) ** 2 / (n_o - 1))
    df = np.where(no_p, n_o - 1, np.where(no_o, n_p - 1, df))
    difference = unit.place(mean_o) - unit.place(mean_p)
    return Comparison(*np.broadcast_arrays(difference, np.sqrt(total), df))


def codes(found: Comparison, margin: float) -> np.ndarray:
    """Place in :data:`WORDS` of every comparison."""
    size = np.abs(found.difference)
    rules = [
        size + found.half(EQUIVALENCE) <= margin + _SLACK,
        size <= found.half(INTERVAL),
        size <= NEAR_MARGINS * margin + _SLACK,
    ]
    return np.select(rules, [0, 1, 2], default=3)


class Judgement(NamedTuple):
    """What the rule says about one figure, and the numbers it says it from.

    ``low`` and ``high`` bound the 95 % interval of the difference, on the unit's scale;
    ``prediction_low`` and ``prediction_high`` that of our mean if print is right, in the metric.
    """

    word: str
    difference: float
    se: float
    low: float
    high: float
    prediction_low: float
    prediction_high: float


def judge(published: Figure, ours: Figure, unit: Unit) -> Judgement:
    """Judge one published figure."""
    for name, (mean, std, runs) in (("print", published), ("ours", ours)):
        if not math.isfinite(mean) or std < 0 or runs < (1 if math.isnan(std) else 2):
            raise ValueError(
                f"{unit.name}: {name} has the mean {mean} and a deviation of {std} over {runs} "
                "runs; a mean is finite, a deviation is positive and needs two runs"
            )
    found = compare(published, ours, unit)
    word = WORDS[int(codes(found, unit.margin))]
    half, difference = float(found.half(INTERVAL)), float(found.difference)
    ends = difference - half, difference + half
    middle = float(unit.place(np.asarray(published.mean, dtype=float)))
    predicted = (float(unit.back(np.asarray(end))) for end in (middle - half, middle + half))
    return Judgement(word, difference, float(found.se), *ends, *predicted)


def figure_of(values: np.ndarray) -> Figure:
    """Return mean, sample deviation and number of some runs."""
    values = np.asarray(values, dtype=float)
    std = float(values.std(ddof=1)) if values.size > 1 else math.nan
    return Figure(float(values.mean()), std, int(values.size))


def stable_share(name: str, values: np.ndarray, published: Figure, unit: Unit) -> float:
    """Share of bootstrap samples of our runs with the word of the runs; NaN for a single run."""
    runs = np.asarray(values, dtype=float)
    if runs.size < 2:
        return math.nan
    drawn = generator("bootstrap of a verdict", name).integers(runs.size, size=(SAMPLES, runs.size))
    samples = runs[drawn]
    ours = Figure(samples.mean(axis=1), samples.std(axis=1, ddof=1), runs.size)
    words = codes(compare(published, ours, unit), unit.margin)
    own = codes(compare(published, figure_of(runs), unit), unit.margin)
    return float((words == own).mean())
