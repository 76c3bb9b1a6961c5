"""Sweeps of cosine k-means over sparse columns.

The rows' data come feature by feature (the transpose's CSR): what is gathered, the similarities of
the rows, is small and stays in the first-level cache, and every sum runs over the features in
ascending order.
"""

import numpy as np
from numba import njit

Array = np.ndarray


@njit(cache=True, nogil=True)
def assign(
    indptr: Array, indices: Array, data: Array, centroids: Array, labels: Array, best: Array,
    similarity: Array,
) -> None:  # fmt: skip
    """Give every row the centroid (column of the F x k array) with the largest dot product.

    ``best`` receives that product. Ties go to the first centroid. ``similarity`` (D x 4) is work
    space: four centroids at a time; where fewer are left, the last one fills up and ties with
    itself.
    """
    last = centroids.shape[1] - 1
    labels[:] = 0
    best[:] = -np.inf
    for c in range(0, last + 1, 4):
        c1, c2, c3 = min(c + 1, last), min(c + 2, last), min(c + 3, last)
        similarity[:] = 0.0
        for f in range(indptr.size - 1):
            m0, m1, m2, m3 = centroids[f, c], centroids[f, c1], centroids[f, c2], centroids[f, c3]
            for i in range(indptr[f], indptr[f + 1]):
                row, x = similarity[indices[i]], data[i]
                row[0] += x * m0
                row[1] += x * m1
                row[2] += x * m2
                row[3] += x * m3
        for d in range(labels.size):
            for k in range(4):
                if similarity[d, k] > best[d]:
                    best[d] = similarity[d, k]
                    labels[d] = min(c + k, last)


@njit(cache=True, nogil=True)
def unit_sums(indptr: Array, indices: Array, data: Array, labels: Array, out: Array) -> float:
    """Write the sums of the clusters' rows, scaled to length one, to the columns of ``out``.

    Returns the sum of the lengths, which is k-means' criterion.
    """
    n_features, k = out.shape
    out[:] = 0.0
    length = np.zeros(k)
    for f in range(n_features):
        for i in range(indptr[f], indptr[f + 1]):
            out[f, labels[indices[i]]] += data[i]
        for c in range(k):
            length[c] += out[f, c] * out[f, c]
    total = 0.0
    for c in range(k):
        length[c] = np.sqrt(length[c])
        total += length[c]
        if length[c] == 0.0:
            length[c] = 1.0
    for f in range(n_features):
        for c in range(k):
            out[f, c] /= length[c]
    return total
