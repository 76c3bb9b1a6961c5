"""Claims of the multi-view PLSA paper (Zhuang et al. 2012).

Runs are paired: in one run all methods see the same labelled documents.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from reproduction.papers.mvplsa.names import NAMES
from reproduction.verdicts.claims import (
    ALPHA,
    ClaimResult,
    best_in_every_column,
    better,
    combine,
    holds_if,
    insensitive,
    monotone_trend,
    pair,
    paired_test,
    select,
    untestable,
    verdict_of,
)

OURS = "MVPLSA"


def _datasets(params: dict[str, Any]) -> list[str]:
    """Data sets of a claim: those it names, or all."""
    return list(params.get("datasets", NAMES))


def best(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """MVPLSA has the best mean in every column of a table."""
    table = select(rows, table=str(params["table"]), dataset=_datasets(params))
    return best_in_every_column(table, OURS, columns=("dataset", "setting"))


def significant(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """MVPLSA is better than every rival in every column, each by a paired t-test at 95 %."""
    won, lost, p_values, leads = 0, [], [], []
    tables = select(rows, table=[str(t) for t in params["tables"]], dataset=_datasets(params))
    for (dataset, setting), column in tables.groupby(["dataset", "setting"], sort=True):
        ours = column[column["method"] == OURS]
        for rival in sorted(set(column["method"]) - {OURS}):
            theirs = column[column["method"] == rival]
            a, b = pair(ours, theirs, ("run",))
            if a.size < 2:
                continue
            test = paired_test(a, b)
            p_values.append(test.p_value)
            leads.append(test.difference)
            if test.difference > 0 and test.p_value <= ALPHA:
                won += 1
            else:
                lost.append(f"{NAMES.plain[str(dataset)]} {setting} {rival}")
    n = len(p_values)
    if n == 0:
        return untestable("no column has MVPLSA and a rival in two common runs")
    verdict = "holds" if won == n else ("fails" if won < n / 2 else "mixed")
    detail = f"{won} of {n} comparisons are significant at 95 %"
    if lost:
        detail += "; not: " + ", ".join(lost[:6]) + (" ..." if len(lost) > 6 else "")
    return ClaimResult(verdict, float(min(leads)), float(max(p_values)), n, detail)


def beats(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """One method beats others by more than ``margin`` on each data set, over rates and runs."""
    parts = {}
    for dataset in _datasets(params):
        part = select(rows, table=str(params["table"]), dataset=dataset)
        if "rate" in params:
            part = part[part["rate"] == params["rate"]]
        left = part[part["method"] == params.get("method", OURS)]
        for rival in params["others"]:
            right = part[part["method"] == rival]
            name = f"{NAMES.plain[dataset]}, against {rival}"
            parts[name] = better(left, right, margin=float(params.get("margin", 0.0)))
    return combine(parts)


def steadier(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """MVPLSA's standard deviation over runs is below DPLSA's, paired over the columns."""
    table = select(rows, table="4", dataset=_datasets(params))
    spread = table.groupby(["dataset", "setting", "method"])["value"].std(ddof=1).unstack()
    if not {OURS, "DPLSA"} <= set(spread.columns) or spread[[OURS, "DPLSA"]].dropna().shape[0] < 2:
        return untestable("fewer than two columns with at least two runs of both models")
    both = spread[[OURS, "DPLSA"]].dropna()
    test = paired_test(both["DPLSA"], both[OURS], test="wilcoxon")
    smaller = int((both[OURS] < both["DPLSA"]).sum())
    detail = (
        f"MVPLSA's deviation is the smaller one in {smaller} of {len(both)} columns, "
        f"mean {both[OURS].mean():.2f} against {both['DPLSA'].mean():.2f} points"
    )
    verdict = verdict_of(test.difference, test.p_value)
    return ClaimResult(verdict, test.difference, test.p_value, test.n, detail)


def rises_with_labels(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """Every method's accuracy rises with the sampling rate."""
    table = select(rows, table="3", dataset=_datasets(params))
    return combine(
        {
            str(method): monotone_trend(part, "rate")
            for method, part in table.groupby("method", sort=True)
        }
    )


