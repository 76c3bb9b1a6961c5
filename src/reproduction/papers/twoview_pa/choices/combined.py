"""All choices combined: passes, row scaling, order, empty rows, C and gamma.

Nothing is selected here. Every point is reported, one row a repetition (the mean F1 of its
folds), so that a reader sees where two-view PA beats the concatenation and where it does not.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa.columns import ALL_TOGETHER, COMBINED
from reproduction.papers.twoview_pa.methods import GATED, TWO_VIEW_METHODS, role_of
from reproduction.papers.twoview_pa.protocol import (
    DEFAULT_EMPTY,
    Fold,
    cross_validation,
    f1_pct,
    has_empty_rows,
    kept_passes,
    orders,
    scale_views,
    signs,
    single_scores,
    two_view_scores,
)
from reproduction.papers.twoview_pa.settings import Choices, Order, Scaling
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row


class Point(NamedTuple):
    """One combination; single-view methods have no gamma and no rule for empty rows."""

    scaling: str
    order: str
    passes: int
    C: float
    gamma: float | None = None
    empty: str | None = None


def run(context: Context) -> Result:
    """Run the single-view methods and every gated two-view update on all combinations."""
    data, choices = context.data, context.settings.choices
    y = signs(data)
    totals: dict[tuple[str, Point, int], list[float]] = {}
    for fold in cross_validation(context, choices.repetitions, "choices combined"):
        for scaling, order in product(choices.scalings, choices.orders):
            for key, value in _values(data, y, fold, scaling, order, choices).items():
                totals.setdefault((*key, fold.repetition), []).append(value)
    rows = [
        Row(COMBINED, point._asdict(), method, "f1_pct", float(np.mean(values)),
            reading=ALL_TOGETHER, run=repetition, role=role_of(method))
        for (method, point, repetition), values in totals.items()
    ]  # fmt: skip
    details = {
        "empty_rows": has_empty_rows(data),
        "documents": data.n_rows,
        "positive": int((data.labels == 1).sum()),
    }
    return Result(rows, details)


def _values(
    data: MultiViewData, y: np.ndarray, fold: Fold, scaling: Scaling, order: Order, choices: Choices
) -> dict[tuple[str, Point], float]:
    """Return F1 of every method for every C, gamma, rule and number of passes of one fold."""
    positive = y[fold.test] > 0
    passes = list(enumerate(sorted(choices.passes)))
    views = scale_views(data, scaling, fold.train)
    sequence = orders(fold, max(choices.passes), order, data.name)
    stream = (views, y, sequence, kept_passes(choices.passes), fold.test)
    found = {}
    for method, scores in single_scores(*stream, choices.C).items():
        values = f1_pct(scores, positive)
        for (k, C), (j, count) in product(enumerate(choices.C), passes):
            found[method, Point(scaling, order, count, C)] = float(values[k, j])
    pairs = list(product(choices.C, choices.gamma))
    for method in GATED:
        variant, gate = TWO_VIEW_METHODS[method]
        for rule in _rules(data, variant, choices):
            values = f1_pct(two_view_scores(*stream, pairs, variant, gate, rule), positive)
            for (k, (C, gamma)), (j, count) in product(enumerate(pairs), passes):
                point = Point(scaling, order, count, C, gamma, rule)
                found[method, point] = float(values[k, j])
    return found


def _rules(data: MultiViewData, variant: str, choices: Choices) -> list[str]:
    """Return the rules for empty rows: all for the printed update, its own for a corrected one."""
    if variant != "printed":
        return [DEFAULT_EMPTY[variant]]
    return list(choices.empty if has_empty_rows(data) else choices.empty[:1])
