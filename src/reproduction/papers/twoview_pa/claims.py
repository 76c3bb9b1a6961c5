"""Claims of the two-view PA paper.

A draw is a repetition of the cross-validation: its folds are averaged, never counted. View
differences come from passes over all rows in a random order; two data sets have no runs in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from reproduction.pages.data_names import DataNames
from reproduction.papers.twoview_pa.columns import DATASETS
from reproduction.papers.twoview_pa.methods import ALONE, PAPER, TWO_VIEW, role_of
from reproduction.verdicts.claims import better, data_of, number, resampled, select
from reproduction.verdicts.parts import RUN, Part, by_test, every, exact, some, untestable
from reproduction.verdicts.statistics import above, apart

NO_ROWS = "no rows on real data"

_NAMES = DataNames(PAPER, DATASETS).plain


def _chosen(
    rows: pd.DataFrame, params: Mapping[str, Any], dataset: str | None, method: str, **at: Any
) -> pd.DataFrame:
    """Rows of a method in the reading that a claim asks for, or ``where`` else it looks."""
    own = params.get("by_dataset", {}).get(dataset, {})
    wanted = {"reading": params["reading"], **at, **params.get("where", {}), **own}
    return select(rows, dataset=dataset, method=method, role=role_of(method), **wanted)


def _ahead(
    rows: pd.DataFrame, params: Mapping[str, Any], dataset: str, one: str, two: str, margin: float
) -> Part:
    """Part "one has a larger F1 than two by more than ``margin``"."""
    sides = []
    for method in (one, two):
        found = _chosen(rows, params, dataset, method, table="2", metric="f1_pct")
        sides.append(found.assign(run=found["run"] // found["folds"]))
    return better(*sides, on=("dataset", "run"), margin=margin, names=(one, two))


def beats(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """``method`` beats each of ``others`` by more than its margin, on every data set named."""
    return every(
        {
            f"{_NAMES[dataset]}, {other}": _ahead(
                rows, params, dataset, params["method"], other, float(margin)
            )
            for dataset in params["datasets"]
            for other, margin in params["others"].items()
        }
    )


def ahead_by_up_to(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """``second`` beats the ``rest``, and ``method`` beats it by less than ``most``."""
    first, second = params["method"], params["second"]
    pairs = {(first, second): 0.0, (second, first): -float(params["most"])}
    pairs |= {(second, other): 0.0 for other in params["rest"]}
    return every(
        {
            f"{one}, {two}": _ahead(rows, params, params["dataset"], one, two, margin)
            for (one, two), margin in pairs.items()
        }
    )


def difference_order(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """``metric`` of two-view PA's view difference is smaller on ``small`` than on ``large``."""
    names = [params["large"], params["small"]]
    used = [_chosen(rows, params, name, TWO_VIEW, metric=params["metric"]) for name in names]
    large, small = (part.groupby("run", sort=True)["value"].mean() for part in used)
    if min(len(large), len(small)) < 2:
        return untestable("needs both data sets as the paper used them, with two runs each")
    outcome = above(apart(large, small))
    shown = ", ".join(
        f"{_NAMES[name]} {number(float(values.mean()))}"
        for name, values in zip(names, (large, small), strict=True)
    )
    return by_test(outcome, RUN, data_of(*used), f"{shown}; {outcome.n} runs")


def _fall(means: np.ndarray, _: np.ndarray) -> np.ndarray:
    """First column minus the second."""
    return means[:, 0, 0] - means[:, 0, 1]


def difference_shrinks(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Two-view PA's mean view difference is smaller than that of a PA on each view."""
    place, metric = params["dataset"], "mean_view_difference"
    alone, joint = (_chosen(rows, params, place, m, metric=metric) for m in (ALONE, TWO_VIEW))
    if alone.empty or joint.empty:
        return untestable(NO_ROWS)
    what = f"{TWO_VIEW} is {{}} below {ALONE}"
    return resampled(pd.concat([alone, joint]), _fall, columns=("method",), what=what)


def identical_views(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """With view 1 given twice, ``method`` has exactly the weights of PA-I at one of ``singles``."""
    method = params["method"]
    parts = {}
    for single in params["singles"]:
        at = {"table": "extra:identical views", "single": single}
        found = _chosen(rows, params, None, method, **at)
        worst = float(found["value"].max()) if len(found) else 0.0
        reason = f"largest difference between two weights, {method} against PA-I({single}): "
        parts[f"PA-I({single})"] = (
            untestable(NO_ROWS)
            if found.empty
            else exact(
                worst <= 1e-9, f"{reason}{worst:.3g}", data=data_of(found), n=len(found),
                effect=-worst,
            )
        )  # fmt: skip
    return some(parts)
