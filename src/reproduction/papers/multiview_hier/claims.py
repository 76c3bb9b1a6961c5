"""Claims of the paper on label sets in several views (Dalvi and Cohen).

A case is a data set at one training share, as a row of Table 2 is. NELL_mv and Citeseer2 were never
published or are gone; sentences about hierarchies are tested on real trees that stand in, which is
shown and does not count.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from asprinted.claims import data_of, resampled
from asprinted.declared import Params, chosen, compared, rising, the_only
from asprinted.parts import Part, every, exact, some, untestable
from asprinted.statistics import ALPHA
from asprinted.words import PRINT
from reproduction.papers.multiview_hier import settings as mh

FLAT: dict[str, Any] = {"table": "2", "metric": mh.MACRO, "method": mh.FLAT_NAMES}
TREE: dict[str, Any] = {"table": "4", "metric": mh.MACRO, "dataset": mh.TREES}


def _by_case(rows: pd.DataFrame, params: Params, **fixed: Any) -> pd.DataFrame:
    """Rows whose data set is the case: partitions are drawn anew for every share."""
    part = chosen(rows, params, **fixed)
    return part.assign(dataset=part["dataset"] + ", " + part["setting"])


never_behind = compared(margins=-1, **FLAT)
as_good_as = compared(margins=-1, join=the_only, **FLAT)
behind_somewhere = compared(
    "{dataset}, {one}".format, each=("dataset",), join=some, choose=_by_case, **FLAT
)
curves_above = best_at_shares = next_at_shares = compared(**TREE)
more_labels_help = rising("train", method=mh.RANKED, **TREE)


def _at_share(one: str, train: float | None = None, **_: str) -> str:
    return f"{'all shares' if train is None else mh.TRAIN.write(train)}, {one}"


def hier_beats_flat(rows: pd.DataFrame, params: Params) -> Part:
    """Each Hier- method beats its flat counterpart; where the claim says so, at every share."""
    each = ("train",) if params.get("every_share") else ()
    return compared(_at_share, each=each, **TREE)(rows, params)


def _of_means(
    part: pd.DataFrame, names: Sequence[str], what: str, statistic: Callable[..., np.ndarray],
    columns: tuple[str, ...] = ("method",),
) -> Part:  # fmt: skip
    """Part about a statistic of the means of the methods named, in that order."""
    there = sorted(set(names))
    part = part[part["method"].isin(there)]
    if lacking := [name for name in there if name not in {*part["method"]}]:
        return untestable(f"no rows of {', '.join(lacking)}")

    def in_order(means: np.ndarray, _: np.ndarray) -> np.ndarray:
        tables = np.split(means, len(there), axis=2)
        if len(columns) == 1:
            tables = [table[..., 0] for table in tables]
        return statistic(*(tables[there.index(name)] for name in names))

    return resampled(part, in_order, columns=columns, what=what)


def beats_on_most(rows: pd.DataFrame, params: Params) -> Part:
    """Each of ``methods`` has a larger macro F1 than ``other`` on more than half the data sets."""
    table, other = chosen(rows, params, **FLAT), params["other"]
    what = f"share of data sets on which %s beats {other}, beyond one half: {{}}"

    def won(one: np.ndarray, two: np.ndarray) -> np.ndarray:
        # most data sets are more than half of them: exactly half is not enough
        return (one - two > 1e-9).mean(axis=1) - (0.5 + 1e-9)

    return every({m: _of_means(table, (m, other), what % m, won) for m in params["methods"]})


def converge_faster(rows: pd.DataFrame, params: Params) -> Part:
    """Each Hier- method needs fewer iterations than each of ``others`` (Figure 11 b)."""
    keys = ["dataset", "provenance", "reading", "run", "method"]
    traced = chosen(rows, params, table="fig11b", dataset=mh.TREES).groupby(keys, sort=True)
    counts = traced["value"].size().rename("value").reset_index()
    return every(
        {
            f"{one}, {two}": _of_means(
                counts, (one, two), f"{one} takes {{}} iterations less than {two}",
                lambda a, b: (b - a).mean(axis=1),
            )
            for one, two in product(params["methods"], params["others"])
        }
    )  # fmt: skip


def _rank(table: np.ndarray, place: int) -> np.ndarray:
    """Average rank of one method: how many are above it, ties half; methods are the last axis."""
    own = table[..., [place]]
    return ((table > own).sum(axis=-1) + 0.5 * (table == own).sum(axis=-1)).mean(axis=(1, 2))


def _best_ranks(rows: pd.DataFrame, params: Params, **fixed: Any) -> Part:
    """Each of ``methods`` has a lower average rank than each of ``others``.

    Ranks are averages over both scores; print has no micro F1, but the ranks themselves.
    """
    names, printed = sorted(fixed["method"]), params["reading"] == PRINT
    metrics = ["average_rank"] if printed else [mh.MACRO, mh.MICRO]
    part = _by_case(rows, params, **{**fixed, "metric": metrics})
    if part[["metric", "method"]].drop_duplicates().shape[0] < len(metrics) * len(names):
        return untestable("not every method that is ranked has rows of both scores here")

    def ahead(one: str, two: str) -> Part:
        def lead(means: np.ndarray, _: np.ndarray) -> np.ndarray:
            places = names.index(one), names.index(two)
            if printed:
                return means[:, 0, places[1]] - means[:, 0, places[0]]
            table = means.reshape(*means.shape[:2], -1, len(names)).round(9)
            return _rank(table, places[1]) - _rank(table, places[0])

        what = f"{one} is {{}} ranks ahead of {two}"
        return resampled(part, lead, columns=("metric", "method"), what=what)

    pairs = product(params["methods"], params["others"])
    return every({f"{one}, {two}": ahead(one, two) for one, two in pairs})


best_ranks = partial(_best_ranks, **FLAT)
best_tree_ranks = partial(_best_ranks, method=mh.RANKED, **TREE)


def _r(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's r over the last axis; 0 where nothing varies."""
    x, y = (values - values.mean(axis=-1, keepdims=True) for values in (x, y))
    below = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    return np.divide((x * y).sum(axis=-1), below, out=np.zeros_like(below), where=below > 0)


