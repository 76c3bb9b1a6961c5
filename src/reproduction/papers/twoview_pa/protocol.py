"""The protocol every job of the paper shares: rows, folds, orders, methods, F1.

The paper says: 5-fold cross-validation, C = 0.1 and gamma = 0.5 for all, F-measure. It does not
say how rows are scaled, in which order they come, how many passes are made, or what happens to a
row that is empty in a view; those are arguments here.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.kernels.passive_aggressive import (
    EMPTY_RULES,
    GATES,
    MODES,
    VARIANTS,
    pa_grid,
    pa_pass,
    two_view_grid,
    two_view_pass,
)
from manyviews.models.online import Csr, csr_arrays
from manyviews.preprocessing.sparse import binarise, hstack_csr, idf_weight, row_normalise
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa.methods import (
    CAT,
    PAPER,
    SUM,
    TWO_VIEW_METHODS,
    VIEW_1,
    VIEW_2,
)
from reproduction.papers.twoview_pa.settings import Order, PaperSettings, Scaling
from reproduction.results.jobs import Context

#: The declared reading of what the paper leaves open: 0/1 rows, one shuffled pass.
DECLARED_SCALING: Scaling = "binary"
DECLARED_ORDER: Order = "shuffled"
DECLARED_PASSES = 1
#: Five numbers measured on a review: 0/1 would erase them, so they are standardised instead.
MEASURED_VIEWS = frozenset({"formal"})

#: Rule for rows that are empty in a view, in the declared reading.
DEFAULT_EMPTY = {"printed": "zero", "eq11": "zero", "exact": "exact"}


@dataclass(frozen=True)
class Views:
    """Scaled views of one training fold: the two views and their concatenation."""

    matrices: tuple[sp.csr_matrix, sp.csr_matrix, sp.csr_matrix]

    def arrays(self, which: int) -> Csr:
        """Return (indptr, indices, data) of view 0, 1 or the concatenation 2."""
        return csr_arrays(self.matrices[which])

    def width(self, which: int) -> int:
        """Return the number of columns."""
        return int(self.matrices[which].shape[1])


@dataclass(frozen=True)
class Fold:
    """One split of one repetition: training rows (sorted), test rows, and its number overall."""

    repetition: int
    number: int
    train: np.ndarray
    test: np.ndarray
    run: int


def signs(data: MultiViewData) -> np.ndarray:
    """Return +1 for the class that is counted (ads, course pages, spam) and -1 for the other."""
    if len(data.class_names) != 2 or data.labels.min() < 0:
        raise ValueError(
            f"{data.name} has the classes {', '.join(data.class_names)}; two-view PA needs two "
            "and a label on every row"
        )
    return 2.0 * data.labels - 1.0


def folds(
    y: np.ndarray, n_folds: int, repetitions: Iterable[int], *names: str | int
) -> Iterator[Fold]:
    """Yield stratified folds; ``names`` key the seed.

    The rows of each class are shuffled and dealt out in turn, one class after the other, so that
    neither a class's share nor a fold's size differs by more than one row.
    """
    for repetition in repetitions:
        rng = generator(PAPER, *names, "folds", repetition)
        groups = [rng.permutation(np.flatnonzero(y == value)) for value in np.unique(y)]
        place = np.empty(y.size, dtype=np.int64)
        place[np.concatenate(groups)] = np.arange(y.size) % n_folds
        for number in range(n_folds):
            test = place == number
            run = repetition * n_folds + number
            yield Fold(repetition, number, np.flatnonzero(~test), np.flatnonzero(test), run)


def cross_validation(context: Context, repetitions: int, what: str) -> Iterable[Fold]:
    """Return the folds of a job's data set with a progress bar; all jobs see the same folds."""
    data = context.data
    splits = list(folds(data.labels, context.settings.folds, range(repetitions), data.name))
    return context.progress(splits, f"{data.name} {what}")


def scale_view(
    X: sp.csr_matrix, scaling: Scaling, train: np.ndarray, measured: bool
) -> sp.csr_matrix:
    """Return a view as 0/1 (``binary``), released values on unit rows, or 0/1 times idf.

    Document frequencies, means and deviations come from the training rows. A measured view is
    standardised, and for ``unit`` also scaled to unit rows.
    """
    if measured:
        dense = X.toarray()
        spread = dense[train].std(axis=0)
        spread[spread == 0] = 1.0
        view = sp.csr_matrix((dense - dense[train].mean(axis=0)) / spread)
        return row_normalise(view) if scaling == "unit" else view
    if scaling == "unit":
        return row_normalise(X)
    flags = binarise(X)
    if scaling == "binary":
        return flags
    weighted = idf_weight(flags, reference=flags[train])
    weighted.eliminate_zeros()
    return weighted


def scale_views(data: MultiViewData, scaling: Scaling, train: np.ndarray) -> Views:
    """Return both views scaled, and the concatenation of the scaled views."""
    names = tuple(data.views)
    if len(names) != 2:
        raise ValueError(f"{data.name} has {len(names)} views; two-view PA needs two")
    first, second = (
        scale_view(data.views[name], scaling, train, name in MEASURED_VIEWS) for name in names
    )
    return Views((first, second, hstack_csr([first, second])))


