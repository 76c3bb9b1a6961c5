"""What checks of claims are made of: rows chosen, paired by what the sentence is about, tested.

A check is a function ``check(rows, params) -> Part``. ``rows`` holds rows of one paper (its setting
columns, their text ``setting``, and paper, dataset, table, method, role, metric, reading, run,
value, provenance, the last a word of the data axis); ``params`` is what a declared claim says of
itself. The rules are in ``docs/decisions/0021-verdicts-that-decide.md``.

The same checks judge print itself: rows of the reading ``print`` have one run, whose value is the
printed mean; with the printed deviation and number of runs beside it (columns ``std`` and ``runs``)
the test takes these, else means alone are compared. A reproduction that gives no runs but means and
deviations (reading ``summary``) is tested with these as Welch would; means alone decide nothing.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from asprinted.margins import load_margins
from asprinted.parts import DATASET, RUN, Part, by_test, every, exact, untestable
from asprinted.statistics import Estimate, Outcome, Statistic, above, bootstrap, estimate, within
from asprinted.words import DATA, INFERRED, PRINT, SAME, SUMMARY, SURROGATE, worst

#: What pairs two rows unless the check says otherwise.
PLACE = ("dataset", "setting", "run")

#: How print is judged: by its means, or by its own deviations too.
PRINTED_MEANS, PRINTED_DEVIATIONS = "means in print", "deviations in print"
WELCH = "Welch's test of means and deviations"


def margin_of(metric: str) -> float:
    """Margin within which two values of a metric are the same, as declared for its unit."""
    return load_margins().unit(metric).margin


def select(rows: pd.DataFrame, **criteria: Any) -> pd.DataFrame:
    """Rows whose columns equal the values given (a list, tuple or set means "one of").

    Unless they are given, ``reading`` is the inferred one and ``role`` is ``"published"``;
    ``None`` lets every value pass.
    """
    keep = np.ones(len(rows), dtype=bool)
    for column, wanted in {"reading": INFERRED, "role": "published", **criteria}.items():
        if column not in rows.columns:
            raise ValueError(f"rows have no column {column!r}; they have {', '.join(rows.columns)}")
        if isinstance(wanted, (list, tuple, set, frozenset)):
            keep &= rows[column].isin(list(wanted)).to_numpy()
        elif wanted is not None:
            keep &= (rows[column] == wanted).to_numpy()
    return rows.loc[keep]


def real_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows measured on real data (the paper's, a subset or a stand-in), surrogates left out."""
    return rows.loc[rows["provenance"] != SURROGATE]


def original_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows measured on the data the paper used."""
    return rows.loc[rows["provenance"] == SAME]


def data_of(*frames: pd.DataFrame) -> str:
    """Worst word of the data that rows were measured on."""
    return worst({str(word) for frame in frames for word in frame["provenance"]}, DATA)


def number(value: float) -> str:
    """Return a value as reasons show it."""
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"


def is_print(rows: pd.DataFrame) -> bool:
    """Whether rows are the printed figures themselves."""
    return len(rows) > 0 and bool((rows["reading"] == PRINT).all())


def _means(rows: pd.DataFrame, on: Sequence[str]) -> dict[tuple, float]:
    """Mean of the values of each key; keys in order, those with a gap left out."""
    keys = list(zip(*(rows[name].tolist() for name in on), strict=True))
    found: dict[Any, float] = dict(zip(keys, rows["value"].tolist(), strict=True))
    if len(found) < len(keys):  # most have one value a key, and groups take ten times as long
        found = rows.groupby(list(on), sort=True)["value"].mean().to_dict()
    return {key: found[key] for key in sorted(key for key in found if not any(map(pd.isna, key)))}


def differences(
    left: pd.DataFrame, right: pd.DataFrame, on: Sequence[str] = PLACE
) -> dict[str, np.ndarray]:
    """Data set -> left minus right for each of its runs, settings averaged.

    What only one side has is dropped. A run counts only if it has every setting that the data set
    has: otherwise runs of a few settings would speak for all.
    """
    where, which = on.index("dataset"), on.index("run")
    one, two = _means(left, on), _means(right, on)
    gaps: dict[str, dict[Any, list[float]]] = {}
    for key in (key for key in one if key in two):
        gap = one[key] - two[key]
        gaps.setdefault(str(key[where]), {}).setdefault(key[which], []).append(gap)
    found = {}
    for dataset, runs in gaps.items():
        most = max(map(len, runs.values()))
        full = [gap for _, gap in sorted(runs.items()) if len(gap) == most]
        found[dataset] = np.array([np.mean(gap) for gap in full])
    return found


def _spread(*frames: pd.DataFrame) -> tuple[float, float]:
    """Standard error of a difference of means, and Welch's freedom; NaN without deviations."""
    squares = below = 0.0
    for frame in frames:
        if "std" not in frame.columns:
            return math.nan, math.nan
        sets = frame.groupby("dataset", sort=True)
        for _, own in sets:
            runs = own["runs"].to_numpy(dtype=float)
            error = own["std"].to_numpy() / np.sqrt(runs)
            squares += float((error**2).sum()) / len(own) ** 2 / sets.ngroups**2
            share = error**2 / len(own) ** 2 / sets.ngroups**2
            with np.errstate(divide="ignore", invalid="ignore"):
                below += float((share**2 / (runs - 1)).sum())
    return math.sqrt(squares), squares**2 / below if below else math.inf


