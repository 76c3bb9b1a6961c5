"""C and gamma chosen by nested cross-validation: no test row takes part in any choice.

Inside every training fold an inner cross-validation scores the declared values; the best mean F1
wins (ties: the first in the declared order), the winner is trained on the whole training fold.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa.columns import CHOSEN, EVERYTHING, INNER, NESTED
from reproduction.papers.twoview_pa.methods import (
    GATED,
    SINGLE_METHODS,
    TWO_VIEW_METHODS,
    role_of,
)
from reproduction.papers.twoview_pa.protocol import (
    DECLARED_ORDER,
    Fold,
    cross_validation,
    f1_pct,
    folds,
    kept_passes,
    orders,
    scale_views,
    signs,
    single_scores,
    two_view_scores,
)
from reproduction.papers.twoview_pa.settings import PaperSettings
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

#: F1 (candidate x passes) by method and row scaling.
Scores = dict[tuple[str, str], np.ndarray]


class Chosen(NamedTuple):
    """What a method took on one fold; single-view methods have no gamma."""

    method: str
    tuned: str
    scaling: str
    passes: int
    C: float
    gamma: float | None = None


def run(context: Context) -> Result:
    """Tune each method for each row scaling and number of passes, and once over these too."""
    data, settings = context.data, context.settings
    y = signs(data)
    rows: list[Row] = []
    counts: Counter[Chosen] = Counter()
    for fold in cross_validation(context, settings.tuned.repetitions, "choices tuned"):
        inner = _mean_inner(data, y, fold, settings)
        outer = _scores(data, y, fold, settings, (data.name,))
        for chosen, value in _select(inner, outer, settings):
            at: dict[str, Any] = {"folds": settings.folds, "tuned": chosen.tuned}
            if chosen.tuned == INNER:
                at |= {"scaling": chosen.scaling, "passes": chosen.passes}
            rows.append(
                Row(NESTED, at, chosen.method, "f1_pct", value,
                    reading=CHOSEN, run=fold.run, role=role_of(chosen.method))
            )  # fmt: skip
            counts[chosen] += 1
    details = [{**chosen._asdict(), "times": times} for chosen, times in counts.items()]
    return Result(rows, {"chosen": details})


def _scores(
    data: MultiViewData,
    y: np.ndarray,
    fold: Fold,
    settings: PaperSettings,
    names: tuple[str | int, ...],
) -> Scores:
    """Return F1 of every method and row scaling on one split; ``names`` key the order's seed."""
    choices, passes = settings.choices, settings.tuned.passes
    positive = y[fold.test] > 0
    pairs = list(product(choices.C, choices.gamma))
    found: Scores = {}
    for scaling in choices.scalings:
        views = scale_views(data, scaling, fold.train)
        sequence = orders(fold, max(passes), DECLARED_ORDER, *names)
        stream = (views, y, sequence, kept_passes(passes), fold.test)
        for method, scores in single_scores(*stream, choices.C).items():
            found[method, scaling] = f1_pct(scores, positive)
        for method in GATED:
            scores = two_view_scores(*stream, pairs, *TWO_VIEW_METHODS[method])
            found[method, scaling] = f1_pct(scores, positive)
    return found


def _mean_inner(data: MultiViewData, y: np.ndarray, fold: Fold, settings: PaperSettings) -> Scores:
    """Return the mean over the inner folds of a training fold."""
    names: tuple[str | int, ...] = (data.name, "inner", fold.repetition, fold.number)
    n_folds = settings.tuned.inner_folds
    sums: Scores = {}
    for split in folds(y[fold.train], n_folds, range(1), *names):
        part = replace(split, train=fold.train[split.train], test=fold.train[split.test])
        for key, value in _scores(data, y, part, settings, names).items():
            sums[key] = sums.get(key, 0.0) + value / n_folds
    return sums


def _select(
    inner: Scores, outer: Scores, settings: PaperSettings
) -> Iterator[tuple[Chosen, float]]:
    """Yield what every method takes and its F1 on the test fold."""
    choices = settings.choices
    passes = list(enumerate(sorted(settings.tuned.passes)))
    for method in (*SINGLE_METHODS, *GATED):
        single = method in SINGLE_METHODS
        pairs = [(C, None) for C in choices.C] if single else product(choices.C, choices.gamma)
        candidates = list(pairs)
        best: tuple[float, Chosen, float] | None = None
        for scaling, (j, count) in product(choices.scalings, passes):
            column = inner[method, scaling][:, j]
            k = int(np.argmax(column))
            chosen = Chosen(method, INNER, scaling, count, *candidates[k])
            value = float(outer[method, scaling][k, j])
            yield chosen, value
            if best is None or column[k] > best[0]:
                best = (float(column[k]), chosen, value)
        assert best is not None  # there is at least one row scaling and one number of passes
        yield best[1]._replace(tuned=EVERYTHING), best[2]
