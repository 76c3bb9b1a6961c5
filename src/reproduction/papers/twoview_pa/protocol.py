"""How rows are split, scaled and ordered, how the methods pass over them, and what F1 is.

The library is imported where it is called: every plan reads this file, few need the compiled loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

from reproduction.papers.twoview_pa.columns import EVERYTHING, INNER
from reproduction.papers.twoview_pa.methods import (
    CAT,
    EQ_11,
    EXACT,
    SUM,
    TWO_VIEW_METHODS,
    VIEW_1,
    VIEW_2,
)

if TYPE_CHECKING:
    from reproduction.data.format import MultiViewData
    from reproduction.papers.twoview_pa.settings import Choices

Fit = Callable[..., Iterator[np.ndarray]]

#: Predictions that F1 is taken on: of the test fold, or made during training.
HELD_OUT, PROGRESSIVE = "held out", "progressive"
#: Rule of the corrected updates for rows that are empty in a view; that of the printed one is open.
FIXED_RULE = {EQ_11: "zero", EXACT: "exact", "Two-view PA, exact, no gate": "exact"}
#: Groups of columns of the ads data, as its documentation names them.
ADS_GROUPS = ("url", "ancurl", "alt", "origurl")


@dataclass(frozen=True)
class Fold:
    """Signs of all rows; scaled views and their concatenation; rows of training by pass; test."""

    y: np.ndarray
    views: tuple[Any, Any, Any]
    train: np.ndarray
    test: np.ndarray
    orders: np.ndarray


def signs(data: MultiViewData) -> np.ndarray:
    """Return +1 for the class that is counted (ads, course pages, spam) and -1 for the other."""
    if len(data.class_names) != 2 or data.labels.min() < 0:
        raise ValueError(
            f"{data.name} has the classes {', '.join(data.class_names)}; two-view PA needs two "
            "and a label on every row"
        )
    return 2.0 * data.labels - 1.0


def deal(
    labels: np.ndarray, n_folds: int, rng: np.random.Generator
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return training and test rows of stratified folds.

    The rows of each class are shuffled and dealt out in turn, one class after the other, so that
    neither a class's share nor a fold's size differs by more than one row.
    """
    groups = [rng.permutation(np.flatnonzero(labels == value)) for value in np.unique(labels)]
    place = np.empty(labels.size, dtype=np.int64)
    place[np.concatenate(groups)] = np.arange(labels.size) % n_folds
    return [(np.flatnonzero(place != k), np.flatnonzero(place == k)) for k in range(n_folds)]


def scale_view(X: Any, scaling: str, train: np.ndarray, measured: bool) -> Any:
    """Return a view as 0/1 (``binary``), released values on unit rows, or 0/1 times idf.

    Document frequencies, means and deviations come from the training rows. A measured view is
    standardised, and for ``unit`` also scaled to unit rows.
    """
    import scipy.sparse as sp

    from manyviews.preprocessing.sparse import binarise, idf_weight, row_normalise

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


#: Five numbers measured on a review: 0/1 would erase them, so they are standardised instead.
MEASURED_VIEWS = frozenset({"formal"})


def scale_views(data: MultiViewData, scaling: str, train: np.ndarray) -> tuple[Any, Any, Any]:
    """Return both views scaled, and the concatenation of the scaled views."""
    from manyviews.preprocessing.sparse import hstack_csr

    if len(data.views) != 2:
        raise ValueError(f"{data.name} has {len(data.views)} views; two-view PA needs two")
    first, second = (
        scale_view(X, scaling, train, name in MEASURED_VIEWS) for name, X in data.views.items()
    )
    return first, second, hstack_csr([first, second])


def passes_over(train: np.ndarray, count: int, order: str, rng: np.random.Generator) -> np.ndarray:
    """Return the training rows in the order of every pass, shape (passes, rows)."""
    if order == "given":
        return np.tile(np.sort(train), (count, 1))
    return np.stack([rng.permutation(train) for _ in range(count)])


def cross_validation(
    data: MultiViewData, run: int, seeded: Any,
    folds: int, scaling: str, order: str, passes: int, choices: Choices,
) -> Iterator[Fold]:  # fmt: skip
    """Yield the folds of one repetition; all tables see the same."""
    y, most = signs(data), max(passes, *choices.passes)
    for k, (train, test) in enumerate(deal(data.labels, folds, seeded("folds", run))):
        rows = passes_over(train, most, order, seeded("order", run, k))
        yield Fold(y, scale_views(data, scaling, train), train, test, rows)


def has_empty_rows(data: MultiViewData) -> bool:
    """Tell whether some row is empty in one of the two views."""
    views = [view for name, view in data.views.items() if name not in MEASURED_VIEWS]
    return any((np.diff(view.indptr) == 0).any() for view in views)


