"""Claims of the co-regularised PLSA clustering paper.

Runs are paired by their start: PLSA and CoPLSA begin with the same random topics in run r, on the
same documents.
"""

from collections.abc import Collection
from functools import partial

import pandas as pd

from asprinted.claims import data_of, levels_equal, margin_of
from asprinted.declared import Pairs, Params, cases, chosen, compared
from asprinted.parts import Part, every, exact, some, untestable
from reproduction.papers.coplsa_clustering.settings import PLACEBO, TWO
from reproduction.results.rows import INFERRED

ACCURACY = "accuracy_pct"
_compared = partial(compared, on=("dataset", "run"))


def _said(dataset: str, metric: str, two: str, **_: str) -> str:
    return f"{dataset}, {metric.removesuffix('_pct')}, {two}"


beats = beats_every_baseline = _compared(_said, each=("dataset", "metric"), table="1")
#: In some metric the second is less than the margin above the first.
adds_nothing = _compared("{metric}".format, each=("metric",), join=some, margins=-1, table="1")


def _views(rows: pd.DataFrame, params: Params) -> pd.DataFrame:
    found = chosen(rows, params, table="choice:best_view", rule="accuracy")
    return found.assign(metric=ACCURACY)


#: K-means does better on the first view.
best_view = _compared("{dataset}".format, by="view", each=("dataset",), choose=_views)


def _with_placebo(rows: pd.DataFrame, params: Params) -> pd.DataFrame:
    """Rows of both and of PLSA, which has no penalty, hence no reading of its strength."""
    other = {"PLSA + BOVF": {"reading": INFERRED}, PLACEBO: {"role": "control"}, TWO: {}}
    return pd.concat(
        [chosen(rows, {**params, "method": m, "table": "1", **at}) for m, at in other.items()]
    )


def _gain(dataset: str, two: str, **_: str) -> str:
    return f"{dataset}, {'shuffled partner' if two == PLACEBO else 'PLSA'}"


gain_is_information = _compared(_gain, each=("dataset",), choose=_with_placebo)


def _figure(rows: pd.DataFrame, params: Params) -> pd.DataFrame:
    """Figure 2, on the views as distributed."""
    at = {"table": "fig2", "method": TWO, "metric": ACCURACY, "scale": "raw"}
    return chosen(rows, params, **at).rename(columns={"lambda_": "lambda"})


def stable_range(rows: pd.DataFrame, params: Params) -> Part:
    """Around the paper's lambda (within ``factor``) the accuracy is the same up to the margin."""
    parts = {}
    for at, curve in cases(_figure(rows, params), params, ["dataset"]):
        ratio = curve["lambda"] / params["best"][at["dataset"]]
        inside = ratio.between(0.999 / params["factor"], 1.001 * params["factor"])
        parts[at["dataset"]] = levels_equal(curve[inside], "lambda", margin=margin_of(ACCURACY))
    return every(parts)


def _far(params: Params, dataset: str, there: Collection[float]) -> Pairs:
    """The paper's lambda and every other one on the grid but its two neighbours."""
    best, grid = params["best"][dataset], sorted(there)
    place = grid.index(best) if best in grid else len(grid)
    return [(best, two, 0.0) for i, two in enumerate(grid) if abs(i - place) > 1 and best in grid]


best_lambda = _compared(
    "{dataset}, {two}".format, by="lambda", each=("dataset",), pairs=_far, choose=_figure,
    shown="lambda {:g}".format,
)  # fmt: skip


def cost_is_bounded(rows: pd.DataFrame, params: Params) -> Part:
    """The work counted in an iteration stays below K N M (W + N), the printed cost."""
    part = chosen(rows, params, table="extra:cost")
    if part.empty:
        return untestable("no rows that count the work of an iteration")
    sizes = part.set_index(["sweep", "share", "metric"])["value"].unstack("metric")
    share = float((sizes["work"] / sizes["bound"]).max())
    reason = f"over {len(sizes)} sizes the work is at most {share:.0%} of the printed bound"
    if share < 0.5:
        return untestable(f"{reason}, which anything would meet")
    return exact(share <= 1.0, reason, data=data_of(part), n=len(sizes), effect=1.0 - share)
