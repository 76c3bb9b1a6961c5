"""Dynamic programme on trees for penalties on all ancestors and all disjoint pairs, one view.

Trees come as in :mod:`manyviews.kernels.assignment_tree`. ``F[i, a, m]`` is the best value of the
subtree of node i when a of its ancestors are not selected and m of its labels are; subtrees below
different children are disjoint, so joining m and n labels costs ``alpha3 * m * n``.
"""

import numpy as np

from manyviews.kernels.cache import compiled


@compiled()
def _better(v: float, s: float, best: float, top: float, tie: float) -> bool:
    """Whether (v, s) beats (best, top): first value, then the tie-breaking second value."""
    if v == -np.inf:
        return False
    return best == -np.inf or v > best + tie or (v >= best - tie and s > top + tie)


@compiled()
def _join(
    node: int,
    a: int,
    first: np.ndarray,
    child: np.ndarray,
    F: np.ndarray,
    S: np.ndarray,
    alpha3: float,
    tie: float,
    G: np.ndarray,
    T: np.ndarray,
    choice: np.ndarray,
) -> None:
    """Fill G[m]: best total of the children's subtrees with m labels, a ancestors missing."""
    size = G.size
    G[:] = -np.inf
    T[:] = -np.inf
    G[0] = 0.0
    T[0] = 0.0
    for c in range(first[node + 1] - first[node]):
        j = child[first[node] + c]
        for m in range(size - 1, -1, -1):  # downwards: smaller m still hold the old values
            best = -np.inf
            top = -np.inf
            pick = 0
            for k in range(m + 1):
                value = G[m - k] + F[j, a, k] - alpha3 * k * (m - k)
                second = T[m - k] + S[j, a, k]
                if _better(value, second, best, top, tie):
                    best = value
                    top = second
                    pick = k
            G[m] = best
            T[m] = top
            choice[c, m] = pick


@compiled()
def _upwards(
    s: np.ndarray,
    t: np.ndarray,
    first: np.ndarray,
    child: np.ndarray,
    depth: np.ndarray,
    alpha3: float,
    tie: float,
    F: np.ndarray,
    S: np.ndarray,
    G: np.ndarray,
    T: np.ndarray,
    choice: np.ndarray,
) -> None:
    """Fill F and the second value S of all nodes of one point, children before parents."""
    size = G.size
    for i in range(s.size - 1, -1, -1):
        F[i] = -np.inf
        S[i] = -np.inf
        for missing in range(depth[i] + 2):
            _join(i, missing, first, child, F, S, alpha3, tie, G, T, choice)
            for m in range(size):
                a = missing - 1  # the node itself is not selected
                if a >= 0 and _better(G[m], T[m], F[i, a, m], S[i, a, m], tie):
                    F[i, a, m] = G[m]
                    S[i, a, m] = T[m]
                a = missing
                if m > 0 and a <= depth[i]:
                    value = G[m - 1] + s[i] - alpha3 * a
                    second = T[m - 1] + t[i]
                    if _better(value, second, F[i, a, m], S[i, a, m], tie):
                        F[i, a, m] = value
                        S[i, a, m] = second


@compiled()
def literal_sets(
    gain: np.ndarray,
    ties: np.ndarray,
    first: np.ndarray,
    child: np.ndarray,
    depth: np.ndarray,
    alpha3: float,
    tie: float,
    most: int,
) -> np.ndarray:
    """Return the selected labels (n, K); no optimum needs more than ``most`` labels."""
    n, k = gain.shape
    out = np.zeros((n, k), np.bool_)
    levels = depth.max() + 2
    F = np.empty((k, levels, most + 1))
    S = np.empty((k, levels, most + 1))
    G = np.empty(most + 1)
    T = np.empty(most + 1)
    choice = np.empty((max(1, np.diff(first).max()), most + 1), np.int64)
    want = np.zeros((k, 2), np.int64)  # missing ancestors and labels of each node's subtree
    for p in range(n):
        _upwards(gain[p], ties[p], first, child, depth, alpha3, tie, F, S, G, T, choice)
        _join(k, 0, first, child, F, S, alpha3, tie, G, T, choice)
        m = 0
        for other in range(1, most + 1):
            if _better(G[other], T[other], G[m], T[m], tie):
                m = other
        _hand_down(k, 0, m, first, child, choice, want)
        for i in range(k):
            a = want[i, 0]
            m = want[i, 1]
            if m == 0:
                _hand_down(i, 0, 0, first, child, choice, want, True)
                continue
            _join(i, a, first, child, F, S, alpha3, tie, G, T, choice)
            taken = G[m - 1] + gain[p, i] - alpha3 * a
            second = T[m - 1] + ties[p, i]
            _join(i, a + 1, first, child, F, S, alpha3, tie, G, T, choice)
            if _better(taken, second, G[m], T[m], tie):
                out[p, i] = True
                _join(i, a, first, child, F, S, alpha3, tie, G, T, choice)
                _hand_down(i, a, m - 1, first, child, choice, want)
            else:
                _hand_down(i, a + 1, m, first, child, choice, want)
    return out


@compiled()
def _hand_down(
    node: int,
    a: int,
    m: int,
    first: np.ndarray,
    child: np.ndarray,
    choice: np.ndarray,
    want: np.ndarray,
    nothing: bool = False,
) -> None:
    """Tell the children of a node how many labels their subtrees hold."""
    for c in range(first[node + 1] - first[node] - 1, -1, -1):
        j = child[first[node] + c]
        k = 0 if nothing else choice[c, m]
        want[j, 0] = a
        want[j, 1] = k
        m -= k
