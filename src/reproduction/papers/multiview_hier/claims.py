"""Claims of the paper on label sets in several views (Dalvi and Cohen).

A case is a data set at one training share, as a row of Table 2 is. NELL_mv and Citeseer2 were never
published or are gone; sentences about hierarchies are tested on real trees that stand in, which is
shown and does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from reproduction.papers.multiview_hier.names import (
    AGREEMENT,
    BOTH_VIEWS,
    COUNTERPART,
    FLAT_NAMES,
    MACRO,
    MICRO,
    RANKED,
    TRAIN,
    TREES,
)
from reproduction.verdicts.claims import better, data_of, margin_of, resampled, select, trend
from reproduction.verdicts.parts import Part, every, exact, some, untestable
from reproduction.verdicts.statistics import ALPHA, Statistic
from reproduction.verdicts.words import PRINT

RANK = "average_rank"
#: Most data sets are more than half of them: exactly half is not enough.
HALF = 0.5 + 1e-9


def _chosen(rows: pd.DataFrame, params: Mapping[str, Any], **criteria: Any) -> pd.DataFrame:
    """Rows of the reading and of the scored points that a claim asks for; print names none."""
    scored = None if params["reading"] == PRINT else params["scored"]
    return select(rows, reading=params["reading"], scored=scored, **criteria)


def _flat(rows: pd.DataFrame, params: Mapping[str, Any], metric: Any = MACRO) -> pd.DataFrame:
    """Rows of the flat methods in Table 2."""
    return _chosen(rows, params, table="2", metric=metric, method=FLAT_NAMES)


def _trees(rows: pd.DataFrame, params: Mapping[str, Any], metric: Any = MACRO) -> pd.DataFrame:
    """Rows of Table 4 on trees."""
    return _chosen(rows, params, table="4", metric=metric, dataset=TREES)


def _compare(part: pd.DataFrame, method: str, other: str, margin: float = 0.0) -> Part:
    """Part "method beats other by more than ``margin``", over the data sets and shares of part."""
    left, right = part[part["method"] == method], part[part["method"] == other]
    return better(left, right, margin=margin, names=(method, other))


def _pairs(
    part: pd.DataFrame, methods: Iterable[str], others: Iterable[str], margin: float = 0.0
) -> Part:
    """Every one of ``methods`` beats every one of ``others``."""
    return every(
        {
            f"{method}, {other}": _compare(part, method, other, margin)
            for method in methods
            for other in others
            if method != other
        }
    )


def _resampled(part: pd.DataFrame, methods: Sequence[str], statistic: Statistic, what: str) -> Part:
    """Part about means of methods in each data set; the columns are ``methods``, sorted."""
    part = part[part["method"].isin(methods)]
    if set(part["method"]) != set(methods):
        return untestable(f"no rows of {', '.join(sorted(set(methods) - set(part['method'])))}")
    return resampled(part, statistic, columns=("method",), what=what)


def _by_case(part: pd.DataFrame) -> pd.DataFrame:
    """Rows whose data set is the case: partitions are drawn anew for every share."""
    return part.assign(dataset=part["dataset"] + ", " + part["setting"])


def never_behind(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Over Table 2, none of ``methods`` is the margin or more behind one of ``others``."""
    return _pairs(_flat(rows, params), params["methods"], params["others"], -margin_of(MACRO))


