"""One view's part of MVC's multiplicative updates (Long, Yu and Zhang 2008).

``A`` (D x j) is the view's pattern, ``B`` (D x k) the common one, ``P`` (k x j) the mapping.
Patterns of k-means have one entry per row, so zeros of A are skipped: they add nothing.
"""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray

#: A modelled entry below this counts as this much.
TINY = 1e-300


@compiled(nogil=True)
def _modelled(B: Array, P: Array, d: int, j: int) -> float:
    """Return one entry of B P."""
    total = 0.0
    for k in range(B.shape[1]):
        total += B[d, k] * P[k, j]
    return total


@compiled(nogil=True)
def add_numerator(A: Array, B: Array, P: Array, weight: float, out: Array) -> None:
    """Add the weighted ratio A / (B P) times P' to ``out`` (D x k)."""
    for d in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[d, j] > 0.0:
                ratio = weight * A[d, j] / max(_modelled(B, P, d, j), TINY)
                for k in range(B.shape[1]):
                    out[d, k] += ratio * P[k, j]


@compiled(nogil=True)
def renew_mapping(A: Array, B: Array, P: Array) -> None:
    """Multiply P by B' (A / (B P)) over the column sums of B, in place."""
    gain, mass = np.zeros_like(P), np.zeros(B.shape[1])
    for d in range(A.shape[0]):
        for k in range(B.shape[1]):
            mass[k] += B[d, k]
        for j in range(A.shape[1]):
            if A[d, j] > 0.0:
                ratio = A[d, j] / max(_modelled(B, P, d, j), TINY)
                for k in range(B.shape[1]):
                    gain[k, j] += B[d, k] * ratio
    for k in range(B.shape[1]):
        for j in range(A.shape[1]):
            P[k, j] *= gain[k, j] / max(mass[k], TINY)


@compiled(nogil=True)
def divergence(A: Array, B: Array, P: Array) -> float:
    """Return the generalised I-divergence of A from B P (0 log 0 = 0)."""
    value = 0.0
    for d in range(A.shape[0]):
        for j in range(A.shape[1]):
            modelled = _modelled(B, P, d, j)
            value += modelled
            if A[d, j] > 0.0:
                value += A[d, j] * np.log(A[d, j] / max(modelled, TINY)) - A[d, j]
    return value
