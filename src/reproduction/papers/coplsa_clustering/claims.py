"""Claims of the co-regularised PLSA clustering paper.

Runs are paired by their start: PLSA and CoPLSA begin with the same random topics in run r. Data
drawn from published statistics (a surrogate) never decides a claim.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pandas as pd

from reproduction.papers.coplsa_clustering.columns import (
    FIGURE_2,
    PLACEBO,
    PRINTED,
    TABLE_1,
    THREE,
    TWO,
)
from reproduction.verdicts.claims import (
    ClaimResult,
    better,
    combine,
    holds_if,
    insensitive,
    real_rows,
    select,
    untestable,
)

ON = ("dataset", "run")


def _each(
    rows: pd.DataFrame, params: dict[str, Any], test: Callable[[pd.DataFrame], ClaimResult]
) -> ClaimResult:
    """Apply ``test`` to every data set asked for; those that are not real cannot vote."""
    parts = {}
    for dataset in params["datasets"]:
        part = rows[rows["dataset"] == dataset]
        if len(part) and real_rows(part).empty:
            parts[dataset] = untestable("the data here are a surrogate, which decides nothing")
        else:
            parts[dataset] = test(part)
    return combine(parts)


def _table(rows: pd.DataFrame, method: str, metric: str, reading: str = PRINTED) -> pd.DataFrame:
    return select(rows, table=TABLE_1, method=method, metric=metric, reading=reading)


def _figure(rows: pd.DataFrame) -> pd.DataFrame:
    """Figure 2, on the views as distributed."""
    criteria = {"method": TWO, "metric": "accuracy_pct", "scale": "raw"}
    return select(rows, table=FIGURE_2, **criteria)


def beats_every_baseline(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """``params["method"]`` beats the strongest of the paper's baselines, run by run."""

    def test(part: pd.DataFrame) -> ClaimResult:
        metric = params.get("metric", "accuracy_pct")
        rivals = select(part, table=TABLE_1, metric=metric)
        rivals = rivals[~rivals["method"].isin([TWO, THREE])]
        if rivals.empty:
            return untestable("no rows of the baselines")
        means = rivals.groupby("method")["value"].mean()
        strongest = str(means.idxmax())
        what = f"{params['method']} against {strongest}, the best baseline"
        mine = _table(part, params["method"], metric)
        return better(mine, rivals[rivals["method"] == strongest], on=ON, what=what)

    return _each(rows, params, test)


