"""Names and settings; how rows are split, scaled and ordered, how the methods pass over them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import numpy as np
import scipy.sparse as sp
from pydantic import Field

from manyviews.preprocessing.sparse import binarise, hstack_csr, idf_weight, row_normalise
from reproduction.data.format import MultiViewData
from reproduction.results.cases import Step
from reproduction.results.settings import Settings, section, setting

PAPER = "twoview_pa"
DATASETS = ("ads", "webkb_course", "product_review", "opinion_spam")

VIEW_1, VIEW_2, CAT, TWO_VIEW = "PA View 1", "PA View 2", "PA Cat", "Two-view PA"
#: The methods of Table 2.
PRINTED = (VIEW_1, VIEW_2, CAT, TWO_VIEW)
#: What the figures set two-view PA against: two classifiers that know nothing of each other.
ALONE = "PA on each view"
SUM, MAJORITY, ALL_POSITIVE = "sum of two PA", "majority", "all positive"
EQ_11, EXACT, UNGATED = "Two-view PA, eq. 11", "Two-view PA, exact", "Two-view PA, exact, no gate"
#: Those that stop at zero loss, as the paper's algorithm does.
GATED = (TWO_VIEW, EQ_11, EXACT)
#: Rule of the corrected updates for rows that are empty in a view; that of the printed one is open.
FIXED_RULE = {EQ_11: "zero", EXACT: "exact", UNGATED: "exact"}
#: Two-view method -> variant and gate.
VARIANTS = {
    TWO_VIEW: ("printed", "loss"),
    EQ_11: ("eq11", "loss"),
    EXACT: ("exact", "loss"),
    UNGATED: ("exact", "always"),
}
#: Tables of all choices at once; what was tuned there: C and gamma for given rows and passes, or
#: these too; and the reading of such rows.
COMBINED, NESTED = "choice:combined", "choice:tuned"
INNER, EVERYTHING, CHOSEN = "C and gamma", "everything", "tuned"
PROGRESSIVE = "progressive"
#: Five numbers measured on a review: 0/1 would erase them, so they are standardised instead.
MEASURED_VIEWS = frozenset({"formal"})


def role_of(method: str) -> str:
    """Return who stands behind a method: the paper, a control, or us."""
    if method in (SUM, MAJORITY, ALL_POSITIVE):
        return "control"
    return "published" if method in (*PRINTED, ALONE) else "ours"


T = TypeVar("T")
Several = Annotated[list[T], Field(min_length=1)]
Count = Annotated[int, Field(ge=1, le=1000)]
Aggressiveness = Annotated[float, Field(gt=0, le=1e6)]
Agreement = Annotated[float, Field(ge=0, le=1e6)]
Scaling = Literal["binary", "unit", "idf"]
Order = Literal["shuffled", "given"]
EmptyRule = Literal["zero", "exact", "single", "skip", "limit"]


# fmt: off
class Choices(Settings):
    """What the paper leaves open: the alternatives that are run."""

    repetitions: Count = setting(
        3, "Repetitions of the cross-validation where all choices are combined.", quick=1)
    passes: Several[Count] = setting(
        [1, 2, 5, 10], "Numbers of passes after which the test fold is scored.", quick=[1, 2])
    scalings: Several[Scaling] = setting(
        ["binary", "unit", "idf"], "Row scalings: 0/1, unit norm, or 0/1 times idf.")
    orders: Several[Order] = setting(
        ["shuffled", "given"], "Training rows: shuffled in every pass, or as in the file.")
    empty: Several[EmptyRule] = setting(
        ["zero", "exact", "single", "skip", "limit"],
        "Rules of the printed update for rows that are empty in a view; the first one is used "
        "where no row is.")
    C: Several[Aggressiveness] = setting(
        [0.01, 0.03, 0.1, 0.3, 1.0], "Values of C, combined and tuned.", quick=[0.03, 0.1])
    gamma: Several[Agreement] = setting(
        [0.005, 0.015, 0.05, 0.15, 0.5], "Values of gamma, combined and tuned.", quick=[0.05, 0.5])


class Tuned(Settings):
    """Cross-validation inside the training folds, which chooses C and gamma."""

    repetitions: Count = setting(3, "Repetitions of the outer cross-validation.", quick=1)
    inner_folds: int = setting(3, "Folds inside every training fold.", quick=2, ge=2, le=20)
    passes: Several[Count] = setting([1, 5], "Numbers of passes that are tuned for.", quick=[1])


class PaperSettings(Settings):
    """All settings of the paper; defaults are its own where it gives them."""

    folds: int = setting(5, "Folds of the cross-validation (the paper has 5).", ge=2, le=20)
    repetitions: Count = setting(
        80, "How often the cross-validation of Table 2 is repeated with new folds.", quick=2)
    C: Aggressiveness = setting(0.1, "C in Table 2 and the figures (the paper has 0.1).")
    gamma: Agreement = setting(0.5, "Agreement in Table 2 and the figures (the paper has 0.5).")
    figure_runs: Count = setting(40, "Random orders of the stream behind Figures 1 to 3.", quick=2)
    scaling: Scaling = setting("binary", "Row scaling in Table 2 and the figures.")
    order: Order = setting("shuffled", "Order of the training rows in Table 2.")
    passes: Count = setting(1, "Passes over the training rows in Table 2.")
    empty: EmptyRule = setting("zero", "The printed update at rows that are empty in a view.")
    scored: Literal["held out", "progressive"] = setting(
        "held out", "Predictions that F1 is taken on: of the test fold, or made during training.")
    f1_of: Literal["positive", "both"] = setting(
        "positive", "F1 of the positive class, or the mean of both classes.")
    choices: Choices = section(Choices, "What the paper leaves open.")
    tuned: Tuned = section(Tuned, "C and gamma chosen inside the training folds.")
# fmt: on


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
    return 2.0 * data.labels - 1.0


def deal(
    labels: np.ndarray, n_folds: int, rng: np.random.Generator
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return training and test rows of stratified folds: rows of each class are dealt in turn."""
    groups = [rng.permutation(np.flatnonzero(labels == value)) for value in np.unique(labels)]
    place = np.empty(labels.size, dtype=np.int64)
    place[np.concatenate(groups)] = np.arange(labels.size) % n_folds
    return [(np.flatnonzero(place != k), np.flatnonzero(place == k)) for k in range(n_folds)]


