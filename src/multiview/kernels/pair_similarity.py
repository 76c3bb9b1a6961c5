r"""Compiled loops over a fixed list of document pairs: similarities, penalty, gradient.

For a view with topic proportions :math:`P \in R^{N \times K}` and a list of unordered pairs
:math:`i < j`, Jiang et al. (2012) define

.. math::

    S_{ij} = \exp(-\|p_i - p_j\|^2 / \sigma) \quad (7), \qquad
    R = \sum_{i,j} (S^v_{ij} - S^w_{ij})^2 = 2 \sum_{i<j} (S^v_{ij} - S^w_{ij})^2 \quad (6)

and the gradient (14), here in Laplacian form with :math:`T_{ij} = S^v_{ij}(S^v_{ij}-S^w_{ij})`:

.. math:: \partial R / \partial P = -(8/\sigma)\,(\mathrm{diag}(T 1) - T)\,P .

All sums run in the order of the pair list, so results do not depend on the machine's threads.
"""

import math

import numpy as np
from numba import njit


@njit(cache=True)
def decode_pairs(index: np.ndarray, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (i, j), i < j, for positions in the row-wise list of all unordered pairs.

    Position 0 is (0, 1), then (0, 2) ... (0, n-1), (1, 2) and so on. ``index`` must be sorted.
    """
    left = np.empty(index.size, np.int32)
    right = np.empty(index.size, np.int32)
    row = 0
    start = 0  # position of the pair (row, row + 1)
    for m in range(index.size):
        while index[m] - start >= n_rows - 1 - row:
            start += n_rows - 1 - row
            row += 1
        left[m] = row
        right[m] = row + 1 + index[m] - start
    return left, right


@njit(cache=True)
def gaussian_pairs(
    P: np.ndarray, left: np.ndarray, right: np.ndarray, sigma: float, out: np.ndarray
) -> None:
    """Write the Gaussian similarity (7) of every pair into ``out``.

    Four partial sums break the chain of dependent additions (the compiler may not reorder
    floating-point sums by itself), in an order that is fixed by the code.
    """
    n_topics = P.shape[1]
    whole = n_topics - n_topics % 4
    scale = -1.0 / sigma
    for m in range(left.size):
        a = P[left[m]]
        b = P[right[m]]
        s0 = 0.0
        s1 = 0.0
        s2 = 0.0
        s3 = 0.0
        for k in range(0, whole, 4):
            d0 = a[k] - b[k]
            d1 = a[k + 1] - b[k + 1]
            d2 = a[k + 2] - b[k + 2]
            d3 = a[k + 3] - b[k + 3]
            s0 += d0 * d0
            s1 += d1 * d1
            s2 += d2 * d2
            s3 += d3 * d3
        for k in range(whole, n_topics):
            d0 = a[k] - b[k]
            s0 += d0 * d0
        out[m] = math.exp(scale * ((s0 + s1) + (s2 + s3)))


@njit(cache=True)
def mean_squared_distance(P: np.ndarray, left: np.ndarray, right: np.ndarray) -> float:
    """Return the mean of ``|p_i - p_j|^2`` over the pairs (0 for an empty list)."""
    total = 0.0
    for m in range(left.size):
        part = 0.0
        for k in range(P.shape[1]):
            d = P[left[m], k] - P[right[m], k]
            part += d * d
        total += part
    return total / left.size if left.size else 0.0


@njit(cache=True)
def penalty(own: np.ndarray, other: np.ndarray, use: np.ndarray) -> float:
    """Return R of (6) for two views' similarities; pairs with ``use`` zero do not count."""
    total = 0.0
    for m in range(own.size):
        if use[m]:
            d = own[m] - other[m]
            total += d * d
    return 2.0 * total


@njit(cache=True)
def add_coefficients(
    own: np.ndarray, other: np.ndarray, use: np.ndarray, coefficient: np.ndarray
) -> float:
    """Add ``T = S^v (S^v - S^w)`` of every pair to ``coefficient``; return R of (6)."""
    total = 0.0
    for m in range(own.size):
        if use[m]:
            d = own[m] - other[m]
            coefficient[m] += own[m] * d
            total += d * d
    return 2.0 * total


@njit(cache=True)
def laplacian_gradient(
    P: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    coefficient: np.ndarray,
    sigma: float,
    out: np.ndarray,
) -> None:
    r"""Write :math:`-(8/\sigma)(\mathrm{diag}(T1) - T)P` into ``out`` (14).

    Pairs with the same left member follow each other; its row is gathered in a local buffer.
    """
    n_topics = P.shape[1]
    factor = -8.0 / sigma
    out[:] = 0.0
    mine = np.zeros(n_topics)
    row = -1
    for m in range(left.size):
        t = factor * coefficient[m]
        if t == 0.0:
            continue
        if left[m] != row:
            if row >= 0:
                for k in range(n_topics):
                    out[row, k] += mine[k]
                    mine[k] = 0.0
            row = left[m]
        a = P[row]
        b = P[right[m]]
        theirs = out[right[m]]
        for k in range(n_topics):
            d = t * (a[k] - b[k])
            mine[k] += d
            theirs[k] -= d
    if row >= 0:
        for k in range(n_topics):
            out[row, k] += mine[k]
