r"""Claims of the two-view PA paper.

Folds of one cross-validation share training rows, and repetitions share all rows, so a plain
paired t-test over folds is far too sure of itself. Every comparison of F1 here uses the corrected
resampled t-test of Nadeau and Bengio (2003): the variance of the mean of n differences is
:math:`(1/n + n_{test}/n_{train})\, s^2`, with :math:`n_{test}/n_{train} = 1/(k-1)` for k folds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

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

TWO_VIEW = "Two-view PA"
RIVALS = ("PA View 1", "PA View 2", "PA Cat")
SUM = "control:sum of two PA"
ON = ("dataset", "run")
#: What a reader sees in the detail of a claim.
NAMES = {"ads": "Ads", "webkb_course": "WebKB", "product_review": "Product Review"}
STAND_INS = {"product_review": "opinion_spam"}


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
    found = re.match(r"(\d+)-fold", str(left["setting"].iloc[0]))
    if found is None:
        raise ValueError(f"setting {left['setting'].iloc[0]!r} does not say how many folds it has")
    mean, p_value = corrected_test(a - b, int(found.group(1)), margin)
    won = int((a > b).sum())
    beyond = f" by more than {margin:g}" if margin else ""
    detail = (
        f"{what}{beyond}: {a.mean():.2f} against {b.mean():.2f}, difference {mean:+.2f}, "
        f"larger in {won} of {a.size} folds, corrected t-test p {p_value:.2g}"
    )
    return ClaimResult(verdict_of(mean - margin, p_value), mean, p_value, a.size, detail)


def _f1(rows: pd.DataFrame, dataset: str, method: str, reading: str = "paper") -> pd.DataFrame:
    return select(rows, table="2", dataset=dataset, method=method, metric="f1_pct", reading=reading)


def _beats_all(rows: pd.DataFrame, dataset: str, reading: str = "paper") -> ClaimResult:
    """Two-view PA against each rival; it must beat every one, so the weakest comparison counts."""
    ours = _f1(rows, dataset, TWO_VIEW, reading)
    if ours.empty:
        return untestable("no rows on the paper's own data")
    results = [
        folds_better(ours, _f1(rows, dataset, rival, reading), f"{TWO_VIEW} over {rival}")
        for rival in RIVALS
    ]
    return min(results, key=lambda result: result.effect)


def best_of_all(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Two-view PA has the largest F1 on every data set named in ``params``."""
    parts = {}
    for dataset in params["datasets"]:
        parts[NAMES[dataset]] = _beats_all(original_rows(rows), dataset)
    result = combine(parts)
    detail = result.detail
    real = rows[rows["provenance"] == "stand-in"]
    for dataset, other in STAND_INS.items():
        if dataset in params["datasets"] and not _f1(real, other, TWO_VIEW).empty:
            shown = _beats_all(real, other).detail
            detail += f"; not counted, {other} as stand-in for {NAMES[dataset]}: {shown}"
    return ClaimResult(result.verdict, result.effect, result.p_value, result.n, detail)


def beats(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """``method`` beats every one of ``others`` by ``margin`` on every data set named."""
    found = original_rows(rows)
    reading = params.get("reading", "paper")
    parts = {}
    for dataset in params["datasets"]:
        ours = _f1(found, dataset, params["method"], reading)
        for other in params["others"]:
            what = f"{params['method']} over {other}"
            right = _f1(found, dataset, other, reading)
            parts[f"{NAMES[dataset]}, {what}"] = (
                untestable("no rows on the paper's own data")
                if ours.empty or right.empty
                else folds_better(ours, right, what, float(params.get("margin", 0.0)))
            )
    return combine(parts)


def _difference(
    rows: pd.DataFrame, dataset: str, metric: str, method: str, reading: str = "paper"
) -> pd.DataFrame:
    return select(
        rows, dataset=dataset, metric=metric, method=method, setting="all rounds", reading=reading
    )


def difference_order(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """``metric`` of two-view PA's view difference is smaller on ``small`` than on ``large``.

    In the declared reading, or in the one ``params`` names.
    """
    real = original_rows(rows)
    metric, reading = params["metric"], params.get("reading", "paper")
    small = _difference(real, params["small"], metric, TWO_VIEW, reading)
    large = _difference(real, params["large"], metric, TWO_VIEW, reading)
    if small.empty or large.empty:
        return untestable("needs both data sets as the paper used them")
    names = f"{NAMES[params['large']]} over {NAMES[params['small']]}"
    result = better(large, small, on=("run",), what=names)
    shown = {NAMES[params["small"]]: small, NAMES[params["large"]]: large}
    stand_in = rows[rows["provenance"] == "stand-in"]
    for dataset in STAND_INS.values():
        shown[f"{dataset} (stand-in, not counted)"] = _difference(
            stand_in, dataset, metric, TWO_VIEW, reading
        )
    levels = ", ".join(f"{n} {f['value'].mean():.3f}" for n, f in shown.items() if not f.empty)
    detail = f"{levels}; {result.detail}; Product Review was never published"
    return ClaimResult(result.verdict, result.effect, result.p_value, result.n, detail)


def difference_shrinks(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Two-view PA's mean view difference is smaller than that of a PA on each view."""
    real = original_rows(rows)
    parts = {}
    for dataset in params["datasets"]:
        joint = _difference(real, dataset, "mean_view_difference", TWO_VIEW)
        alone = _difference(real, dataset, "mean_view_difference", "PA on each view")
        parts[NAMES[dataset]] = (
            untestable("no rows on the paper's own data")
            if joint.empty or alone.empty
            else better(alone, joint, on=("run",), what="a PA on each view over two-view PA")
        )
    return combine(parts)


def identical_views(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """With view 1 given twice, ``variant`` has exactly the weights of PA-I with ``C``."""
    method = f"{params['variant']} against PA-I({params['C']})"
    found = select(original_rows(rows), table="extra:identical views", method=method, reading="own")
    if found.empty:
        return untestable("no rows on the paper's own data")
    largest = found.groupby(["dataset", "setting"], sort=True)["value"].max().reset_index()
    listed = ", ".join(
        f"{NAMES[dataset]} at {setting}: {value:.3g}"
        for dataset, setting, value in largest.to_numpy().tolist()
    )
    worst = float(largest["value"].max())
    return holds_if(
        worst <= 1e-9,
        f"largest difference between two weights, {method}: {listed}",
        effect=worst,
        n=len(found),
    )
