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
    for metric in (mh.MACRO, mh.MICRO):
        part = rows[(rows["metric"] == metric) & rows["method"].isin(list(methods))]
        means = part.groupby([*case, "method"], sort=True)["value"].mean().unstack("method")
        if means.empty or means.isna().any().any():
            raise ValueError(f"some method lacks {metric} rows; average ranks need all of them")
        # rounding keeps methods that gave the same labels tied whatever the order of the sums
        ranks = means.round(9).rank(axis=1, ascending=False, method="average")
        ranked.append(ranks.mean(axis=0))
    total = (ranked[0] + ranked[1]) / 2
    return {method: float(total[method]) for method in methods}


def correlations(
    rows: pd.DataFrame, pairs: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str, float]]:
    """Yield (comparison, metric, value) of Table 3.

    One point per test case: x = view imbalance |F1(V1) - F1(V2)|, y = relative improvement of the
    mean macro F1 in percent; Pearson's r and its two-sided p-value.
    """
    from scipy import stats

    part = rows[rows["metric"] == mh.MACRO]
    means = part.groupby([*CASE, "method"], sort=True)["value"].mean().unstack("method")
    imbalance = (means["V1"] - means["V2"]).abs()
    for method, base in pairs:
        r, p = stats.pearsonr(imbalance, 100 * (means[method] / means[base] - 1))
        yield f"{method} over {base}", "pearson_r", float(r)
        yield f"{method} over {base}", "p_value", float(p)


def over_sets(rows: pd.DataFrame) -> Iterator[Row]:
    """Yield ranks and correlations over all test cases of Table 2, and over the real ones alone."""
    rows = rows[rows["table"] == "2"]
    real = ~rows["dataset"].isin(mh.SURROGATES)
    for scored in (mh.ALL_POINTS, mh.UNLABELLED):
        at = {"scored": scored}
        for reading, kept in ((INFERRED, rows), ("real data only", rows[real])):
            part = kept[kept["scored"] == scored]
            for method, rank in average_ranks(part, mh.FLAT_NAMES, CASE).items():
                yield Row("2", at, method, "average_rank", rank, reading)
            for pairs, role in ((mh.GAINS, "published"), ([("SUMSCORE", "V12")], "ours")):
                for name, metric, value in correlations(part, pairs):
                    yield Row("3", at, name, metric, value, reading, role=role)


def over_shares(rows: pd.DataFrame) -> Iterator[Row]:
    """Yield Table 4's relative gains of means and average ranks, per reading and scoring."""
    frame = rows[(rows["table"] == "4") & rows["metric"].isin([mh.MACRO, mh.MICRO])]
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
