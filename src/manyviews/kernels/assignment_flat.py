"""Flat MAXAGREE in closed form: one argmax per block of views that agree."""

import numpy as np
from numba import njit


# Scores are finite: with neither NaN nor the sign of zero to mind, the maxima become vector
# instructions. Nothing else is relaxed, so no sum rounds differently.
@njit(cache=True, fastmath={"nnan", "nsz"})
def _three_maxima(first: np.ndarray, second: np.ndarray) -> tuple[float, float, float]:
    """Return the largest entry of each row and of their sum."""
    one = first[0]
    two = second[0]
    both = first[0] + second[0]
    for i in range(1, len(first)):
        total = first[i] + second[i]
        one = first[i] if first[i] > one else one
        two = second[i] if second[i] > two else two
        both = total if total > both else both
    return one, two, both


@njit(cache=True)
def two_views(scores: np.ndarray, alpha1: float, alpha2: float, tie: float) -> np.ndarray:
    """Return the label of each view, (n, 2): agree unless disagreeing gains more than it costs."""
    n = scores.shape[0]
    out = np.empty((n, 2), np.int64)
    for p in range(n):
        first = scores[p, 0]
        second = scores[p, 1]
        one, two, both = _three_maxima(first, second)
        i = 0
        j = 0
        if alpha1 * (one + two) - 2.0 * alpha2 > alpha1 * both + tie:
            while first[i] != one:
                i += 1
            while second[j] != two:
                j += 1
        else:
            while first[i] + second[i] != both:
                i += 1
            j = i
        out[p, 0] = i
        out[p, 1] = j
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