def beats(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """``params["method"]`` beats each of ``params["others"]`` in each of ``params["metrics"]``."""

    def test(part: pd.DataFrame) -> ClaimResult:
        results = {}
        for metric in params["metrics"]:
            for other in params["others"]:
                left = _table(part, params["method"], metric)
                right = _table(part, other, metric)
                name = f"{metric.removesuffix('_pct')}, {params['method']} against {other}"
                results[name] = better(left, right, on=ON)
        return combine(results)

    return _each(rows, params, test)


def does_not_beat(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """``params["method"]`` is *not* better than ``params["other"]``: its opposite does not hold."""

    def test(part: pd.DataFrame) -> ClaimResult:
        left = _table(part, params["method"], params["metric"])
        right = _table(part, params["other"], params["metric"])
        result = better(left, right, on=ON, what=f"{params['method']} against {params['other']}")
        if result.verdict == "untestable":
            return result
        return holds_if(
            result.verdict != "holds",
            result.detail,
            effect=-result.effect,
            p_value=result.p_value,
            n=result.n,
        )

    return _each(rows, params, test)


def best_view(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """K-means does best on the named view, of the first two."""

    def test(part: pd.DataFrame) -> ClaimResult:
        dataset = str(part["dataset"].iloc[0]) if len(part) else ""
        wanted, other = params["views"].get(dataset, ("", ""))
        scores = select(part, table="choice:best_view", rule="accuracy")
        left, right = scores[scores["view"] == wanted], scores[scores["view"] == other]
        return better(left, right, on=ON, what=f"k-means accuracy, {wanted} against {other}")

    return _each(rows, params, test)


def gain_is_information(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """CoPLSA(2) beats PLSA from the same starts, and beats itself with the partner shuffled.

    ``params["reading"]`` picks the strength of the penalty (the paper's unless given).
    """
    reading = params.get("reading", PRINTED)

    def test(part: pd.DataFrame) -> ClaimResult:
        mine = _table(part, TWO, params["metric"], reading)
        plsa = _table(part, "PLSA + BOVF", params["metric"])
        placebo = select(
            part,
            table=TABLE_1,
            method=PLACEBO,
            metric=params["metric"],
            reading=reading,
            role="control",
        )
        return combine(
            {
                "against PLSA": better(mine, plsa, on=ON),
                "against a shuffled partner": better(mine, placebo, on=ON),
            }
        )

    return _each(rows, params, test)


def stable_range(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """Around the paper's lambda (within ``factor``) the accuracy moves less than ``margin``."""

    def test(part: pd.DataFrame) -> ClaimResult:
        dataset = str(part["dataset"].iloc[0]) if len(part) else ""
        centre = float(params["lambda"].get(dataset, math.nan))
        curve = _figure(part).rename(columns={"lambda_": "lambda"})
        if curve.empty:
            return untestable("no rows of Figure 2")
        ratio = curve["lambda"] / centre
        inside = (ratio <= params["factor"] * 1.001) & (ratio >= 0.999 / params["factor"])
        return insensitive(curve[inside], "lambda", margin=params["margin"], unit=ON)

    return _each(rows, params, test)


def best_lambda(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """The paper's lambda does better than PLSA alone and as well as any other on the grid.

    ``holds``: no other lambda is significantly better, and it beats PLSA from the same starts;
    ``fails``: another one is; ``mixed``: none is, but it does not beat PLSA either, so that the
    curve has no best place.
    """

    def test(part: pd.DataFrame) -> ClaimResult:
        dataset = str(part["dataset"].iloc[0]) if len(part) else ""
        centre = float(params["lambda"].get(dataset, math.nan))
        curve = _figure(part)
        if curve.empty:
            return untestable("no rows of Figure 2")
        here = curve[(curve["lambda_"] - centre).abs() < 1e-12]
        plsa = better(here, _table(part, "PLSA + BOVF", "accuracy_pct"), on=ON, what="gain on PLSA")
        ahead = []
        for value in sorted({float(x) for x in curve["lambda_"]}):
            result = better(curve[curve["lambda_"] == value], here, on=ON)
            if abs(value - centre) > 1e-12 and result.verdict == "holds":
                ahead.append(f"{value:g} ({result.effect:+.2f})")
        if ahead:
            detail = f"better than {centre:g}: {', '.join(ahead)}; {plsa.detail}"
            return ClaimResult("fails", plsa.effect, plsa.p_value, plsa.n, detail)
        detail = f"no lambda on the grid is better than {centre:g}; {plsa.detail}"
        verdict = "holds" if plsa.verdict == "holds" else "mixed"
        return ClaimResult(verdict, plsa.effect, plsa.p_value, plsa.n, detail)

    return _each(rows, params, test)


def cost_is_bounded(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """The work counted in an iteration stays below K N M (W + N), the printed cost."""
    part = select(rows, table="extra:cost", dataset=params["dataset"])
    if part.empty:
        return untestable("no rows that count the work of an iteration")
    sizes = part.set_index(["sweep", "share", "metric"])["value"].unstack("metric")
    work, bound = sizes["work"], sizes["bound"]
    share = (work / bound).max()
    return holds_if(
        bool((work <= bound).all()),
        f"multiply-adds counted over {len(work)} sizes are at most {share:.1%} of the printed "
        "bound, which takes every word and every pair of documents; both terms are linear",
        effect=float(1.0 - share),
        n=len(work),
    )
