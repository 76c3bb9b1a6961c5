"""C and gamma chosen by nested cross-validation: no test row takes part in any choice.

Inside every training fold an inner cross-validation scores the declared values; the best mean F1
wins (ties: the first in the declared order), the winner is trained on the whole training fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from reproduction.papers.twoview_pa.columns import (
    CHOSEN,
    DATASETS,
    FOLDS,
    INNER,
    NESTED,
    PASSES,
    SCALING,
)
from reproduction.papers.twoview_pa.methods import GATED, PAPER, SINGLE_METHODS, role_of
from reproduction.papers.twoview_pa.protocol import (
    FITS,
    HELD_OUT,
    Fold,
    Nested,
    Picked,
    deal,
    f1_pct,
    passes_over,
    picks,
    scale_views,
    signs,
)
from reproduction.papers.twoview_pa.settings import Choices, PaperSettings, Tuned
from reproduction.results.cases import Step
from reproduction.results.study import Protocol
from reproduction.results.tables import text

if TYPE_CHECKING:
    from reproduction.data.format import MultiViewData

tuning = Protocol(PAPER, DATASETS, PaperSettings)


@tuning.split
def nested(
    data: MultiViewData, run: int, seeded: Any, folds: int, order: str, choices: Choices,
    tuned: Tuned,
) -> Iterator[Nested]:  # fmt: skip
    """Yield outer folds, each with a cross-validation inside its training rows."""
    y, most = signs(data), max(tuned.passes)
    for k, (train, test) in enumerate(deal(data.labels, folds, seeded("folds", run))):
        splits = [(train, test, passes_over(train, most, order, seeded("order", run, k)))]
        inside = deal(y[train], tuned.inner_folds, seeded("inner", run, k, "folds", 0))
        for n, (seen, held) in enumerate(inside):
            rng = seeded("inner", run, k, "order", 0, n)
            splits.append((train[seen], train[held], passes_over(train[seen], most, order, rng)))
        found = {
            scaling: [Fold(y, scale_views(data, scaling, part[0]), *part) for part in splits]
            for scaling in choices.scalings
        }
        yield Nested(
            {scaling: parts[0] for scaling, parts in found.items()},
            {scaling: parts[1:] for scaling, parts in found.items()},
        )


def _tuned(method: str) -> Callable[..., list[Picked]]:
    def grid(part: Fold, choices: Choices, passes: Sequence[int], empty: str) -> np.ndarray:
        """Return F1 of every candidate (C, or C and gamma) after some passes."""
        positive, fit = part.y[part.test] > 0, Step.of(FITS[method], 1)
        tried = {"C": choices.C, "gamma": choices.gamma}
        own = [name for name in tried if name in fit.asks]
        rows = []
        for candidate in product(*(tried[name] for name in own)):
            there = {**dict(zip(own, candidate, strict=True)), "scored": HELD_OUT, "empty": empty}
            scores = list(fit.result(there, part))
            rows.append([f1_pct(scores[count - 1], positive) for count in passes])
        return np.array(rows)

    def fit(part: Nested, choices: Choices, tuned: Tuned, empty: str) -> list[Picked]:
        passes = sorted(tuned.passes)
        outer = {s: grid(fold, choices, passes, empty) for s, fold in part.outer.items()}
        inner = {
            s: reduce(np.add, [grid(f, choices, passes, empty) / len(folds) for f in folds])
            for s, folds in part.inner.items()
        }
        return list(picks(inner, outer, passes))

    return fit


for _name in (*SINGLE_METHODS, *GATED):
    tuning.method(_name, role_of(_name))(_tuned(_name))


@tuning.metric(
    "f1_pct", text("tuned", "{} tuned"), replace(SCALING, optional=True),
    replace(PASSES, optional=True),
)  # fmt: skip
def picked(part: Nested, answer: list[Picked]) -> Iterator[tuple[dict[str, Any], float]]:
    """Yield F1 on the test fold, with rows and passes where they were not chosen as well."""
    for what, scaling, passes, value in answer:
        rest = {"scaling": scaling, "passes": passes} if what == INNER else {}
        yield {"tuned": what, **rest}, value


tuning.table(
    NESTED, runs="tuned.repetitions", columns={"folds": FOLDS}, reading=CHOSEN, job="choices_tuned"
)
