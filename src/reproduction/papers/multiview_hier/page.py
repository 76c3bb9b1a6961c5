"""What the page on label sets says beyond its tables: both scorings, print's own sums, figures."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from asprinted.claims import original_rows, real_rows, select
from reproduction.pages.declared import scatter, shown
from reproduction.pages.wording import signed
from reproduction.papers.multiview_hier import settings as mh
from reproduction.papers.multiview_hier.paper import study
from reproduction.papers.multiview_hier.summary import imbalance
from reproduction.results.published import load_published

#: Trees in the order of the page: the real ones first.
TREES = (*mh.STAND_INS, "nell_mv")
PROPOSED = ("PRODSCORE", "SUMSCORE", "MAXAGREE")
MEASURES = {mh.MACRO: "macro F1", mh.MICRO: "micro F1"}


def printed(table: str, metric: str) -> pd.DataFrame:
    """Published cells of one table and metric."""
    cells = load_published(mh.PAPER)
    return cells[(cells["table"] == table) & (cells["metric"] == metric)]


def scoring_distance(rows: pd.DataFrame) -> dict[str, float]:
    """Median distance of Table 2 to print by what is scored, over the sets that are the paper's."""
    part = select(original_rows(rows), table="2", metric=mh.MACRO, method=mh.FLAT_NAMES)
    place = ["dataset", "level", "train", "method"]
    means = part.groupby([*place, "scored"], dropna=False)["value"].mean().unstack("scored")
    both = printed("2", mh.MACRO).merge(means.reset_index(), on=place)
    return {scored: float((both[scored] - both["mean"]).abs().median()) for scored in mh.BOTH}


def printed_means(table: str = "2") -> pd.DataFrame:
    """Table 2 or 4 as printed: test cases x methods, macro F1."""
    cells = printed(table, mh.MACRO)
    return cells.pivot_table(index=["dataset", "setting"], columns="method", values="mean")


def implied_ranks(table: str) -> pd.DataFrame:
    """Published average ranks against the printed macro F1 of the same table.

    The paper averages the rank in macro and in micro F1, so the (unprinted) micro rank must be
    twice the published one minus the macro rank. A rank below 1 or above the number of methods
    cannot be.
    """
    average = printed(table, "average_rank").set_index("method")["mean"]
    rank = printed_means(table)[list(average.index)].rank(axis=1, ascending=False).mean()
    implied = 2 * average - rank
    possible = implied.between(1 - 0.1, len(average) + 0.1)  # print is rounded to one decimal
    return pd.DataFrame(
        {
            "published average rank": average,
            "rank in printed macro F1": rank.round(2),
            "implied rank in micro F1": implied.round(2),
            "possible": possible.map({True: "yes", False: "no"}),
        }
    )


def printed_correlations() -> pd.DataFrame:
    """Table 3 as printed, and as it follows from the printed Table 2."""
    known = printed("3", "pearson_r").set_index("method")["mean"]
    found = {name: each["x"].corr(each["y"]) for name, each in imbalance(printed_means()).items()}
    again = pd.Series(found, name="r from printed Table 2").round(2)
    return pd.concat([known.rename("published r"), again], axis=1).rename_axis("comparison")


def _tree_means(
    rows: pd.DataFrame, dataset: str, metric: str = mh.MACRO, scored: str = mh.ALL_POINTS
) -> pd.DataFrame:
    part = select(rows, table="4", dataset=dataset, metric=metric, scored=scored)
    return part.groupby(["train", "method"])["value"].mean().unstack()


def gains(rows: pd.DataFrame) -> pd.DataFrame:
    """Hier- minus flat in points of F1, mean over all shares, for every tree and both scorings."""
    found = []
    for dataset in (tree for tree in TREES if tree in set(rows["dataset"])):
        means = {
            f"{title}, {scored or 'all points'}": _tree_means(rows, dataset, metric, scored)
            for (metric, title), scored in product(MEASURES.items(), mh.BOTH)
        }
        for hier, flat in mh.COUNTERPART.items():
            gain = {
                name: round(float((of[hier] - of[flat]).mean()), 2) for name, of in means.items()
            }
            found.append({"data set": shown(study, "dataset", dataset), "method": hier, **gain})
    return pd.DataFrame(found)


