"""Dynamic programmes on trees: soft label sets of any size, and pairs of consistent paths.

Trees come as arrays: ``first[i]:first[i + 1]`` are the positions of node i's children in
``child``; the last node (number K) is a virtual root above the real roots, without label or cost.
States of a node are bit masks over the views (bit v: the node is selected in view v).
"""

import numpy as np

from manyviews.kernels.cache import compiled


@compiled()
def _better(v: float, s: float, best: float, top: float, tie: float) -> bool:
    """Whether (v, s) beats (best, top): first value, then the tie-breaking second value."""
    return v > best + tie or (v >= best - tie and s > top + tie)


@compiled()
def _caps(
    node: int,
    first: np.ndarray,
    child: np.ndarray,
    F: np.ndarray,
    views: int,
    alpha3: float,
    tie: float,
    caps: np.ndarray,
    gains: np.ndarray,
) -> None:
    """Bound the number of children selected in each view without losing an optimum.

    The t-th selected child costs (t - 1) alpha3 in sibling penalties. If t are selected, dropping
    the one with the smallest possible gain U loses at most the t-th largest U; so counts t with
    U_(t) < (t - 1) alpha3 are never needed.
    """
    count = first[node + 1] - first[node]
    for v in range(views):
        bit = 1 << v
        for c in range(count):
            j = child[first[node] + c]
            top = -np.inf
            for state in range(1 << views):
                if state & bit:
                    d = F[j, state] - F[j, state ^ bit]
                    if d > top:
                        top = d
            # insertion sort, largest first
            place = c
            while place > 0 and gains[place - 1] < top:
                gains[place] = gains[place - 1]
                place -= 1
            gains[place] = top
        t = 1
        while t < count and gains[t] >= t * alpha3 - tie:
            t += 1
        caps[v] = min(t, count)


@compiled()
def _combine_ones(
    node: int,
    first: np.ndarray,
    child: np.ndarray,
    F: np.ndarray,
    S: np.ndarray,
    size: int,
    tie: float,
    B: np.ndarray,
    T: np.ndarray,
    choice: np.ndarray,
) -> None:
    """Fill B when no view selects two children: counts are bit masks, as the states are."""
    for c in range(first[node + 1] - first[node]):
        j = child[first[node] + c]
        for t in range(size - 1, -1, -1):
            best = -np.inf
            top = -np.inf
            pick = 0
            for state in range(t + 1):
                if state & ~t or B[t ^ state] == -np.inf:
                    continue
                value = B[t ^ state] + F[j, state]
                second = T[t ^ state] + S[j, state]
                if best == -np.inf or _better(value, second, best, top, tie):
                    best = value
                    top = second
                    pick = state
            B[t] = best
            T[t] = top
            choice[c, t] = pick


@compiled()
def _combine(
    node: int,
    first: np.ndarray,
    child: np.ndarray,
    F: np.ndarray,
    S: np.ndarray,
    views: int,
    caps: np.ndarray,
    tie: float,
    B: np.ndarray,
    T: np.ndarray,
    choice: np.ndarray,
) -> int:
    """Fill B[t]: best total of the children when t_v of them are selected in view v.

    ``t`` is a number in mixed radix (caps + 1); ``choice[c, t]`` is the state child c takes.
    Returns the number of count vectors.
    """
    size = 1
    for v in range(views):
        size *= caps[v] + 1
    for t in range(size):
        B[t] = -np.inf
        T[t] = -np.inf
    B[0] = 0.0
    T[0] = 0.0
    states = 1 << views
    if caps.max() == 1:
        _combine_ones(node, first, child, F, S, size, tie, B, T, choice)
        return size
    for c in range(first[node + 1] - first[node]):
        j = child[first[node] + c]
        for t in range(size - 1, -1, -1):  # downwards: smaller counts still hold the old values
            best = -np.inf
            top = -np.inf
            pick = 0
            for state in range(states):
                source = t
                rest = t
                radix = 1
                fits = True
                for v in range(views):
                    if (state >> v) & 1:
                        if rest % (caps[v] + 1) == 0:
                            fits = False
                            break
                        source -= radix
                    rest //= caps[v] + 1
                    radix *= caps[v] + 1
                if not fits or B[source] == -np.inf:
                    continue
                value = B[source] + F[j, state]
                second = T[source] + S[j, state]
                if best == -np.inf or _better(value, second, best, top, tie):
                    best = value
                    top = second
                    pick = state
            B[t] = best
            T[t] = top
            choice[c, t] = pick
    return size


@compiled()
def _count_cost(t: int, state: int, views: int, caps: np.ndarray, alpha3: float) -> float:
    """Penalty of selecting t_v children in view v below a node with the given state."""
    if t == 0:
        return 0.0
    cost = 0.0
    rest = t
    for v in range(views):
        m = rest % (caps[v] + 1)
        rest //= caps[v] + 1
        cost += m * (m - 1) / 2
        if not (state >> v) & 1:
            cost += m
    return alpha3 * cost


