"""Co-regularised PLSA: the H-steps beside a convex solver, the pair work beside matrix products."""

from collections.abc import Iterator
from functools import partial

import cvxpy as cp
import numpy as np
import scipy.sparse as sp

from manyviews.kernels import coplsa, coplsa_l1
from manyviews.kernels import pair_similarity as kernels
from manyviews.models.pairwise_parts import draw_pairs
from speed.measure import Comparison, Entry, runs, take_turns

PART = "Co-regularised PLSA"


def compiled(P, Q, left, right, sigma):
    own, other = np.empty(left.size), np.empty(left.size)
    kernels.gaussian_pairs(P, left, right, sigma, own)
    kernels.gaussian_pairs(Q, left, right, sigma, other)
    coefficient = np.zeros(left.size)
    kernels.add_coefficients(own, other, np.ones(left.size, np.uint8), coefficient)
    out = np.empty_like(P)
    kernels.laplacian_gradient(P, left, right, coefficient, sigma, out)
    return out


def scipy_sparse(P, Q, left, right, sigma):
    def similarity(T):
        return np.exp(-((T[left] - T[right]) ** 2).sum(axis=1) / sigma)

    own = similarity(P)
    t = own * (own - similarity(Q))
    n = P.shape[0]
    T = sp.csr_matrix((t, (left, right)), (n, n))
    T = T + T.T
    return -(8 / sigma) * (np.asarray(T.sum(axis=1)) * P - T @ P)


def dense_numpy(P, Q, left, right, sigma):
    def similarity(T):
        squares = (T * T).sum(axis=1)
        return np.exp(-(squares[:, None] + squares[None, :] - 2 * T @ T.T) / sigma)

    keep = np.zeros((P.shape[0],) * 2)
    keep[left, right] = keep[right, left] = 1.0
    own = similarity(P)
    T = keep * own * (own - similarity(Q))
    return -(8 / sigma) * (T.sum(axis=1)[:, None] * P - T @ P)


def gradient(quick: bool) -> Comparison:
    n, k = (300, 6) if quick else (2000, 10)
    rng = np.random.default_rng(0)
    P, Q = rng.dirichlet(np.full(k, 0.2), n), rng.dirichlet(np.full(k, 0.2), n)
    given = (P, Q, *draw_pairs(n, 0.05, rng), 1.0)
    ways = {"compiled": compiled, "SciPy, sparse": scipy_sparse, "NumPy, all pairs": dense_numpy}
    found = take_turns({name: partial(way, *given) for name, way in ways.items()}, 5)
    expected = compiled(*given)
    entries = []
    for name, way in ways.items():
        apart = float(np.abs(way(*given) - expected).max())
        told = "" if name == "compiled" else f"gradient within {apart:.0e}"
        entries.append(Entry(name, found[name], "", told))
    case = f"gradient of the agreement, {n:,} points, {k} topics, {given[2].size:,} pairs"
    return Comparison(PART, case, entries)


def h_step(quick: bool) -> Comparison:
    n, k = (100, 20) if quick else (2000, 100)
    rng = np.random.default_rng(2)
    q = rng.dirichlet(np.full(k, 0.05), n)
    g = np.maximum(rng.dirichlet(np.full(k, 0.05), n), 1e-10)
    g /= g.sum(axis=1, keepdims=True)
    weight, out, use, few = np.ones(n), np.empty_like(q), np.ones((1, n), dtype=bool), 10
    h = cp.Variable((few, k), nonneg=True)
    kl = cp.sum(cp.kl_div(h, g[:few])) + cp.sum(cp.kl_div(g[:few], h))
    gain = cp.sum(cp.multiply(q[:few], cp.log(h)))
    problem = cp.Problem(cp.Maximize(gain - kl), [cp.sum(h, axis=1) == 1])
    tasks = {
        "symmetric KL step": lambda: coplsa.h_step_skl(
            q, g, np.log(g), weight, 1e-10, np.full(n, np.nan), out
        ),
        "l2 step": lambda: coplsa.h_step_l2(q, g, weight, np.full(n, np.nan), out),
        "l1 step": lambda: coplsa_l1.h_step_l1(q, g[None], use, 1.0, np.full(n, np.nan), out),
    }
    peer, solve = "cvxpy, Clarabel, symmetric KL", lambda: problem.solve(solver=cp.CLARABEL)
    if runs(f"{peer}, {k} topics", solve):
        tasks[peer] = solve
    found = take_turns(tasks, 3)
    tasks["symmetric KL step"]()
    x = out[:few]
    ours = float((q[:few] * np.log(x)).sum() - ((x - g[:few]) * np.log(x / g[:few])).sum())
    entries = [
        Entry(name, [t / (few if "cvxpy" in name else n) for t in seconds])
        for name, seconds in found.items()
    ]
    entries[0].reached = f"{ours:.6f}"
    entries[1].same = entries[2].same = "another divergence"
    if peer in found:
        entries[-1].reached = f"{problem.value:.6f}"
        entries[-1].same = f"objective within {abs(problem.value - ours):.0e}"
    return Comparison(PART, f"H-step, {k} topics, cold start: one document", entries, "µs", 1e6)


def compare(quick: bool, peers: set[str]) -> Iterator[Comparison]:
    yield gradient(quick)
    yield h_step(quick)
