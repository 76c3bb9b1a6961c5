"""Average ranks as in Tables 2 and 4."""

from collections.abc import Sequence

import pandas as pd


def average_ranks(rows: pd.DataFrame, methods: Sequence[str]) -> dict[str, float]:
    """Return each method's rank averaged over test cases, then over macro and micro F1.

    A test case is a (label, setting); its scores are means over the partitions, rank 1 is the
    best, and equal scores share the mean of their ranks.
    """
    ranked = []
    for metric in ("macro_f1_pct", "micro_f1_pct"):
        part = rows[(rows["metric"] == metric) & rows["method"].isin(list(methods))]
        keys = ["label", "setting", "method"]
        means = part.groupby(keys, sort=True)["value"].mean().unstack("method")
        if means.empty or means.isna().any().any():
            raise ValueError(f"some method lacks {metric} rows; average ranks need all of them")
        # rounding keeps methods that gave the same labels tied whatever the order of the sums
        ranks = means.round(9).rank(axis=1, ascending=False, method="average")
        ranked.append(ranks.mean(axis=0))
    total = (ranked[0] + ranked[1]) / 2
    return {method: float(total[method]) for method in methods}