def scale_view(X: Any, scaling: str, train: np.ndarray, measured: bool) -> Any:
    """Return a view as 0/1 (``binary``), released values on unit rows, or 0/1 times idf.

    Document frequencies, means and deviations come from the training rows. A measured view is
    standardised, and for ``unit`` also scaled to unit rows.
    """
    if measured:
        dense = X.toarray()
        spread = dense[train].std(axis=0)
        spread[spread == 0] = 1.0
        X = sp.csr_matrix((dense - dense[train].mean(axis=0)) / spread)
    if scaling == "unit":
        return row_normalise(X)
    if measured:
        return X
    flags = binarise(X)
    if scaling == "binary":
        return flags
    weighted = idf_weight(flags, reference=flags[train])
    weighted.eliminate_zeros()
    return weighted


def scale_views(data: MultiViewData, scaling: str, train: np.ndarray) -> tuple[Any, Any, Any]:
    """Return both views scaled, and the concatenation of the scaled views."""
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


class Scores(NamedTuple):
    """Training rows as they came, both views' scores before each update; scores of test rows.

    The weights are those of the last pass that was made.
    """

    order: np.ndarray
    before: np.ndarray
    test: np.ndarray
    weights: Sequence[np.ndarray] = ()


def single_passes(part: Fold, C: float, which: int) -> Iterator[Scores]:
    """Yield the scores of PA-I on one view, pass by pass."""
    from manyviews.kernels.passive_aggressive import MODES, pa_pass, row_scores
    from manyviews.models.online import csr_arrays

    view, weights = csr_arrays(part.views[which]), np.zeros(part.views[which].shape[1])
    for order in part.orders:
        trace, scores = np.empty(order.size), np.zeros(part.test.size)
        pa_pass(*view, part.y, order, weights, C, MODES["PA-I"], trace)
        row_scores(*view, part.test, weights, scores)
        yield Scores(order, trace[:, None], scores, [weights])


def summed_passes(part: Fold, C: float) -> Iterator[Scores]:
    """Yield the scores of PA-I on either view, added."""
    both = (single_passes(part, C, which) for which in range(2))
    for one, two in zip(*both, strict=True):
        yield Scores(one.order, np.hstack([one.before, two.before]), one.test + two.test)


def two_view_passes(
    part: Fold, C: float, gamma: float, empty: str, method: str
) -> Iterator[Scores]:
    """Yield the scores of a two-view method, pass by pass."""
    from manyviews.kernels import passive_aggressive as kernels
    from manyviews.models.online import csr_arrays

    variant, gate = VARIANTS[method]
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
        yield Scores(order, trace, scores * 0.5, weights)


#: Method -> its fit, which yields the scores after every pass.
FITS: dict[str, Callable[..., Iterator[Scores]]] = {
    VIEW_1: partial(single_passes, which=0),
    VIEW_2: partial(single_passes, which=1),
    CAT: partial(single_passes, which=2),
    SUM: summed_passes,
    TWO_VIEW: partial(two_view_passes, method=TWO_VIEW),
    **{name: partial(two_view_passes, method=name, empty=FIXED_RULE[name]) for name in FIXED_RULE},
}


def f1_pct(scores: np.ndarray, positive: np.ndarray) -> float:
    """Return F1 of the positive class in per cent; a score of 0 is negative."""
    said = scores > 0
    marked = said.sum() + positive.sum()
    return float(200.0 * (said & positive).sum() / np.maximum(marked, 1))


#: What was tuned, for which rows and passes, and F1 on the test fold.
Picked = tuple[str, str, int, float]


def candidates(
    part: Fold, method: str, choices: Choices, passes: Sequence[int], empty: str
) -> np.ndarray:
    """Return F1 of every candidate (C, or C and gamma) after some passes."""
    fit, rows = Step.of(FITS[method], 1), []
    own = [name for name in ("C", "gamma") if name in fit.asks]
    for values in product(*(getattr(choices, name) for name in own)):
        scores = list(fit.result({"empty": empty, **dict(zip(own, values, strict=True))}, part))
        rows.append([f1_pct(scores[n - 1].test, part.y[part.test] > 0) for n in passes])
    return np.array(rows)


def picks(
    inner: Mapping[str, np.ndarray], outer: Mapping[str, np.ndarray], passes: Sequence[int]
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


def weight_gaps(part: Fold, C: float, gamma: float, method: str) -> dict[str, float]:
    """Give view 1 as both views; return the largest difference of a weight to PA-I with C, C/2."""
    twice = replace(part, views=part.views[:1] * 3)
    both = next(two_view_passes(twice, C, gamma, "exact", method)).weights
    gaps = {}
    for name, value in (("C", C), ("C/2", C / 2)):
        (single,) = next(single_passes(twice, value, 0)).weights
        gaps[name] = max(float(np.abs(weights - single).max()) for weights in both)
    return gaps