def single_passes(part: Fold, which: int, C: float) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield, pass by pass, the scores of PA-I before each round and those of the test rows."""
    from manyviews.kernels.passive_aggressive import MODES, pa_pass, row_scores
    from manyviews.models.online import csr_arrays

    view, weights = csr_arrays(part.views[which]), np.zeros(part.views[which].shape[1])
    for order in part.orders:
        trace, scores = np.empty(order.size), np.zeros(part.test.size)
        pa_pass(*view, part.y, order, weights, C, MODES["PA-I"], trace)
        row_scores(*view, part.test, weights, scores)
        yield trace, scores


def two_view_passes(
    part: Fold, C: float, gamma: float, method: str, empty: str
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield, pass by pass, both views' scores before each round and those of the test rows."""
    from manyviews.kernels import passive_aggressive as kernels
    from manyviews.models.online import csr_arrays

    variant, gate = TWO_VIEW_METHODS[method]
    codes = kernels.VARIANTS[variant], kernels.GATES[gate], kernels.EMPTY_RULES[empty]
    views = [csr_arrays(X) for X in part.views[:2]]
    weights = [np.zeros(X.shape[1]) for X in part.views[:2]]
    for order in part.orders:
        trace, scores = np.empty((order.size, 2)), np.zeros(part.test.size)
        kernels.two_view_pass(
            *views[0], *views[1], part.y, order, *weights, C, gamma, *codes, trace
        )
        for view, w in zip(views, weights, strict=True):
            kernels.row_scores(*view, part.test, w, scores)
        yield trace, scores * 0.5


def _single(which: int) -> Fit:
    def fit(part: Fold, C: float, scored: str) -> Iterator[np.ndarray]:
        for trace, scores in single_passes(part, which, C):
            yield trace if scored == PROGRESSIVE else scores

    return fit


def _summed(part: Fold, C: float, scored: str) -> Iterator[np.ndarray]:
    for one, two in zip(_single(0)(part, C, scored), _single(1)(part, C, scored), strict=True):
        yield one + two


def _two_view(method: str) -> Fit:
    def fit(part: Fold, C: float, gamma: float, scored: str, empty: str) -> Iterator[np.ndarray]:
        for trace, scores in two_view_passes(part, C, gamma, method, empty):
            yield trace.sum(axis=1) if scored == PROGRESSIVE else scores

    def corrected(part: Fold, C: float, gamma: float, scored: str) -> Iterator[np.ndarray]:
        yield from fit(part, C, gamma, scored, FIXED_RULE[method])

    return corrected if method in FIXED_RULE else fit


#: Method -> its fit, which yields after every pass the scores that F1 is taken on.
FITS: dict[str, Fit] = {
    VIEW_1: _single(0),
    VIEW_2: _single(1),
    CAT: _single(2),
    SUM: _summed,
    **{method: _two_view(method) for method in TWO_VIEW_METHODS},
}


def f1_pct(scores: np.ndarray, positive: np.ndarray) -> float:
    """Return F1 of the positive class in per cent; a score of 0 is negative."""
    said = scores > 0
    hits = (said & positive).sum()
    marked = said.sum() + positive.sum()
    return float(200.0 * hits / np.maximum(marked, 1))


def others(values: Sequence[Any], declared: Any) -> list[Any]:
    """Return the values of a choice besides the declared one."""
    return [value for value in values if value != declared]


def weight_gaps(part: Fold, C: float, gamma: float, method: str) -> dict[str, float]:
    """Give view 1 as both views; return the largest difference of a weight to PA-I with C, C/2."""
    from manyviews.kernels import passive_aggressive as kernels
    from manyviews.models.online import csr_arrays

    view, width = csr_arrays(part.views[0]), part.views[0].shape[1]
    variant, gate = TWO_VIEW_METHODS[method]
    codes = kernels.VARIANTS[variant], kernels.GATES[gate], kernels.EMPTY_RULES["exact"]
    both, order = [np.zeros(width), np.zeros(width)], part.orders[0]
    kernels.two_view_pass(*view, *view, part.y, order, *both, C, gamma, *codes, np.empty((0, 2)))
    gaps = {}
    for name, value in (("C", C), ("C/2", C / 2)):
        single = np.zeros(width)
        kernels.pa_pass(*view, part.y, order, single, value, kernels.MODES["PA-I"], np.empty(0))
        gaps[name] = max(float(np.abs(weights - single).max()) for weights in both)
    return gaps


@dataclass(frozen=True)
class Nested:
    """An outer fold, and the inner folds of its training rows, by row scaling."""

    outer: dict[str, Fold]
    inner: dict[str, list[Fold]]


#: What was tuned, for which rows and passes, and F1 on the test fold.
Picked = tuple[str, str, int, float]


def picks(
    inner: dict[str, np.ndarray], outer: dict[str, np.ndarray], passes: Sequence[int]
) -> Iterator[Picked]:
    """Yield F1 of the candidate that is best inside; ties go to the first in the declared order."""
    best, taken = -np.inf, None
    for scaling, (j, count) in product(inner, enumerate(passes)):
        column = inner[scaling][:, j]
        k = int(np.argmax(column))
        found = (scaling, count, float(outer[scaling][k, j]))
        yield INNER, *found
        if column[k] > best:
            best, taken = column[k], found
    if taken is not None:
        yield EVERYTHING, *taken


def original_views(data: MultiViewData) -> list[Any]:
    """Return the columns of every group in ``ADS_GROUPS`` as a view of its own.

    A surrogate has no column names; its columns are then cut into the same number of views.
    """
    import scipy.sparse as sp

    from manyviews.preprocessing.sparse import hstack_csr

    stacked = hstack_csr(data.Xs())
    names = [name for view in data.views for name in data.feature_names.get(view, [])]
    if len(names) != stacked.shape[1]:
        cuts = np.linspace(0, stacked.shape[1], len(ADS_GROUPS) + 1).astype(int)
        groups = [np.arange(a, b) for a, b in pairwise(cuts)]
    else:
        prefixes = np.array([name.partition("*")[0] for name in names])
        groups = [np.flatnonzero(prefixes == group) for group in ADS_GROUPS]
    return [sp.csr_matrix(stacked[:, columns]) for columns in groups]
