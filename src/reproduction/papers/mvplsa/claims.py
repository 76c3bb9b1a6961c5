"""Claims of the multi-view PLSA paper (Zhuang et al. 2012).

In one run all methods see the same labelled documents, so runs are paired. A sentence that names
neither data set nor rate is about the mean over those on which both methods were run.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from asprinted.claims import (
    better,
    differences,
    equal,
    is_print,
    levels_equal,
    margin_of,
    resampled,
)
from asprinted.declared import Params, cases, chosen, compared, rising, the_only
from asprinted.parts import Part, by_test, every, some, untestable
from asprinted.statistics import Statistic, above, estimate
from reproduction.papers.mvplsa.protocol import KINDS
from reproduction.verdicts.data_facts import published_names

ACCURACY = "accuracy_pct"
NAMES = published_names(KINDS)


def _t_test(left: pd.DataFrame, right: pd.DataFrame, **how: Any) -> Part:
    """Part "left is better than right" by the test the sentence names: Student's t, two-sided."""
    part = better(left, right, **how)
    if part.state != "tested" or is_print(left):
        return part
    gaps = differences(left, right)
    found = above(replace(estimate(list(gaps.values())), skew=0.0), 0.0, margin_of(ACCURACY))
    both = {name: min(1.0, 2 * getattr(found, name)) for name in ("p_holds", "p_refuted")}
    return by_test(replace(found, name="t-test", **both), part.data, part.reason)


def _own(rows: pd.DataFrame, params: Params, **fixed: Any) -> pd.DataFrame:
    """Rows on the paper's data sets."""
    return chosen(rows, {"dataset": list(NAMES), **params}, **fixed)


_compared = partial(compared, choose=_own, called=NAMES)
beats = _compared("{two}".format, each=("table",))
significantly_better = _compared("{two}".format, each=("table",), test=_t_test)
split_beats_naive_bayes = _compared(join=the_only, table="5")
equal_methods = _compared(join=the_only, test=equal, margins=1)
#: The second of every pair is less than the unit's margin above the first.
adds_nothing = _compared("{two}".format, margins=-1)
clusters_best = _compared(
    "{dataset} {metric}, {two}".format, each=("dataset", "metric"), table="fig2"
)
clusters_not_best = _compared("{metric}, {one}".format, each=("metric",), join=some, table="fig2")
rises_with_labels = rising("rate", table="3", dataset=list(NAMES))


few_labels_suffice = _compared(
    "{dataset}".format, by="rate", each=("dataset",), on=("dataset", "run"), margins=-1, table="3",
    shown=lambda rate: f"{100 * rate:g} %", method="MVPLSA",
)  # fmt: skip
best_topics = _compared(
    "{dataset}, {two}".format, by="topics", each=("dataset",), on=("dataset", "run"), table="fig3",
    shown="Y {:g}".format, method="MVPLSA",
)  # fmt: skip


def flat_in_topics(rows: pd.DataFrame, params: Params) -> Part:
    """Accuracy hardly depends on the number of topics (the paper's values of Y only)."""
    parts = {}
    for at, part in cases(_own(rows, params, table="fig3", method="MVPLSA"), params, ["dataset"]):
        tried = part[part["topics"].isin(params["grid"][at["dataset"]])]
        parts[NAMES[at["dataset"]]] = levels_equal(tried, "topics", margin=margin_of(ACCURACY))
    return every(parts)


def _of_deviations(
    rows: pd.DataFrame, statistic: Statistic, by: tuple[str, ...], what: str
) -> Part:
    """Part about deviations over runs; printed means alone say nothing about them."""
    if is_print(rows) and "std" not in rows:
        return untestable("means in print have no deviations")
    return resampled(rows, statistic, columns=by, what=what)


def _fall(_: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Fall of the deviations a step of the rate, mean over data sets."""
    steps = np.arange(spread.shape[2]) - (spread.shape[2] - 1) / 2
    return -(spread @ steps).mean(axis=1) / float(steps @ steps)


def spread_falls_with_labels(rows: pd.DataFrame, params: Params) -> Part:
    """Every method's deviation over runs falls with the sampling rate."""
    what = "deviation falls by {} a step of the rate"
    groups = _own(rows, params, table="3").groupby("method", sort=True)
    return every({str(m): _of_deviations(part, _fall, ("rate",), what) for m, part in groups})


def _excess(_: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Deviation of the first of two methods beyond the second's, mean over data sets and rates."""
    first, second = np.split(spread, 2, axis=2)
    return (first - second).mean(axis=(1, 2))


def steadier(rows: pd.DataFrame, params: Params) -> Part:
    """MVPLSA's deviation over runs is below DPLSA's."""
    table = _own(rows, params, table="4", method=["DPLSA", "MVPLSA"])
    if table["method"].nunique() < 2:
        return untestable("MVPLSA or DPLSA has no rows here")
    what = "deviation of DPLSA exceeds that of MVPLSA by {}"
    return _of_deviations(table, _excess, ("method", "rate"), what)
