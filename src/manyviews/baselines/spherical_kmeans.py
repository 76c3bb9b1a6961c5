"""K-means under cosine similarity (:mod:`manyviews.parts.cosine_kmeans`)."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from manyviews.base import OneMatrixInput
from manyviews.parts.cosine_kmeans import cosine_kmeans
from manyviews.preprocessing.sparse import row_normalise
from manyviews.validation import check_fewer, check_positive_int

__all__ = ["SphericalKMeans"]


@dataclass(eq=False, repr=False)
class SphericalKMeans(OneMatrixInput, ClusterMixin, BaseEstimator):
    """Cosine k-means: best of several random starts.

    Parameters
    ----------
    n_clusters : int
        Number of clusters k.
    n_init : int, default 10
        Random starts (CLUTO's number of trials); the one with the largest criterion is kept.
    max_iter : int, default 100
        Sweeps per start at most.
    random_state : None, int or numpy.random.Generator
    n_jobs : None or int
        Starts that run side by side, on threads; -1 for one per core. The result is the same.

    Attributes
    ----------
    labels_ : (D,) array
        Cluster of every row. Zero rows have cosine 0 with all and go to cluster 0.
    cluster_centers_ : (k, F) array
        Unit centroids.
    criterion_ : float
        Sum of cosines.
    n_iter_ : int
        Sweeps of the best start.
    """

    n_clusters: int = 2
    _: KW_ONLY
    n_init: int = 10
    max_iter: int = 100
    random_state: int | np.random.Generator | None = None
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Cluster the rows of one matrix (dense or sparse)."""
        starts = check_positive_int("n_init", self.n_init)
        sweeps = check_positive_int("max_iter", self.max_iter)
        view = self._fit_matrix(X)
        k = check_fewer("n_clusters", self.n_clusters, view.shape[0])
        rng = np.random.default_rng(self.random_state)
        best = cosine_kmeans(view, k, rng, n_init=starts, max_iter=sweeps, n_jobs=self.n_jobs)
        self.labels_, centroids, self.criterion_, self.n_iter_ = best
        self.cluster_centers_ = np.ascontiguousarray(centroids.T)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the nearest centroid of each row."""
        check_is_fitted(self, "cluster_centers_")
        view = self._new_matrix(X)
        return (row_normalise(view, "l2") @ self.cluster_centers_.T).argmax(axis=1)