def orders(fold: Fold, n_passes: int, order: Order, *names: str | int) -> np.ndarray:
    """Return the training rows in the order of every pass, shape (n_passes, n_train)."""
    if order == "given":
        return np.tile(np.sort(fold.train), (n_passes, 1))
    rng = generator(PAPER, *names, "order", fold.repetition, fold.number)
    return np.stack([rng.permutation(fold.train) for _ in range(n_passes)])


def kept_passes(passes: Sequence[int]) -> np.ndarray:
    """Return a mask over passes 1..max: after which of them the test rows are scored."""
    keep = np.zeros(max(passes), dtype=bool)
    keep[np.asarray(passes) - 1] = True
    return keep


def f1_pct(scores: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """Return F1 of the positive class in percent along the last axis; score 0 is negative."""
    said = scores > 0
    hits = (said & positive).sum(axis=-1)
    marked = said.sum(axis=-1) + positive.sum()
    return 200.0 * hits / np.maximum(marked, 1)


def single_scores(
    views: Views, y: np.ndarray, order: np.ndarray, keep: np.ndarray, test: np.ndarray, C: Any
) -> dict[str, np.ndarray]:
    """Return test scores of PA-I on each view, on the concatenation, and of the two views' sum.

    Axes: (C, kept pass, test row).
    """
    values = np.atleast_1d(np.asarray(C, dtype=np.float64))
    first, second, cat = (
        pa_grid(*views.arrays(v), y, order, keep, test, views.width(v), values, MODES["PA-I"])
        for v in range(3)
    )
    return {VIEW_1: first, VIEW_2: second, CAT: cat, SUM: first + second}


def two_view_scores(
    views: Views,
    y: np.ndarray,
    order: np.ndarray,
    keep: np.ndarray,
    test: np.ndarray,
    pairs: Sequence[tuple[float, float]],
    variant: str,
    gate: str = "loss",
    empty: str | None = None,
) -> np.ndarray:
    """Return test scores of two-view PA for each (C, gamma); axes (pair, kept pass, test row)."""
    rule = DEFAULT_EMPTY[variant] if empty is None else empty
    C, gamma = np.asarray(pairs, dtype=np.float64).reshape(-1, 2).T.copy()
    return two_view_grid(
        *views.arrays(0), *views.arrays(1), y, order, keep, test,
        views.width(0), views.width(1), C, gamma,
        VARIANTS[variant], GATES[gate], EMPTY_RULES[rule],
    )  # fmt: skip


def single_trace(
    views: Views, which: int, y: np.ndarray, order: np.ndarray, C: float
) -> np.ndarray:
    """Return the scores of PA-I on one view (or the concatenation) before each round."""
    trace = np.empty(order.size)
    weights = np.zeros(views.width(which))
    pa_pass(*views.arrays(which), y, order, weights, C, MODES["PA-I"], trace)
    return trace


def joint_trace(
    views: Views, y: np.ndarray, order: np.ndarray, C: float, gamma: float, variant: str, gate: str
) -> np.ndarray:
    """Return both views' scores before each round of two-view PA, shape (rounds, 2)."""
    trace = np.empty((order.size, 2))
    weights = [np.zeros(views.width(v)) for v in range(2)]
    two_view_pass(
        *views.arrays(0), *views.arrays(1), y, order, weights[0], weights[1],
        C, gamma, VARIANTS[variant], GATES[gate], EMPTY_RULES[DEFAULT_EMPTY[variant]], trace,
    )  # fmt: skip
    return trace


def table_scores(
    views: Views,
    y: np.ndarray,
    order: np.ndarray,
    keep: np.ndarray,
    test: np.ndarray,
    settings: PaperSettings,
) -> dict[str, np.ndarray]:
    """Return test scores of all methods at the C and gamma of Table 2; axes (pass, test row)."""
    scores = single_scores(views, y, order, keep, test, settings.C)
    pairs = [(settings.C, settings.gamma)]
    for method, (variant, gate) in TWO_VIEW_METHODS.items():
        scores[method] = two_view_scores(views, y, order, keep, test, pairs, variant, gate)
    return {method: values[0] for method, values in scores.items()}


def has_empty_rows(data: MultiViewData) -> bool:
    """Tell whether some row is empty in one of the two views."""
    return any(
        (np.diff(view.indptr) == 0).any()
        for name, view in data.views.items()
        if name not in MEASURED_VIEWS
    )


def declared_folds(
    context: Context, repetitions: int, what: str
) -> Iterator[tuple[Fold, Views, np.ndarray]]:
    """Yield folds with scaled views and the order of the training rows, as declared."""
    data = context.data
    for fold in cross_validation(context, repetitions, what):
        views = scale_views(data, DECLARED_SCALING, fold.train)
        yield fold, views, orders(fold, DECLARED_PASSES, DECLARED_ORDER, data.name)


def printed_setting(settings: PaperSettings) -> dict[str, float]:
    """Return the settings that place a value in Table 2."""
    return {"folds": settings.folds, "C": settings.C, "gamma": settings.gamma}
