"""Claims of the paper on label sets in several views (Dalvi and Cohen).

Sentences about Table 2 are about data sets: a data set counts once, its shares averaged. Learners
are transductive and see all points, so tests over partitions are corrected by the share of points
that are scored. NELL_mv and Citeseer2 were never published or are gone; sentences about hierarchies
are tested on real trees that stand in, which is shown and does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from reproduction.pages.data_names import DataNames
from reproduction.papers.multiview_hier import PAPER, STAND_INS, TABLE2
from reproduction.papers.multiview_hier.columns import ALL_POINTS, TRAIN
from reproduction.papers.multiview_hier.methods import (
    COUNTERPART,
    FLAT_NAMES,
    MACRO,
    MICRO,
    RANKED,
)
from reproduction.verdicts.claims import better, data_of, equal, margin_of, select, trend
from reproduction.verdicts.parts import (
    DATASET,
    PARTITION,
    Part,
    by_test,
    every,
    exact,
    some,
    untestable,
)
from reproduction.verdicts.statistics import ALPHA, correlation_above, mean_above

CASE = ["dataset", "setting"]


def _names(keys: tuple[str, ...]) -> dict[str, str]:
    """Data sets -> what readers see."""
    return DataNames(PAPER, keys).plain


def _overlap(part: pd.DataFrame) -> float:
    """Share of the points that are scored, at the smallest training share of these rows."""
    return 1.0 - float(part["train"].min()) / 100.0


def _chosen(rows: pd.DataFrame, params: Mapping[str, Any], **criteria: Any) -> pd.DataFrame:
    """Rows of the reading and of the scored points that a claim asks for."""
    given = {
        "scored": params.get("scored", ALL_POINTS),
        "reading": params.get("reading", "inferred"),
    }
    return select(rows, **given, **criteria)


def _flat(rows: pd.DataFrame, metric: Any, params: Mapping[str, Any]) -> pd.DataFrame:
    """Rows of the flat methods in Table 2."""
    return _chosen(rows, params, table="2", metric=metric, method=FLAT_NAMES)


def case_means(part: pd.DataFrame) -> pd.DataFrame:
    """Mean of every method (columns) in every case (rows): a data set at a training share."""
    return part.groupby([*CASE, "method"], sort=True)["value"].mean().unstack("method").dropna()


def rank_rows(rows: pd.DataFrame, methods: tuple[str, ...]) -> pd.DataFrame:
    """Rank of every method in every case, averaged over macro and micro F1, as rows."""
    kept = rows[rows["method"].isin(methods)]
    ranks = [
        case_means(kept[kept["metric"] == metric]).round(9).rank(axis=1, ascending=False)
        for metric in (MACRO, MICRO)
    ]
    wide = (ranks[0] + ranks[1]) / 2
    long = wide.reset_index().melt(CASE, var_name="method")
    words = rows.groupby("dataset")["provenance"].first()
    return long.assign(run=0, provenance=long["dataset"].map(words))


def _ranked(ranks: pd.DataFrame, methods: list[str], others: list[str]) -> Part:
    """Every one of ``methods`` has a better average rank than every one of ``others``."""
    parts = {}
    for method in methods:
        for other in others:
            left, right = ranks[ranks["method"] == method], ranks[ranks["method"] == other]
            names = (f"rank of {method}", f"of {other}")
            parts[f"{method}, {other}"] = better(
                left, right, unit=DATASET, higher_is_better=False, names=names
            )
    return every(parts)


def best_ranks(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Every one of ``methods`` has a lower average rank in Table 2 than each of ``others``."""
    part = _flat(rows, [MACRO, MICRO], params)
    return _ranked(rank_rows(part, FLAT_NAMES), params["methods"], params["others"])