def _tested(
    sides: tuple[pd.DataFrame, pd.DataFrame],
    test: Callable[[Estimate], tuple[Outcome, str]],
    *,
    on: Sequence[str] = PLACE,
    names: tuple[str, str] = ("first", "second"),
    over: str = RUN,
) -> Part:
    """Part from two sides; ``test`` judges their difference and says what is claimed of it."""
    gaps, versus = differences(*sides, on), f"{names[0]} against {names[1]}"
    if over == DATASET and gaps:
        gaps = {"all": np.array([gap.mean() for gap in gaps.values()])}
    if not gaps:
        return untestable(f"{versus}: no common rows")
    printed = all(map(is_print, sides))
    summary = not printed and all((side["reading"] == SUMMARY).all() for side in sides)
    if not (printed or summary) and min(gap.size for gap in gaps.values()) < 2:
        return untestable(f"{versus}: one {over}, at least 2 needed")
    name, size = "", sum(gap.size for gap in gaps.values())
    if printed or summary:
        value, (error, freedom) = float(np.mean([g.mean() for g in gaps.values()])), _spread(*sides)
        if summary and math.isnan(error):
            return untestable(f"{versus}: means alone; a test needs deviations and numbers of runs")
        name = WELCH if summary else PRINTED_MEANS if math.isnan(error) else PRINTED_DEVIATIONS
        if summary:
            size = int(sum(side["runs"].sum() for side in sides))
        freedom, error = freedom if summary else math.inf, 0.0 if math.isnan(error) else error
        found = Estimate(value, error, 0.0, freedom, size)
    else:
        found = estimate(list(gaps.values()))
    outcome, claimed = test(found)
    means = (float(side.groupby("dataset")["value"].mean().mean()) for side in sides)
    shown = ", ".join(f"{side} {number(mean)}" for side, mean in zip(names, means, strict=True))
    counted = "print" if printed else f"{found.n} {over}{'s' if found.n != 1 else ''}"
    outcome = replace(outcome, name=name or outcome.name)
    return by_test(outcome, data_of(*sides), f"{shown}{claimed}; {counted}", over)


def better(
    left: pd.DataFrame,
    right: pd.DataFrame,
    *,
    margin: float = 0.0,
    higher_is_better: bool = True,
    practical: float | None = None,
    **how: Any,
) -> Part:
    """Part "left is better than right (by more than ``margin``)".

    A difference below ``practical``, if nothing else is said the margin of the metric's unit, does
    not matter. ``how`` may say ``on`` what rows are paired (data set, setting and run), the
    ``names`` of both sides, and ``over`` what is tested: each run, or for data of this kind each
    data set.
    """
    claimed = ""
    if margin:
        more, ahead = ("more", "ahead") if margin > 0 else ("less", "behind")
        claimed = f" ({more} than {abs(margin):g} {ahead} claimed)"

    def test(found: Estimate) -> tuple[Outcome, str]:
        small = practical or max(margin_of(str(metric)) for metric in set(left["metric"]))
        gain = found.plus(0.0, 1.0 if higher_is_better else -1.0)
        return above(gain, margin, small), claimed

    return _tested((left, right), test, **how)


