"""Claims of the paper on label sets in several views (Dalvi and Cohen).

A *test case* is a data set at a training share, its score the mean over the partitions: that is
the unit the paper ranks and correlates. Partitions of one case share their points, so comparisons
of methods over data sets are paired over cases, not over runs. NELL_mv and Citeseer2 were never
published or are gone; claims about hierarchies are tested on the two real trees that stand in, and
their surrogates never vote.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from reproduction.pages.data_names import DataNames
from reproduction.papers.multiview_hier import PAPER, STAND_INS
from reproduction.papers.multiview_hier.columns import ALL_POINTS, TRAIN
from reproduction.papers.multiview_hier.methods import (
    COUNTERPART,
    FLAT_NAMES,
    MACRO,
    MICRO,
    RANKED,
)
from reproduction.verdicts.claims import (
    ClaimResult,
    better,
    combine,
    holds_if,
    insensitive,
    monotone_trend,
    paired_test,
    real_rows,
    select,
    untestable,
    verdict_of,
)

CASE = ("dataset", "setting")


def _tree_names() -> dict[str, str]:
    """Real trees that stand in for the paper's -> their names."""
    return DataNames(PAPER, STAND_INS).plain


def case_means(rows: pd.DataFrame, metric: str, scored: str = ALL_POINTS) -> pd.DataFrame:
    """Mean score of every flat method in every test case of Table 2 on real data."""
    part = select(real_rows(rows), table="2", metric=metric, method=FLAT_NAMES, scored=scored)
    means = part.groupby([*CASE, "method"], sort=True)["value"].mean()
    return means.unstack("method").dropna()


def case_ranks(rows: pd.DataFrame, scored: str = ALL_POINTS) -> pd.DataFrame:
    """Rank of every method in every test case, averaged over macro and micro F1 (1 is best)."""
    ranks = [
        case_means(rows, metric, scored).round(9).rank(axis=1, ascending=False)
        for metric in (MACRO, MICRO)
    ]
    return (ranks[0] + ranks[1]) / 2


