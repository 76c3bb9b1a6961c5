"""Claims of the multi-view PLSA paper (Zhuang et al. 2012).

In one run all methods see the same labelled documents, so runs are paired. A sentence that names
neither data set nor rate is about the mean over those on which both methods were run.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from reproduction.papers.mvplsa.names import NAMES
from reproduction.verdicts.claims import (
    better,
    differences,
    equal,
    is_print,
    levels_equal,
    margin_of,
    resampled,
    select,
    trend,
)
from reproduction.verdicts.parts import RUN, Part, by_test, every, some, untestable
from reproduction.verdicts.statistics import above, estimate

OURS = "MVPLSA"
RIVAL = "DPLSA"
CLUSTERED = (OURS, "Kmeans_Best", "Kmeans_Avg", "MVC")
MEASURES = ("NMI", "PF")
ACCURACY = "accuracy_pct"


def _table(rows: pd.DataFrame, params: dict[str, Any], **criteria: Any) -> pd.DataFrame:
    """Rows of the reading and the data sets that a claim asks for."""
    wanted = {"dataset": list(params.get("datasets", NAMES)), **criteria}
    return select(rows, reading=params["reading"], **wanted)


def _sides(table: pd.DataFrame, *methods: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows of two methods on the data sets that have both."""
    left, right = (table[table["method"] == name] for name in methods)
    both = set(left["dataset"]) & set(right["dataset"])
    return left[left["dataset"].isin(both)], right[right["dataset"].isin(both)]


def _compare(table: pd.DataFrame, one: str, two: str, **how: Any) -> Part:
    """Part "one is better than two"."""
    return better(*_sides(table, one, two), names=(one, two), **how)


def _t_test(table: pd.DataFrame, one: str, two: str) -> Part:
    """Part "one is better than two" by the test the sentence names: Student's t, two-sided."""
    part = _compare(table, one, two)
    if part.state != "tested" or is_print(table):
        return part
    gaps = differences(*_sides(table, one, two))
    found = above(replace(estimate(list(gaps.values())), skew=0.0), 0.0, margin_of(ACCURACY))
    both = {name: min(1.0, 2 * getattr(found, name)) for name in ("p_holds", "p_refuted")}
    return by_test(replace(found, name="t-test", **both), RUN, part.data, part.reason)


def _rivals(rows: pd.DataFrame, params: dict[str, Any], compare: Any) -> Part:
    """MVPLSA against each of ``others``, or against all methods of ``tables``, rates averaged."""
    parts = {}
    for name in params["tables"]:
        table = _table(rows, params, table=name, rate=params.get("rate"))
        for rival in params.get("others") or sorted(set(table["method"]) - {OURS}):
            parts[rival] = compare(table, OURS, rival)
    return every(parts)


