"""Sums of rows per class and dot products with class centroids, on CSR views."""

import numpy as np
from numba import njit

from manyviews.kernels.lanes import PARTS
from manyviews.kernels.spherical_lanes import weighted_rows


@njit(cache=True)
def changed_classes(members: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return which columns of two boolean arrays differ."""
    n_rows, n_classes = members.shape
    differs = np.zeros(n_classes, dtype=np.uint8)
    for i in range(n_rows):
        for c in range(n_classes):
            differs[c] |= members[i, c] ^ before[i, c]
    return differs


@njit(cache=True)
def member_sums(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    columns: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write the sums of the rows of the classes ``columns`` to the columns of ``out``.

    The rows of a class are added in their order.
    """
    out[:] = 0.0
    for i in range(indptr.size - 1):
        for c in range(columns.size):
            if members[i, columns[c]]:
                for e in range(indptr[i], indptr[i + 1]):
                    out[indices[e], c] += data[e]


#: Centroids summed side by side in registers. A table of centroids has room for so many numbers
#: behind its last row: what is read there is not used.
WIDTH = 4 * PARTS
_EIGHT = (0, 0, 0, 0, 0, 0, 0, 0)
_SIXTEEN = _EIGHT + _EIGHT


@njit(cache=True)
def centroid_scores(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    table: np.ndarray,
    columns: np.ndarray,
    out: np.ndarray,
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
