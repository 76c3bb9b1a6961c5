"""Flat MAXAGREE in closed form: one argmax per block of views that agree."""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray


# Scores are finite: with neither NaN nor the sign of zero to mind, the maxima become vector
# instructions. Nothing else is relaxed, so no sum rounds differently; four maxima at a time break
# the chain of comparisons.
@compiled(fastmath={"nnan", "nsz"})
def _three_maxima(first: Array, second: Array) -> tuple[float, float, float]:
    """Return the largest entry of each row and of their sum."""
    k = first.size
    whole = k - k % 4
    a0 = a1 = a2 = a3 = -np.inf
    b0 = b1 = b2 = b3 = -np.inf
    c0 = c1 = c2 = c3 = -np.inf
    for i in range(0, whole, 4):
        f0, f1, f2, f3 = first[i], first[i + 1], first[i + 2], first[i + 3]
        g0, g1, g2, g3 = second[i], second[i + 1], second[i + 2], second[i + 3]
        t0, t1, t2, t3 = f0 + g0, f1 + g1, f2 + g2, f3 + g3
        a0 = f0 if f0 > a0 else a0
        a1 = f1 if f1 > a1 else a1
        a2 = f2 if f2 > a2 else a2
        a3 = f3 if f3 > a3 else a3
        b0 = g0 if g0 > b0 else b0
        b1 = g1 if g1 > b1 else b1
        b2 = g2 if g2 > b2 else b2
        b3 = g3 if g3 > b3 else b3
        c0 = t0 if t0 > c0 else c0
        c1 = t1 if t1 > c1 else c1
        c2 = t2 if t2 > c2 else c2
        c3 = t3 if t3 > c3 else c3
    for i in range(whole, k):
        a0 = max(a0, first[i])
        b0 = max(b0, second[i])
        c0 = max(c0, first[i] + second[i])
    one = max(max(a0, a1), max(a2, a3))
    two = max(max(b0, b1), max(b2, b3))
    return one, two, max(max(c0, c1), max(c2, c3))


@compiled(fastmath={"nnan", "nsz"})
def extremes(scores: Array) -> tuple[float, float]:
    """Return the smallest and the largest of flat, finite scores and 0."""
    whole = scores.size - scores.size % 4
    l0 = l1 = l2 = l3 = 0.0
    h0 = h1 = h2 = h3 = 0.0
    for i in range(0, whole, 4):
        s0, s1, s2, s3 = scores[i], scores[i + 1], scores[i + 2], scores[i + 3]
        l0, l1, l2, l3 = min(l0, s0), min(l1, s1), min(l2, s2), min(l3, s3)
        h0, h1, h2, h3 = max(h0, s0), max(h1, s1), max(h2, s2), max(h3, s3)
    for i in range(whole, scores.size):
        l0 = min(l0, scores[i])
        h0 = max(h0, scores[i])
    return min(min(l0, l1), min(l2, l3)), max(max(h0, h1), max(h2, h3))


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
