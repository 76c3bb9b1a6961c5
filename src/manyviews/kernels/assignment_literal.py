"""Dynamic programme on trees for penalties on all ancestors and all disjoint pairs, one view.

Trees come as in :mod:`manyviews.kernels.assignment_tree`. ``F[i, a, m]`` is the best value of the
subtree of node i when a of its ancestors are not selected and m of its labels are; subtrees below
different children are disjoint, so joining m and n labels costs ``alpha3 * m * n``.
"""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray
Pair = tuple[Array, Array]
Room = tuple[Array, Array, Array]


@compiled()
def _better(v: float, s: float, best: float, top: float, tie: float) -> bool:
    """Whether (v, s) beats (best, top): first value, then the tie-breaking second value."""
    if v == -np.inf:
        return False
    return best == -np.inf or v > best + tie or (v >= best - tie and s > top + tie)


@compiled()
def _join(
    node: int, a: int, tree: Pair, tables: Pair, alpha3: float, tie: float, room: Room
) -> None:
    """Fill G[m]: best total of the children's subtrees with m labels, a ancestors missing."""
    first, child = tree
    F, S = tables
    G, T, choice = room
    G[:] = T[:] = -np.inf
    G[0] = T[0] = 0.0
    for c in range(first[node + 1] - first[node]):
        j = child[first[node] + c]
        for m in range(G.size - 1, -1, -1):  # downwards: smaller m still hold the old values
            best = top = -np.inf
            pick = 0
            for k in range(m + 1):
                value = G[m - k] + F[j, a, k] - alpha3 * k * (m - k)
                second = T[m - k] + S[j, a, k]
                if _better(value, second, best, top, tie):
                    best, top, pick = value, second, k
            G[m], T[m], choice[c, m] = best, top, pick


@compiled()
def _upwards(
    s: Array, ties: Array, tree: Pair, depth: Array, alpha3: float, tie: float, tables: Pair,
    room: Room,
) -> None:  # fmt: skip
    """Fill F and the second value S of all nodes of one point, children before parents."""
    F, S = tables
    G, T, _ = room
    for i in range(s.size - 1, -1, -1):
        F[i] = S[i] = -np.inf
        for missing in range(depth[i] + 2):
            _join(i, missing, tree, tables, alpha3, tie, room)
            for m in range(G.size):
                a = missing - 1  # the node itself is not selected
                if a >= 0 and _better(G[m], T[m], F[i, a, m], S[i, a, m], tie):
                    F[i, a, m], S[i, a, m] = G[m], T[m]
                a = missing
                if m > 0 and a <= depth[i]:
                    value = G[m - 1] + s[i] - alpha3 * a
                    second = T[m - 1] + ties[i]
                    if _better(value, second, F[i, a, m], S[i, a, m], tie):
                        F[i, a, m], S[i, a, m] = value, second


@compiled()
def _hand_down(node: int, a: int, m: int, tree: Pair, choice: Array, want: Array) -> None:
    """Tell the children of a node how many labels their subtrees hold."""
    first, child = tree
    for c in range(first[node + 1] - first[node] - 1, -1, -1):
        k = choice[c, m] if m > 0 else 0
        want[child[first[node] + c]] = a, k
        m -= k


@compiled()
def literal_sets(
    gain: Array,
    ties: Array,
    first: Array,
    child: Array,
    depth: Array,
    alpha3: float,
    tie: float,
    most: int,
) -> Array:
    """Return the selected labels (n, K); no optimum needs more than ``most`` labels."""
    n, k = gain.shape
    out = np.zeros((n, k), np.bool_)
    tree = first, child
    shape = k, depth.max() + 2, most + 1
    tables = np.empty(shape), np.empty(shape)
    G, T = np.empty(most + 1), np.empty(most + 1)
    choice = np.empty((max(1, np.diff(first).max()), most + 1), np.int64)
    room = G, T, choice
    want = np.zeros((k, 2), np.int64)  # missing ancestors and labels of each node's subtree
    for p in range(n):
        _upwards(gain[p], ties[p], tree, depth, alpha3, tie, tables, room)
        _join(k, 0, tree, tables, alpha3, tie, room)
        m = 0
        for other in range(1, most + 1):
            if _better(G[other], T[other], G[m], T[m], tie):
                m = other
        _hand_down(k, 0, m, tree, choice, want)
        for i in range(k):
            a, m = want[i]
            if m > 0:
                _join(i, a, tree, tables, alpha3, tie, room)
                taken = G[m - 1] + gain[p, i] - alpha3 * a
                second = T[m - 1] + ties[p, i]
                _join(i, a + 1, tree, tables, alpha3, tie, room)
                if _better(taken, second, G[m], T[m], tie):
                    out[p, i] = True
                    _join(i, a, tree, tables, alpha3, tie, room)
                    m -= 1
                else:
                    a += 1
            _hand_down(i, a, m, tree, choice, want)
    return out
