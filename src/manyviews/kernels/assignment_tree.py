"""Dynamic programmes on trees: soft label sets of any size, and pairs of consistent paths.

Trees come as arrays ``(first, child)``: ``first[i]:first[i + 1]`` are the positions of node i's
children in ``child``; the last node (number K) is a virtual root above the real roots, without
label or cost. States of a node are bit masks over the views (bit v: the node is selected in view
v). ``tables`` holds, by node and state, the best value F and its tie-breaking second value S.
"""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray
Pair = tuple[Array, Array]
Room = tuple[Array, Array, Array, Array, Array]


@compiled()
def better(v: float, s: float, best: float, top: float, tie: float) -> bool:
    """Whether (v, s) beats (best, top): first value, then the tie-breaking second value."""
    return v > best + tie or (v >= best - tie and s > top + tie)


@compiled()
def _caps(
    node: int, tree: Pair, F: Array, views: int, alpha3: float, tie: float, caps: Array,
    gains: Array,
) -> None:  # fmt: skip
    """Bound the number of children selected in each view without losing an optimum.

    The t-th selected child costs (t - 1) alpha3 in sibling penalties. If t are selected, dropping
    the one with the smallest possible gain U loses at most the t-th largest U; so counts t with
    U_(t) < (t - 1) alpha3 are never needed.
    """
    first, child = tree
    count = first[node + 1] - first[node]
    for v in range(views):
        bit = 1 << v
        for c in range(count):
            j = child[first[node] + c]
            top = -np.inf
            for state in range(1 << views):
                if state & bit:
                    top = max(top, F[j, state] - F[j, state ^ bit])
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
def _before(t: int, state: int, views: int, caps: Array) -> int:
    """Return the counts t without one child of this state; -1 if t has none to give."""
    source, rest, radix = t, t, 1
    for v in range(views):
        if (state >> v) & 1:
            if rest % (caps[v] + 1) == 0:
                return -1
            source -= radix
        rest //= caps[v] + 1
        radix *= caps[v] + 1
    return source


@compiled()
def _combine(
    node: int, tree: Pair, tables: Pair, views: int, alpha3: float, tie: float, room: Room
) -> int:
    """Fill B[t]: best total of the children when t_v of them are selected in view v.

    ``t`` is a number in mixed radix (caps + 1); ``choice[c, t]`` is the state child c takes.
    Returns the number of count vectors.
    """
    first, child = tree
    F, S = tables
    B, T, choice, caps, gains = room
    B[0] = T[0] = 0.0
    if first[node] == first[node + 1]:
        return 1
    _caps(node, tree, F, views, alpha3, tie, caps, gains)
    size = 1
    for v in range(views):
        size *= caps[v] + 1
    B[1:size] = T[1:size] = -np.inf
    for c in range(first[node + 1] - first[node]):
        j = child[first[node] + c]
        for t in range(size - 1, -1, -1):  # downwards: smaller counts still hold the old values
            best = top = -np.inf
            pick = 0
            for state in range(1 << views):
                source = _before(t, state, views, caps)
                if source < 0 or B[source] == -np.inf:
                    continue
                value = B[source] + F[j, state]
                second = T[source] + S[j, state]
                if best == -np.inf or better(value, second, best, top, tie):
                    best, top, pick = value, second, state
            B[t], T[t], choice[c, t] = best, top, pick
    return size


@compiled()
def _count_cost(t: int, state: int, views: int, caps: Array, alpha3: float) -> float:
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
def _best_count(size: int, state: int, views: int, alpha3: float, tie: float, room: Room) -> int:
    """Return the count vector with the best total below a node with the given state."""
    B, T, _, caps, _ = room
    where = 0
    best = -np.inf
    for t in range(size):
        value = B[t] - _count_cost(t, state, views, caps, alpha3)
        if best == -np.inf or better(value, T[t], best, T[where], tie):
            where = t
            best = value
    return where