def beats_on_most(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Every one of ``methods`` has a larger macro F1 than ``other``, over the data sets."""
    part = _flat(rows, MACRO, params)
    other = part[part["method"] == params["other"]]
    return every(
        {
            method: better(
                part[part["method"] == method], other, unit=DATASET, names=(method, params["other"])
            )
            for method in params["methods"]
        }
    )


def as_good_as(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Two methods' macro F1 are the same up to the unit's margin, over the data sets."""
    part = _flat(rows, MACRO, params)
    left, right = (part[part["method"] == name] for name in params["methods"])
    names = tuple(params["methods"])
    return equal(left, right, unit=DATASET, margin=margin_of(MACRO), names=names)


def _columns(rows: pd.DataFrame, params: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Rows of Table 2 as print has them: one data set at one training share."""
    names = _names(TABLE2)
    return {
        f"{names[str(dataset)]} at {TRAIN.write(share)}": part
        for (dataset, share), part in _flat(rows, MACRO, params).groupby(["dataset", "train"])
    }


def _compared(part: pd.DataFrame, method: str, other: str, margin: float = 0.0) -> Part:
    """Part "method beats other by more than ``margin``", over partitions of one case."""
    left, right = part[part["method"] == method], part[part["method"] == other]
    if left.empty or right.empty:
        return untestable(f"{method} or {other} has no rows here")
    return better(
        left, right, unit=PARTITION, overlap=_overlap(part), margin=margin, names=(method, other)
    )


def never_behind(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """No row of Table 2 has one of ``methods`` more than the margin behind one of ``others``."""
    margin = -margin_of(MACRO)
    return every(
        {
            f"{name}, {method}, {other}": _compared(part, method, other, margin)
            for name, part in _columns(rows, params).items()
            for method in params["methods"]
            for other in params["others"]
        }
    )


def behind_somewhere(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """In some row of Table 2 one of ``others`` beats ``method``."""
    return some(
        {
            f"{column}, {other}": _compared(part, other, params["method"])
            for column, part in _columns(rows, params).items()
            for other in params["others"]
        }
    )


def _gain(means: pd.DataFrame, method: str, base: str) -> pd.Series:
    """Relative gain in per cent, as Table 3 and Figure 8 have it."""
    return 100 * (means[method] / means[base] - 1)


def imbalance(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Relative gains go with the imbalance of the views: Pearson's r over the data sets."""
    part = _flat(rows, MACRO, params)
    means = case_means(part)
    if means.index.get_level_values("dataset").nunique() < 4:
        return untestable("fewer than 4 data sets")
    sign = float(params["sign"])
    distance = (means["V1"] - means["V2"]).abs().groupby("dataset").mean()
    parts = {}
    for method, base in params["gains"]:
        gain = _gain(means, method, base).groupby("dataset").mean()
        outcome = correlation_above(distance, gain, sign)
        reason = (
            f"r {sign * outcome.effect:+.2f} over {outcome.n} data sets, "
            f"{'positive' if sign > 0 else 'negative'} claimed"
        )
        parts[f"{method} over {base}"] = by_test(outcome, DATASET, data_of(part), reason)
    return every(parts)


def not_significant(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """The paper's own statistic, r over all cases, is not significant for the gains named.

    With a ``sign`` the correlation must have it too. Cases (not data sets) are what the sentence
    counts, and the harder test.
    """
    part = _flat(rows, MACRO, params)
    means = case_means(part)
    if len(means) < 4:
        return untestable("fewer than 4 cases")
    if params["with"] == "imbalance":
        x = (means["V1"] - means["V2"]).abs()
    else:
        seen = _chosen(rows, params, table="2", metric="view_agreement")
        x = seen.groupby(CASE)["value"].mean().reindex(means.index)
        if x.isna().any():
            return untestable("view agreement is not known for every case")
    parts = {}
    for method, base in params["gains"]:
        r, p_value = stats.pearsonr(x, _gain(means, method, base))
        fine = p_value > ALPHA and float(params.get("sign", r)) * r >= 0
        reason = f"r {r:+.2f}, p {p_value:.2g} over {len(means)} cases"
        parts[f"{method} over {base}"] = exact(
            bool(fine), reason, data=data_of(part), n=len(means), effect=float(p_value - ALPHA)
        )
    return every(parts)


def _tree_rows(
    rows: pd.DataFrame, params: Mapping[str, Any], metric: Any = MACRO
) -> dict[str, pd.DataFrame]:
    """Rows of Table 4 on each real tree, by its name."""
    part = _chosen(rows, params, table="4", metric=metric, dataset=list(STAND_INS))
    names = _names(STAND_INS)
    return {names[str(key)]: tree for key, tree in part.groupby("dataset", sort=True)}


def best_tree_ranks(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Every one of ``methods`` has a lower average rank in Table 4 than all others."""
    trees = _tree_rows(rows, params, [MACRO, MICRO])
    if not trees:
        return untestable("no rows on real trees")
    ranks = rank_rows(pd.concat(trees.values()), RANKED)
    others = [name for name in RANKED if name not in params["methods"]]
    return _ranked(ranks, params["methods"], others)


def _at_shares(trees: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Split every tree's rows by training share."""
    return {
        f"{name} at {TRAIN.write(share)}": part
        for name, tree in trees.items()
        for share, part in tree.groupby("train", sort=True)
    }


def hier_beats_flat(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Each Hier- method beats its flat counterpart at every training share, on every real tree."""
    columns = _at_shares(_tree_rows(rows, params, params.get("metric", MACRO)))
    return every(
        {
            f"{name}, {hier}": _compared(part, hier, COUNTERPART[hier])
            for name, part in columns.items()
            for hier in params["methods"]
        }
    )


def above_at_every_share(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Each of ``methods`` beats each of ``others`` at every training share, on every real tree."""
    return every(
        {
            f"{name}, {method}": _compared(part, method, other)
            for name, part in _at_shares(_tree_rows(rows, params)).items()
            for other in params["others"]
            for method in params["methods"]
        }
    )


def best_at_shares(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """``method`` beats all others of Table 4 at the named shares, on every real tree."""
    parts = {}
    for name, part in _at_shares(_tree_rows(rows, params)).items():
        if float(part["train"].iloc[0]) in params["train"]:
            for other in RANKED:
                if other != params["method"]:
                    parts[f"{name}, {other}"] = _compared(part, params["method"], other)
    return every(parts)


def agreement_helps(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """The gain of ``method`` over V12 rises with view agreement, in each partition of a tree."""
    parts = {}
    seen = _tree_rows(rows, params, "view_agreement")
    for name, tree in _tree_rows(rows, params).items():
        wide = tree.pivot_table(index=["run", "train"], columns="method", values="value")
        if name not in seen or not {params["method"], "V12"} <= set(wide.columns):
            parts[name] = untestable("no rows")
            continue
        gain = _gain(wide, params["method"], "V12")
        agree = seen[name].groupby(["run", "train"])["value"].mean().reindex(gain.index)
        both = pd.DataFrame({"agree": agree, "gain": gain}).dropna()
        curves = [part for _, part in both.groupby("run") if len(part) >= 4]
        if len(curves) < 2:
            parts[name] = untestable(f"{len(curves)} partitions with 4 training shares; 2 needed")
            continue
        found = np.array([np.corrcoef(part["agree"], part["gain"])[0, 1] for part in curves])
        outcome = mean_above(found, overlap=_overlap(tree))
        reason = f"mean r {found.mean():+.2f} over {len(found)} partitions"
        parts[name] = by_test(outcome, PARTITION, data_of(tree), reason)
    return every(parts)


def more_labels_help(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Macro F1 of every method of Table 4 rises with the training share, on every real tree."""
    return every(
        {
            f"{name}, {method}": trend(part, "train", unit=PARTITION, overlap=_overlap(tree))
            for name, tree in _tree_rows(rows, params).items()
            for method, part in tree[tree["method"].isin(RANKED)].groupby("method", sort=True)
        }
    )


def converge_faster(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Each Hier- method needs fewer iterations than each of ``others`` (Figure 11 b)."""
    traced = select(rows, table="fig11b", dataset=list(STAND_INS))
    keys = ["dataset", "provenance", "train", "run", "method"]
    counts = traced.groupby(keys, sort=True)["value"].size().rename("value").reset_index()
    counts = counts.assign(value=counts["value"].astype(float), setting="")
    names = _names(STAND_INS)
    parts = {}
    for dataset, part in counts.groupby("dataset", sort=True):
        for method in params["methods"]:
            for other in params["others"]:
                left, right = part[part["method"] == method], part[part["method"] == other]
                parts[f"{names[str(dataset)]}, {method}, {other}"] = better(
                    left, right, unit=PARTITION, overlap=_overlap(part), higher_is_better=False,
                    names=(f"iterations of {method}", f"of {other}"),
                )  # fmt: skip
    return every(parts)


def soft_is_consistent(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """The label sets of ``method`` are consistent for all but ``margin_pct`` of the points."""
    reading = params.get("reading", "inferred")
    part = select(
        rows, table="extra:label_sets", method=params["method"], metric="violating_sets_pct",
        reading=reading,
    )  # fmt: skip
    if part.empty:
        return untestable("no rows on real trees")
    worst = float(part["value"].max())
    reason = (
        f"{params['method']} selects inconsistent sets for {part['value'].mean():.1f} % of the "
        f"unlabelled points on average, {worst:.1f} % at worst"
    )
    margin = float(params.get("margin_pct", 0.0))
    return exact(worst <= margin, reason, data=data_of(part), n=len(part), effect=margin - worst)


def run_time(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Claims about seconds: shown on the page, not decided here."""
    return untestable(
        "seconds change from run to run and stay out of the result rows that decide claims; "
        "the page's section on run times says where they are"
    )


def freedom_is_used(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """MAXAGREE's views end with different labels in a visible share of the points."""
    part = select(rows, table="extra:maxagree", metric="views_disagree_pct")
    if part.empty:
        return untestable("no rows")
    mean = float(part.groupby("dataset")["value"].mean().mean())
    margin = float(params["share_pct"])
    reason = f"{mean:.2g} % of the unlabelled points end with different labels in the two views"
    return exact(mean >= margin, reason, data=data_of(part), n=len(part), effect=mean - margin)
