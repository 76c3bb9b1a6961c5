"""What needs all data sets: average ranks of Table 2 and the correlations of Table 3."""

import pandas as pd
from scipy import stats

from reproduction.papers.multiview_hier.constants import (
    FLAT_METHODS,
    UNLABELLED,
)
from reproduction.papers.multiview_hier.ranks import average_ranks
from reproduction.results.jobs import Context, Result, Row

#: Method whose gain over a baseline is correlated with view imbalance (Table 3).
GAINS = (
    ("PRODSCORE", "V12"),
    ("MAXAGREE", "V12"),
    ("MAXAGREE", "PRODSCORE"),
    ("SUMSCORE", "V12"),
)
SURROGATES = ("citeseer2", "nell_mv")


def table3(rows: pd.DataFrame, label: str = "") -> list[tuple[str, str, float]]:
    """Return (comparison, metric, value) of Table 3.

    One point per test case: x = view imbalance |F1(V1) - F1(V2)|, y = relative improvement of the
    mean macro F1 in percent; Pearson's r and its two-sided p-value.
    """
    part = rows[rows["metric"] == "macro_f1_pct"]
    keys = ["case", "setting", "method"]
    means = part.groupby(keys, sort=True)["value"].mean().unstack("method")
    imbalance = (means["V1"] - means["V2"]).abs()
    out = []
    for better, base in GAINS:
        gain = 100 * (means[better] / means[base] - 1)
        r, p = stats.pearsonr(imbalance, gain)
        name = f"{better} over {base}"
        out += [(name, "pearson_r", float(r)), (name, "p_value", float(p))]
    return out


def run(context: Context) -> Result:
    """Compute ranks and correlations over the 18 test cases, and over the real ones alone."""
    frames = [frame[frame["table"] == "2"] for frame in context.results.values()]
    rows = pd.concat(frames, ignore_index=True)
    rows["case"] = rows["label"].where(rows["label"] != "", rows["dataset"])
    ranked = rows.drop(columns="label").rename(columns={"case": "label"})
    out: list[Row] = []
    for scored in ("paper", UNLABELLED):
        for extent in ("", "real data only"):
            keep = rows["reading"] == scored
            if extent:
                keep &= ~rows["dataset"].isin(SURROGATES)
            name = scored
            if extent:
                name = extent if scored == "paper" else f"{extent},{scored}"
            for method, rank in average_ranks(ranked[keep], tuple(FLAT_METHODS)).items():
                out.append(Row("2", "avg rank", method, "average_rank", rank, name))
            for comparison, metric, value in table3(rows[keep]):
                out.append(Row("3", "view imbalance", comparison, metric, value, name))
    cases = sorted(set(zip(rows["case"], rows["setting"], strict=True)))
    return Result(out, {"test_cases": [" ".join(case) for case in cases]})
