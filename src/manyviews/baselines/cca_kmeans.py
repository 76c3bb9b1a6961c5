"""Clustering in the space of canonical correlations (Chaudhuri et al. 2009): CCA, then k-means."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans

from manyviews.base import MultiViewInput, observed_rows
from manyviews.baselines.cca import CCA
from manyviews.baselines.vote_plsa import topics_of_views
from manyviews.validation import check_fewer, check_positive_int, check_view_number
from manyviews.views import Views

__all__ = ["CCAKMeans"]


@dataclass(eq=False, repr=False)
class CCAKMeans(MultiViewInput, ClusterMixin, BaseEstimator):
    """Project two views on their canonical directions and run k-means on a projection.

    Parameters
    ----------
    n_clusters : int
        Number of clusters K.
    n_components : int or None
        Canonical directions kept; K - 1 by default (K groups span K - 1 directions), and never
        more than the narrower view has columns.
    reg : float
        Ridge of the covariance matrices (see :class:`~manyviews.baselines.cca.CCA`).
    n_topics : int or None
        Reduce every view to this many topics by PLSA first, for views too wide for CCA.
    plsa_iter : int
        Iterations of that PLSA.
    label_view : int
        View whose projection is clustered.
    n_init : int, default 10
        Starts of k-means, of which the best is kept.
    random_state : int or None
        Start of PLSA and starts of k-means.
    n_jobs : None or int
        Views whose PLSAs run side by side, on threads; -1 for one per core. The result is the
        same. CCA and k-means use the threads that BLAS and OpenMP have anyway.

    Attributes
    ----------
    labels_, labels_by_view_ : ndarray (D,), (2, D)
        Clusters from the projection of ``label_view`` and of each view.
    projections_ : list of ndarray
        Canonical variates of each view; those of rows that lack it are predicted from the other.

    References
    ----------
    Kamalika Chaudhuri, Sham M. Kakade, Karen Livescu and Karthik Sridharan (2009). Multi-view
    clustering via canonical correlation analysis. International Conference on Machine Learning.
    """

    n_clusters: int = 2
    _: KW_ONLY
    n_components: int | None = None
    reg: float = 1e-3
    n_topics: int | None = None
    plsa_iter: int = 30
    label_view: int = 0
    n_init: int = 10
    random_state: int | None = None
    n_jobs: int | None = None

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster two views."""
        n_init = check_positive_int("n_init", self.n_init)
        views = self._fit_views(Xs, n_views=2)
        k = check_fewer("n_clusters", self.n_clusters, views[0].shape[0])
        label_view = check_view_number("label_view", self.label_view, 2)
        rng = np.random.default_rng(self.random_state)
        if self.n_topics is None:
            tables = [X.toarray() for X in views]
        else:
            topics = check_positive_int("n_topics", self.n_topics)
            tables = topics_of_views(views, topics, rng, self.n_jobs, max_iter=self.plsa_iter)
        wanted = max(1, k - 1) if self.n_components is None else self.n_components
        kept = min(check_positive_int("n_components", wanted), *(T.shape[1] for T in tables))
        observed = observed_rows(Xs)
        known: Any = tables if observed is None else Views(tables, observed=observed)
        self.projections_ = CCA(n_components=kept, reg=self.reg).fit(known).transform(known)
        seed = int(rng.integers(1 << 31))
        self.labels_by_view_ = np.stack(
            [
                KMeans(k, init="random", n_init=n_init, random_state=seed).fit(projection).labels_
                for projection in self.projections_
            ]
        )
        self.labels_ = self.labels_by_view_[label_view]
        return self
