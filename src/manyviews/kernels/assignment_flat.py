"""Flat MAXAGREE in closed form: one argmax per block of views that agree."""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray


# Scores are finite: with neither NaN nor the sign of zero to mind, the maxima become vector
# instructions. Nothing else is relaxed, so no sum rounds differently.
@compiled(fastmath={"nnan", "nsz"})
def _three_maxima(first: Array, second: Array) -> tuple[float, float, float]:
    """Return the largest entry of each row and of their sum."""
    one = two = both = -np.inf
    for i in range(first.size):
        total = first[i] + second[i]
        one = first[i] if first[i] > one else one
        two = second[i] if second[i] > two else two
        both = total if total > both else both
    return one, two, both


@compiled()
def two_views(scores: Array, alpha1: float, alpha2: float, tie: float, out: Array) -> None:
    """Mark the label of each view in ``out`` (n, 2, K): agree unless that costs more than it gains.

    ``out`` is False everywhere before.
    """
    for p in range(scores.shape[0]):
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
        out[p, 0, i] = True
        out[p, 1, j] = True


@compiled()
def many_views(
    scores: Array, blocks: Array, cross: Array, alpha1: float, alpha2: float, tie: float, out: Array
) -> None:
    """Mark the label of each view in ``out`` (n, V, K), over all set partitions of the views.

    ``out`` is False everywhere before.
    ``blocks[q, v]`` is the block of view v in partition q, ``cross[q]`` the number of pairs of
    views in different blocks; partitions come with growing ``cross``, so ties prefer agreement.
    """
    n, views, k = scores.shape
    label = np.empty(views, np.int64)
    chosen = np.empty(views, np.int64)
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
                chosen[:] = label
        for v in range(views):
            out[p, v, chosen[v]] = True
