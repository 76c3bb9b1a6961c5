"""Co-training (Blum and Mitchell 1998) with multinomial naive Bayes on two views.

In every round both classifiers are trained on the labelled documents, each labels the documents
of a small random pool it is surest of (a fixed number per class), these join the labelled set of
both, and the pool is filled up again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin

from manyviews.base import LikeliestClass, MultiViewInput, observed_rows
from manyviews.kernels import cotraining as kernels
from manyviews.labels import listed, partial_labels
from manyviews.parts.naive_bayes import combine_posteriors, normalise_log
from manyviews.validation import check_positive_int, check_real

__all__ = ["CoTraining"]


@dataclass(eq=False, repr=False)
class CoTraining(LikeliestClass, MultiViewInput, ClassifierMixin, BaseEstimator):
    """Co-training of two naive Bayes classifiers.

    Parameters
    ----------
    per_class : None, int, list of int or mapping
        Documents each classifier labels per round: the same number for every class, numbers in
        the order of ``classes_``, or class to number. ``None``: 1 and 3 of two classes (the
        paper's p and n), 1 of each of more.
    pool_size : int, default 75
        Documents in the pool (the paper's u).
    max_iter : int, default 30
        Rounds; fewer if no unlabelled document is left.
    alpha : float, default 1
        Smoothing of naive Bayes.
    random_state : None, int or numpy.random.Generator
        Order in which documents enter the pool.

    Attributes
    ----------
    given_ : (D,) array
        Class numbers given in training, -1 for documents never labelled.
    labels_ : (D,) array
        Class of every training document: given, or else predicted.
    classes_ : ndarray
        The labels that occur, sorted.
    n_iter_ : int
        Rounds run.

    References
    ----------
    Avrim Blum and Tom Mitchell (1998). Combining labeled and unlabeled data with co-training.
    Conference on Computational Learning Theory.
    """

    _learnt = "given_"

    per_class: int | Sequence[int] | Mapping[Any, int] | None = None
    _: KW_ONLY
    pool_size: int = 75
    max_iter: int = 30
    alpha: float = 1.0
    random_state: int | np.random.Generator | None = None

    def fit(self, Xs: Any, y: Any) -> Self:
        """Fit to two views; None, NaN or -1 in ``y`` marks the unlabelled documents."""
        views = self._fit_views(Xs, nonnegative=True, n_views=2)
        labels, classes = partial_labels(y, views[0].shape[0])
        wanted = self._per_class(classes)
        pool_size = check_positive_int("pool_size", self.pool_size)
        max_iter = check_positive_int("max_iter", self.max_iter)
        alpha = check_real("alpha", self.alpha, low=1e-12)
        rng = np.random.default_rng(self.random_state)
        self._model = cotrain_views(views, labels, wanted, pool_size, max_iter, alpha, rng)
        self.given_, self.n_iter_ = self._model.labels, self._model.rounds
        self.classes_ = classes
        posteriors = combine_posteriors(self._model.posteriors(views), "mean", observed_rows(Xs))
        guess = posteriors.argmax(axis=1)
        self.labels_ = classes[np.where(self.given_ >= 0, self.given_, guess)]
        return self

    def _per_class(self, classes: np.ndarray) -> np.ndarray:
        """Return how many documents of each class are labelled per round."""
        given, names = self.per_class, classes.tolist()
        if given is None:
            given = (1, 3) if classes.size == 2 else 1
        if isinstance(given, Mapping) and set(given) == set(names):
            given = [given[name] for name in names]
        if isinstance(given, int | np.integer):
            given = [check_positive_int("per_class", given)] * classes.size
        if not isinstance(given, list | tuple | np.ndarray) or len(given) != classes.size:
            raise ValueError(
                f"per_class={given!r} does not fit the {classes.size} classes of y "
                f"({listed(classes)}); give one number for all, such as per_class=1, or one each"
            )
        return np.array([check_positive_int(f"per_class[{c}]", n) for c, n in enumerate(given)])

    def view_posteriors(self, Xs: Any) -> list[np.ndarray]:
        """Return p(c|d) of each view's final classifier."""
        views = self._new_views(Xs, nonnegative=True)
        return self._model.posteriors(views)

    def predict_proba(self, Xs: Any) -> np.ndarray:
        """Return the mean of the two posteriors, or that of the one view a row has."""
        posteriors = self.view_posteriors(Xs)
        return combine_posteriors(posteriors, "mean", observed_rows(Xs, self.view_names_in_))


@dataclass
class CoTrained:
    """Result of co-training: the labels given, the two classifiers, the rounds run."""

    labels: np.ndarray
    #: Of each view the smoothed counts (F, Z), their logarithms and the class totals.
    tables: list[tuple[np.ndarray, np.ndarray, np.ndarray]]
    rounds: int

    def posteriors(self, views: Sequence[sp.csr_matrix]) -> list[np.ndarray]:
        """Return p(c|d) of each view's classifier for documents given as checked CSR views."""
        n_classes = self.tables[0][2].size
        sizes = np.bincount(self.labels[self.labels >= 0], minlength=n_classes) * 1.0
        rows = np.arange(views[0].shape[0])
        found = []
        for X, (_, logs, totals) in zip(views, self.tables, strict=True):
            out = np.empty((rows.size, n_classes))
            kernels.log_joint(X.indptr, X.indices, X.data, rows, logs, totals, sizes, out)
            found.append(normalise_log(out))
        return found


def cotrain_views(
    views: Sequence[sp.csr_matrix],
    labels: np.ndarray,
    per_class: np.ndarray,
    pool_size: int,
    n_iter: int,
    alpha: float,
    order: np.ndarray | np.random.Generator,
) -> CoTrained:
    """Co-train on two views known to be sound: searches over many settings save the checks.

    ``order`` is that in which unlabelled documents enter the pool, or draws it.
    """
    if isinstance(order, np.random.Generator):
        order = order.permutation(np.flatnonzero(labels < 0))
    given = labels.copy()
    tables, arrays = [], []
    for X in views:
        counts = np.full((X.shape[1], per_class.size), alpha)
        tables.append((counts, np.log(counts), np.full(per_class.size, alpha * X.shape[1])))
        arrays += [X.indptr, X.indices, X.data, *tables[-1]]
    rounds = kernels.cotrain(*arrays, given, order, per_class, pool_size, n_iter)
    return CoTrained(given, tables, int(rounds))


def cotrain_rounds(
    views: Sequence[sp.csr_matrix],
    labels: np.ndarray,
    per_class: np.ndarray,
    pool_size: int,
    n_iter: int,
    alpha: float,
    rng: np.random.Generator,
) -> Iterator[CoTrained]:
    """Co-train one round at a time: yield what a run of 1, 2, ... rounds gives.

    It ends early when no unlabelled document is left, as later rounds would change nothing. The
    pool always holds the first documents of the random order that are still unlabelled, so every
    round can start from the labels so far.
    """
    order = rng.permutation(np.flatnonzero(labels < 0))
    given = labels
    for done in range(n_iter):
        left = order[given[order] < 0]
        if left.size == 0:
            return
        model = cotrain_views(views, given, per_class, pool_size, 1, alpha, left)
        given = model.labels
        yield replace(model, rounds=done + 1)
