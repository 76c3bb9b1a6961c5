"""Clustering that knows one table only: a single view, or all views side by side."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, clone

from manyviews.base import MultiViewInput, called, observed_rows
from manyviews.models.plsa import PLSA
from manyviews.preprocessing.sparse import hstack_csr
from manyviews.validation import check_positive_int

__all__ = ["ConcatenatedViews", "PLSAClustering", "SingleView"]


class PLSAClustering(ClusterMixin, PLSA):
    """PLSA whose topics are the clusters: ``labels_`` is the largest p(z | d) of a document."""

    labels_: np.ndarray

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit PLSA and read the clusters off the topics."""
        super().fit(X, sample_weight=sample_weight)
        self.labels_ = self.doc_topic_.argmax(axis=1)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Learn from a batch and read its clusters off the topics."""
        self.labels_ = super().partial_fit(X).doc_topic_.argmax(axis=1)
        return self


@dataclass(eq=False, repr=False)
class SingleView(MultiViewInput, ClusterMixin, BaseEstimator):
    """Run a one-table clusterer on one of the views.

    Parameters
    ----------
    estimator
        Clusterer with ``fit(X)`` and ``labels_``; it is cloned.
    view : int
        Which view it sees.

    Attributes
    ----------
    estimator_
        The fitted clusterer.
    labels_ : ndarray (D,)
        Its clusters; -1 for rows that lack the view.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.cluster import KMeans
    >>> words, links = np.array([[3, 0], [2, 0], [0, 3]]), np.ones((3, 1))
    >>> labels = SingleView(KMeans(2, n_init=1, random_state=0)).fit_predict([words, links])
    >>> bool(labels[0] == labels[1] != labels[2])
    True
    """

    estimator: Any
    _: KW_ONLY
    view: int = 0

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster the chosen view; the others are checked and ignored."""
        views = self._fit_views(Xs)
        if check_positive_int("view", self.view, 0) >= len(views):
            raise ValueError(f"view={self.view}, but there are {len(views)} views")
        n_rows, observed = views[0].shape[0], observed_rows(Xs)
        here = np.arange(n_rows) if observed is None else np.flatnonzero(observed[:, self.view])
        if here.size == 0:
            name = called(self.view_names_in_, len(views))[self.view]
            raise ValueError(f"{name} has no row; there is nothing to cluster")
        self.estimator_ = clone(self.estimator).fit(views[self.view][here])
        self.labels_ = np.full(n_rows, -1, dtype=self.estimator_.labels_.dtype)
        self.labels_[here] = self.estimator_.labels_
        return self


@dataclass(eq=False, repr=False)
class ConcatenatedViews(MultiViewInput, ClusterMixin, BaseEstimator):
    """Run a one-table clusterer on all views' columns side by side, as they are.

    Nothing is rescaled: a view with larger values weighs more. Normalise before if that is not
    wanted.

    Parameters
    ----------
    estimator
        Clusterer with ``fit(X)`` and ``labels_``; it is cloned.

    Attributes
    ----------
    estimator_
        The fitted clusterer.
    labels_ : ndarray (D,)
        Its clusters. A view that a row lacks is zero in the table: for PLSA that is the
        likelihood of what is there, for distances it is a value like any other.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.cluster import KMeans
    >>> words, links = np.array([[3, 0], [2, 0], [0, 3]]), np.array([[1], [1], [4]])
    >>> labels = ConcatenatedViews(KMeans(2, n_init=1, random_state=0)).fit_predict([words, links])
    >>> bool(labels[0] == labels[1] != labels[2])
    True
    """

    estimator: Any

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster the concatenation of the views."""
        self.estimator_ = clone(self.estimator).fit(hstack_csr(self._fit_views(Xs)))
        self.labels_ = self.estimator_.labels_
        return self
