r"""K-means under cosine similarity, as CLUTO's direct clustering with criterion I2.

Rows are scaled to length one; the criterion :math:`\sum_k \| \sum_{i \in k} x_i \|` is the sum of
the cosines between rows and their unit centroids. It never falls from one sweep to the next.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from manyviews.kernels import spherical_kmeans as kernels
from manyviews.preprocessing.sparse import row_normalise
from manyviews.validation import check_positive_int, check_views


def _seed_centroids(X: sp.csr_matrix, k: int, rng: np.random.Generator) -> np.ndarray:
    """Pick k different non-zero rows at random as first centroids, (F, k)."""
    filled = np.flatnonzero(np.diff(X.indptr) > 0)
    pool = filled if filled.size >= k else np.arange(X.shape[0])
    rows = X[rng.choice(pool, size=k, replace=False)].toarray()
    return np.ascontiguousarray(rows.T)


def _refill(labels: np.ndarray, best: np.ndarray, k: int) -> None:
    """Give every empty cluster the row that fits its own cluster worst."""
    sizes = np.bincount(labels, minlength=k)
    if sizes.all():
        return
    order = np.argsort(best, kind="stable")
    position = 0
    for empty in np.flatnonzero(sizes == 0):
        while sizes[labels[order[position]]] <= 1:
            position += 1
        row = order[position]
        sizes[labels[row]] -= 1
        labels[row] = empty
        sizes[empty] = 1
        position += 1


def _lloyd(
    columns: sp.csr_matrix, centroids: np.ndarray, max_iter: int
) -> tuple[np.ndarray, np.ndarray, float, int]:
    """Alternate assignment and centroids until no row moves; return labels, centroids, value.

    ``columns`` (F, D) is the transpose of the data: the kernels go by features.
    """
    k, n_rows = centroids.shape[1], columns.shape[1]
    parts = (columns.indptr, columns.indices, columns.data)
    labels = np.full(n_rows, -1)
    new, best, work = np.empty_like(labels), np.empty(n_rows), np.empty((n_rows, 4))
    centroids = centroids.copy()
    value, sweeps = 0.0, 0
    while sweeps < max_iter:
        sweeps += 1
        kernels.assign(*parts, centroids, new, best, work)
        _refill(new, best, k)
        if np.array_equal(new, labels):
            break
        labels[:] = new
        value = kernels.unit_sums(*parts, labels, centroids)
    return labels, centroids, value, sweeps


class SphericalKMeans(ClusterMixin, BaseEstimator):
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

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        n_init: int = 10,
        max_iter: int = 100,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> SphericalKMeans:
        """Cluster the rows of one matrix (dense or sparse)."""
        k = check_positive_int("n_clusters", self.n_clusters)
        starts = check_positive_int("n_init", self.n_init)
        sweeps = check_positive_int("max_iter", self.max_iter)
        (view,) = check_views([X])
        if view.shape[0] < k:
            raise ValueError(f"{k} clusters need at least {k} rows, got {view.shape[0]}")
        unit = row_normalise(view, "l2")
        columns = unit.T.tocsr()
        rng = np.random.default_rng(self.random_state)
        best = None
        for _ in range(starts):
            found = _lloyd(columns, _seed_centroids(unit, k, rng), sweeps)
            if best is None or found[2] > best[2]:
                best = found
        assert best is not None
        self.labels_, centroids, self.criterion_, self.n_iter_ = best
        self.cluster_centers_ = np.ascontiguousarray(centroids.T)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the nearest centroid of each row."""
        check_is_fitted(self)
        (view,) = check_views([X])
        if view.shape[1] != self.cluster_centers_.shape[1]:
            raise ValueError(
                f"X has {view.shape[1]} columns, the fitted one {self.cluster_centers_.shape[1]}"
            )
        return (row_normalise(view, "l2") @ self.cluster_centers_.T).argmax(axis=1)