def beats(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA is better than each rival."""
    return _rivals(rows, params, _compare)


def significantly_better(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA is better than each rival by a t-test."""
    return _rivals(rows, params, _t_test)


def rises_with_labels(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Every method's accuracy rises with the sampling rate."""
    groups = _table(rows, params, table="3").groupby("method", sort=True)
    return every({str(method): trend(part, "rate") for method, part in groups})


def _fall(_: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Fall of the deviations a step of the rate, mean over data sets."""
    steps = np.arange(spread.shape[2]) - (spread.shape[2] - 1) / 2
    return -(spread @ steps).mean(axis=1) / float(steps @ steps)


def _of_deviations(rows: pd.DataFrame, statistic: Any, columns: tuple[str, ...], what: str) -> Part:
    """Part about deviations over runs; printed means alone say nothing about them."""
    if is_print(rows) and "std" not in rows:
        return untestable("means in print have no deviations")
    return resampled(rows, statistic, columns=columns, what=what)


def spread_falls_with_labels(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Every method's deviation over runs falls with the sampling rate."""
    what = "deviation falls by {} a step of the rate"
    groups = _table(rows, params, table="3").groupby("method", sort=True)
    return every({str(m): _of_deviations(part, _fall, ("rate",), what) for m, part in groups})


def _excess(_: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Deviation of the first of two methods beyond the second's, mean over data sets and rates."""
    first, second = np.split(spread, 2, axis=2)
    return (first - second).mean(axis=(1, 2))


def steadier(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA's deviation over runs is below DPLSA's."""
    table = _table(rows, params, table="4", method=[RIVAL, OURS])
    if table["method"].nunique() < 2:
        return untestable(f"{OURS} or {RIVAL} has no rows here")
    what = f"deviation of {RIVAL} exceeds that of {OURS} by {{}}"
    return _of_deviations(table, _excess, ("method", "rate"), what)


def equal_methods(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Two methods are the same up to the unit's margin, over the data sets and rates."""
    one, two = params["methods"]
    sides = _sides(_table(rows, params, table=params["table"]), one, two)
    return equal(*sides, margin=margin_of(ACCURACY), names=(one, two))


def adds_nothing(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """The first of every pair is less than the unit's margin above the second."""
    table = _table(rows, params, table=params["table"])
    return every(
        {
            more: _compare(table, less, more, margin=-margin_of(ACCURACY))
            for more, less in params["pairs"]
        }
    )


def few_labels_suffice(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA at the smallest rate is less than ``margin`` points behind the largest rate."""
    parts = {}
    for dataset, part in _table(rows, params, table="3", method=OURS).groupby("dataset", sort=True):
        low, high = part["rate"].min(), part["rate"].max()
        parts[NAMES.plain[str(dataset)]] = better(
            part[part["rate"] == low], part[part["rate"] == high], on=("dataset", "run"),
            margin=-float(params["margin"]), names=(f"{100 * low:g} %", f"{100 * high:g} %"),
        )  # fmt: skip
    return every(parts)


def _topics(rows: pd.DataFrame, params: dict[str, Any], dataset: str) -> pd.DataFrame:
    return select(rows, reading=params["reading"], table="fig3", dataset=dataset, method=OURS)


def flat_in_topics(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Accuracy hardly depends on the number of topics (the paper's values of Y only)."""
    parts = {}
    for dataset, grid in params["grid"].items():
        part = _topics(rows, params, dataset)
        part = part[part["topics"].isin(grid)]
        parts[NAMES.plain[dataset]] = levels_equal(part, "topics", margin=margin_of(ACCURACY))
    return every(parts)


def best_topics(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """The named Y is better than every other one that the figure has."""
    parts = {}
    for dataset, wanted in params["best"].items():
        part = _topics(rows, params, dataset)
        here = part[part["topics"] == wanted]
        for value in sorted(set(part["topics"]) - {wanted}):
            parts[f"{NAMES.plain[dataset]}, Y {value:g}"] = better(
                here, part[part["topics"] == value], on=("dataset", "run"),
                names=(f"Y {wanted:g}", f"Y {value:g}"),
            )  # fmt: skip
    return every(parts)


def split_beats_naive_bayes(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA on four random parts of a view beats naive Bayes on it, over the views of NewsGv4."""
    return _compare(_table(rows, params, table="5"), OURS, "NBC")


def clusters_best(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA has a larger NMI and PF than every other method, on each data set."""
    table = _table(rows, params, table="fig2", method=CLUSTERED, metric=MEASURES)
    return every(
        {
            f"{NAMES.plain[str(dataset)]} {metric}, {rival}": _compare(part, OURS, rival)
            for (dataset, metric), part in table.groupby(["dataset", "metric"], sort=True)
            for rival in CLUSTERED[1:]
        }
    )


def clusters_not_best(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Some other method has a larger NMI or PF than MVPLSA."""
    table = _table(rows, params, table="fig2", method=CLUSTERED, dataset=params["dataset"])
    return some(
        {
            f"{metric}, {rival}": _compare(table[table["metric"] == metric], rival, OURS)
            for metric in MEASURES
            for rival in CLUSTERED[1:]
        }
    )
