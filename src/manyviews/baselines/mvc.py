"""Multi-view clustering by a common pattern (:mod:`manyviews.parts.common_pattern`)."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from manyviews.base import MultiViewInput, observed_rows
from manyviews.parts.common_pattern import best_pattern, cluster_views
from manyviews.progress import warn_unsettled
from manyviews.validation import check_fewer, check_positive_int, check_real, check_view_weights

__all__ = ["MultiViewClustering"]


@dataclass(eq=False, repr=False)
class MultiViewClustering(MultiViewInput, ClusterMixin, BaseEstimator):
    """MVC with cosine k-means as the base clusterer of every view.

    Parameters
    ----------
    n_clusters : int
        Number of clusters, of the views and of the common pattern.
    n_init : int, default 10
        Random starts of each k-means.
    n_restarts : int, default 5
        Random starts of the common pattern; the one with the smallest divergence is kept.
    max_iter, tol
        Stop the multiplicative updates after ``max_iter`` or when the objective falls by less
        than ``tol`` of itself.
    view_weights : None or list of float
        Weights w_v; all 1 by default.
    random_state : None, int or numpy.random.Generator
    n_jobs : None or int
        Starts that run side by side, on threads; -1 for one per core. The result is the same.

    Attributes
    ----------
    labels_ : (D,) array
        Cluster of every document, the largest entry of its row of ``pattern_``.
    pattern_ : (D, k) array
        Common pattern, rows summing to 1.
    view_labels_ : list of (D,) arrays
        The views' own k-means clusterings; -1 where a document lacks the view.
    objective_ : ndarray
        Trace of the divergence; never rises.

    Notes
    -----
    A document that lacks a view (:class:`~manyviews.views.Views` says so) has no part in that
    view's clustering, and its divergence runs over the views it has.

    References
    ----------
    Bo Long, Philip S. Yu and Zhongfei Zhang (2008). A general model for multiple view
    unsupervised learning. SIAM International Conference on Data Mining.
    """

    n_clusters: int = 2
    _: KW_ONLY
    n_init: int = 10
    n_restarts: int = 5
    max_iter: int = 200
    tol: float = 1e-9
    view_weights: Sequence[float] | None = None
    random_state: int | np.random.Generator | None = None
    n_jobs: int | None = None

    def fit(
        self, Xs: Any, y: Any = None, *, view_labels: Sequence[np.ndarray] | None = None
    ) -> Self:
        """Cluster the documents described by a list of views.

        ``view_labels``: clusterings of the views at hand (0 .. k-1); k-means is then not run.
        """
        n_init = check_positive_int("n_init", self.n_init)
        restarts = check_positive_int("n_restarts", self.n_restarts)
        check_positive_int("max_iter", self.max_iter)
        check_real("tol", self.tol, low=0.0)
        views = self._fit_views(Xs)
        k = check_fewer("n_clusters", self.n_clusters, views[0].shape[0])
        weights = check_view_weights(self.view_weights, len(views))
        rng = np.random.default_rng(self.random_state)
        observed = observed_rows(Xs)
        if view_labels is None:
            self.view_labels_ = cluster_views(
                views, k, rng, n_init, observed=observed, n_jobs=self.n_jobs
            )
        elif len(view_labels) == len(views):
            self.view_labels_ = [np.asarray(labels) for labels in view_labels]
        else:
            raise ValueError(f"{len(views)} views need as many clusterings, got {len(view_labels)}")
        self.pattern_, trace = best_pattern(
            self.view_labels_, k, rng,
            weights=weights, n_restarts=restarts, max_iter=self.max_iter, tol=self.tol,
            observed=observed, n_jobs=self.n_jobs,
        )  # fmt: skip
        self.labels_ = self.pattern_.argmax(axis=1)
        self.objective_ = np.array(trace)
        if len(trace) > self.max_iter and trace[-2] - trace[-1] > self.tol * max(1.0, trace[-2]):
            warn_unsettled("MultiViewClustering", self.max_iter, "divergence", self.tol)
        return self
