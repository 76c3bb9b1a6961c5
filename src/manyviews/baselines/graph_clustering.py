r"""Clusters of the rows of several neighbour graphs: their mean, or AMGL's weighted sum.

AMGL (Nie, Li and Li 2016) weighs view :math:`v` by :math:`1 / (2 \sqrt{\mathrm{tr}(F^T L_v F)})`,
where F holds the leading eigenvectors of the weighted sum of the normalised Laplacians
:math:`L_v`; weights and F are found in turn.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.neighbors import NearestNeighbors

from manyviews.base import MultiViewInput, called, observed_rows
from manyviews.preprocessing.sparse import placed, row_normalise
from manyviews.validation import check_fewer, check_positive_int

__all__ = ["AMGL", "MeanGraphSpectral"]

_FULL = 0.1  # share of non-zeros from which a sparse table is as good as full
_DENSE_LIMIT = 100  # rows below which a full eigendecomposition is as fast as Lanczos


class Neighbours:
    """The nearest rows by cosine; rows of zeros have none."""

    def __init__(self, X: Any, n_neighbors: int) -> None:
        rows: Any = row_normalise(sp.csr_matrix(X), "l2")
        # neighbours of full rows are found many times faster
        self.dense = rows.nnz > _FULL * rows.shape[0] * rows.shape[1]
        finder = NearestNeighbors(n_neighbors=min(n_neighbors + 1, rows.shape[0] - 1))
        self.finder = finder.fit(rows.toarray() if self.dense else rows)

    def graph(self) -> sp.csr_matrix:
        """Return the symmetric graph of the rows."""
        graph = self._cosines(self.finder.kneighbors_graph(mode="distance"))
        return sp.csr_matrix(0.5 * (graph + graph.T))

    def links(self, X: Any) -> sp.csr_matrix:
        """Return the cosines of new rows with their nearest rows."""
        rows: Any = row_normalise(sp.csr_matrix(X), "l2")
        filled = sp.diags((np.diff(rows.indptr) > 0).astype(float))
        rows = rows.toarray() if self.dense else rows
        return sp.csr_matrix(
            filled @ self._cosines(self.finder.kneighbors_graph(rows, mode="distance"))
        )

    @staticmethod
    def _cosines(graph: Any) -> Any:
        graph.data = np.maximum(1.0 - 0.5 * graph.data**2, 0.0)  # of unit rows
        return graph


def neighbours_in(
    views: list[sp.csr_matrix], observed: np.ndarray | None, names: list[str], n_neighbors: int
) -> tuple[list[Neighbours], list[np.ndarray]]:
    """Return the neighbours in every view, and among which rows: it is there, and not all zero."""
    found, rows = [], []
    for v, (X, name) in enumerate(zip(views, names, strict=True)):
        here = np.diff(X.indptr) > 0
        rows.append(np.flatnonzero(here if observed is None else here & observed[:, v]))
        if rows[-1].size < 2:
            raise ValueError(f"{name} has only {rows[-1].size} filled rows, too few for its graph")
        found.append(Neighbours(X[rows[-1]], n_neighbors))
    return found, rows


def scaled(graph: sp.csr_matrix) -> sp.csr_matrix:
    """Divide every link by the roots of both its ends' degrees."""
    degree = np.asarray(graph.sum(axis=1)).ravel()
    scale = sp.diags(1.0 / np.sqrt(np.where(degree > 0, degree, 1.0)))
    return sp.csr_matrix(scale @ graph @ scale)


def laplacian(graph: sp.csr_matrix) -> sp.csr_matrix:
    """Return the normalised Laplacian; rows without links count as linked to themselves."""
    return sp.csr_matrix(sp.identity(graph.shape[0]) - scaled(graph))


@dataclass(eq=False, repr=False)
class _GraphClusterer(MultiViewInput, ClusterMixin, BaseEstimator):
    """What both have: a graph a view, of the rows that have it."""

    n_clusters: int = 2
    _: KW_ONLY
    n_neighbors: int = 15
    random_state: int | None = None

    def _graphs(self, Xs: Any) -> list[sp.csr_matrix]:
        check_positive_int("n_neighbors", self.n_neighbors)
        views = self._fit_views(Xs)
        n_rows = views[0].shape[0]
        check_fewer("n_clusters", self.n_clusters, n_rows, spare=1)
        names = called(self.view_names_in_, len(views))
        found, rows = neighbours_in(views, observed_rows(Xs), names, self.n_neighbors)
        if all(here.size == n_rows for here in rows):
            return [neighbours.graph() for neighbours in found]
        places = [placed(here, n_rows) for here in rows]
        count = np.bincount(np.concatenate(rows), minlength=n_rows)
        # a row is linked as strongly whether it has all views or one
        scale = sp.diags(np.sqrt(len(views) / np.maximum(count, 1)))
        graphs = [p @ one.graph() @ p.T for p, one in zip(places, found, strict=True)]
        return [sp.csr_matrix(scale @ graph @ scale) for graph in graphs]