def _over_cases(rows: pd.DataFrame, params: Params, against: str, support: Any, what: str) -> Part:
    """``support`` of r and the number of cases, for r of each relative gain with ``against``."""
    table = _by_case(rows, params, table="2", metric=[mh.MACRO, mh.AGREEMENT])
    if table["dataset"].nunique() < 4:
        return untestable("a correlation over fewer than four cases says nothing")
    points = [mh.BOTH_VIEWS] if against == mh.AGREEMENT else ["V1", "V2"]

    def statistic(method: np.ndarray, base: np.ndarray, *views: np.ndarray) -> Any:
        x = views[0] if against == mh.AGREEMENT else np.abs(views[0] - views[1])
        return support(_r(x, method / base - 1), method.shape[1])

    gains = {" over ".join(gain): [*gain, *points] for gain in params["gains"]}
    return every({name: _of_means(table, own, what, statistic) for name, own in gains.items()})


def correlated(rows: pd.DataFrame, params: Params) -> Part:
    """Relative gains go with the imbalance of the views over the cases, with the ``sign`` named."""
    sign = float(params["sign"])
    what = f"r over the cases, {'positive' if sign > 0 else 'negative'} claimed: {{}} that way"
    return _over_cases(rows, params, "imbalance", lambda r, _: sign * r, what)


def not_significant(rows: pd.DataFrame, params: Params) -> Part:
    """The paper's own statistic, r over all cases, is not significant for the gains named."""

    def beyond(r: np.ndarray, n: int) -> np.ndarray:
        t = r * np.sqrt((n - 2) / np.maximum(1 - r**2, 1e-12))
        return 2 * stats.t.sf(np.abs(t), n - 2) - ALPHA

    what = f"p-value of r over the cases beyond {ALPHA:g}: {{}}"
    return _over_cases(rows, params, params["with"], beyond, what)


def agreement_helps(rows: pd.DataFrame, params: Params) -> Part:
    """Over the training shares the gain of the method over V12 goes with view agreement."""
    part = chosen(rows, params, **{**TREE, "metric": [mh.MACRO, mh.AGREEMENT]})
    if part.empty:
        return untestable("no rows on real trees")

    def statistic(method: np.ndarray, base: np.ndarray, agreement: np.ndarray) -> np.ndarray:
        return _r(agreement, method / base - 1).mean(axis=1)

    names = (params["of"], "V12", mh.BOTH_VIEWS)
    return _of_means(part, names, "r over the shares {}", statistic, ("method", "train"))


def best_by_agreement(rows: pd.DataFrame, params: Params) -> Part:
    """``lowest`` leads ``others`` where a tree's views agree least, ``highest`` where most.

    A tree has a mean agreement at each training share; the two ends are among them.
    """
    part = chosen(rows, params, **{**TREE, "metric": [mh.MACRO, mh.AGREEMENT]})
    if part.empty:
        return untestable("no rows on real trees")

    def lead(end: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
        def statistic(one: np.ndarray, two: np.ndarray, agreement: np.ndarray) -> np.ndarray:
            share = end(agreement, axis=-1, keepdims=True)
            return np.take_along_axis(one - two, share, axis=-1).mean(axis=(1, 2))

        return statistic

    ends = {"lowest": np.argmin, "highest": np.argmax}
    return every(
        {
            f"{end} agreement, {params[end]} against {other}": _of_means(
                part, (params[end], other, mh.BOTH_VIEWS), f"{params[end]} is {{}} points ahead",
                lead(ends[end]), ("method", "train"),
            )
            for end, other in product(ends, params["others"])
            if other != params[end]
        }
    )  # fmt: skip


def soft_is_consistent(rows: pd.DataFrame, params: Params) -> Part:
    """The label sets of ``method`` are consistent for all but ``margin_pct`` of the points."""
    part = chosen(rows, params, table="extra:label_sets", metric="violating_sets_pct")
    if part.empty:
        return untestable("no rows on real trees")
    worst = float(part["value"].max())
    reason = (
        f"{params['method']} selects inconsistent sets for {part['value'].mean():.1f} % of the "
        f"unlabelled points on average, {worst:.1f} % at worst"
    )
    margin = float(params["margin_pct"])
    return exact(worst <= margin, reason, data=data_of(part), n=len(part), effect=margin - worst)


def freedom_is_used(rows: pd.DataFrame, params: Params) -> Part:
    """MAXAGREE's views end with different labels in a visible share of the points."""
    part = chosen(rows, params, table="extra:maxagree", metric="views_disagree_pct")
    if part.empty:
        return untestable("no rows")
    mean = float(part.groupby("dataset")["value"].mean().mean())
    margin = float(params["share_pct"])
    reason = f"{mean:.2g} % of the unlabelled points end with different labels in the two views"
    return exact(mean >= margin, reason, data=data_of(part), n=len(part), effect=mean - margin)


def run_time(rows: pd.DataFrame, params: Params) -> Part:
    """Claims about seconds: shown on the page, not decided here."""
    return untestable(
        "seconds change from run to run and stay out of the result rows that decide claims; "
        "the page's section on run times says where they are"
    )
