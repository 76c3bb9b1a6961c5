"""What checks of claims are made of: rows chosen, paired by what the sentence is about, tested.

A check is a function ``check(rows, params) -> Part``. ``rows`` holds rows of one paper (its setting
columns, their text ``setting``, and paper, dataset, table, method, role, metric, reading, run,
value, provenance, the last a word of the data axis); ``params`` comes from the paper's
``claims.yaml``. The rules are in ``docs/decisions/0014-verdicts-on-three-axes.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from reproduction.results.rows import INFERRED
from reproduction.verdicts.margins import load_margins
from reproduction.verdicts.parts import (
    DATASET,
    PARTITION,
    UNITS,
    Part,
    by_test,
    every,
    uninformative,
    untestable,
)
from reproduction.verdicts.statistics import (
    Outcome,
    is_zero,
    mean_above,
    mean_within,
    rank_correlation,
)
from reproduction.verdicts.words import DATA, SAME, SURROGATE, worst

#: What pairs two rows unless the check says otherwise.
PLACE = ("dataset", "setting", "run")

IDENTICAL = "the methods compared are identical: all differences are 0"


def margin_of(metric: str) -> float:
    """Margin within which two values of a metric are the same, as declared for its unit."""
    return load_margins().unit(metric).margin


def select(rows: pd.DataFrame, **criteria: Any) -> pd.DataFrame:
    """Rows whose columns equal the values given (a list, tuple or set means "one of").

    Unless they are given, ``reading`` is the one compared with print and ``role`` is
    ``"published"``; ``None`` lets every value pass.
    """
    criteria.setdefault("reading", INFERRED)
    criteria.setdefault("role", "published")
    keep = np.ones(len(rows), dtype=bool)
    for column, wanted in criteria.items():
        if column not in rows.columns:
            raise ValueError(f"rows have no column {column!r}; they have {', '.join(rows.columns)}")
        if wanted is None:
            continue
        if isinstance(wanted, (list, tuple, set, frozenset)):
            keep &= rows[column].isin(list(wanted)).to_numpy()
        else:
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


def _means(keys: Sequence[tuple], values: Sequence[float]) -> dict[tuple, float]:
    """Mean of the values of each key; keys in order, those with a gap left out.

    Claims of one paper compare hundreds of small sets of rows. In most of them a key has one value,
    which is its mean, and a dictionary takes a fraction of the time of a data frame's groups.
    """
    found = dict(zip(keys, values, strict=True))
    if len(found) < len(keys):
        columns = [pd.Series(column) for column in zip(*keys, strict=True)]
        means = pd.Series(values).groupby(columns, sort=True).mean()
        names = means.index.tolist()
        found = dict(zip(names if len(columns) > 1 else zip(names), means.tolist(), strict=True))
    return {key: found[key] for key in sorted(key for key in found if not any(map(pd.isna, key)))}


def _sides(
    left: pd.DataFrame, right: pd.DataFrame, on: Sequence[str]
) -> tuple[list[tuple], list[float], list[float]]:
    """What pairs the two sides, and the means of both; what only one side has is dropped."""
    if "dataset" not in on:
        raise ValueError("runs of different data sets are never paired; pair by data set too")
    one, two = (
        _means(
            list(zip(*(frame[name].tolist() for name in on), strict=True)), frame["value"].tolist()
        )
        for frame in (left, right)
    )
    keys = [key for key in one if key in two]
    return keys, [one[key] for key in keys], [two[key] for key in keys]


def pair(
    left: pd.DataFrame, right: pd.DataFrame, on: Sequence[str] = PLACE
) -> tuple[np.ndarray, np.ndarray]:
    """Values of two sets of rows aligned on ``on``; units that only one side has are dropped."""
    _, a, b = _sides(left, right, on)
    return np.array(a, dtype=float), np.array(b, dtype=float)


def by_unit(
    left: pd.DataFrame, right: pd.DataFrame, unit: str, on: Sequence[str] = PLACE
) -> tuple[np.ndarray, np.ndarray]:
    """Both sides for each unit of the test: settings are averaged first.

    For data sets also runs are averaged; runs and partitions of several data sets are refused.
    """
    if unit not in UNITS:
        raise ValueError(f"unit {unit!r} is none of {', '.join(UNITS)}; use one")
    keys, *sides = _sides(left, right, on)
    level = ["dataset"] if unit == DATASET else ["dataset", "run"]
    places = [on.index(name) for name in level]
    units = [tuple(key[place] for place in places) for key in keys]
    if unit != DATASET and len({dataset for dataset, _ in units}) > 1:
        raise ValueError("a test over runs is about one data set; make each data set a part")
    a, b = (np.array(list(_means(units, side).values()), dtype=float) for side in sides)
    return a, b


def _check_overlap(unit: str, overlap: float) -> None:
    if (unit == PARTITION) != (overlap > 0):
        raise ValueError(
            f"unit {unit!r} with overlap {overlap:g}: partitions share rows, others not"
        )


def number(value: float) -> str:
    """Return a value as reasons show it."""
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"


def better(
    left: pd.DataFrame,
    right: pd.DataFrame,
    *,
    unit: str,
    overlap: float = 0.0,
    on: Sequence[str] = PLACE,
    margin: float = 0.0,
    higher_is_better: bool = True,
    names: tuple[str, str] = ("first", "second"),
) -> Part:
    """Part "left is better than right (by more than ``margin``)", paired on ``on``.

    Parameters
    ----------
    left, right
        Rows of the two sides.
    unit, overlap
        What the sentence is about; for partitions the rows tested over the rows trained on.
    on
        Columns that pair rows before settings are averaged.
    margin
        What the sentence claims at least, in the metric's unit.
    higher_is_better
        False for errors and ranks.
    names
        What readers see.
    """
    _check_overlap(unit, overlap)
    a, b = by_unit(left, right, unit, on)
    what = f"{names[0]} against {names[1]}"
    if a.size < 2:
        return untestable(f"{what}: {a.size} common units ({unit}), at least 2 needed")
    data = data_of(left, right)
    if is_zero(a - b, float(np.abs(a).max())):
        return uninformative(f"{what}: {IDENTICAL}", data=data, n=a.size, unit=unit)
    sign = 1.0 if higher_is_better else -1.0
    outcome = mean_above(sign * (a - b), margin, overlap=overlap)
    return by_test(outcome, unit, data, said(names, a.mean(), b.mean(), outcome, unit, margin))


def said(
    names: tuple[str, str], left: float, right: float, outcome: Outcome, unit: str, margin: float
) -> str:
    """Return one line for a comparison of two means."""
    claimed = ""
    if margin:
        claimed = (
            f" (more than {margin:g} ahead" if margin > 0 else f" (less than {-margin:g} behind"
        )
        claimed += " claimed)"
    many = f"{outcome.n} {unit}{'s' if outcome.n != 1 else ''}"
    return f"{names[0]} {number(left)}, {names[1]} {number(right)}{claimed}; {many}"


def equal(
    left: pd.DataFrame,
    right: pd.DataFrame,
    *,
    unit: str,
    margin: float,
    centre: float = 0.0,
    overlap: float = 0.0,
    on: Sequence[str] = PLACE,
    names: tuple[str, str] = ("first", "second"),
) -> Part:
    """Part "left minus right is ``centre``, up to ``margin``": an equivalence test."""
    _check_overlap(unit, overlap)
    a, b = by_unit(left, right, unit, on)
    what = f"{names[0]} against {names[1]}"
    if a.size < 2:
        return untestable(f"{what}: {a.size} common units ({unit}), at least 2 needed")
    data = data_of(left, right)
    if is_zero(a - b, float(np.abs(a).max())):
        return uninformative(f"{what}: {IDENTICAL}", data=data, n=a.size, unit=unit)
    outcome = mean_within(a - b, margin, centre, overlap=overlap)
    wanted = f"{centre:g} ± {margin:g}" if centre else f"within {margin:g}"
    many = f"{outcome.n} {unit}{'s' if outcome.n != 1 else ''}"
    reason = (
        f"{names[0]} {number(a.mean())}, {names[1]} {number(b.mean())}: "
        f"difference {a.mean() - b.mean():+.2g}, claimed {wanted}; {many}"
    )
    return by_test(outcome, unit, data, reason)


def levels_equal(
    rows: pd.DataFrame, by: str, *, margin: float, unit: str, overlap: float = 0.0
) -> Part:
    """Part "the value hardly depends on ``by``": every pair of levels is equivalent.

    All pairs must pass, so no adjustment is due. Runs of one data set are the units.
    """
    levels = sorted(set(rows[by]))
    if len(levels) < 2:
        return untestable(f"{len(levels)} levels of {by}; two needed")
    shown = {level: f"{by} {level:g}" for level in levels}
    pairs = {
        f"{shown[one]}, {shown[two]}": equal(
            rows[rows[by] == one], rows[rows[by] == two], unit=unit, margin=margin, overlap=overlap,
            on=("dataset", "run"), names=(shown[one], shown[two]),
        )
        for one, two in combinations(levels, 2)
    }  # fmt: skip
    return every(pairs)


def trend(
    rows: pd.DataFrame, x: str, *, rising: bool = True, unit: str = DATASET, overlap: float = 0.0
) -> Part:
    """Part "the value rises (falls) with x": a rank correlation for each unit, tested over units.

    For data sets the curve is that of the means; for runs each run has its own.
    """
    _check_overlap(unit, overlap)
    level = ["dataset"] if unit == DATASET else ["dataset", "run"]
    if unit != DATASET and len(set(rows["dataset"])) > 1:
        raise ValueError("a test over runs is about one data set; make each data set a part")
    curves = [part.groupby(x)["value"].mean() for _, part in rows.groupby(level, sort=True)]
    rhos = np.array([rank_correlation(c.index, c.to_numpy()) for c in curves if len(c) >= 3])
    if rhos.size < 2:
        return untestable(f"{rhos.size} curves ({unit}) with at least three points; two needed")
    data = data_of(rows)
    if is_zero(rhos):
        return uninformative(f"the curves over {x} are flat", data=data, n=rhos.size, unit=unit)
    outcome = mean_above(rhos if rising else -rhos, overlap=overlap)
    direction = "rising" if rising else "falling"
    many = f"{rhos.size} {unit}{'s' if rhos.size != 1 else ''}"
    reason = f"mean rank correlation with {x} {rhos.mean():+.2f}, {direction} claimed; {many}"
    return by_test(outcome, unit, data, reason)