def hierarchy_sentence(rows: pd.DataFrame) -> str:
    """Say what the hierarchy brings on real trees, and in print."""
    ours = gains(real_rows(rows))
    if ours.empty:
        return "This run has no real tree."
    means = printed_means("4").mean()
    theirs = [means[hier] - means[flat] for hier, flat in mh.COUNTERPART.items()]
    told, unseen = (
        f"{signed(gain.min(), '.1f')} to {signed(gain.max(), '.1f')}"
        for gain in (ours[f"macro F1, {scored or 'all points'}"] for scored in mh.BOTH)
    )
    return (
        "Averaged over the training shares, on the real trees the Hier- methods change macro F1 "
        f"against their flat counterparts by {told} points over all documents, by {unseen} over "
        f"the unlabelled ones; the published gains on NELL_mv are {min(theirs):.1f} to "
        f"{max(theirs):.1f}."
    )


def _case_means(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    part = select(rows, table="2", metric=metric, method=mh.FLAT_NAMES, scored=mh.ALL_POINTS)
    return part.groupby(["dataset", "setting", "method"])["value"].mean().unstack("method")


def _points(x: Any, y: Any, panel: str, series: str, known: bool = False) -> pd.DataFrame:
    """Points of a scatter; ``known`` ones are print's."""
    return pd.DataFrame({"x": x, "y": y}).assign(panel=panel, series=series, print=known)


def scatter_figure(rows: pd.DataFrame) -> Figure:
    """Figure 6: F1 of the proposed methods (x) against the baselines (y), all test cases.

    Open marks are the macro F1 that Table 2 prints.
    """
    parts = []
    found = [(title, _case_means(rows, metric), False) for metric, title in MEASURES.items()]
    for title, means, known in (*found, (MEASURES[mh.MACRO], printed_means(), True)):
        means["Max(V1, V2)"] = means[["V1", "V2"]].max(axis=1)
        parts += [
            _points(means[m], means[b], f"{m}, {title}", b, known)
            for m, b in product(PROPOSED, ("Max(V1, V2)", "V12", "COTRAIN"))
        ]
    return scatter(pd.concat(parts), "proposed method %", "baseline %", diagonal=True)


def imbalance_figure(rows: pd.DataFrame) -> Figure:
    """Figure 7: relative improvement against view imbalance; open marks follow from Table 2."""
    parts = [
        each.assign(panel=name, series="a test case", print=known)
        for known, means in ((False, _case_means(rows, mh.MACRO)), (True, printed_means()))
        for name, each in imbalance(means).items()
    ]
    return scatter(pd.concat(parts), "view imbalance |F1(V1) - F1(V2)|", "improvement %")


def agreement_figure(rows: pd.DataFrame) -> Figure:
    """Figure 8: improvement of Hier- methods over V12 against view agreement."""
    parts = []
    for dataset in TREES:
        means, panel = _tree_means(rows, dataset), shown(study, "dataset", dataset)
        agree = _tree_means(rows, dataset, mh.AGREEMENT).mean(axis=1)
        parts += [
            _points(agree, 100 * (means[method] / means["V12"] - 1), panel, method)
            for method in mh.COUNTERPART
        ]
    return scatter(pd.concat(parts), "view agreement", "improvement over V12, %")


def hier_scatter_figure(rows: pd.DataFrame) -> Figure:
    """Figure 10 (a): hierarchical (x) against flat (y), a point per training share.

    Open marks are the macro F1 that Table 4 prints, of NELL_mv.
    """
    parts = []
    found = [
        (dataset, title, _tree_means(rows, dataset, metric), False)
        for dataset, (metric, title) in product(TREES, MEASURES.items())
    ]
    theirs = ("nell_mv", MEASURES[mh.MACRO], printed_means("4"), True)
    for dataset, title, means, known in (*found, theirs):
        panel = f"{shown(study, 'dataset', dataset)}, {title}"
        parts += [
            _points(means[hier], means[flat], panel, hier, known)
            for hier, flat in mh.COUNTERPART.items()
        ]
    return scatter(pd.concat(parts), "hierarchical %", "flat %", diagonal=True)


def frequency_figure(details: Mapping[str, Mapping[str, Any]]) -> Figure:
    """Figure 10 (b): frequencies of the leaf classes, largest first."""
    parts = []
    for dataset, found in details.items():
        counts = sorted(found["leaf_frequency"].values(), reverse=True)
        panel = shown(study, "dataset", dataset)
        parts.append(_points(range(1, len(counts) + 1), counts, panel, "a leaf"))
    return scatter(pd.concat(parts), "leaf class, largest first", "documents")