def best_ranks(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Every one of ``methods`` has a lower average rank than every other method."""
    ranks = case_ranks(rows, params.get("scored", ALL_POINTS))
    if len(ranks) < 2:
        return untestable(f"{len(ranks)} test cases on real data, at least 2 needed")
    others = [m for m in ranks.columns if m not in params["methods"]]
    others = [m for m in others if m in params.get("others", others)]
    average = ranks.mean()
    parts = {}
    for method in params["methods"]:
        rival = min(others, key=lambda name: average[name])
        result = paired_test(ranks[rival].to_numpy(), ranks[method].to_numpy())
        parts[method] = ClaimResult(
            verdict_of(result.difference, result.p_value), result.difference, result.p_value,
            result.n, f"rank {average[method]:.2f} against {average[rival]:.2f} of {rival}, "
            f"the best other, over {result.n} test cases, p {result.p_value:.2g}",
        )  # fmt: skip
    return combine(parts)


def beats_on_most(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Every one of ``methods`` has the larger macro F1 than ``other`` in most test cases."""
    means = case_means(rows, MACRO)
    if len(means) < 2:
        return untestable(f"{len(means)} test cases on real data, at least 2 needed")
    parts = {}
    for method in params["methods"]:
        lead = (means[method] - means[params["other"]]).to_numpy()
        won = int((lead > 0).sum())
        result = paired_test(lead)
        most = won > len(lead) / 2
        verdict = verdict_of(result.difference, result.p_value) if most else "fails"
        parts[method] = ClaimResult(
            verdict, result.difference, result.p_value, result.n,
            f"larger than {params['other']} in {won} of {len(lead)} test cases, "
            f"by {result.difference:+.1f} points on average, p {result.p_value:.2g}",
        )  # fmt: skip
    return combine(parts)


def as_good_as(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Two methods' macro F1 differ by less than ``margin`` on average (equivalence test)."""
    part = select(
        real_rows(rows), table="2", metric=MACRO, method=params["methods"], scored=ALL_POINTS
    )
    return insensitive(part, "method", margin=float(params["margin"]), unit=CASE)


def not_consistent(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """``method`` is behind ``other`` in at least a quarter of the test cases."""
    means = case_means(rows, MACRO)
    if means.empty:
        return untestable("no test cases on real data")
    behind = means[params["method"]] < means[params["other"]]
    share = float(behind.mean())
    detail = (
        f"{params['method']} is behind {params['other']} in {int(behind.sum())} of {len(behind)} "
        "test cases"
    )
    return holds_if(share >= 0.25, detail, effect=share, n=len(behind))


def imbalance(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """The relative gain of ``method`` over ``base`` goes with the imbalance of the views.

    Pearson's r over test cases, as in Table 3; ``sign`` is the direction the paper reports.
    """
    means = case_means(rows, MACRO)
    if len(means) < 4:
        return untestable(f"{len(means)} test cases on real data, at least 4 needed")
    gain = 100 * (means[params["method"]] / means[params["base"]] - 1)
    distance = (means["V1"] - means["V2"]).abs()
    r, p_two = stats.pearsonr(distance, gain)
    sign = float(params["sign"])
    p_value = float(p_two) / 2 if sign * r > 0 else 1 - float(p_two) / 2
    detail = (
        f"r = {r:+.2f} over {len(means)} test cases on real data, two-sided p {p_two:.2g} "
        f"({'negative' if sign < 0 else 'positive'} claimed)"
    )
    return ClaimResult(verdict_of(sign * r, p_value), sign * float(r), p_value, len(means), detail)


def _tree_rows(
    rows: pd.DataFrame, metric: str = MACRO, scored: str = ALL_POINTS, kind: str = "stand-in"
) -> pd.DataFrame:
    """Rows of Table 4 on one kind of trees."""
    return select(rows, table="4", metric=metric, scored=scored, provenance=kind)


def _means(part: pd.DataFrame) -> pd.DataFrame:
    """Mean of every method (columns) at every training share (rows)."""
    return part.groupby(["train", "method"])["value"].mean().unstack("method")


def _surrogate_note(rows: pd.DataFrame, metric: str, left: str, right: str) -> str:
    means = _tree_rows(rows, metric, kind="surrogate").groupby("method")["value"].mean()
    if not {left, right} <= set(means.index):
        return ""
    return f"; not counted, surrogate NELL_mv: {left} {means[left]:.1f}, {right} {means[right]:.1f}"


def hier_beats_flat(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Each Hier- method beats its flat counterpart at every training share, on both real trees."""
    metric = params.get("metric", MACRO)
    found = _tree_rows(rows, metric, params.get("scored", ALL_POINTS))
    parts = {}
    notes = ""
    for hier in params["methods"]:
        flat = COUNTERPART[hier]
        notes += _surrogate_note(rows, metric, hier, flat)
        for dataset, name in _tree_names().items():
            part = found[found["dataset"] == dataset]
            left, right = part[part["method"] == hier], part[part["method"] == flat]
            result = better(left, right, what=f"{hier} over {flat}")
            means = _means(part)
            if result.verdict == "holds" and not (means[hier] > means[flat]).all():
                lost = ", ".join(TRAIN.write(s) for s in means.index[means[hier] <= means[flat]])
                detail = f"{result.detail}; not at {lost}"
                result = replace(result, verdict="mixed", detail=detail)
            parts[f"{name}, {hier}"] = result
    total = combine(parts)
    return replace(total, detail=total.detail + notes)


def best_at_shares(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """``method`` has the best macro F1 of Table 4's methods at the named shares, on real trees."""
    found = _tree_rows(rows)
    found = found[found["train"].isin(params["train"]) & found["method"].isin(RANKED)]
    parts = {}
    for dataset, name in _tree_names().items():
        means = _means(found[found["dataset"] == dataset])
        if params["method"] not in means.columns:
            parts[name] = untestable("no rows")
            continue
        rivals = means.drop(columns=params["method"])
        lead = means[params["method"]] - rivals.max(axis=1)
        best = ", ".join(f"{TRAIN.write(s)}: {m}" for s, m in means.idxmax(axis=1).items())
        fine = lead >= -1e-9  # exact ties (the same labels) count as best
        verdict = "holds" if fine.all() else ("mixed" if fine.any() else "fails")
        detail = f"{params['method']} leads by {lead.min():+.2f} at worst; best: {best}"
        parts[name] = ClaimResult(verdict, float(lead.min()), math.nan, len(lead), detail)
    return combine(parts)


def agreement_helps(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """The gain of ``method`` over V12 rises with view agreement (Figure 8), on real trees."""
    parts = {}
    f1, agreement = _tree_rows(rows), _tree_rows(rows, "view_agreement")
    for dataset, name in _tree_names().items():
        means = _means(f1[f1["dataset"] == dataset])
        if means.empty:
            parts[name] = untestable("no rows")
            continue
        if len(means) < 4:
            parts[name] = untestable(f"{len(means)} training shares, at least 4 needed")
            continue
        agree = agreement[agreement["dataset"] == dataset].groupby("train")["value"].mean()
        gain = 100 * (means[params["method"]] / means["V12"] - 1)
        r, p_two = stats.pearsonr(agree.loc[gain.index], gain)
        p_value = float(p_two) / 2 if r > 0 else 1 - float(p_two) / 2
        parts[name] = ClaimResult(
            verdict_of(float(r), p_value), float(r), p_value, len(means),
            f"r = {r:+.2f} over {len(means)} training shares, two-sided p {p_two:.2g}",
        )  # fmt: skip
    return combine(parts)


def more_labels_help(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Macro F1 of all methods of Table 4 rises with the training share, on real trees."""
    return monotone_trend(_tree_rows(rows, scored=params.get("scored", ALL_POINTS)), "train")


def converge_faster(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Each Hier- method needs fewer iterations than each of ``others`` (Figure 11 b)."""
    part = select(real_rows(rows), table="fig11b")
    counts = part.groupby(["dataset", "run", "method"])["value"].size().unstack("method")
    parts = {}
    for method in params["methods"]:
        for other in params["others"]:
            if len(counts) < 2 or not {method, other} <= set(counts.columns):
                parts[f"{method} against {other}"] = untestable("fewer than 2 common runs")
                continue
            both = counts[[method, other]].dropna()
            result = paired_test(both[other].to_numpy(float), both[method].to_numpy(float))
            parts[f"{method} against {other}"] = ClaimResult(
                verdict_of(result.difference, result.p_value), result.difference, result.p_value,
                result.n, f"{both[method].mean():.1f} against {both[other].mean():.1f} iterations",
            )  # fmt: skip
    return combine(parts)


def soft_is_consistent(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """The label sets of ``method`` are consistent for all but ``margin_pct`` of the points."""
    reading = params.get("reading", "paper")
    part = select(
        real_rows(rows), table="extra:label_sets", method=params["method"],
        metric="violating_sets_pct", reading=reading,
    )  # fmt: skip
    if part.empty:
        return untestable("no rows on real trees")
    worst = float(part["value"].max())
    detail = (
        f"{params['method']} ({reading}) selects inconsistent sets for "
        f"{part['value'].mean():.1f} % of the unlabelled points on average, {worst:.1f} % at worst"
    )
    margin = float(params.get("margin_pct", 0.0))
    return holds_if(worst <= margin, detail, effect=margin - worst, n=len(part))


def run_time(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Claims about seconds: shown on the page, not decided here."""
    return untestable(
        "seconds change from run to run and stay out of the result rows that decide claims; "
        "the page's section on run times says where they are"
    )


def maxagree_is_sum(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """MAXAGREE makes use of its freedom: its views' labels differ in a visible share of points."""
    part = select(real_rows(rows), table="extra:maxagree", metric="views_disagree_pct")
    if part.empty:
        return untestable("no rows")
    by_set = part.groupby("dataset")["value"].mean()
    margin = float(params["share_pct"])
    listed = ", ".join(f"{name} {share:.2g} %" for name, share in by_set.items())
    detail = f"share of unlabelled points whose views end with different labels: {listed}"
    return holds_if(
        bool(np.mean(by_set) >= margin), detail, effect=float(np.mean(by_set)), n=len(part)
    )
