"""One choice changed at a time, everything else as declared for Table 2."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa.columns import ONE_OTHER
from reproduction.papers.twoview_pa.methods import (
    CAT,
    EXACT,
    SUM,
    TWO_VIEW,
    TWO_VIEW_METHODS,
    VIEW_1,
    VIEW_2,
    role_of,
)
from reproduction.papers.twoview_pa.protocol import (
    DECLARED_ORDER,
    DECLARED_PASSES,
    DECLARED_SCALING,
    Fold,
    Views,
    cross_validation,
    f1_pct,
    has_empty_rows,
    joint_trace,
    kept_passes,
    orders,
    printed_setting,
    scale_views,
    signs,
    single_trace,
    table_scores,
    two_view_scores,
)
from reproduction.papers.twoview_pa.settings import PaperSettings
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

ONCE = np.ones(1, dtype=bool)

#: A choice, what is taken, and the F1 of every method it concerns.
Taken = tuple[str, Any, dict[str, float]]


def run(context: Context) -> Result:
    """Measure every alternative on the folds of Table 2."""
    data, settings = context.data, context.settings
    y = signs(data)
    at = printed_setting(settings)
    rows = [
        Row(f"choice:{choice}", {**at, choice: taken}, method, "f1_pct", value,
            reading=ONE_OTHER, run=fold.run, role=role_of(method))
        for fold in cross_validation(context, settings.repetitions, "choices")
        for choice, taken, values in _alternatives(data, y, fold, settings)
        for method, value in values.items()
    ]  # fmt: skip
    return Result(rows)


def _alternatives(
    data: MultiViewData, y: np.ndarray, fold: Fold, settings: PaperSettings
) -> Iterator[Taken]:
    """Yield every alternative of one fold."""
    test, positive = fold.test, y[fold.test] > 0
    choices = settings.choices
    views = scale_views(data, DECLARED_SCALING, fold.train)
    order = orders(fold, max(choices.passes), DECLARED_ORDER, data.name)
    scores = table_scores(views, y, order, kept_passes(choices.passes), test, settings)
    for place, passes in enumerate(sorted(choices.passes)):
        if passes != DECLARED_PASSES:
            yield (
                "passes",
                passes,
                {m: float(f1_pct(s[place], positive)) for m, s in scores.items()},
            )
    once = order[:1]
    for scaling in choices.scalings:
        if scaling != DECLARED_SCALING:
            scaled = scale_views(data, scaling, fold.train)
            yield "scaling", scaling, _once(scaled, y, once, test, settings)
    for name in choices.orders:
        if name != DECLARED_ORDER:
            other = orders(fold, DECLARED_PASSES, name, data.name)
            yield "order", name, _once(views, y, other, test, settings)
    if has_empty_rows(data):
        for rule in choices.empty:
            pairs = [(settings.C, settings.gamma)]
            found = two_view_scores(views, y, once, ONCE, test, pairs, "printed", empty=rule)
            yield "empty", rule, {TWO_VIEW: float(f1_pct(found[0, 0], positive))}
    yield "scored", "progressive", _progressive(views, y, once[0], settings)
    half = settings.C / 2
    found = two_view_scores(views, y, once, ONCE, test, [(settings.C, half)], "exact")
    yield "gamma", half, {EXACT: float(f1_pct(found[0, 0], positive))}


def _once(
    views: Views, y: np.ndarray, order: np.ndarray, test: np.ndarray, settings: PaperSettings
) -> dict[str, float]:
    """Return F1 of every method after one pass."""
    scores = table_scores(views, y, order, ONCE, test, settings)
    return {method: float(f1_pct(found[0], y[test] > 0)) for method, found in scores.items()}


def _progressive(
    views: Views, y: np.ndarray, order: np.ndarray, settings: PaperSettings
) -> dict[str, float]:
    """Return F1 of the predictions made during training, each before its own update."""
    traces = {
        method: single_trace(views, which, y, order, settings.C)
        for which, method in enumerate((VIEW_1, VIEW_2, CAT))
    }
    traces[SUM] = traces[VIEW_1] + traces[VIEW_2]
    for method, (variant, gate) in TWO_VIEW_METHODS.items():
        both = joint_trace(views, y, order, settings.C, settings.gamma, variant, gate)
        traces[method] = both.sum(axis=1)
    positive = y[order] > 0
    return {method: float(f1_pct(trace, positive)) for method, trace in traces.items()}
