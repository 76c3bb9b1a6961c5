"""Sweeps of cosine k-means: the nearest centroid of each row, and the sums of clusters.

Dot products with the centroids are those of :func:`manyviews.kernels.spherical.centroid_scores`.
"""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray


@compiled(nogil=True)
def nearest(scores: Array, labels: Array, best: Array) -> None:
    """Write the column of each row's largest score to ``labels``, the score to ``best``.

    Ties go to the first column.
    """
    for d in range(labels.size):
        top = -np.inf
        where = 0
        for c in range(scores.shape[1]):
            if scores[d, c] > top:
                top = scores[d, c]
                where = c
        labels[d] = where
        best[d] = top


@compiled(nogil=True)
def unit_sums(indptr: Array, indices: Array, data: Array, labels: Array, out: Array) -> float:
    """Write the sums of the clusters' rows, scaled to length one, to the columns of ``out``.

    The rows' data come feature by feature (the transpose's CSR): what is gathered, the rows'
    clusters, is small and stays in the first-level cache. Returns the sum of the lengths, which is
    k-means' criterion.
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
