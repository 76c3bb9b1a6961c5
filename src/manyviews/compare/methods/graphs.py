r"""Methods on graphs of the rows: AMGL, spectral clustering of the mean graph, smoothing (SGC).

AMGL (Nie et al. 2016) clusters a weighted sum of the views' graphs. The weight of a view is
:math:`1 / (2 \sqrt{\mathrm{tr}(F^T L_v F)})` with the embedding F of the weighted sum; weights and
embedding are found in turn.

Simple graph convolution (Wu et al. 2019) is a regression on features that are smoothed over links.
A view of links between rows is the graph. A view of sparse counts that names something else
(authors, words of links) is a graph of two kinds of nodes: rows are neighbours if they share one.
"""

from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import NearestNeighbors

from manyviews.compare.row_space import InRowSpace
from manyviews.preprocessing.per_view import SideBySide
from manyviews.preprocessing.sparse import row_normalise
from manyviews.views import Views

#: Share of non-zeros from which a sparse table is as good as full.
FULL = 0.1
#: Columns from which a table that is smoothed over shared things is reduced to half as many.
WIDE = 200
#: Cells up to which a table is kept dense: means over neighbours of neighbours fill it anyway.
DENSE = 20_000_000
#: Tables for as long as their views live: all folds and settings of a comparison smooth the same.
_READY: WeakKeyDictionary[Views, dict[Any, Any]] = WeakKeyDictionary()


def neighbour_graph(X: Any, n_neighbours: int) -> sp.csr_matrix:
    """Return the symmetric graph of the nearest rows by cosine."""
    rows: Any = row_normalise(sp.csr_matrix(X), "l2")
    if rows.nnz > FULL * rows.shape[0] * rows.shape[1]:
        rows = rows.toarray()  # neighbours of full rows are found many times faster
    finder = NearestNeighbors(n_neighbors=min(n_neighbours + 1, rows.shape[0] - 1)).fit(rows)
    graph = finder.kneighbors_graph(mode="distance")
    graph.data = np.maximum(1.0 - 0.5 * graph.data**2, 0.0)  # cosine of unit rows
    return sp.csr_matrix(0.5 * (graph + graph.T))


def laplacian(graph: sp.csr_matrix) -> sp.csr_matrix:
    """Return the normalised Laplacian; rows without links count as linked to themselves."""
    degree = np.asarray(graph.sum(axis=1)).ravel()
    scale = sp.diags(1.0 / np.sqrt(np.where(degree > 0, degree, 1.0)))
    return sp.csr_matrix(sp.identity(graph.shape[0]) - scale @ graph @ scale)


class _GraphClusterer(BaseEstimator):
    def __init__(self, n_clusters: int, n_neighbours: int = 15, random_state: int = 0) -> None:
        self.n_clusters = n_clusters
        self.n_neighbours = n_neighbours
        self.random_state = random_state

    def _graphs(self, Xs: Any) -> list[sp.csr_matrix]:
        return [neighbour_graph(X, self.n_neighbours) for X in Views(Xs).matrices]


class MeanGraph(_GraphClusterer):
    """Mean of the views' graphs, then spectral clustering."""

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster the rows."""
        graphs = self._graphs(Xs)
        mean = (sum(graphs[1:], graphs[0]) / len(graphs)).toarray()
        model = SpectralClustering(
            self.n_clusters, affinity="precomputed", assign_labels="cluster_qr",
            random_state=self.random_state,
        )  # fmt: skip
        self.labels_ = np.asarray(model.fit(mean + 1e-6).labels_)  # a trace keeps it in one piece
        return self


class AMGL(_GraphClusterer):
    """Auto-weighted multiple graph learning."""

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster the rows."""
        graphs = [laplacian(graph) for graph in self._graphs(Xs)]
        weights = np.full(len(graphs), 1.0 / len(graphs))
        start = np.random.default_rng(self.random_state).standard_normal(graphs[0].shape[0])
        F = np.empty((0, 0))
        for _ in range(10):
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


def averaged(links: sp.csr_matrix, square: bool, X: Any, hops: int) -> Any:
    """Return every row's mean over its neighbours and itself, ``hops`` times."""
    if square:
        both = abs(links) + abs(links).T
        graph = sp.csr_matrix((both > 0).astype(float) + sp.identity(links.shape[0]))
        scale = sp.diags(1.0 / np.sqrt(np.asarray(graph.sum(axis=1)).ravel()))
        steps = [scale @ graph @ scale]
    else:
        shared = sp.csr_matrix((links != 0).astype(float))
        rows = np.maximum(np.asarray(shared.sum(axis=1)).ravel(), 1.0)
        columns = np.maximum(np.asarray(shared.sum(axis=0)).ravel(), 1.0)
        steps = [sp.diags(1.0 / columns) @ shared.T, sp.diags(1.0 / rows) @ shared]
    for _ in range(hops):
        Y = X
        for step in steps:
            Y = step @ Y
        X = Y if square else 0.5 * (X + Y)  # a row that shares nothing keeps itself
    return X


class SmoothedRegression(BaseEstimator):
    """Logistic regression on features that are averaged over a graph of all rows."""

    def __init__(
        self, preparation: Any, features: tuple[str, ...], graph: str, square: bool,
        hops: int = 2, C: float = 1.0,
    ) -> None:  # fmt: skip
        self.preparation = preparation
        self.features = features
        self.graph = graph
        self.square = square
        self.hops = hops
        self.C = C

    def _table(self, views: Views) -> Any:
        """Return the features of all rows side by side; labels have no part in it."""
        prepared = self.preparation.fit(views).transform(views).select(self.features)
        table = SideBySide().fit_transform(prepared)
        if not self.square and table.shape[1] > WIDE:
            # a mean over all rows that share a thing fills the table: keep it narrow
            return TruncatedSVD(WIDE // 2, random_state=0).fit_transform(table)
        if sp.issparse(table) and table.shape[0] * table.shape[1] <= DENSE:
            return table.toarray()
        return table

    def fit(self, Xs: Any, y: Any) -> Self:
        """Fit to all rows; unlabelled ones (-1) lend their features."""
        views = Xs if isinstance(Xs, Views) else Views(Xs)
        ready = _READY.setdefault(views, {})
        whole, part = (self.features, self.square), (self.features, self.graph, self.hops)
        if whole not in ready:
            ready[whole] = self._table(views)
        if part not in ready:
            links = sp.csr_matrix(views.view(self.graph))
            ready[part] = averaged(links, self.square, ready[whole], self.hops)
        smooth, known = ready[part], np.asarray(y) >= 0
        model = InRowSpace(LogisticRegression(C=self.C, max_iter=1000))
        self.model_ = model.fit(smooth[known], y[known])
        self.labels_ = self.model_.predict(smooth)
        return self
