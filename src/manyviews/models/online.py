"""What the online classifiers share: views and labels checked before any weight moves.

Every check runs before the first update, so a rejected batch leaves the classifier as it was.
"""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin

from manyviews.alignment import some
from manyviews.base import LabelledScore, MultiViewInput, check_views, open_views
from manyviews.labels import UNLABELLED, label_vector, listed, refuse_quantities
from manyviews.seeding import generator
from manyviews.validation import check_positive_int, check_real, check_structure, check_view

Csr = tuple[np.ndarray, np.ndarray, np.ndarray]
_SIGNS = np.array([-1, 1])


def online_view(X: Any, name: str) -> sp.csr_matrix:
    """Return a view as canonical float64 CSR without copying one that already is.

    A stream is made of many small batches, so a batch in the right form is only read.
    """
    if sp.issparse(X) and X.format == "csr" and X.dtype == np.float64:
        check_structure(X, name)
        with np.errstate(over="ignore", invalid="ignore"):
            finite = np.isfinite(X.data.sum())  # and so every term: one pass, nothing allocated
        if 0 not in X.shape and X.has_canonical_format and finite:
            return X
    return check_view(X, name=name)


def csr_arrays(view: sp.csr_matrix) -> Csr:
    """Return (indptr, indices, data) in the types the kernels are compiled for.

    scipy keeps row pointers and columns in 32 or 64 bits as it sees fit; one choice here spares
    a second compilation. Columns without a sign spare the loops the test for negative ones.
    """
    indptr = view.indptr.astype(np.int64, copy=False)
    narrow = view.shape[1] <= np.iinfo(np.int32).max
    indices = view.indices.astype(np.int32 if narrow else np.int64, copy=False)
    columns = indices.view(np.uint32 if narrow else np.uint64)
    return indptr, columns, view.data


