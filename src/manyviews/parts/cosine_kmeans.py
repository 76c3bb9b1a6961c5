r"""K-means under cosine similarity, as CLUTO's direct clustering with criterion I2.

Rows are scaled to length one; the criterion :math:`\sum_k \| \sum_{i \in k} x_i \|` is the sum of
the cosines between rows and their unit centroids. It never falls from one sweep to the next.
"""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from manyviews.kernels.spherical import WIDTH, centroid_scores, nearest, unit_sums
from manyviews.parts.blocks import in_order
from manyviews.preprocessing.sparse import row_normalise


class CosineClusters(NamedTuple):
    """Clusters of the rows, unit centroids (F, k), sum of the cosines, sweeps made."""

    labels: np.ndarray
    centroids: np.ndarray
    criterion: float
    n_iter: int


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
    rows: sp.csr_matrix, columns: sp.csr_matrix, seeds: np.ndarray, max_iter: int
) -> CosineClusters:
    """Alternate assignment and centroids until no row moves; ``columns`` is ``rows`` transposed."""
    n_features, k = seeds.shape
    n_rows = rows.shape[0]
    table = np.zeros(n_features * k + WIDTH)
    centroids = table[: n_features * k].reshape(n_features, k)
    centroids[:] = seeds
    labels, every = np.full(n_rows, -1), np.arange(k)
    new, best, scores = np.empty_like(labels), np.empty(n_rows), np.empty((n_rows, k))
    value, sweeps = 0.0, 0
    while sweeps < max_iter:
        sweeps += 1
        centroid_scores(rows.indptr, rows.indices, rows.data, table, every, scores)
        nearest(scores, new, best)
        _refill(new, best, k)
        if np.array_equal(new, labels):
            break
        labels[:] = new
        value = unit_sums(columns.indptr, columns.indices, columns.data, labels, centroids)
    return CosineClusters(labels, centroids, value, sweeps)


def cosine_kmeans(
    X: sp.csr_matrix,
    k: int,
    rng: np.random.Generator,
    *,
    n_init: int = 10,
    max_iter: int = 100,
    n_jobs: Any = None,
) -> CosineClusters:
    """Return the best of ``n_init`` random starts; ``X`` has at least ``k`` rows.

    The starts are drawn one after another, whatever the number of threads.
    """
    unit = row_normalise(X, "l2")
    columns = unit.T.tocsr()
    seeds = (_seed_centroids(unit, k, rng) for _ in range(n_init))

    def start(seed: np.ndarray) -> CosineClusters:
        return _lloyd(unit, columns, seed, max_iter)

    if n_jobs is None:  # one start at a time is in memory
        found = [start(seed) for seed in seeds]
    else:
        found = in_order(start, list(seeds), n_jobs)
    return max(found, key=lambda clusters: clusters.criterion)  # the first of equals
