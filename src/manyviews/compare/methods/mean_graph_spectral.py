"""Spectral clustering of the mean of the views' neighbour graphs."""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.cluster import SpectralClustering
from sklearn.neighbors import NearestNeighbors

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted
from manyviews.preprocessing.sparse import row_normalise
from manyviews.views import Views

#: Share of non-zeros from which a sparse table is as good as full.
FULL = 0.1


def neighbour_graph(X: Any, n_neighbours: int) -> sp.csr_matrix:
    """Return the symmetric graph of the nearest rows by cosine."""
    rows: Any = row_normalise(sp.csr_matrix(X), "l2")
    if rows.nnz > FULL * rows.shape[0] * rows.shape[1]:
        rows = rows.toarray()  # neighbours of full rows are found many times faster
    finder = NearestNeighbors(n_neighbors=min(n_neighbours + 1, rows.shape[0] - 1)).fit(rows)
    graph = finder.kneighbors_graph(mode="distance")
    graph.data = np.maximum(1.0 - 0.5 * graph.data**2, 0.0)  # cosine of unit rows
    return sp.csr_matrix(0.5 * (graph + graph.T))


def spectral_labels(graph: sp.csr_matrix, k: int, seed: int) -> np.ndarray:
    """Return the clusters of a graph; a trace of every link keeps it in one piece."""
    joined = graph.toarray() + 1e-6
    model = SpectralClustering(
        k, affinity="precomputed", assign_labels="cluster_qr", random_state=seed
    )
    return np.asarray(model.fit(joined).labels_)


class MeanGraph(BaseEstimator):
    """Mean of the views' graphs over the views a row has, then spectral clustering."""

    def __init__(self, n_clusters: int, n_neighbours: int = 15, random_state: int = 0) -> None:
        self.n_clusters = n_clusters
        self.n_neighbours = n_neighbours
        self.random_state = random_state

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster the rows."""
        graphs = [neighbour_graph(X, self.n_neighbours) for X in Views(Xs).matrices]
        mean = sum(graphs[1:], graphs[0]) / len(graphs)
        self.labels_ = spectral_labels(mean, self.n_clusters, self.random_state)
        return self


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the clusterer."""
    return Prepared(weighted(facts), MeanGraph(facts.n_classes, random_state=seed))


def unfit(facts: Facts) -> str:
    """Say when it would take too long."""
    return "more than 6,000 rows take too long" if facts.n_rows > 6000 else ""


METHOD = Method("Spectral clustering of the mean graph", ("cluster",), "plain", build, unfit=unfit)
