"""Clustering that knows one table only: a single view, or all views side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, clone

from manyviews.base import MultiViewInput
from manyviews.models.plsa import PLSA
from manyviews.preprocessing.sparse import hstack_csr
from manyviews.validation import check_positive_int

__all__ = ["ConcatenatedViews", "PLSAClustering", "SingleView"]


class PLSAClustering(ClusterMixin, PLSA):
    """PLSA whose topics are the clusters: ``labels_`` is the largest p(z | d) of a document."""

    labels_: np.ndarray

    def fit(self, X: Any, y: Any = None) -> PLSAClustering:
        """Fit PLSA and read the clusters off the topics."""
        super().fit(X)
        self.labels_ = self.doc_topic_.argmax(axis=1)
        return self


class SingleView(MultiViewInput, ClusterMixin, BaseEstimator):
    """Run a one-table clusterer on one of the views.

    Parameters
    ----------
    estimator
        Clusterer with ``fit(X)`` and ``labels_``; it is cloned.
    view : int
        Which view it sees.
    """

    def __init__(self, estimator: Any, *, view: int = 0) -> None:
        self.estimator = estimator
        self.view = view

    def fit(self, Xs: Any, y: Any = None) -> SingleView:
        """Cluster the chosen view; the others are checked and ignored."""
        views = self._fit_views(Xs)
        if check_positive_int("view", self.view, 0) >= len(views):
            raise ValueError(f"view={self.view}, but there are {len(views)} views")
        self.estimator_ = clone(self.estimator).fit(views[self.view])
        self.labels_ = self.estimator_.labels_
        return self


class ConcatenatedViews(MultiViewInput, ClusterMixin, BaseEstimator):
    """Run a one-table clusterer on all views' columns side by side, as they are.

    Nothing is rescaled: a view with larger values weighs more. Normalise before if that is not
    wanted.

    Parameters
    ----------
    estimator
        Clusterer with ``fit(X)`` and ``labels_``; it is cloned.
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, Xs: Any, y: Any = None) -> ConcatenatedViews:
        """Cluster the concatenation of the views."""
        self.estimator_ = clone(self.estimator).fit(hstack_csr(self._fit_views(Xs)))
        self.labels_ = self.estimator_.labels_
        return self