class MeanGraphSpectral(_GraphClusterer):
    """Spectral clustering of the mean of the views' nearest-neighbour graphs.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    n_neighbors : int
        Neighbours of a row in every view, by cosine.
    random_state : int or None
        Start of the eigenvectors.

    Attributes
    ----------
    labels_ : ndarray (D,)
        Clusters.

    Notes
    -----
    A row that lacks a view has no edge in its graph; its other edges count for more. Memory goes
    with the square of the rows: some thousand are the limit.

    References
    ----------
    Andrew Ng, Michael Jordan and Yair Weiss (2002). On spectral clustering: analysis and an
    algorithm. Advances in Neural Information Processing Systems.

    Examples
    --------
    >>> import numpy as np
    >>> words = np.array([[9.0, 0], [8, 1], [7, 0], [0, 9], [1, 8], [0, 7]])
    >>> links = np.array([[7.0, 1], [8, 0], [9, 0], [0, 7], [0, 8], [1, 9]])
    >>> labels = MeanGraphSpectral(2, n_neighbors=2, random_state=0).fit_predict([words, links])
    >>> bool(labels[0] == labels[1] == labels[2] != labels[3] == labels[4] == labels[5])
    True
    """

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster the rows."""
        graphs = self._graphs(Xs)
        mean = (sum(graphs[1:], graphs[0]) / len(graphs)).toarray()
        model = SpectralClustering(
            self.n_clusters, affinity="precomputed", assign_labels="cluster_qr",
            random_state=self.random_state,
        )  # fmt: skip
        self.labels_ = model.fit(mean + 1e-6).labels_  # a trace of every link keeps it in one piece
        return self


class AMGL(_GraphClusterer):
    """Auto-weighted multiple graph learning: graphs that agree with the clusters weigh more.

    Parameters
    ----------
    n_clusters : int
        Number of clusters and of eigenvectors.
    n_neighbors : int
        Neighbours of a row in every view, by cosine.
    random_state : int or None
        Starts of the eigenvectors and of k-means.

    Attributes
    ----------
    labels_ : ndarray (D,)
        Clusters.
    view_weights_ : ndarray (V,)
        Weights of the views, which sum to one.

    Notes
    -----
    A row that lacks a view has no edge in its graph; its other edges count for more.

    References
    ----------
    Feiping Nie, Jing Li and Xuelong Li (2016). Parameter-free auto-weighted multiple graph
    learning. International Joint Conference on Artificial Intelligence.
    """

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster the rows."""
        graphs = [laplacian(graph) for graph in self._graphs(Xs)]
        n_rows = graphs[0].shape[0]
        weights = np.full(len(graphs), 1.0 / len(graphs))
        start = np.random.default_rng(self.random_state).standard_normal(n_rows)
        F = np.empty((0, 0))
        for _ in range(10):
            total = sum(weight * graph for weight, graph in zip(weights, graphs, strict=True))
            # the smallest eigenvectors of L are the largest of 2 sum(weights) I - L
            shifted = sp.csr_matrix(2.0 * weights.sum() * sp.identity(n_rows) - total)
            if n_rows < _DENSE_LIMIT and self.n_clusters > n_rows // 2:
                F = np.linalg.eigh(shifted.toarray())[1][:, -self.n_clusters :]
            else:
                _, F = eigsh(shifted, k=self.n_clusters, which="LA", v0=start)
            traces = np.array([np.sum(F * (graph @ F)) for graph in graphs])
            new = 0.5 / np.sqrt(np.maximum(traces, 1e-12))
            settled = np.allclose(new / new.sum(), weights / weights.sum(), rtol=1e-3)
            weights = new
            if settled:
                break
        self.view_weights_ = weights / weights.sum()
        unit = F / np.maximum(np.linalg.norm(F, axis=1, keepdims=True), 1e-12)
        model = KMeans(self.n_clusters, n_init=10, random_state=self.random_state)
        self.labels_ = model.fit(unit).labels_
        return self
