"""Flat MAXAGREE in closed form: one argmax per block of views that agree."""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray


@compiled()
def two_views(scores: Array, alpha1: float, alpha2: float, tie: float, out: Array) -> None:
    """Mark the label of each view in ``out`` (n, 2, K): agree unless that costs more than it gains.

    ``out`` is False everywhere before.
    """
    for p in range(scores.shape[0]):
        first, second = scores[p, 0], scores[p, 1]
        one = two = both = 0
        for i in range(1, first.size):
            one = i if first[i] > first[one] else one
            two = i if second[i] > second[two] else two
            both = i if first[i] + second[i] > first[both] + second[both] else both
        together = alpha1 * (first[both] + second[both])
        if alpha1 * (first[one] + second[two]) - 2.0 * alpha2 <= together + tie:
            one = two = both
        out[p, 0, one] = True
        out[p, 1, two] = True


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