def online_labels(
    y: Any, n_rows: int, *, classes: Any = None, known: np.ndarray | None = None, binary: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the class number of every row, -1 where it has no label, and the sorted classes.

    A row without a label (None, NaN, or -1 among numbers) is left out of the stream. Where -1 and
    +1 are the only labels, or ``classes`` says so, -1 is a class: the convention of margins.
    ``classes`` are those that the caller names in a first batch, ``known`` those of earlier ones.
    """
    labels, lacking = label_vector(y, n_rows)
    if known is None:
        known = resolve_classes(labels[~lacking], classes, binary=binary)
    if labels.dtype.kind in "if" and not np.isin(UNLABELLED, known):
        lacking = lacking | (labels == UNLABELLED)
    rows = np.flatnonzero(~lacking)
    codes = np.full(n_rows, UNLABELLED, dtype=np.int64)
    codes[rows] = encode_labels(labels[rows], known, rows)
    return codes, known


def check_aggressiveness(C: Any) -> float:
    """Return C, a positive number."""
    if check_real("C", C, 0.0) == 0.0:
        raise ValueError("C must be positive; with C = 0 no round would change anything")
    return float(C)


def stream_order(codes: np.ndarray, rng: np.random.Generator | None = None) -> np.ndarray:
    """Return the labelled rows in the order given, or shuffled."""
    rows = np.flatnonzero(codes >= 0)
    return rows if rng is None else rows[rng.permutation(rows.size)]


def resolve_classes(labels: np.ndarray, classes: Any, *, binary: bool) -> np.ndarray:
    """Return the sorted classes of a first batch.

    ``classes`` wins where it is given. Labels within {-1, +1} mean these two classes even when
    only one of them is present; any other batch must show every class, because a class that
    appears later could not be told from a mistake.
    """
    if classes is not None:
        found = np.unique(np.asarray(classes))
    elif labels.size and labels.dtype.kind in "iuf" and np.isin(labels, _SIGNS).all():
        found = _SIGNS.astype(labels.dtype) if labels.dtype.kind != "u" else np.unique(labels)
    else:
        found = np.unique(labels)
        if labels.dtype.kind in "if":
            found = found[found != UNLABELLED]
        refuse_quantities(found, labels.size)
    if found.size < 2:
        raise ValueError(
            f"the labels hold one class alone, {found[0] if found.size else 'none'}; give both "
            "classes, or name them all with partial_fit(..., classes=[...])"
        )
    if binary and found.size > 2:
        raise ValueError(
            f"this classifier separates two classes, the labels name {found.size} "
            f"({some(found, 4)}); use MultiViewPassiveAggressive for more. "
            "Only binary classification is supported. The type of the target is multiclass."
        )
    return found


def encode_labels(labels: np.ndarray, classes: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the index of every label in ``classes``; a label outside them is an error."""
    comparable = (labels.dtype.kind in "US") == (classes.dtype.kind in "US")
    known = np.isin(labels, classes) if comparable else np.zeros(labels.size, dtype=bool)
    if not known.all():
        first = int(np.flatnonzero(~known)[0])
        raise ValueError(
            f"label {labels[first]!s} in row {rows[first]} is not one of the classes "
            f"{listed(classes)}; map the labels to these classes or start a new classifier"
        )
    return np.searchsorted(classes, labels).astype(np.int64)


class OnlineViews(LabelledScore, MultiViewInput, ClassifierMixin, BaseEstimator, ABC):
    """Passes over checked views; a learner says how it starts and what a pass does."""

    _learnt = "coef_"
    #: Name of the learner among its random numbers: a subclass draws the same.
    _seeded: str
    #: Views exactly, and whether there are two classes only.
    _n_views: int | None = None
    _binary = False
    C: float
    gamma: float
    max_iter: int
    shuffle: bool
    random_state: int
    trace: bool
    classes_: np.ndarray

    def fit(self, Xs: Any, y: Any) -> Self:
        """Start anew and run ``max_iter`` passes over the rows of all views."""
        passes = check_positive_int("max_iter", self.max_iter)
        views, codes = self._batch(Xs, y, started=False)
        rng = generator(self._seeded, self.random_state)
        for _ in range(passes):
            self._rounds(views, codes, stream_order(codes, rng if self.shuffle else None))
        self.n_iter_ = passes
        return self

    def partial_fit(self, Xs: Any, y: Any, classes: Any = None) -> Self:
        """Run one round per row, in the order given.

        Parameters
        ----------
        Xs, y
            One row or a batch, as a list of views.
        classes
            All classes; needed in the first call unless the labels are -1 and +1 or the first
            batch shows every class.
        """
        views, codes = self._batch(Xs, y, started=hasattr(self, "coef_"), classes=classes)
        self._rounds(views, codes, stream_order(codes))
        return self

    def _batch(
        self, Xs: Any, y: Any, *, started: bool, classes: Any = None
    ) -> tuple[list[sp.csr_matrix], np.ndarray]:
        """Return checked views and class numbers; the first batch sets up what is learnt."""
        if started:
            views = self._new_views(Xs, read=online_view)
        else:
            views = check_views(Xs, read=online_view, n_views=self._n_views)
        known = self.classes_ if started else None
        n_rows = views[0].shape[0]
        codes, found = online_labels(y, n_rows, classes=classes, known=known, binary=self._binary)
        check_aggressiveness(self.C)
        check_real("gamma", self.gamma, 0.0)
        self._check_parameters(len(views))
        if not started:
            widths = [view.shape[1] for view in views]
            self.classes_, self.n_rounds_ = found, 0
            self.trace_ = np.empty((0, len(views)))
            self._start(widths)
            self._note_views(Xs, widths, open_views(Xs)[1])
        return views, codes

    def _rounds(self, views: list[sp.csr_matrix], codes: np.ndarray, order: np.ndarray) -> None:
        trace = np.empty((order.size if self.trace else 0, len(views)))
        self._pass(views, codes, order, trace)
        self.n_rounds_ += order.size
        if self.trace:
            self.trace_ = np.concatenate([self.trace_, trace])

    def predict(self, Xs: Any) -> np.ndarray:
        """Return the class of every row; of equal scores, and of a score of 0, the first."""
        scores = self.decision_function(Xs)
        index = (scores > 0).astype(np.int64) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[index]

    @abstractmethod
    def _check_parameters(self, n_views: int) -> None:
        """Refuse wrong settings of the learner."""

    @abstractmethod
    def _start(self, widths: list[int]) -> None:
        """Set all weights to 0."""

    @abstractmethod
    def _pass(
        self, views: list[sp.csr_matrix], codes: np.ndarray, order: np.ndarray, trace: np.ndarray
    ) -> None:
        """Run one round a row; ``trace`` has a line a round for the views' scores, or none."""
