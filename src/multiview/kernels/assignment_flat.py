"""Flat MAXAGREE in closed form: one argmax per block of views that agree."""

import numpy as np
from numba import njit


@njit(cache=True)
def two_views(scores: np.ndarray, alpha1: float, alpha2: float, tie: float) -> np.ndarray:
    """Return the label of each view, (n, 2): agree unless disagreeing gains more than it costs."""
    n, _, k = scores.shape
    out = np.empty((n, 2), np.int64)
    for p in range(n):
        one = 0
        two = 0
        both = 0
        best = scores[p, 0, 0] + scores[p, 1, 0]
        for i in range(1, k):
            a = scores[p, 0, i]
            b = scores[p, 1, i]
            if a > scores[p, 0, one]:
                one = i
            if b > scores[p, 1, two]:
                two = i
            if a + b > best:
                best = a + b
                both = i
        apart = scores[p, 0, one] + scores[p, 1, two]
        if alpha1 * apart - 2.0 * alpha2 > alpha1 * best + tie:
            out[p, 0] = one
            out[p, 1] = two
        else:
            out[p, 0] = both
            out[p, 1] = both
    return out


@njit(cache=True)
def many_views(
    scores: np.ndarray,
    blocks: np.ndarray,
    cross: np.ndarray,
    alpha1: float,
    alpha2: float,
    tie: float,
) -> np.ndarray:
    """Return the label of each view, (n, V), over all set partitions of the views.

    ``blocks[q, v]`` is the block of view v in partition q, ``cross[q]`` the number of pairs of
    views in different blocks; partitions come with growing ``cross``, so ties prefer agreement.
    """
    n, views, k = scores.shape
    out = np.empty((n, views), np.int64)
    label = np.empty(views, np.int64)
    for p in range(n):
        best = -np.inf
        for q in range(blocks.shape[0]):
            value = -2.0 * alpha2 * cross[q]
            for b in range(blocks[q].max() + 1):
                top = -np.inf
                where = 0
                for i in range(k):
                    total = 0.0
                    for v in range(views):
                        if blocks[q, v] == b:
                            total += scores[p, v, i]
                    if total > top:
                        top = total
                        where = i
                value += alpha1 * top
                for v in range(views):
                    if blocks[q, v] == b:
                        label[v] = where
            if value > best + tie:
                best = value
                for v in range(views):
                    out[p, v] = label[v]
    return out
