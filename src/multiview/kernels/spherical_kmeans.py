"""Sweeps of cosine k-means over sparse rows."""

import numpy as np
from numba import njit

Array = np.ndarray


@njit(cache=True)
def assign(
    indptr: Array, indices: Array, data: Array, centroids: Array, labels: Array, best: Array
) -> None:
    """Give every row the centroid (column of the F x k array) with the largest dot product.

    ``best`` receives that product. Ties go to the first centroid.
    """
    k = centroids.shape[1]
    similarity = np.empty(k)
    for d in range(indptr.size - 1):
        similarity[:] = 0.0
        for i in range(indptr[d], indptr[d + 1]):
            row = centroids[indices[i]]
            for c in range(k):
                similarity[c] += data[i] * row[c]
        top = 0
        for c in range(1, k):
            if similarity[c] > similarity[top]:
                top = c
        labels[d] = top
        best[d] = similarity[top]


@njit(cache=True)
def unit_sums(indptr: Array, indices: Array, data: Array, labels: Array, out: Array) -> None:
    """Write the sums of the clusters' rows, scaled to length one, to the columns of ``out``."""
    k = out.shape[1]
    out[:] = 0.0
    for d in range(indptr.size - 1):
        c = labels[d]
        for i in range(indptr[d], indptr[d + 1]):
            out[indices[i], c] += data[i]
    length = np.zeros(k)
    for f in range(out.shape[0]):
        for c in range(k):
            length[c] += out[f, c] * out[f, c]
    for c in range(k):
        length[c] = np.sqrt(length[c]) if length[c] > 0 else 1.0
    for f in range(out.shape[0]):
        for c in range(k):
            out[f, c] /= length[c]
