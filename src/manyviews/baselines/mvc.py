r"""Multi-view clustering by a common pattern (Long, Yu and Zhang 2008).

Every view v is clustered on its own; its result is the pattern matrix :math:`A^{(v)}` (D x k_v,
one-hot rows for k-means). One non-negative pattern B (D x k) and mappings :math:`P^{(v)}` (k x
k_v) are sought that bring B close to all of them in the generalised I-divergence

.. math:: \sum_v w_v \sum_{d,j} A^{(v)}_{dj} \log \frac{A^{(v)}_{dj}}{(B P^{(v)})_{dj}}
          - A^{(v)}_{dj} + (B P^{(v)})_{dj}

by multiplicative updates, each of which cannot increase it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from manyviews.baselines.spherical_kmeans import SphericalKMeans
from manyviews.kernels import common_pattern as kernels
from manyviews.validation import check_positive_int, check_real, check_views


def one_hot(labels: np.ndarray, k: int) -> np.ndarray:
    """Return the D x k indicator matrix of a clustering."""
    return np.eye(k)[labels]


def common_pattern(
    patterns: Sequence[np.ndarray],
    B: np.ndarray,
    mappings: Sequence[np.ndarray],
    *,
    weights: Sequence[float],
    max_iter: int,
    tol: float,
) -> tuple[np.ndarray, list[np.ndarray], list[float]]:
    """Run the multiplicative updates; return B, the mappings and the objective's trace."""
    B = B.copy()
    maps = [P.copy() for P in mappings]

    def objective() -> float:
        parts = zip(weights, patterns, maps, strict=True)
        return sum(w * kernels.divergence(A, B, P) for w, A, P in parts)

    trace = [objective()]
    for _ in range(max_iter):
        numerator, denominator = np.zeros_like(B), np.zeros(B.shape[1])
        for w, A, P in zip(weights, patterns, maps, strict=True):
            kernels.add_numerator(A, B, P, w, numerator)
            denominator += w * P.sum(axis=1)
        B *= numerator / np.maximum(denominator, kernels.TINY)
        for A, P in zip(patterns, maps, strict=True):
            kernels.renew_mapping(A, B, P)
        trace.append(objective())
        if trace[-2] - trace[-1] <= tol * max(1.0, abs(trace[-2])):
            break
    return B, maps, trace


def pattern_to_probabilities(B: np.ndarray, maps: Sequence[np.ndarray]) -> np.ndarray:
    """Return B with each column weighted by the mass its mappings carry, rows summing to 1.

    B P is unchanged when a column of B and the row of every P are scaled against each other, so
    the columns of B can be compared only after the scale has been moved into B.
    """
    scale = np.sum([P.sum(axis=1) for P in maps], axis=0)
    weighted = B * scale
    totals = weighted.sum(axis=1, keepdims=True)
    uniform = np.full_like(B, 1.0 / B.shape[1])
    return np.where(totals > 0, weighted / np.where(totals > 0, totals, 1.0), uniform)


class MultiViewClustering(ClusterMixin, BaseEstimator):
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

    Attributes
    ----------
    labels_ : (D,) array
        Cluster of every document, the largest entry of its row of ``pattern_``.
    pattern_ : (D, k) array
        Common pattern, rows summing to 1.
    view_labels_ : list of (D,) arrays
        The views' own k-means clusterings.
    objective_ : ndarray
        Trace of the divergence; never rises.
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        n_init: int = 10,
        n_restarts: int = 5,
        max_iter: int = 200,
        tol: float = 1e-9,
        view_weights: Sequence[float] | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.n_restarts = n_restarts
        self.max_iter = max_iter
        self.tol = tol
        self.view_weights = view_weights
        self.random_state = random_state

    def fit(
        self, Xs: Any, y: Any = None, *, view_labels: Sequence[np.ndarray] | None = None
    ) -> MultiViewClustering:
        """Cluster the documents described by a list of views.

        ``view_labels``: clusterings of the views at hand (0 .. k-1); k-means is then not run.
        """
        k = check_positive_int("n_clusters", self.n_clusters)
        restarts = check_positive_int("n_restarts", self.n_restarts)
        check_positive_int("max_iter", self.max_iter)
        check_real("tol", self.tol, low=0.0)
        views = check_views(Xs)
        weights = [1.0] * len(views) if self.view_weights is None else list(self.view_weights)
        if len(weights) != len(views):
            raise ValueError(f"{len(views)} views need {len(views)} weights, got {len(weights)}")
        rng = np.random.default_rng(self.random_state)
        if view_labels is None:
            self.view_labels_ = [
                SphericalKMeans(k, n_init=self.n_init, random_state=rng).fit(X).labels_
                for X in views
            ]
        elif len(view_labels) == len(views):
            self.view_labels_ = [np.asarray(labels) for labels in view_labels]
        else:
            raise ValueError(f"{len(views)} views need as many clusterings, got {len(view_labels)}")
        patterns = [one_hot(labels, k) for labels in self.view_labels_]
        best = None
        for _ in range(restarts):
            B = 1.0 - rng.random((views[0].shape[0], k))
            start = [1.0 - rng.random((k, k)) for _ in views]
            found = common_pattern(
                patterns, B, start, weights=weights, max_iter=self.max_iter, tol=self.tol
            )
            if best is None or found[2][-1] < best[2][-1]:
                best = found
        assert best is not None
        B, maps, trace = best
        self.pattern_ = pattern_to_probabilities(B, maps)
        self.labels_ = self.pattern_.argmax(axis=1)
        self.objective_ = np.array(trace)
        return self
