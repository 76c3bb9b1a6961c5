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
from typing import Any

import numpy as np

from manyviews.kernels.cache import compiled
from manyviews.kernels.lanes import fma

Array = np.ndarray

Position = Any  # numpy.uint64 inside compiled code
_U: Any = np.uint64  # unsigned positions need no test for Python's negative indices


@compiled()
def decode_pairs(index: Array, n_rows: int) -> tuple[Array, Array]:
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


@compiled(error_model="numpy")
def _distance(p: Array, a: Position, b: Position, size: int) -> float:
    """Squared distance of the rows that start at ``a`` and ``b``, in two fixed partial sums."""
    even = size - size % 2
    s = t = 0.0
    for k in range(0, even, 2):
        i, j = _U(k), _U(k + 1)
        d, e = p[a + i] - p[b + i], p[a + j] - p[b + j]
        s = fma(d, d, s)
        t = fma(e, e, t)
    if even < size:
        d = p[a + _U(even)] - p[b + _U(even)]
        s = fma(d, d, s)
    return s + t


@compiled(error_model="numpy")
def gaussian_pairs(P: Array, left: Array, right: Array, sigma: float, out: Array) -> None:
    """Write the Gaussian similarity (7) of every pair into ``out``; P is C-ordered."""
    size = P.shape[1]
    p = P.ravel()
    scale = -1.0 / sigma
    for m in range(left.size):
        distance = _distance(p, _U(left[m] * size), _U(right[m] * size), size)
        out[m] = math.exp(scale * distance)


@compiled()
def mean_squared_distance(P: Array, left: Array, right: Array) -> float:
    """Return the mean of ``|p_i - p_j|^2`` over the pairs (0 for an empty list)."""
    total = 0.0
    for m in range(left.size):
        part = 0.0
        for k in range(P.shape[1]):
            d = P[left[m], k] - P[right[m], k]
            part += d * d
        total += part
    return total / left.size if left.size else 0.0


@compiled()
def penalty(own: Array, other: Array, use: Array) -> float:
    """Return R of (6) for two views' similarities; pairs with ``use`` zero do not count."""
    total = 0.0
    for m in range(own.size):
        if use[m]:
            d = own[m] - other[m]
            total += d * d
    return 2.0 * total


@compiled()
def add_coefficients(own: Array, other: Array, use: Array, coefficient: Array) -> float:
    """Add ``T = S^v (S^v - S^w)`` of every pair to ``coefficient``; return R of (6)."""
    total = 0.0
    for m in range(own.size):
        if use[m]:
            d = own[m] - other[m]
            coefficient[m] += own[m] * d
            total += d * d
    return 2.0 * total


@compiled()
def laplacian_gradient(
    P: Array, left: Array, right: Array, coefficient: Array, sigma: float, out: Array
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


@compiled(error_model="numpy")
def clipped_rows(
    old: Array, counts: Array, gradient: Array, weight: float, floor: float,
    out: Array,
) -> tuple[int, float]:  # fmt: skip
    r"""Update (13) of all documents; returns the entries clipped and the size of the pull.

    Row i of ``out`` is :math:`\max(n_{ik} - w\, p_{ik}\, \partial R/\partial p_{ik}, 0)`,
    normalised. A clipped entry keeps ``floor`` times the document's mass (a zero would be
    absorbing); a row with nothing positive, or of a document without words, keeps its old value.
    The pull is the sum of the absolute corrections.
    """
    n_rows, n_topics = old.shape
    clipped = 0
    pull = 0.0
    for i in range(n_rows):
        mass = 0.0
        for k in range(n_topics):
            mass += counts[i, k]
        positive = total = 0.0
        for k in range(n_topics):
            correction = weight * old[i, k] * gradient[i, k]
            pull += abs(correction)
            raw = counts[i, k] - correction
            if raw < 0.0:
                clipped += 1
                raw = floor * mass
            else:
                positive += raw
            total += raw
            out[i, k] = raw
        keep = not (mass > 0.0 and positive > 0.0)
        for k in range(n_topics):
            out[i, k] = old[i, k] if keep else out[i, k] / total
    return clipped, pull


@compiled(error_model="numpy")
def log_gain(counts: Array, old: Array, new: Array) -> float:
    """Change of the EM bound's likelihood part, ``sum n log(new / old)``; 0 log 0 is 0."""
    total = 0.0
    for i in range(counts.shape[0]):
        part = 0.0
        for k in range(counts.shape[1]):
            if counts[i, k] > 0.0:
                part += counts[i, k] * math.log(new[i, k] / old[i, k])
        total += part
    return total
