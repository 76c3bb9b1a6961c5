r"""Claims of the two-view PA paper.

Folds of one cross-validation share training rows, and repetitions share all rows, so a plain
paired t-test over folds is far too sure of itself. Every comparison of F1 here uses the corrected
resampled t-test of Nadeau and Bengio (2003): the variance of the mean of n differences is
:math:`(1/n + n_{test}/n_{train})\, s^2`, with :math:`n_{test}/n_{train} = 1/(k-1)` for k folds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from reproduction.data.registry import load_registry
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
from reproduction.verdicts.claims import (
    ClaimResult,
    better,
    combine,
    holds_if,
    original_rows,
    pair,
    select,
    untestable,
    verdict_of,
)

RIVALS = (VIEW_1, VIEW_2, CAT)
ON = ("dataset", "run")
NO_ROWS = "no rows on the paper's own data"

_NAMES = DataNames(PAPER, DATASETS)


def _name(dataset: str) -> str:
    """Return what a reader sees; claims are tested on real data, so nothing is marked."""
    return _NAMES.plain[dataset]


@cache
def _stand_ins() -> dict[str, str]:
    """Return data set -> the real data that stands in for it."""
    registry = load_registry()
    targets = {key: registry[key].get("stands_in_for") for key in DATASETS}
    return {target: key for key, target in targets.items() if target}


def corrected_test(
    difference: np.ndarray, n_folds: int, margin: float = 0.0
) -> tuple[float, float]:
    """Mean difference and one-sided p-value of "larger than ``margin``" over folds."""
    n = difference.size
    mean, spread = float(difference.mean()), float(difference.std(ddof=1))
    if spread == 0.0:
        return mean, 0.0 if mean > margin else 1.0
    error = spread * math.sqrt(1.0 / n + 1.0 / (n_folds - 1))
    return mean, float(stats.t.sf((mean - margin) / error, n - 1))


def folds_better(
    left: pd.DataFrame, right: pd.DataFrame, what: str, margin: float = 0.0
) -> ClaimResult:
    """Claim "left has a larger F1 than right by more than ``margin``", paired over folds."""
    a, b = pair(left, right, ON)
    if a.size < 2:
        return untestable(f"{what}: {a.size} common folds, at least 2 needed")
    mean, p_value = corrected_test(a - b, int(left["folds"].iloc[0]), margin)
    won = int((a > b).sum())
    beyond = f" by more than {margin:g}" if margin else ""
    detail = (
        f"{what}{beyond}: {a.mean():.2f} against {b.mean():.2f}, difference {mean:+.2f}, "
        f"larger in {won} of {a.size} folds, corrected t-test p {p_value:.2g}"
    )
    return ClaimResult(verdict_of(mean - margin, p_value), mean, p_value, a.size, detail)


def _f1(rows: pd.DataFrame, dataset: str, method: str, **where: Any) -> pd.DataFrame:
    """Return the F1 of a method in Table 2, or ``where`` else it is asked for."""
    wanted = {"table": "2", "metric": "f1_pct", "role": role_of(method), **where}
    return select(rows, dataset=dataset, method=method, **wanted)


def _beats_all(rows: pd.DataFrame, dataset: str) -> ClaimResult:
    """Two-view PA against each rival; it must beat every one, so the weakest comparison counts."""
    ours = _f1(rows, dataset, TWO_VIEW)
    if ours.empty:
        return untestable(NO_ROWS)
    results = [
        folds_better(ours, _f1(rows, dataset, rival), f"{TWO_VIEW} over {rival}")
        for rival in RIVALS
    ]
    return min(results, key=lambda result: result.effect)


def best_of_all(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Two-view PA has the largest F1 on every data set named in ``params``."""
    real = original_rows(rows)
    result = combine({_name(key): _beats_all(real, key) for key in params["datasets"]})
    detail = result.detail
    others = rows[rows["provenance"] == "stand-in"]
    for dataset, other in _stand_ins().items():
        if dataset in params["datasets"] and not _f1(others, other, TWO_VIEW).empty:
            shown = _beats_all(others, other).detail
            detail += f"; not counted, {other} as stand-in for {_name(dataset)}: {shown}"
    return replace(result, detail=detail)


def beats(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """``method`` beats every one of ``others`` by ``margin`` on every data set named.

    In Table 2, or in the rows that ``where`` names.
    """
    found = original_rows(rows)
    where = params.get("where", {})
    parts = {}
    for dataset in params["datasets"]:
        ours = _f1(found, dataset, params["method"], **where)
        for other in params["others"]:
            what = f"{params['method']} over {other}"
            right = _f1(found, dataset, other, **where)
            parts[f"{_name(dataset)}, {what}"] = (
                untestable(NO_ROWS)
                if ours.empty or right.empty
                else folds_better(ours, right, what, float(params.get("margin", 0.0)))
            )
    return combine(parts)


def _difference(
    rows: pd.DataFrame, dataset: str, metric: str, method: str, **where: Any
) -> pd.DataFrame:
    """Return a figure's values over all rounds."""
    return select(
        rows, dataset=dataset, metric=metric, method=method, role=role_of(method), **where
    )


def difference_order(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """``metric`` of two-view PA's view difference is smaller on ``small`` than on ``large``.

    In the declared reading, or in the one that ``where`` names.
    """
    real = original_rows(rows)
    metric, where = params["metric"], params.get("where", {})
    small = _difference(real, params["small"], metric, TWO_VIEW, **where)
    large = _difference(real, params["large"], metric, TWO_VIEW, **where)
    if small.empty or large.empty:
        return untestable("needs both data sets as the paper used them")
    names = f"{_name(params['large'])} over {_name(params['small'])}"
    result = better(large, small, on=("run",), what=names)
    shown = {_name(params["small"]): small, _name(params["large"]): large}
    others = rows[rows["provenance"] == "stand-in"]
    for dataset in _stand_ins().values():
        shown[f"{dataset} (stand-in, not counted)"] = _difference(
            others, dataset, metric, TWO_VIEW, **where
        )
    levels = ", ".join(f"{n} {f['value'].mean():.3f}" for n, f in shown.items() if not f.empty)
    detail = f"{levels}; {result.detail}; Product Review was never published"
    return replace(result, detail=detail)


def difference_shrinks(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Two-view PA's mean view difference is smaller than that of a PA on each view."""
    real = original_rows(rows)
    parts = {}
    for dataset in params["datasets"]:
        joint = _difference(real, dataset, "mean_view_difference", TWO_VIEW)
        alone = _difference(real, dataset, "mean_view_difference", ALONE)
        parts[_name(dataset)] = (
            untestable(NO_ROWS)
            if joint.empty or alone.empty
            else better(alone, joint, on=("run",), what="a PA on each view over two-view PA")
        )
    return combine(parts)


def identical_views(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """With view 1 given twice, ``method`` has exactly the weights of PA-I with C = ``single``."""
    method, single = params["method"], params["single"]
    found = select(
        original_rows(rows), table="extra:identical views", method=method, single=single,
        role=role_of(method), reading="own",
    )  # fmt: skip
    if found.empty:
        return untestable(NO_ROWS)
    largest = found.groupby(["dataset", "C", "gamma"], sort=True)["value"].max().reset_index()
    listed = ", ".join(
        f"{_name(dataset)} at C={C:g};gamma={gamma:g}: {value:.3g}"
        for dataset, C, gamma, value in largest.to_numpy().tolist()
    )
    worst = float(largest["value"].max())
    return holds_if(
        worst <= 1e-9,
        f"largest difference between two weights, {method} against PA-I({single}): {listed}",
        effect=worst,
        n=len(found),
    )
