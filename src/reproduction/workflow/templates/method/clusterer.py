"""MyMethod: say here what it does and where it comes from."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.preprocessing import normalize

from manyviews.base import MultiViewInput

__all__ = ["MyMethod"]


class MyMethod(MultiViewInput, ClusterMixin, BaseEstimator):
    """k-means on unit rows of all views side by side; replace it with your method.

    Parameters
    ----------
    n_clusters : int, default 8
        Number of clusters.
    random_state : int or None
        Seed of the starts.

    Attributes
    ----------
    labels_ : ndarray
        Cluster of every row.
    """

    _learnt = "labels_"

    def __init__(self, n_clusters: int = 8, *, random_state: int | None = None) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, Xs: Any, y: Any = None) -> "MyMethod":
        """Cluster the rows; ``y`` is ignored."""
        X = sp.hstack([normalize(X) for X in self._fit_views(Xs)]).tocsr()
        model = KMeans(self.n_clusters, n_init=1, random_state=self.random_state)
        self.labels_: np.ndarray = model.fit(X).labels_
        return self
