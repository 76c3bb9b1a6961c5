"""Enumeration of label sets as bit masks, with a second value that breaks ties."""

import numpy as np

from manyviews.kernels.assignment_tree import better
from manyviews.kernels.cache import compiled

Array = np.ndarray


@compiled()
def best_set(gain: Array, penalty: Array, ties: Array, offset: Array, tie: float) -> Array:
    """Return for each point the mask A that maximises ``gain . A - penalty[A]``.

    Among tied masks the one with the largest ``ties . A - offset[A]``, then the lowest mask. The
    sums of all masks are built by adding the lowest bit to an earlier mask: 2**K additions.
    """
    n, k = gain.shape
    size = 1 << k
    value = np.zeros(size)
    second = np.zeros(size)
    out = np.empty(n, np.int64)
    for p in range(n):
        for i in range(k):
            half = 1 << i
            for a in range(half):
                value[half + a] = value[a] + gain[p, i]
                second[half + a] = second[a] + ties[p, i]
        best = (value - penalty).max()
        where = -1
        top = -np.inf
        for a in range(size):
            if value[a] - penalty[a] >= best - tie:
                s = second[a] - offset[a]
                if where < 0 or s > top + tie:
                    where = a
                    top = s
        out[p] = where
    return out


@compiled()
def best_pair(
    gain: Array, penalty: Array, ties: Array, alpha2: float, weight: float, tie: float
) -> Array:
    """Return for each point the masks (A, B) that maximise f1(A) + f2(B) - alpha2 |A ^ B|.

    ``gain`` is (n, 2, K). For every bit, g(A) <- max(g(A), g(A ^ bit) - alpha2) turns f2 into
    max_B f2(B) - alpha2 |A ^ B| in K passes, with pointers to the best B. The second value counts
    a disagreement as ``-weight``.
    """
    n, _, k = gain.shape
    size = 1 << k
    f1, t1, g, tg = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size)
    pointer = np.empty(size, np.int64)
    out = np.empty((n, 2), np.int64)
    for p in range(n):
        f1[0] = t1[0] = g[0] = tg[0] = 0.0
        for i in range(k):
            half = 1 << i
            for a in range(half):
                f1[half + a] = f1[a] + gain[p, 0, i]
                t1[half + a] = t1[a] + ties[p, 0, i]
                g[half + a] = g[a] + gain[p, 1, i]
                tg[half + a] = tg[a] + ties[p, 1, i]
        for a in range(size):
            f1[a] -= penalty[a]
            g[a] -= penalty[a]
            pointer[a] = a
        for i in range(k):
            bit = 1 << i
            for a in range(size):
                if a & bit:
                    continue
                b = a | bit
                va, vb, ta, tb, pa = g[a], g[b], tg[a], tg[b], pointer[a]
                if better(vb - alpha2, tb - weight, va, ta, tie):
                    g[a], tg[a], pointer[a] = vb - alpha2, tb - weight, pointer[b]
                if better(va - alpha2, ta - weight, vb, tb, tie):
                    g[b], tg[b], pointer[b] = va - alpha2, ta - weight, pa
        best = (f1 + g).max()
        where = -1
        top = -np.inf
        for a in range(size):
            if f1[a] + g[a] >= best - tie:
                s = t1[a] + tg[a]
                if where < 0 or s > top + tie:
                    where = a
                    top = s
        out[p] = where, pointer[where]
    return out


@compiled()
def best_tuple(
    gain: Array, ties: Array, distance: Array, alpha2: float, weight: float, tie: float
) -> Array:
    """Return for each point one candidate per view by trying every tuple.

    ``gain`` is (n, V, C): the value of candidate c in view v; ``distance[c, d]`` the number of
    labels in which two candidates differ, for which every pair of views pays ``alpha2`` each.
    """
    n, views, count = gain.shape
    total = count**views
    out = np.empty((n, views), np.int64)
    pick = np.zeros(views, np.int64)
    for p in range(n):
        best = top = -np.inf
        pick[:] = 0
        for _ in range(total):
            value = second = apart = 0.0
            for v in range(views):
                value += gain[p, v, pick[v]]
                second += ties[p, v, pick[v]]
                for w in range(v):
                    apart += distance[pick[v], pick[w]]
            value -= alpha2 * apart
            second -= weight * apart
            if better(value, second, best, top, tie):
                best, top = max(best, value), second
                out[p] = pick
            v = views - 1
            while v >= 0:
                pick[v] += 1
                if pick[v] < count:
                    break
                pick[v] = 0
                v -= 1
    return out


@compiled()
def _places(flat: Array) -> Array:
    """Return where flat booleans are true.

    Eight that are all false are skipped by one look at a 64-bit word.
    """
    out = np.empty(flat.size, np.int64)
    count = 0
    words = flat[: flat.size - flat.size % 8].view(np.uint64)
    for w in range(words.size):
        if words[w] != 0:
            for at in range(8 * w, 8 * w + 8):
                out[count] = at
                count += flat[at]
    for at in range(8 * words.size, flat.size):
        if flat[at]:
            out[count] = at
            count += 1
    return out[:count]


@compiled()
def totals(scores: Array, labels: Array) -> tuple[Array, Array, Array]:
    """Return per point the selected score, the disagreements and the labels of each view.

    Sets are small, so the labels are found first: scores that are far apart in memory are then
    read without waiting for one another.
    """
    n, views, k = scores.shape
    gain = np.zeros(n)
    apart = np.zeros(n, np.int64)
    size = np.zeros((n, views), np.int64)
    values = scores.ravel()
    for at in _places(labels.ravel()):
        row, i = at // k, at % k
        p, v = row // views, row % views
        gain[p] += values[at]
        size[p, v] += 1
        for other in range(views):
            apart[p] += not labels[p, other, i]
    return gain, apart, size


@compiled()
def quadratic_counts(labels: Array, linear: Array, quadratic: Array) -> Array:
    """Return y . linear + y . quadratic . y for every row of 0/1 labels; rows hold few ones."""
    n, k = labels.shape
    out = np.zeros(n)
    chosen = np.empty(k, np.int64)
    for p in range(n):
        count = 0
        for i in range(k):
            if labels[p, i]:
                chosen[count] = i
                count += 1
        total = 0.0
        for a in range(count):
            total += linear[chosen[a]]
            for b in range(count):
                total += quadratic[chosen[a], chosen[b]]
        out[p] = total
    return out