@compiled()
def _upwards(
    s: Array, ties: Array, tree: Pair, order: Array, alphas: tuple[float, float, float],
    weight: float, tie: float, tables: Pair, room: Room,
) -> None:  # fmt: skip
    """Fill the tables of all nodes of one point."""
    views, k = s.shape
    alpha1, alpha2, alpha3 = alphas
    F, S = tables
    B, T, _, caps, _ = room
    for i in order:
        size = _combine(i, tree, tables, views, alpha3, tie, room)
        for state in range(1 << views):
            own = second = 0.0
            if i < k:
                ones = 0
                for v in range(views):
                    if (state >> v) & 1:
                        own += alpha1 * s[v, i]
                        second += ties[v, i]
                        ones += 1
                own -= alpha2 * ones * (views - ones)
                second -= weight * ones * (views - ones)
            where = _best_count(size, state, views, alpha3, tie, room)
            F[i, state] = own + B[where] - _count_cost(where, state, views, caps, alpha3)
            S[i, state] = second + T[where]


@compiled()
def tree_sets(
    scores: Array,
    ties: Array,
    first: Array,
    child: Array,
    order: Array,
    alphas: tuple[float, float, float],
    weight: float,
    tie: float,
    work: int,
) -> Array:
    """Return the selected labels (n, V, K) for parent-edge and sibling penalties.

    ``order`` lists all nodes, children before parents, the virtual root last; ``work`` bounds the
    number of count vectors of a node. On the way back down the children's tables are computed
    again instead of being stored for all nodes.
    """
    n, views, k = scores.shape
    out = np.zeros((n, views, k), np.bool_)
    tree = first, child
    tables = np.zeros((k + 1, 1 << views)), np.zeros((k + 1, 1 << views))
    widest = np.diff(first).max()
    caps = np.ones(views, np.int64)
    choice = np.empty((widest, work), np.int64)
    room = np.empty(work), np.empty(work), choice, caps, np.empty(widest)
    taken = np.zeros(k + 1, np.int64)
    taken[k] = (1 << views) - 1
    for p in range(n):
        _upwards(scores[p], ties[p], tree, order, alphas, weight, tie, tables, room)
        for i in order[::-1]:
            if i < k:
                for v in range(views):
                    out[p, v, i] = (taken[i] >> v) & 1 == 1
            size = _combine(i, tree, tables, views, alphas[2], tie, room)
            where = _best_count(size, taken[i], views, alphas[2], tie, room)
            for c in range(first[i + 1] - first[i] - 1, -1, -1):
                taken[child[first[i] + c]] = choice[c, where]
                where = _before(where, choice[c, where], views, caps)
    return out


@compiled()
def path_ends(
    scores: Array,
    ties: Array,
    parent: Array,
    alpha1: float,
    alpha2: float,
    weight: float,
    tie: float,
) -> Array:
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
            g, s = value[1], second[1]
            for i in range(k, 0, -1):
                above = parent[i - 1] + 1
                if better(g[i] - alpha2, s[i] - weight, g[above], s[above], tie):
                    g[above], s[above] = g[i] - alpha2, s[i] - weight
                    pointer[above] = pointer[i]
            for i in range(1, k + 1):
                above = parent[i - 1] + 1
                if better(g[above] - alpha2, s[above] - weight, g[i], s[i], tie):
                    g[i], s[i] = g[above] - alpha2, s[above] - weight
                    pointer[i] = pointer[above]
        where = -1
        best = top = -np.inf
        for i in range(k + 1):
            v0 = value[0, i] + (value[1, i] if last else 0.0)
            s0 = second[0, i] + (second[1, i] if last else 0.0)
            if where < 0 or better(v0, s0, best, top, tie):
                where, best, top = i, v0, s0
        out[p, 0] = where - 1
        if last:
            out[p, 1] = pointer[where] - 1
        value[1, 0] = second[1, 0] = 0.0  # the transform may have written here
    return out
