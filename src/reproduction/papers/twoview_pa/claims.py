"""Claims of the two-view PA paper.

Folds of one cross-validation share training rows, and repetitions share all rows, so every
comparison of F1 takes the corrected test. View differences come from passes over all rows in a
random order; two data sets have no runs in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from reproduction.pages.data_names import DataNames
from reproduction.papers.twoview_pa import DATASETS
from reproduction.papers.twoview_pa.methods import (
    ALONE,
    CAT,
    PAPER,
    TWO_VIEW,
    VIEW_1,
    VIEW_2,
    role_of,
)
from reproduction.verdicts.claims import better, data_of, number, select
from reproduction.verdicts.parts import PARTITION, RUN, Part, by_test, every, exact, untestable
from reproduction.verdicts.statistics import difference_above

RIVALS = (VIEW_1, VIEW_2, CAT)
FOLD = ("dataset", "run")
NO_ROWS = "no rows on real data"

_NAMES = DataNames(PAPER, DATASETS)


def _name(dataset: str) -> str:
    """Return what a reader sees."""
    return _NAMES.plain[dataset]


def _f1(rows: pd.DataFrame, dataset: str, method: str, **where: Any) -> pd.DataFrame:
    """Return the F1 of a method in Table 2, or ``where`` else it is asked for."""
    wanted = {"table": "2", "metric": "f1_pct", "role": role_of(method), **where}
    return select(rows, dataset=dataset, method=method, **wanted)


def _where(params: Mapping[str, Any], dataset: str) -> dict[str, Any]:
    """Where the rows of a data set lie: as the claim says of all, and of this one."""
    return {**params.get("where", {}), **params.get("by_dataset", {}).get(dataset, {})}


def _folds_better(
    rows: pd.DataFrame, dataset: str, method: str, other: str, margin: float = 0.0, **where: Any
) -> Part:
    """Part "method has a larger F1 than other by more than ``margin``", paired over folds."""
    left, right = (_f1(rows, dataset, name, **where) for name in (method, other))
    if left.empty or right.empty:
        return untestable(NO_ROWS)
    overlap = 1.0 / (int(left["folds"].iloc[0]) - 1)
    return better(
        left, right, unit=PARTITION, overlap=overlap, on=FOLD, margin=margin, names=(method, other)
    )


def best_of_all(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Two-view PA has a larger F1 than each rival on every data set named."""
    return every(
        {
            f"{_name(dataset)}, {other}": _folds_better(
                rows, dataset, TWO_VIEW, other, **_where(params, dataset)
            )
            for dataset in params["datasets"]
            for other in RIVALS
        }
    )


def beats(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """``method`` beats each of ``others`` by more than its margin, on every data set named.

    In Table 2, or in the rows that ``where`` and ``by_dataset`` name.
    """
    method = params["method"]
    return every(
        {
            f"{_name(dataset)}, {other}": _folds_better(
                rows, dataset, method, other, float(margin), **_where(params, dataset)
            )
            for dataset in params["datasets"]
            for other, margin in params["others"].items()
        }
    )


def _difference(
    rows: pd.DataFrame, dataset: str, metric: str, method: str, **where: Any
) -> pd.DataFrame:
    """Return a figure's values over all rounds."""
    return select(
        rows, dataset=dataset, metric=metric, method=method, role=role_of(method), **where
    )


def difference_order(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """``metric`` of two-view PA's view difference is smaller on ``small`` than on ``large``.

    In the reading compared with print, or in the one that ``where`` and ``by_dataset`` name.
    """
    metric = params["metric"]
    found = {
        key: _difference(rows, params[key], metric, TWO_VIEW, **_where(params, params[key]))
        .groupby("run")["value"]
        .mean()
        for key in ("large", "small")
    }
    if min(map(len, found.values())) < 2:
        return untestable("needs both data sets as the paper used them, with two runs each")
    outcome = difference_above(found["large"], found["small"])
    shown = ", ".join(f"{_name(params[key])} {number(v.mean())}" for key, v in found.items())
    used = rows[rows["dataset"].isin([params["large"], params["small"]])]
    return by_test(outcome, RUN, data_of(used), f"{shown}; {outcome.n} runs")


def difference_shrinks(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Two-view PA's mean view difference is smaller than that of a PA on each view."""
    parts = {}
    for dataset in params["datasets"]:
        where = _where(params, dataset)
        joint = _difference(rows, dataset, "mean_view_difference", TWO_VIEW, **where)
        alone = _difference(rows, dataset, "mean_view_difference", ALONE, **where)
        parts[_name(dataset)] = (
            untestable(NO_ROWS)
            if joint.empty or alone.empty
            else better(alone, joint, unit=RUN, on=FOLD, names=("a PA on each view", TWO_VIEW))
        )
    return every(parts)


def identical_views(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """With view 1 given twice, ``method`` has exactly the weights of PA-I with C = ``single``."""
    method, single = params["method"], params["single"]
    found = select(
        rows, table="extra:identical views", method=method, single=single, role=role_of(method),
        reading="own",
    )  # fmt: skip
    if found.empty:
        return untestable(NO_ROWS)
    worst = float(found["value"].max())
    return exact(
        worst <= 1e-9,
        f"largest difference between two weights, {method} against PA-I({single}): {worst:.3g}",
        data=data_of(found),
        n=len(found),
        effect=-worst,
    )