def as_good_as(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """The first of ``methods`` is less than the unit's margin behind the second."""
    one, two = params["methods"]
    return _compare(_flat(rows, params), one, two, -margin_of(MACRO))


def beats_on_most(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Each of ``methods`` has a larger macro F1 than ``other`` on more than half the data sets."""
    other = params["other"]
    parts = {}
    for method in params["methods"]:
        sign = 1 if method < other else -1

        def won(means: np.ndarray, _: np.ndarray, sign: int = sign) -> np.ndarray:
            return (sign * (means[..., 0] - means[..., 1]) > 1e-9).mean(axis=1) - HALF

        what = f"share of data sets on which {method} beats {other}, beyond one half: {{}}"
        parts[method] = _resampled(_flat(rows, params), (method, other), won, what)
    return every(parts)


def behind_somewhere(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """In some case one of ``others`` beats ``method``."""
    cases = _by_case(_flat(rows, params)).groupby("dataset", sort=True)
    return some(
        {
            f"{case}, {other}": _compare(part, other, params["method"])
            for case, part in cases
            for other in params["others"]
        }
    )


def _rank(table: np.ndarray, place: int) -> np.ndarray:
    """Average rank of one method: how many are above it, ties half; methods are the last axis."""
    own = table[..., [place]]
    return ((table > own).sum(axis=-1) + 0.5 * (table == own).sum(axis=-1)).mean(axis=(1, 2))


def _best_ranks(
    rows: pd.DataFrame, params: Mapping[str, Any], choose: Any, ranked: Sequence[str]
) -> Part:
    """Each of ``methods`` has a lower average rank than each of ``others``, or than all others.

    Ranks are averages over both scores; print has no micro F1, but the ranks themselves.
    """
    metrics = [RANK] if params["reading"] == PRINT else [MACRO, MICRO]
    part = _by_case(choose(rows, params, metrics))
    part = part[part["method"].isin(ranked)]
    names = sorted(ranked)
    if part[["metric", "method"]].drop_duplicates().shape[0] < len(metrics) * len(names):
        return untestable("not every method that is ranked has rows of both scores here")
    others = params.get("others") or [name for name in ranked if name not in params["methods"]]
    parts = {}
    for method in params["methods"]:
        for other in others:
            places = names.index(method), names.index(other)

            def lead(means: np.ndarray, _: np.ndarray, places: Any = places) -> np.ndarray:
                if params["reading"] == PRINT:
                    return means[:, 0, places[1]] - means[:, 0, places[0]]
                table = means.reshape(*means.shape[:2], -1, len(names)).round(9)
                return _rank(table, places[1]) - _rank(table, places[0])

            what = f"{method} is {{}} ranks ahead of {other}"
            parts[f"{method}, {other}"] = resampled(
                part, lead, columns=("metric", "method"), what=what
            )
    return every(parts)


def best_ranks(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Every one of ``methods`` has a lower average rank in Table 2 than each of ``others``."""
    return _best_ranks(rows, params, _flat, FLAT_NAMES)


def best_tree_ranks(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Every one of ``methods`` has a lower average rank in Table 4 than all others."""
    return _best_ranks(rows, params, _trees, RANKED)


def _r(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's r over the last axis; 0 where nothing varies."""
    x, y = (values - values.mean(axis=-1, keepdims=True) for values in (x, y))
    below = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    return np.divide((x * y).sum(axis=-1), below, out=np.zeros_like(below), where=below > 0)


def _gain(better_one: np.ndarray, base: np.ndarray) -> np.ndarray:
    """Relative gain, as Table 3 and Figure 8 have it."""
    return better_one / base - 1


def _over_cases(
    rows: pd.DataFrame, params: Mapping[str, Any], against: str, support: Any, what: str
) -> Part:
    """``support`` of r and the number of cases, for r of each gain with ``against``."""
    part = _chosen(rows, params, table="2", metric=[MACRO, AGREEMENT])
    points = [BOTH_VIEWS] if against == AGREEMENT else ["V1", "V2"]
    cases = _by_case(part)
    if cases["dataset"].nunique() < 4:
        return untestable("a correlation over fewer than four cases says nothing")
    parts = {}
    for method, base in params["gains"]:
        names = sorted({method, base, *points})

        def statistic(means: np.ndarray, _: np.ndarray, own: Any = (method, base, names)) -> Any:
            at = dict(zip(own[2], np.moveaxis(means, 2, 0), strict=True))
            x = at[BOTH_VIEWS] if against == AGREEMENT else np.abs(at["V1"] - at["V2"])
            return support(_r(x, _gain(at[own[0]], at[own[1]])), means.shape[1])

        parts[f"{method} over {base}"] = _resampled(cases, names, statistic, what)
    return every(parts)


def correlated(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Relative gains go with the imbalance of the views over the cases, with the ``sign`` named."""
    sign = float(params["sign"])
    what = f"r over the cases, {'positive' if sign > 0 else 'negative'} claimed: {{}} that way"
    return _over_cases(rows, params, "imbalance", lambda r, _: sign * r, what)


def _not_significant(r: np.ndarray, n: int) -> np.ndarray:
    """P-value of Pearson's r beyond the level."""
    t = r * np.sqrt((n - 2) / np.maximum(1 - r**2, 1e-12))
    return 2 * stats.t.sf(np.abs(t), n - 2) - ALPHA


def not_significant(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """The paper's own statistic, r over all cases, is not significant for the gains named."""
    what = f"p-value of r over the cases beyond {ALPHA:g}: {{}}"
    return _over_cases(rows, params, params["with"], _not_significant, what)


def hier_beats_flat(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Each Hier- method beats its flat counterpart; where the claim says so, at every share."""
    table = _trees(rows, params, params.get("metric", MACRO))
    columns = {"all shares": table}
    if params.get("every_share"):
        columns = {TRAIN.write(share): part for share, part in table.groupby("train", sort=True)}
    return every(
        {
            f"{name}, {hier}": _compare(part, hier, COUNTERPART[hier])
            for name, part in columns.items()
            for hier in params["methods"]
        }
    )


def curves_above(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Each of ``methods`` beats each of ``others`` over the training shares."""
    return _pairs(_trees(rows, params), params["methods"], params["others"])


def best_at_shares(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """``method`` beats all others of Table 4 at the named shares."""
    table = _trees(rows, params)
    return _pairs(table[table["train"].isin(params["train"])], [params["method"]], RANKED)


def agreement_helps(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Over the training shares the gain of ``method`` over V12 goes with view agreement."""
    names = sorted([params["method"], "V12", BOTH_VIEWS])
    part = _trees(rows, params, [MACRO, AGREEMENT])
    part = part[part["method"].isin(names)]
    if set(part["method"]) != set(names):
        return untestable("no rows on real trees")

    def statistic(means: np.ndarray, _: np.ndarray) -> np.ndarray:
        curves = np.split(means, len(names), axis=2)
        at = dict(zip(names, curves, strict=True))
        return _r(at[BOTH_VIEWS], _gain(at[params["method"]], at["V12"])).mean(axis=1)

    return resampled(part, statistic, columns=("method", "train"), what="r over the shares {}")


def more_labels_help(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Macro F1 of every method of Table 4 rises with the training share."""
    table = _trees(rows, params)
    groups = table[table["method"].isin(RANKED)].groupby("method", sort=True)
    return every({str(method): trend(part, "train") for method, part in groups})


def converge_faster(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Each Hier- method needs fewer iterations than each of ``others`` (Figure 11 b)."""
    traced = select(rows, table="fig11b", reading=params["reading"], dataset=TREES)
    keys = ["dataset", "provenance", "reading", "run", "method"]
    counts = traced.groupby(keys, sort=True)["value"].size().rename("value").reset_index()
    parts = {}
    for method in params["methods"]:
        for other in params["others"]:
            sign = 1 if other < method else -1

            def fewer(means: np.ndarray, _: np.ndarray, sign: int = sign) -> np.ndarray:
                return sign * (means[..., 0] - means[..., 1]).mean(axis=1)

            what = f"{method} takes {{}} iterations less than {other}"
            parts[f"{method}, {other}"] = _resampled(counts, (method, other), fewer, what)
    return every(parts)


def soft_is_consistent(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """The label sets of ``method`` are consistent for all but ``margin_pct`` of the points."""
    part = select(
        rows, table="extra:label_sets", method=params["method"], metric="violating_sets_pct",
        reading=params["reading"],
    )  # fmt: skip
    if part.empty:
        return untestable("no rows on real trees")
    worst = float(part["value"].max())
    reason = (
        f"{params['method']} selects inconsistent sets for {part['value'].mean():.1f} % of the "
        f"unlabelled points on average, {worst:.1f} % at worst"
    )
    margin = float(params["margin_pct"])
    return exact(worst <= margin, reason, data=data_of(part), n=len(part), effect=margin - worst)


def run_time(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Claims about seconds: shown on the page, not decided here."""
    return untestable(
        "seconds change from run to run and stay out of the result rows that decide claims; "
        "the page's section on run times says where they are"
    )


def freedom_is_used(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """MAXAGREE's views end with different labels in a visible share of the points."""
    part = select(
        rows, table="extra:maxagree", metric="views_disagree_pct", reading=params["reading"]
    )
    if part.empty:
        return untestable("no rows")
    mean = float(part.groupby("dataset")["value"].mean().mean())
    margin = float(params["share_pct"])
    reason = f"{mean:.2g} % of the unlabelled points end with different labels in the two views"
    return exact(mean >= margin, reason, data=data_of(part), n=len(part), effect=mean - margin)
