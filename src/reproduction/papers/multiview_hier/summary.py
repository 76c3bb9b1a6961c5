"""What needs all data sets: average ranks of Table 2 and the correlations of Table 3."""

from collections.abc import Sequence

import pandas as pd
from scipy import stats

from reproduction.papers.multiview_hier.columns import ALL_POINTS, UNLABELLED
from reproduction.papers.multiview_hier.methods import (
    FLAT_NAMES,
    GAINS,
    MACRO,
    OWN_GAINS,
    REAL_ONLY,
    comparison_name,
)
from reproduction.papers.multiview_hier.protocol import (
    average_ranks,
)
from reproduction.results.jobs import Context
from reproduction.results.rows import INFERRED, Result, Row

#: Data sets that are never real.
SURROGATES = ("citeseer2", "nell_mv")
CASE = ("dataset", "setting")


def correlations(
    rows: pd.DataFrame, pairs: Sequence[tuple[str, str]]
) -> list[tuple[str, str, float]]:
    """Return (comparison, metric, value) of Table 3.

    One point per test case: x = view imbalance |F1(V1) - F1(V2)|, y = relative improvement of the
    mean macro F1 in percent; Pearson's r and its two-sided p-value.
    """
    part = rows[rows["metric"] == MACRO]
    means = part.groupby([*CASE, "method"], sort=True)["value"].mean().unstack("method")
    imbalance = (means["V1"] - means["V2"]).abs()
    out = []
    for method, base in pairs:
        gain = 100 * (means[method] / means[base] - 1)
        r, p = stats.pearsonr(imbalance, gain)
        name = comparison_name(method, base)
        out += [(name, "pearson_r", float(r)), (name, "p_value", float(p))]
    return out


def run(context: Context) -> Result:
    """Compute ranks and correlations over all test cases, and over the real ones alone."""
    frames = [frame[frame["table"] == "2"] for frame in context.results.values()]
    rows = pd.concat(frames, ignore_index=True)
    real = ~rows["dataset"].isin(SURROGATES)
    out: list[Row] = []
    for scored in (ALL_POINTS, UNLABELLED):
        at = {"scored": scored}
        for reading, kept in ((INFERRED, rows), (REAL_ONLY, rows[real])):
            part = kept[kept["scored"] == scored]
            for method, rank in average_ranks(part, FLAT_NAMES, CASE).items():
                out.append(Row("2", at, method, "average_rank", rank, reading))
            for pairs, role in ((GAINS, "published"), (OWN_GAINS, "ours")):
                for name, metric, value in correlations(part, pairs):
                    out.append(Row("3", at, name, metric, value, reading, role=role))
    found = rows.loc[rows["scored"] == ALL_POINTS, list(CASE)].drop_duplicates()
    names = sorted(" ".join(case) for case in found.itertuples(index=False, name=None))
    return Result(out, {"test_cases": names})