def spread_falls_with_labels(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """Every method's standard deviation over runs falls with the sampling rate."""
    table = select(rows, table="3", dataset=_datasets(params))
    spread = table.groupby(["dataset", "rate", "method"])["value"].std(ddof=1).dropna()
    if spread.empty:
        return untestable("one run only: there is no deviation")
    return monotone_trend(
        spread.reset_index(), "rate", direction="decreasing", unit=("dataset", "method")
    )


def equal_methods(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """Two methods differ by less than ``margin`` (an equivalence test over rates and runs)."""
    parts = {}
    for dataset in _datasets(params):
        part = select(
            rows, table=str(params["table"]), dataset=dataset, method=list(params["methods"])
        )
        parts[NAMES.plain[dataset]] = insensitive(
            part,
            "method",
            margin=float(params["margin"]),
            unit=("dataset", "setting", "run"),
        )
    return combine(parts)


def few_labels_suffice(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """MVPLSA at the smallest rate is within ``margin`` points of the largest rate."""
    parts = {}
    for dataset in _datasets(params):
        part = select(rows, table="3", dataset=dataset, method=OURS)
        low, high = part["rate"].min(), part["rate"].max()
        if part.empty or low == high:
            return untestable("fewer than two rates")
        a, b = pair(part[part["rate"] == high], part[part["rate"] == low], ("run",))
        if a.size < 2:
            return untestable("fewer than two runs")
        test = paired_test(a - b, float(params["margin"]), alternative="less")
        gap = float(np.mean(a - b))
        left = float(params["margin"]) - gap
        detail = f"{gap:.2f} points from r={low:g} to r={high:g}"
        verdict = verdict_of(left, test.p_value)
        parts[NAMES.plain[dataset]] = ClaimResult(verdict, left, test.p_value, test.n, detail)
    return combine(parts)


def flat_in_topics(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """Accuracy hardly depends on the number of topics (the paper's values of Y only)."""
    parts = {}
    for dataset, grid in params["grid"].items():
        part = select(rows, table="fig3", dataset=dataset, method=OURS)
        kept = part[part["topics"].isin(grid)]
        parts[NAMES.plain[dataset]] = insensitive(kept, margin=float(params["margin"]))
    return combine(parts)


def best_topics(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """The named Y has the best mean accuracy on each data set."""
    parts = {}
    for dataset, wanted in params["best"].items():
        part = select(rows, table="fig3", dataset=dataset, method=OURS)
        if part.empty:
            parts[NAMES.plain[dataset]] = untestable("no rows")
            continue
        means = part.groupby("topics")["value"].mean()
        top = means.idxmax()
        detail = f"best at Y = {top:g} ({means.max():.2f} %)"
        if wanted in means.index:
            detail += f"; Y = {wanted}: {means[wanted]:.2f} %"
        parts[NAMES.plain[dataset]] = holds_if(bool(top == wanted), detail, n=len(means))
    return combine(parts)


def split_beats_naive_bayes(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """On each view of NewsGv4, MVPLSA on its four random parts beats naive Bayes."""
    table = select(rows, table="5")
    if table.empty:
        return untestable("Table 5 has no rows")
    return combine(
        {
            f"view={view:g}": better(part[part["method"] == OURS], part[part["method"] == "NBC"])
            for view, part in table.groupby("view", sort=True)
        }
    )


def clusters_best(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """MVPLSA has the best mean of NMI and PF on each data set (``reverse``: it has not)."""
    parts = {}
    for dataset in _datasets(params):
        for metric in ("NMI", "PF"):
            part = select(
                rows, table="fig2", dataset=dataset, metric=metric,
                method=[OURS, "Kmeans_Best", "Kmeans_Avg", "MVC"],
            )  # fmt: skip
            means = part.groupby("method")["value"].mean()
            name = f"{NAMES.plain[dataset]} {metric}"
            if OURS not in means or len(means) < 2:
                parts[name] = untestable("no rows")
                continue
            rival = str(means.drop(OURS).idxmax())
            pairwise = better(
                part[part["method"] == OURS], part[part["method"] == rival],
                what=f"{means[OURS]:.1f}, {rival} {means[rival]:.1f}",
            )  # fmt: skip
            if params.get("reverse"):
                behind = means[OURS] < means[rival]
                pairwise = holds_if(
                    bool(behind), pairwise.detail, effect=-pairwise.effect, n=pairwise.n
                )
            parts[name] = pairwise
    return combine(parts)
