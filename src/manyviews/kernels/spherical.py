"""Sums of rows per class and dot products with class centroids, on CSR views."""

import numpy as np
from numba import njit

from manyviews.kernels.lanes import PARTS
from manyviews.kernels.spherical_lanes import weighted_rows


@njit(cache=True)
def class_sums(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    rows: np.ndarray,
    classes: np.ndarray,
    out: np.ndarray,
) -> None:
    """Add row ``rows[m]`` of the matrix to column ``classes[m]`` of ``out`` for every m."""
    for m in range(rows.size):
        c = classes[m]
        for e in range(indptr[rows[m]], indptr[rows[m] + 1]):
            out[indices[e], c] += data[e]


#: As many centroids or fewer are summed side by side in registers; more take plain loops, which
#: read the centroids once.
_FEW = 2 * PARTS


@njit(cache=True)
def _few_scores(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    centroids: np.ndarray,
    columns: np.ndarray,
    out: np.ndarray,
    lanes: tuple[int, ...],
) -> None:
    """Do :func:`centroid_scores` for at most ``len(lanes)`` centroids."""
    count, width = columns.size, len(lanes)
    table = np.zeros((centroids.shape[0], width))
    table[:, :count] = centroids
    flat = table.reshape(-1)
    for i in range(indptr.size - 1):
        total = weighted_rows(indices, data, indptr[i], indptr[i + 1], flat, width, lanes)
        for c in range(count):
            out[i, columns[c]] = total[c]


@njit(cache=True)
def _many_scores(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    centroids: np.ndarray,
    columns: np.ndarray,
    out: np.ndarray,
) -> None:
    """Do :func:`centroid_scores` in plain loops, which any number of centroids can take."""
    count = columns.size
    total = np.empty(count)
    for i in range(indptr.size - 1):
        total[:] = 0.0
        for e in range(indptr[i], indptr[i + 1]):
            x = data[e]
            mu = centroids[indices[e]]
            for c in range(count):
                total[c] += x * mu[c]
        for c in range(count):
            out[i, columns[c]] = total[c]


@njit(cache=True)
def centroid_scores(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    centroids: np.ndarray,
    columns: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write the dot products of all rows with ``centroids[:, c]`` into ``out[:, columns[c]]``.

    Every sum runs over the row's entries in their order: the same bits on both ways.
    """
    if columns.size <= PARTS:
        _few_scores(indptr, indices, data, centroids, columns, out, (0, 0, 0, 0))
    elif columns.size <= _FEW:
        _few_scores(indptr, indices, data, centroids, columns, out, (0, 0, 0, 0, 0, 0, 0, 0))
    else:
        _many_scores(indptr, indices, data, centroids, columns, out)


@njit(cache=True)
def gram_matrix(
    indptr: np.ndarray, indices: np.ndarray, data: np.ndarray, n_rows: int
) -> np.ndarray:
    """Return X X^T from the columns of X (CSC, sorted): only rows that share a column meet."""
    out = np.zeros((n_rows, n_rows))
    for column in range(indptr.size - 1):
        last = indptr[column + 1]
        for a in range(indptr[column], last):
            i = indices[a]
            x = data[a]
            for b in range(a, last):
                out[i, indices[b]] += x * data[b]
    for i in range(n_rows):
        for j in range(i):
            out[i, j] = out[j, i]
    return out