def equal(left: pd.DataFrame, right: pd.DataFrame, *, margin: float, **how: Any) -> Part:
    """Part "left and right are the same, up to ``margin``", ``how`` as in :func:`better`."""

    def test(found: Estimate) -> tuple[Outcome, str]:
        claimed = f": difference {found.value:+.2g}, claimed within {margin:g}"
        return within(found, margin), claimed

    return _tested((left, right), test, **how)


def levels_equal(rows: pd.DataFrame, by: str, *, margin: float) -> Part:
    """Part "the value hardly depends on ``by``": every pair of levels is equivalent."""
    levels = sorted(set(rows[by]))
    if len(levels) < 2:
        return untestable(f"{len(levels)} levels of {by}; two needed")
    pairs = {}
    for one, two in combinations(levels, 2):
        names = f"{by} {one:g}", f"{by} {two:g}"
        sides = rows[rows[by] == one], rows[rows[by] == two]
        pairs[", ".join(names)] = equal(*sides, margin=margin, on=("dataset", "run"), names=names)
    return every(pairs)


def trend(rows: pd.DataFrame, x: str, *, rising: bool = True) -> Part:
    """Part "the value rises (falls) with ``x``": its slope over the ranks of x, over runs."""
    levels = np.array(sorted(set(rows[x])))
    if levels.size < 3:
        return untestable(f"{levels.size} values of {x}; three needed")
    weights = np.arange(levels.size) - (levels.size - 1) / 2
    weights /= float(weights @ weights)
    sign = 1.0 if rising else -1.0
    slopes = []
    for _, own in rows.groupby("dataset", sort=True):
        curves = own.pivot_table("value", "run", x, sort=True).reindex(columns=levels).dropna()
        if len(curves):
            slopes.append(sign * (curves.to_numpy() @ weights))
    if not slopes:
        return untestable(f"no run has all {levels.size} values of {x}")
    value = float(np.mean([slope.mean() for slope in slopes]))
    what = f"{'rises' if value * sign > 0 else 'falls'} by {abs(value):.2g} a step of {x}"
    if is_print(rows):
        return exact(value > 0, f"{what}; print", data=data_of(rows), n=levels.size, effect=value)
    if min(slope.size for slope in slopes) < 2:
        return untestable("one run of the whole curve; at least 2 needed")
    found = estimate(slopes)
    return by_test(above(found), data_of(rows), f"{what}; {found.n} runs")


def resampled(
    rows: pd.DataFrame,
    statistic: Statistic,
    *,
    columns: Sequence[str] = ("method", "setting"),
    what: str,
) -> Part:
    """Part "a statistic of a table is above 0": ranks, counts, deviations, correlations.

    Runs are drawn again within each data set, for all columns together; data sets and columns
    come to the statistic in sorted order. In ``what`` readers see, ``{}`` is the statistic.
    """
    tables = _table_of(rows, columns)
    if not tables:
        return untestable("no common rows")
    data = data_of(rows)
    if is_print(rows):
        means = np.stack([tables[name][:1] for name in sorted(tables)], axis=1)
        spread = _table_of(rows.assign(value=rows["std"]), columns) if "std" in rows else {}
        stds = np.stack([spread[n][:1] for n in sorted(spread)], axis=1) if spread else means * 0
        value, size = float(statistic(means, stds)[0]), means.shape[1] * means.shape[2]
        reason = f"{what.format(number(value))}; print"
        return exact(value > 0, reason, data=data, n=size, effect=value)
    if min(map(len, tables.values())) < 2:
        return untestable("one run of the whole table; at least 2 needed")
    outcome = bootstrap(tables, statistic)
    reason = f"{what.format(number(outcome.effect))}; {outcome.n} runs"
    return by_test(outcome, data, reason)


def _table_of(rows: pd.DataFrame, columns: Sequence[str]) -> dict[str, np.ndarray]:
    """Data set -> values of its runs (rows) by columns; runs without all columns are left out."""
    if rows.empty:
        return {}
    wide = rows.pivot_table("value", ["dataset", "run"], list(columns), sort=True).dropna()
    return {str(name): own.to_numpy() for name, own in wide.groupby(level="dataset", sort=True)}
