r"""AMGL (Nie et al. 2016): spectral clustering of a weighted sum of the views' graphs.

The weight of a view is :math:`1 / (2 \sqrt{\mathrm{tr}(F^T L_v F)})` with the embedding F of the
weighted sum; weights and embedding are found in turn. No parameter is left to tune.
"""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.methods.mean_graph_spectral import neighbour_graph
from manyviews.compare.prepare import Prepared, weighted
from manyviews.views import Views


def laplacian(graph: sp.csr_matrix) -> sp.csr_matrix:
    """Return the normalised Laplacian; rows without links count as linked to themselves."""
    degree = np.asarray(graph.sum(axis=1)).ravel()
    scale = sp.diags(1.0 / np.sqrt(np.where(degree > 0, degree, 1.0)))
    return sp.csr_matrix(sp.identity(graph.shape[0]) - scale @ graph @ scale)


class AMGL(BaseEstimator):
    """Auto-weighted multiple graph learning."""

    def __init__(
        self, n_clusters: int, n_neighbours: int = 15, max_iter: int = 10, random_state: int = 0
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbours = n_neighbours
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster the rows."""
        graphs = [laplacian(neighbour_graph(X, self.n_neighbours)) for X in Views(Xs).matrices]
        weights = np.full(len(graphs), 1.0 / len(graphs))
        start = np.random.default_rng(self.random_state).standard_normal(graphs[0].shape[0])
        F = np.empty((0, 0))
        for _ in range(self.max_iter):
            total = sum(weight * graph for weight, graph in zip(weights, graphs, strict=True))
            # the smallest eigenvectors of L are the largest of 2 sum(weights) I - L
            shift = 2.0 * weights.sum()
            shifted = sp.csr_matrix(shift * sp.identity(len(start)) - total)
            _, F = eigsh(shifted, k=self.n_clusters, which="LA", v0=start)
            traces = np.array([np.sum(F * (graph @ F)) for graph in graphs])
            new = 0.5 / np.sqrt(np.maximum(traces, 1e-12))
            done = np.allclose(new / new.sum(), weights / weights.sum(), rtol=1e-3)
            weights = new
            if done:
                break
        self.view_weights_ = weights / weights.sum()
        model = KMeans(self.n_clusters, n_init=10, random_state=self.random_state)
        unit = F / np.maximum(np.linalg.norm(F, axis=1, keepdims=True), 1e-12)
        self.labels_ = model.fit(unit).labels_
        return self


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the clusterer."""
    return Prepared(weighted(facts), AMGL(facts.n_classes, random_state=seed))


def unfit(facts: Facts) -> str:
    """Say when there is nothing to weigh, or too much."""
    if facts.n_views == 1:
        return "there is one view only"
    return "more than 20,000 rows take too long" if facts.n_rows > 20_000 else ""


METHOD = Method("AMGL", ("cluster",), "plain", build, unfit=unfit)
