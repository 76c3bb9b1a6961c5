"""The declared grid: passes, row scaling, order, empty rows, C and gamma, all combined.

Nothing is selected here. Every point is reported, one row a repetition (the mean F1 of its
folds), so that a reader sees where two-view PA beats the concatenation and where it does not.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa.protocol import (
    DEFAULT_EMPTY,
    TWO_VIEW_METHODS,
    Views,
    f1_pct,
    folds,
    has_empty_rows,
    kept_passes,
    orders,
    scale_views,
    signs,
    single_scores,
    two_view_scores,
)
from reproduction.results.jobs import Context, Result, Row

READING = "grid"
Point = tuple[Views, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def run(context: Context) -> Result:
    """Run the single-view methods and every gated two-view update over the grid.

    The printed update meets all rules for rows that are empty in a view, the corrected ones
    only their own.
    """
    methods = {
        method: list(context.settings["grid"]["empty"])
        if variant == "printed"
        else [DEFAULT_EMPTY[variant]]
        for method, (variant, gate) in TWO_VIEW_METHODS.items()
        if gate == "loss"
    }
    return _run(context, methods)


def setting_name(
    rows: str, order: str, passes: int, C: float, gamma: float | None = None, empty: str = ""
) -> str:
    """Return the name of a grid point; single-view methods have no gamma and no empty rows."""
    name = f"rows={rows};order={order};passes={passes};C={C:g}"
    return name if gamma is None else f"{name};gamma={gamma:g};empty={empty}"


def _run(context: Context, methods: Mapping[str, Sequence[str]]) -> Result:
    data, settings = context.data, context.settings
    grid = settings["grid"]
    y = signs(data)
    totals: dict[tuple[str, str, int], list[float]] = {}
    splits = list(folds(y, settings["folds"], grid["repetitions"], data.name))
    for fold in context.progress(splits, f"{data.name} grid"):
        for rows, order in product(grid["rows"], grid["orders"]):
            views = scale_views(data, rows, fold.train)
            sequence = orders(fold, max(grid["passes"]), order, data.name)
            point = (views, y, sequence, kept_passes(grid["passes"]), fold.test)
            positive = y[fold.test] > 0
            found = _singles(point, positive, rows, order, grid)
            for method, rules in methods.items():
                variant, gate = TWO_VIEW_METHODS[method]
                for rule in rules if has_empty_rows(data) else rules[:1]:
                    pairs = list(product(grid["C"], grid["gamma"]))
                    scores = two_view_scores(*point, pairs, variant, gate, rule)
                    values = f1_pct(scores, positive)
                    for (k, (C, gamma)), (j, passes) in product(
                        enumerate(pairs), enumerate(sorted(grid["passes"]))
                    ):
                        name = setting_name(rows, order, passes, C, gamma, rule)
                        found[method, name] = float(values[k, j])
            for (method, name), value in found.items():
                totals.setdefault((method, name, fold.repetition), []).append(value)
    result = [
        Row("grid", name, method, "f1_pct", float(np.mean(values)), reading=READING, run=run)
        for (method, name, run), values in totals.items()
    ]
    return Result(result, {"empty_rows": has_empty_rows(data), **_facts(data)})


def _singles(
    point: Point, positive: np.ndarray, rows: str, order: str, grid: Mapping[str, Any]
) -> dict[tuple[str, str], float]:
    """Return F1 of the single-view methods for every C and number of passes."""
    found = {}
    for method, scores in single_scores(*point, grid["C"]).items():
        values = f1_pct(scores, positive)
        for (k, C), (j, passes) in product(enumerate(grid["C"]), enumerate(sorted(grid["passes"]))):
            found[method, setting_name(rows, order, passes, C)] = float(values[k, j])
    return found


def _facts(data: MultiViewData) -> dict[str, Any]:
    return {"documents": data.n_rows, "positive": int((data.labels == 1).sum())}
