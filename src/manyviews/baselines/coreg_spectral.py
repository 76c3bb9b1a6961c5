r"""Pairwise co-regularised spectral clustering (Kumar, Rai and Daume 2011).

Every view has a graph with normalised adjacency :math:`L^v = D^{-1/2} K^v D^{-1/2}`. Its embedding
:math:`U^v` maximises

.. math:: \mathrm{tr}(U^{vT} L^v U^v) + \lambda \sum_{w \ne v} \mathrm{tr}(U^v U^{vT} U^w U^{wT}),

so each :math:`U^v` in turn holds the leading eigenvectors of
:math:`L^v + \lambda \sum_{w \ne v} U^w U^{wT}`. The low-rank term is never formed: a Lanczos solver
only needs products with it, :math:`O(N k)` each, beside those with :math:`L^v`. With a full kernel
a product costs :math:`N^2`: 5,000 points and 50 clusters take about half a minute in all. With
``n_neighbors`` a product costs the edges of a sparse graph, which is built block by block: beyond
a few thousand points memory goes with its edges, never with :math:`N^2`.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances

from manyviews.base import MultiViewInput, called, observed_rows
from manyviews.parts.blocks import in_order
from manyviews.preprocessing.sparse import placed, row_normalise
from manyviews.progress import Progress
from manyviews.validation import (
    check_choice,
    check_fewer,
    check_positive_int,
    check_real,
    check_view_number,
)

__all__ = ["CoRegularisedSpectral"]

_DENSE_LIMIT = 1000  # below this a full eigendecomposition is as fast as Lanczos and exact
_WIDTH_LIMIT = 6000  # rows up to which the width of a neighbour graph is the exact median
_BLOCK = 1 << 22  # similarities that are looked at together
_WIDTH_PAIRS = 1 << 20  # pairs whose median distance is the width beyond that


def median_width(X: sp.csr_matrix, exact: bool = True) -> float:
    """Return the median distance of all pairs of rows, or of a fixed random sample of pairs."""
    if exact:
        square = euclidean_distances(X, squared=True)
        return float(np.sqrt(np.median(square[np.triu_indices_from(square, 1)]))) or 1.0
    rng = np.random.default_rng(0)  # fixed: the embeddings are deterministic
    left, right = rng.integers(X.shape[0], size=(2, _WIDTH_PAIRS))
    left, right = left[left != right], right[left != right]
    squares = np.asarray(X.multiply(X).sum(axis=1)).ravel()
    found = []
    for at in range(0, left.size, 1 << 16):
        one, two = left[at : at + (1 << 16)], right[at : at + (1 << 16)]
        products = np.asarray(X[one].multiply(X[two]).sum(axis=1)).ravel()
        found.append(np.maximum(squares[one] + squares[two] - 2.0 * products, 0.0))
    return float(np.sqrt(np.median(np.concatenate(found)))) or 1.0


def similarities(X: sp.csr_matrix, Y: sp.csr_matrix, width: float | None) -> np.ndarray:
    """Return the Gaussian kernel of that width of all pairs of rows; without one their cosines."""
    if width is None:
        return np.clip(cosine_similarity(X, Y), 0.0, 1.0)
    kernel = euclidean_distances(X, Y, squared=True)
    kernel *= -1.0 / (2.0 * width**2)
    return np.exp(kernel, out=kernel)


def nearest_neighbour_graph(
    X: sp.csr_matrix, n_neighbors: int, width: float | None, n_jobs: int | None = None
) -> sp.csr_matrix:
    """Keep each row's ``n_neighbors`` largest similarities (itself aside), symmetrised by "or"."""
    n_rows = X.shape[0]
    step = max(1, _BLOCK // n_rows)
    kept = np.empty((n_rows, n_neighbors), dtype=np.int64)
    value = np.empty((n_rows, n_neighbors))

    def fill(first: int) -> None:
        rows = np.arange(first, min(n_rows, first + step))
        block = similarities(X[rows], X, width)
        block[np.arange(rows.size), rows] = -np.inf
        near = np.argpartition(-block, n_neighbors - 1, axis=1)[:, :n_neighbors]
        kept[rows], value[rows] = near, np.take_along_axis(block, near, axis=1)

    in_order(fill, range(0, n_rows, step), n_jobs)
    source = np.repeat(np.arange(n_rows), n_neighbors)
    graph = sp.csr_matrix((value.ravel(), (source, kept.ravel())), (n_rows, n_rows))
    return sp.csr_matrix(graph.maximum(graph.T))


def normalised_adjacency(graph: Any) -> Any:
    """Return :math:`D^{-1/2} K D^{-1/2}`; an isolated point stays isolated."""
    degree = np.asarray(graph.sum(axis=1)).ravel()
    scale = np.divide(1.0, np.sqrt(degree), out=np.zeros_like(degree), where=degree > 0)
    if sp.issparse(graph):
        return sp.csr_matrix(sp.diags(scale) @ graph @ sp.diags(scale))
    graph *= scale[:, None]
    graph *= scale[None, :]
    return graph


@dataclass(eq=False, repr=False)
class CoRegularisedSpectral(MultiViewInput, ClusterMixin, BaseEstimator):
    """Spectral clustering whose views' embeddings are pulled together, pair by pair.

    Parameters
    ----------
    n_clusters : int
        Number of clusters and of eigenvectors.
    lam : float
        Weight of the co-regularisation; Kumar et al. use .01 to .05.
    affinity : {"gaussian", "cosine"}
        Similarity of documents in a view.
    bandwidth : float or None
        Width of the Gaussian; the median distance by default (with ``n_neighbors`` and many rows
        that of a fixed sample of pairs).
    n_neighbors : int or None
        Keep a sparse nearest-neighbour graph; ``None`` keeps the full kernel.
    max_iter : int
        Rounds over the views.
    tol : float
        Stop when the objective grows by less than ``tol`` times its size.
    label_view : int
        View whose embedding is clustered by k-means.
    n_init : int, default 10
        Starts of k-means, of which the best is kept.
    random_state : int or None
        Starts of k-means (the embeddings are deterministic).
    n_jobs : None or int
        Blocks of rows whose neighbours are looked for side by side, on threads; -1 for one per
        core. The result is the same. It matters with ``n_neighbors`` and many rows; the
        eigenproblems follow each other, each needs the last one's vectors.
    verbose : int
        Print a line every so many rounds.

    Attributes
    ----------
    embeddings_ : list of ndarray (D, K)
        Leading eigenvectors of every view, rows scaled to length one.
    objective_ : ndarray
        Objective after every round (each eigenproblem is solved exactly: it never falls).
    n_iter_ : int
        Rounds run.
    labels_ : ndarray (D,)
        Clusters.

    Notes
    -----
    A row that lacks a view (:class:`~manyviews.views.Views` says so) has no edge in its graph. Its
    embedding there comes from the co-regularisation alone: from the views it has. With ``lam=0``
    it has none, and k-means sees a zero row.

    References
    ----------
    Abhishek Kumar, Piyush Rai and Hal Daumé III (2011). Co-regularized multi-view spectral
    clustering. Advances in Neural Information Processing Systems.
    """

    n_clusters: int = 2
    _: KW_ONLY
    lam: float = 0.025
    affinity: str = "gaussian"
    bandwidth: float | None = None
    n_neighbors: int | None = None
    max_iter: int = 5
    tol: float = 1e-4
    label_view: int = 0
    n_init: int = 10
    random_state: int | None = None
    n_jobs: int | None = None
    verbose: int = 0

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Embed all views together and cluster the embedding of ``label_view``."""
        n_init = check_positive_int("n_init", self.n_init)
        self.embed(Xs)
        label_view = check_view_number("label_view", self.label_view, len(self.embeddings_))
        self.labels_ = self.cluster(label_view, self.random_state, n_init)
        return self

    def cluster(self, view: int, random_state: int | None = None, n_init: int = 1) -> np.ndarray:
        """Return the best of ``n_init`` random starts of k-means on the embedding of ``view``."""
        kmeans = KMeans(self.n_clusters, init="random", n_init=n_init, random_state=random_state)
        return kmeans.fit(self.embeddings_[view]).labels_

    def embed(self, Xs: Any) -> Self:
        """Compute the embeddings alone."""
        graphs = self._graphs(Xs)
        vectors = [_leading(L, [], 0.0, self.n_clusters) for L in graphs]
        trace = [self._objective(graphs, vectors)]
        name = type(self).__name__
        progress = Progress(name, self.verbose, self.max_iter, "objective", self.tol)
        rounds = self.max_iter if self.lam > 0 and len(graphs) > 1 else 0
        for _ in range(rounds):
            for v, L in enumerate(graphs):
                others = [U for w, U in enumerate(vectors) if w != v]
                vectors[v] = _leading(L, others, self.lam, self.n_clusters)
            trace.append(self._objective(graphs, vectors))
            progress(len(trace) - 1, trace[-1])
            if trace[-1] - trace[-2] <= self.tol * abs(trace[-2]):
                break
        else:
            progress.end(trace[-1], "" if rounds else "settled")
        self.objective_, self.n_iter_ = np.array(trace), len(trace) - 1
        self.embeddings_ = [row_normalise(sp.csr_matrix(U)).toarray() for U in vectors]
        return self

    def _graphs(self, Xs: Any) -> list[Any]:
        check_real("lam", self.lam, 0.0)
        check_real("tol", self.tol, 0.0)
        check_positive_int("max_iter", self.max_iter, 0)
        check_choice("affinity", self.affinity, ("gaussian", "cosine"))
        views = self._fit_views(Xs)
        n_rows = views[0].shape[0]
        check_fewer("n_clusters", self.n_clusters, n_rows, spare=1)
        if self.n_neighbors is not None:
            check_fewer("n_neighbors", self.n_neighbors, n_rows, spare=1)
        observed = observed_rows(Xs)
        if observed is None:
            return [normalised_adjacency(self._graph(X)) for X in views]
        graphs = []
        names = called(self.view_names_in_, len(views))
        for name, X, here in zip(names, views, observed.T, strict=True):
            rows = np.flatnonzero(here)
            if rows.size <= max(self.n_clusters, self.n_neighbors or 1):
                raise ValueError(f"{name} has only {rows.size} rows, too few for its graph")
            place = placed(rows, n_rows)  # the other rows stand alone
            graph = place @ self._graph(X[rows]) @ place.T
            graphs.append(sp.csr_matrix(graph) if sp.issparse(graph) else graph.copy("C"))
        return [normalised_adjacency(graph) for graph in graphs]

    def _graph(self, X: sp.csr_matrix) -> Any:
        """Return the similarities of the rows of a view, all of them or the nearest."""
        width = self.bandwidth if self.affinity == "gaussian" else None
        if self.affinity == "gaussian" and width is None:
            width = median_width(X, self.n_neighbors is None or X.shape[0] <= _WIDTH_LIMIT)
        if self.n_neighbors is None:
            return similarities(X, X, width)
        return nearest_neighbour_graph(X, self.n_neighbors, width, self.n_jobs)

    def _objective(self, graphs: Sequence[Any], vectors: Sequence[np.ndarray]) -> float:
        """Sum of the traces and of the agreements of all unordered pairs of views."""
        total = sum(float((U * (L @ U)).sum()) for L, U in zip(graphs, vectors, strict=True))
        for v, U in enumerate(vectors):
            for W in vectors[v + 1 :]:
                total += self.lam * float(((U.T @ W) ** 2).sum())
        return total


def _leading(L: Any, others: Sequence[np.ndarray], lam: float, k: int) -> np.ndarray:
    """Leading ``k`` eigenvectors of ``L + lam * sum U U^T``, signs fixed."""
    n_rows = L.shape[0]
    if n_rows <= _DENSE_LIMIT:
        matrix = L.toarray() if sp.issparse(L) else L.copy()
        for U in others:
            matrix += lam * (U @ U.T)
        vectors = eigh(matrix, subset_by_index=(n_rows - k, n_rows - 1))[1]
    else:

        def product(x: np.ndarray) -> np.ndarray:
            result = L @ x
            for U in others:
                result = result + lam * (U @ (U.T @ x))
            return result

        operator = LinearOperator((n_rows, n_rows), matvec=product, dtype=np.float64)
        start = np.random.default_rng(0).random(n_rows)  # fixed: ARPACK's own start is random
        vectors = eigsh(operator, k=k, which="LA", v0=start, tol=1e-8)[1]
    largest = np.abs(vectors).argmax(axis=0)
    return vectors * np.sign(vectors[largest, np.arange(k)])
