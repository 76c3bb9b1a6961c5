"""Claims of the two-view PA paper.

A draw is a repetition of the cross-validation: its folds are averaged, never counted. View
differences come from passes over all rows in a random order; two data sets have no runs in common.
"""

from functools import partial
from typing import Any

import pandas as pd

from asprinted.claims import data_of, number, resampled
from asprinted.declared import Params, chosen, compared
from asprinted.parts import Part, by_test, exact, some, untestable
from asprinted.statistics import above, apart
from reproduction.papers.twoview_pa.protocol import ALONE, DATASETS, TWO_VIEW
from reproduction.verdicts.data_facts import published_names

NO_ROWS = "no rows on real data"

_NAMES = published_names(DATASETS)


def _rows(rows: pd.DataFrame, params: Params, dataset: str, **fixed: Any) -> pd.DataFrame:
    """Rows of a data set, which the text may have in another reading than the others."""
    own = params.get("by_dataset", {}).get(dataset, {})
    return chosen(rows, {**params, "dataset": dataset, **own}, **fixed)


def _repetitions(rows: pd.DataFrame, params: Params, **fixed: Any) -> pd.DataFrame:
    """F1 of every repetition."""
    found = pd.concat([_rows(rows, params, dataset, **fixed) for dataset in params["dataset"]])
    return found.assign(run=found["run"] // found["folds"])


_compared = partial(
    compared, on=("dataset", "run"), choose=_repetitions, table="2", metric="f1_pct"
)
beats = _compared("{dataset}, {two}".format, each=("dataset",), called=_NAMES)
#: Pairs have their margins: the first of all methods is ahead of the second, not by too much.
ahead_by_up_to = _compared()


def difference_order(rows: pd.DataFrame, params: Params) -> Part:
    """``metric`` of two-view PA's view difference is smaller on ``small`` than on ``large``."""
    names = [params["large"], params["small"]]
    used = [_rows(rows, params, name, method=TWO_VIEW) for name in names]
    large, small = (part.groupby("run", sort=True)["value"].mean() for part in used)
    if min(len(large), len(small)) < 2:
        return untestable("needs both data sets as the paper used them, with two runs each")
    outcome = above(apart(large, small))
    shown = ", ".join(
        f"{_NAMES[name]} {number(float(values.mean()))}"
        for name, values in zip(names, (large, small), strict=True)
    )
    return by_test(outcome, data_of(*used), f"{shown}; {outcome.n} runs")


def difference_shrinks(rows: pd.DataFrame, params: Params) -> Part:
    """Two-view PA's mean view difference is smaller than that of a PA on each view."""
    at = {"metric": "mean_view_difference", "method": [ALONE, TWO_VIEW]}
    both = _rows(rows, params, params["dataset"], **at)
    if both["method"].nunique() < 2:
        return untestable(NO_ROWS)
    return resampled(
        both,
        lambda means, _: means[:, 0, 0] - means[:, 0, 1],
        columns=("method",),
        what=f"{TWO_VIEW} is {{}} below {ALONE}",
    )


def identical_views(rows: pd.DataFrame, params: Params) -> Part:
    """With view 1 given twice, ``method`` has exactly the weights of PA-I at one of ``single``."""
    found, parts = chosen(rows, params, table="extra:identical views"), {}
    for name in params["single"]:
        own, single = found[found["single"] == name], f"PA-I({name})"
        worst = float(own["value"].max())
        reason = "largest difference between two weights, "
        reason += f"{params['method']} against {single}: {worst:.3g}"
        part = exact(worst <= 1e-9, reason, data=data_of(own), n=len(own), effect=-worst)
        parts[single] = part if len(own) else untestable(NO_ROWS)
    return some(parts)