@compiled()
def _upwards(
    s: np.ndarray,
    t: np.ndarray,
    first: np.ndarray,
    child: np.ndarray,
    order: np.ndarray,
    alphas: tuple[float, float, float],
    weight: float,
    tie: float,
    F: np.ndarray,
    S: np.ndarray,
    B: np.ndarray,
    T: np.ndarray,
    choice: np.ndarray,
    caps: np.ndarray,
    gains: np.ndarray,
) -> None:
    """Fill F[i, state] and its tie-breaking second value S for all nodes of one point."""
    views, k = s.shape
    alpha1, alpha2, alpha3 = alphas
    for i in order:
        size = 1
        B[0] = 0.0
        T[0] = 0.0
        if first[i] < first[i + 1]:
            _caps(i, first, child, F, views, alpha3, tie, caps, gains)
            size = _combine(i, first, child, F, S, views, caps, tie, B, T, choice)
        for state in range(1 << views):
            own = 0.0
            second = 0.0
            if i < k:
                ones = 0
                for v in range(views):
                    if (state >> v) & 1:
                        own += alpha1 * s[v, i]
                        second += t[v, i]
                        ones += 1
                own -= alpha2 * ones * (views - ones)
                second -= weight * ones * (views - ones)
            where = _best_count(size, state, views, caps, alpha3, tie, B, T)
            F[i, state] = own + B[where] - _count_cost(where, state, views, caps, alpha3)
            S[i, state] = second + T[where]


@compiled()
def _best_count(
    size: int,
    state: int,
    views: int,
    caps: np.ndarray,
    alpha3: float,
    tie: float,
    B: np.ndarray,
    T: np.ndarray,
) -> int:
    """Return the count vector with the best total below a node with the given state."""
    where = 0
    best = -np.inf
    for t in range(size):
        value = B[t] - _count_cost(t, state, views, caps, alpha3)
        if best == -np.inf or _better(value, T[t], best, T[where], tie):
            where = t
            best = value
    return where


@compiled()
def tree_sets(
    scores: np.ndarray,
    ties: np.ndarray,
    first: np.ndarray,
    child: np.ndarray,
    order: np.ndarray,
    alphas: tuple[float, float, float],
    weight: float,
    tie: float,
    work: int,
) -> np.ndarray:
    """Return the selected labels (n, V, K) for parent-edge and sibling penalties.

    ``order`` lists all nodes, children before parents, the virtual root last; ``work`` bounds the
    number of count vectors of a node. On the way back down the children's tables are computed
    again instead of being stored for all nodes.
    """
    n, views, k = scores.shape
    states = 1 << views
    out = np.zeros((n, views, k), np.bool_)
    F = np.zeros((k + 1, states))
    S = np.zeros((k + 1, states))
    widest = np.diff(first).max()
    B = np.empty(work)
    T = np.empty(work)
    choice = np.empty((widest, work), np.int64)
    caps = np.ones(views, np.int64)
    gains = np.empty(widest)
    taken = np.zeros(k + 1, np.int64)
    for p in range(n):
        _upwards(
            scores[p], ties[p], first, child, order, alphas, weight, tie,
            F, S, B, T, choice, caps, gains,
        )  # fmt: skip
        taken[k] = states - 1
        for i in order[::-1]:
            if i < k:
                for v in range(views):
                    out[p, v, i] = (taken[i] >> v) & 1 == 1
            if first[i] == first[i + 1]:
                continue
            _caps(i, first, child, F, views, alphas[2], tie, caps, gains)
            size = _combine(i, first, child, F, S, views, caps, tie, B, T, choice)
            where = _best_count(size, taken[i], views, caps, alphas[2], tie, B, T)
            for c in range(first[i + 1] - first[i] - 1, -1, -1):
                state = choice[c, where]
                taken[child[first[i] + c]] = state
                radix = 1
                for v in range(views):
                    if (state >> v) & 1:
                        where -= radix
                    radix *= caps[v] + 1
    return out


@compiled()
def path_ends(
    scores: np.ndarray,
    ties: np.ndarray,
    parent: np.ndarray,
    alpha1: float,
    alpha2: float,
    weight: float,
    tie: float,
) -> np.ndarray:
    """Return the last node of the best consistent path per view, -1 for the empty set.

    ``parent[i] < i`` (-1 for roots); one or two views. Two paths differ in as many labels as
    their ends are apart in the tree, so the best partner of every path is a distance transform:
    one pass towards the root, one away from it.
    """
    n, views, k = scores.shape
    out = np.empty((n, views), np.int64)
    value = np.zeros((2, k + 1))  # position i + 1 is node i, position 0 the empty set
    second = np.zeros((2, k + 1))
    pointer = np.empty(k + 1, np.int64)
    for p in range(n):
        for v in range(views):
            for i in range(k):
                above = parent[i] + 1
                value[v, i + 1] = value[v, above] + alpha1 * scores[p, v, i]
                second[v, i + 1] = second[v, above] + ties[p, v, i]
        last = views - 1
        for i in range(k + 1):
            pointer[i] = i
        if views == 2:
            g = value[1]
            s = second[1]
            for i in range(k, 0, -1):
                above = parent[i - 1] + 1
                if _better(g[i] - alpha2, s[i] - weight, g[above], s[above], tie):
                    g[above] = g[i] - alpha2
                    s[above] = s[i] - weight
                    pointer[above] = pointer[i]
            for i in range(1, k + 1):
                above = parent[i - 1] + 1
                if _better(g[above] - alpha2, s[above] - weight, g[i], s[i], tie):
                    g[i] = g[above] - alpha2
                    s[i] = s[above] - weight
                    pointer[i] = pointer[above]
        where = -1
        best = -np.inf
        top = -np.inf
        for i in range(k + 1):
            v0 = value[0, i] + (value[1, i] if last else 0.0)
            s0 = second[0, i] + (second[1, i] if last else 0.0)
            if where < 0 or _better(v0, s0, best, top, tie):
                where = i
                best = v0
                top = s0
        out[p, 0] = where - 1
        if last:
            out[p, 1] = pointer[where] - 1
        value[1, 0] = 0.0  # the transform may have written here
        second[1, 0] = 0.0
    return out
