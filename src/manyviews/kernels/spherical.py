"""Spherical k-means on CSR views: sums of rows per class, dot products with centroids, sweeps."""

import numpy as np

from manyviews.kernels.cache import compiled
from manyviews.kernels.lanes import PARTS, fma, weighted_rows

Array = np.ndarray


@compiled()
def member_sums(
    indptr: Array, indices: Array, data: Array, members: Array, columns: Array, out: Array
) -> None:
    """Write the sums of the rows of the classes ``columns`` to the columns of ``out``.

    The rows of a class are added in their order. A row is read once for all of its classes, whose
    sums of a feature lie side by side.
    """
    out[:] = 0.0
    mine = np.empty(columns.size, dtype=np.int64)
    for i in range(indptr.size - 1):
        count = 0
        for c in range(columns.size):
            mine[count] = c
            count += members[i, columns[c]]
        if count == 0:
            continue
        for e in range(indptr[i], indptr[i + 1]):
            sums, x = out[indices[e]], data[e]
            for k in range(count):
                sums[mine[k]] += x


@compiled(error_model="numpy")
def unit_columns(sums: Array) -> Array:
    """Scale columns to length one, in place, zeros apart; return which are not zero."""
    n_features, n_classes = sums.shape
    length = np.zeros(n_classes)
    for f in range(n_features):
        row = sums[f]
        for k in range(n_classes):
            length[k] = fma(row[k], row[k], length[k])
    alive = length > 0.0
    for k in range(n_classes):
        length[k] = np.sqrt(length[k]) if alive[k] else 1.0
    for f in range(n_features):
        row = sums[f]
        for k in range(n_classes):
            row[k] /= length[k]
    return alive


#: Centroids summed side by side in registers. A table of centroids has room for so many numbers
#: behind its last row: what is read there is not used.
WIDTH = 4 * PARTS
_EIGHT = (0, 0, 0, 0, 0, 0, 0, 0)
_SIXTEEN = _EIGHT + _EIGHT


@compiled(nogil=True)
def centroid_scores(
    indptr: Array, indices: Array, data: Array, table: Array, columns: Array, out: Array
) -> None:
    """Write the dot products of all rows with centroid c into ``out[:, columns[c]]``.

    ``table`` is flat: a row of ``columns.size`` numbers per feature and room for :data:`WIDTH`
    more. Every sum runs over the row's entries in their order.
    """
    count = columns.size
    for i in range(indptr.size - 1):
        first, last = indptr[i], indptr[i + 1]
        c = 0
        while count - c > 8:
            some = weighted_rows(indices, data, first, last, table, c, count, _SIXTEEN)
            for k in range(min(16, count - c)):
                out[i, columns[c + k]] = some[k]
            c += 16
        if count - c > 4:
            few = weighted_rows(indices, data, first, last, table, c, count, _EIGHT)
            for k in range(count - c):
                out[i, columns[c + k]] = few[k]
        elif count - c > 0:
            last_ones = weighted_rows(indices, data, first, last, table, c, count, (0, 0, 0, 0))
            for k in range(count - c):
                out[i, columns[c + k]] = last_ones[k]


@compiled()
def gram_matrix(indptr: Array, indices: Array, data: Array, n_rows: int) -> Array:
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
