"""Sums of rows per class and dot products with class centroids, on CSR views."""

import numpy as np
from numba import njit


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


@njit(cache=True)
def centroid_scores(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    centroids: np.ndarray,
    columns: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write the dot products of all rows with ``centroids[:, c]`` into ``out[:, columns[c]]``."""
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
