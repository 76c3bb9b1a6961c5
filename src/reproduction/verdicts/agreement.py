"""Agreement of one published figure with ours, with the uncertainty of both sides.

The rule is that of ``docs/decisions/0014-verdicts-on-three-axes.md``. All of it takes arrays, so
that a bootstrap, a shuffled ledger and a simulated paper are judged by the very same code.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from manyviews.seeding import generator
from reproduction.verdicts.margins import Unit
from reproduction.verdicts.words import COMPATIBLE, DIFFERENT, EQUIVALENT, NEAR

#: Words of agreement in the order of their codes, best first.
WORDS = (EQUIVALENT, COMPATIBLE, NEAR, DIFFERENT)

#: A difference beyond this many margins is different.
NEAR_MARGINS = 2.5

#: Bootstrap samples behind the share that gives the same word.
SAMPLES = 1000

#: Below this share a verdict may change with other seeds.
STABLE = 0.9

_EQUIVALENCE = 0.95  # two one-sided tests at 5 %: the 90 % interval
_INTERVAL = 0.975  # the 95 % interval
_MANY = 100  # among fewer, looking for equal ones gains next to nothing
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
        width = t_quantile(np.where(sure, 1.0, self.df), quantile) * self.se
        return np.where(sure, 0.0, width)


def t_quantile(df: np.ndarray, quantile: float) -> np.ndarray:
    """Quantile of Student's t; samples of a few runs share a few degrees of freedom."""
    if df.size < _MANY:
        return np.asarray(stdtrit(df, quantile))
    few, place = np.unique(df, return_inverse=True)
    return np.asarray(stdtrit(few, quantile)[place.ravel()].reshape(df.shape))


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
    known = ~(no_p & no_o)
    # place of both deviations, each borrowed where it is missing
    first = np.where(no_p, s_o, s_p) ** 2 / n_p
    second = np.where(no_o, s_p, s_o) ** 2 / n_o
    first, second = np.where(known, first, 0.0), np.where(known, second, 0.0)
    total = first + second
    share = np.divide(first, total, out=np.zeros(total.shape), where=total > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = 1.0 / (share**2 / (n_p - 1) + (1 - share) ** 2 / (n_o - 1))
    df = np.where(no_p, n_o - 1, np.where(no_o, n_p - 1, df))
    difference = unit.place(mean_o) - unit.place(mean_p)
    parts = np.broadcast_arrays(difference, np.sqrt(total), df)
    return Comparison(*(np.asarray(part, dtype=float) for part in parts))


def codes(found: Comparison, margin: float) -> np.ndarray:
    """Place in :data:`WORDS` of every comparison."""
    size = np.abs(found.difference)
    return np.select(
        [
            size + found.half(_EQUIVALENCE) <= margin + _SLACK,
            size <= found.half(_INTERVAL),
            size <= NEAR_MARGINS * margin + _SLACK,
        ],
        [0, 1, 2],
        default=3,
    )


@dataclass(frozen=True)
class Judgement:
    """What the rule says about one figure, and the numbers it says it from.

    ``low`` and ``high`` bound the 95 % interval of the difference, on the unit's scale;
    ``prediction_low`` and ``prediction_high`` that of our mean if print is right, in the metric.
    """

    difference: float
    se: float
    low: float
    high: float
    prediction_low: float
    prediction_high: float
    word: str


def judge(published: Figure, ours: Figure, unit: Unit) -> Judgement:
    """Judge one published figure."""
    for name, figure in (("print", published), ("ours", ours)):
        if not math.isfinite(figure.mean) or figure.runs < 1:
            raise ValueError(f"{unit.name}: cannot compare {name} with mean {figure.mean}")
        if not math.isnan(figure.std) and (figure.std < 0 or figure.runs < 2):
            raise ValueError(
                f"{unit.name}: {name} has a deviation of {figure.std} over {figure.runs} runs; "
                "a deviation is positive and needs two runs"
            )
    found = compare(published, ours, unit)
    half = float(found.half(_INTERVAL))
    middle = float(unit.place(np.asarray(published.mean, dtype=float)))
    difference = float(found.difference)
    return Judgement(
        difference=difference,
        se=float(found.se),
        low=difference - half,
        high=difference + half,
        prediction_low=float(unit.back(np.asarray(middle - half))),
        prediction_high=float(unit.back(np.asarray(middle + half))),
        word=WORDS[int(codes(found, unit.margin))],
    )


def figure_of(values: np.ndarray) -> Figure:
    """Return mean, sample deviation and number of some runs."""
    values = np.asarray(values, dtype=float)
    std = float(values.std(ddof=1)) if values.size > 1 else math.nan
    return Figure(float(values.mean()), std, int(values.size))


def stable_share(name: str, values: np.ndarray, published: Figure, unit: Unit) -> float:
    """Share of bootstrap samples of our runs that give the word the runs themselves give.

    The name of the cell seeds the samples; of one run the share is not known (NaN).
    """
    runs = np.asarray(values, dtype=float)
    if runs.size < 2:
        return math.nan
    drawn = generator("bootstrap of a verdict", name).integers(runs.size, size=(SAMPLES, runs.size))
    samples = runs[drawn]
    ours = Figure(samples.mean(axis=1), samples.std(axis=1, ddof=1), runs.size)
    words = codes(compare(published, ours, unit), unit.margin)
    own = codes(compare(published, figure_of(runs), unit), unit.margin)
    return float((words == own).mean())
