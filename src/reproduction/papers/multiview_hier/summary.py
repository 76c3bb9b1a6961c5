"""What is made of rows: average ranks, relative gains and the correlations of Table 3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reproduction.papers.multiview_hier import settings as mh
from reproduction.results.rows import INFERRED, Row

if TYPE_CHECKING:
    import pandas as pd

CASE = ("dataset", "setting")


def average_ranks(
    rows: pd.DataFrame, methods: Sequence[str], case: Sequence[str]
) -> dict[str, float]:
    """Return each method's rank averaged over test cases, then over macro and micro F1.

    The columns ``case`` make a test case; its scores are means over the partitions, rank 1 is the
    best, and equal scores share the mean of their ranks.
    """
    ranked = []
    for metric in mh.SCORES:
        part = rows[(rows["metric"] == metric) & rows["method"].isin(list(methods))]
        means = part.groupby([*case, "method"], sort=True)["value"].mean().unstack("method")
        if means.empty or means.isna().any().any():
            raise ValueError(f"some method lacks {metric} rows; average ranks need all of them")
        # rounding keeps methods that gave the same labels tied whatever the order of the sums
        ranks = means.round(9).rank(axis=1, ascending=False, method="average")
        ranked.append(ranks.mean(axis=0))
    total = (ranked[0] + ranked[1]) / 2
    return {method: float(total[method]) for method in methods}


def imbalance(
    means: pd.DataFrame, pairs: Sequence[tuple[str, str]] = mh.GAINS
) -> dict[str, pd.DataFrame]:
    """Return view imbalance (x) and relative improvement in per cent (y) of every comparison."""
    x = (means["V1"] - means["V2"]).abs().rename("x")
    return {
        f"{method} over {base}": x.to_frame().assign(y=100 * (means[method] / means[base] - 1))
        for method, base in pairs
    }


def over_sets(rows: pd.DataFrame) -> Iterator[Row]:
    """Yield ranks and correlations over all test cases of Table 2, and over the real ones alone."""
    from scipy import stats

    rows = rows[rows["table"] == "2"]
    real = ~rows["dataset"].isin(mh.SURROGATES)
    for scored in mh.BOTH:
        at = {"scored": scored}
        for reading, kept in ((INFERRED, rows), ("real data only", rows[real])):
            part = kept[kept["scored"] == scored]
            for method, rank in average_ranks(part, mh.FLAT_NAMES, CASE).items():
                yield Row("2", at, method, "average_rank", rank, reading)
            means = part[part["metric"] == mh.MACRO].groupby([*CASE, "method"], sort=True)["value"]
            cases = means.mean().unstack("method")
            for pairs, role in ((mh.GAINS, "published"), ([("SUMSCORE", "V12")], "ours")):
                for name, points in imbalance(cases, pairs).items():
                    r, p = map(float, stats.pearsonr(points["x"], points["y"]))
                    yield Row("3", at, name, "pearson_r", r, reading, role=role)
                    yield Row("3", at, name, "p_value", p, reading, role=role)


def over_shares(rows: pd.DataFrame) -> Iterator[Row]:
    """Yield Table 4's relative gains of means and average ranks, per reading and scoring."""
    frame = rows[(rows["table"] == "4") & rows["metric"].isin(mh.SCORES)]
    hier = frame["method"].isin(mh.HIER_NAMES)
    for reading, scored in frame[["reading", "scored"]].drop_duplicates().itertuples(index=False):
        # flat methods know no constraints: they stand beside every reading
        beside = frame["reading"].where(hier, reading) == reading
        part = frame[beside & (frame["scored"] == scored)]
        complete = part.loc[part["method"] == mh.HIER_NAMES[0], ["train", "run"]]
        part = part.merge(complete.drop_duplicates(), on=["train", "run"])
        means = part.groupby(["train", "metric", "method"], sort=True)["value"].mean()
        macro = means.xs(mh.MACRO, level="metric").unstack("method")
        for name, counterpart in mh.COUNTERPART.items():
            for percent, gain in (100 * (macro[name] / macro[counterpart] - 1)).items():
                at = {"train": percent, "scored": scored}
                yield Row("4", at, name, "relative_gain_pct", gain, reading)
        for method, rank in average_ranks(part, mh.RANKED, ["train"]).items():
            yield Row("4", {"scored": scored}, method, "average_rank", rank, reading)
