"""The H-steps against a generic convex solver and against their own optimality conditions."""

import numpy as np
import pytest
from scipy import optimize
from scipy.special import wrightomega

from manyviews.kernels import coplsa, coplsa_l1

FLOOR = 1e-10
KINDS = ["skl", "l2", "l1"]


def columns(rng, n, k=7, zeros=True):
    """Counts and compositions: dense, peaked, with zeros in both, with empty counts."""
    q = rng.dirichlet(np.full(k, 0.5), n) * rng.choice([0.1, 1.0, 30.0], (n, 1))
    g = rng.dirichlet(np.full(k, 0.4), n)
    if zeros:
        q[rng.random((n, k)) < 0.25] = 0.0
        q[:: max(1, n // 5)] = 0.0
        g[rng.random((n, k)) < 0.25] = 0.0
        g[:, 0] += 1e-3
    return q, g / g.sum(axis=1, keepdims=True)


def floored(g):
    """The nearest thing with no entry below the floor that still sums to one."""
    g = np.maximum(g, 2 * FLOOR)
    return g / g.sum(axis=1, keepdims=True)


def solve(kind, q, others, lam):
    """The library's step; several others only where the kernels take them."""
    out, eta = np.full(q.shape, np.nan), np.full(len(q), np.nan)
    weight, mean = np.full(len(q), lam * len(others)), np.mean(others, axis=0)
    if kind == "skl":
        coplsa.h_step_skl(q, mean, np.mean(np.log(others), axis=0), weight, FLOOR, eta, out)
    elif kind == "l2":
        coplsa.h_step_l2(q, mean, weight, eta, out)
    else:
        use = np.ones((len(others), len(q)), dtype=bool)
        coplsa_l1.h_step_l1(q, np.array(others), use, lam, eta, out)
    return out


def assert_optimal(qs, found, cost):
    """Assert that compositions have the largest likelihoods less a cost: one convex program."""
    import cvxpy as cp

    for h in found:
        assert h.min() >= 0
        np.testing.assert_allclose(h.sum(axis=1), 1.0, atol=1e-9)
    hs = [cp.Variable(q.shape, nonneg=True) for q in qs]
    value = sum(cp.sum(cp.multiply(q, cp.log(h + (q == 0)))) for q, h in zip(qs, hs, strict=True))
    ones = [cp.sum(h, axis=1) == 1 for h in hs]
    problem = cp.Problem(cp.Maximize(value - cost(cp, *hs)), ones)
    for h, values in zip(hs, found, strict=True):
        h.value = values
    ours = problem.objective.value
    best = problem.solve(solver=cp.CLARABEL)
    assert ours >= best - 2e-5 * max(1.0, abs(best))


def convex(cp, kind, h, g):
    """The divergence from a given composition, as the solver takes it."""
    if kind == "skl":
        left = cp.sum(-cp.entr(h)) - cp.sum(cp.multiply(h, np.log(g)))
        return left + cp.sum(cp.multiply(g, np.log(g))) - cp.sum(cp.multiply(g, cp.log(h)))
    return 0.5 * cp.sum_squares(h - g) if kind == "l2" else cp.sum(cp.abs(h - g))


@pytest.mark.mip
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("lam", "n_others"), [(0.05, 1), (8.0, 1), (0.7, 3)])
def test_h_step_equals_a_convex_solver(kind, lam, n_others, rng):
    q, _ = columns(rng, 40)
    others = [columns(rng, 40)[1] for _ in range(n_others)]
    if kind == "skl":
        others = [floored(g) for g in others]
    h = solve(kind, q, others, lam)
    assert_optimal([q], [h], lambda cp, h: lam * sum(convex(cp, kind, h, g) for g in others))


def test_skl_is_stable_for_tiny_lambda_where_the_printed_form_overflows(rng):
    q, g = columns(rng, 100, zeros=False)
    h = solve("skl", q, [floored(g)], 1e-6)
    np.testing.assert_allclose(h, q / q.sum(axis=1, keepdims=True), atol=1e-3)


def test_empty_documents_copy_the_other_and_l1_does_when_the_ratios_are_close(rng):
    _, g = columns(rng, 100, zeros=False)
    for kind in KINDS:
        np.testing.assert_allclose(solve(kind, 0 * g, [floored(g)], 0.7), g, atol=1e-8)
    q = g * rng.uniform(0.9, 1.1, g.shape)
    np.testing.assert_array_equal(solve("l1", q, [g], 1.0), g)


def joint_step(q1, q2, lam):
    h1, h2 = np.empty_like(q1), np.empty_like(q2)
    coplsa_l1.h_step_l1_joint(q1, q2, lam, np.full((len(q1), 2), np.nan), h1, h2)
    return h1, h2


@pytest.mark.mip
@pytest.mark.parametrize(("lam", "zeros"), [(0.05, False), (0.4, True), (5.0, True)])
def test_joint_l1_step_equals_a_convex_solver(lam, zeros, rng):
    qs = [columns(rng, 30, zeros=False)[0] for _ in range(2)]
    for q in qs if zeros else ():
        q[rng.random(q.shape) < 0.3] = 0.0
        q[:, 0] += 0.05
    hs = joint_step(*qs, lam)
    assert_optimal(qs, hs, lambda cp, h1, h2: lam * cp.sum(cp.abs(h1 - h2)))


def test_joint_l1_step_with_counts_next_to_zero(rng):
    """Of few and of many words; what jumps between two points sums to one all the same."""
    mass = rng.choice([1.0, 30.0], (2, 500, 1))
    q1, q2 = (np.maximum(m * rng.dirichlet(np.full(7, 0.02), 500), 1e-300) for m in mass)
    for lam in (0.3, 1.0, 10.0):
        h1, h2 = joint_step(q1, q2, lam)
        for h in (h1, h2):
            np.testing.assert_allclose(h.sum(axis=1), 1.0, atol=1e-9)
        block = solve("l1", q1, [h2], lam)
        values = [(q1 * np.log(h) - lam * np.abs(h - h2)).sum(axis=1) for h in (block, h1)]
        assert (values[0] - values[1]).max() < 1e-7


@pytest.fixture
def cases(rng):
    """Counts with zeros among them, compositions of the other modality, warm or cold starts."""
    found = []
    for k in (2, 3, 8, 29, 70, *rng.integers(2, 100, 10)):
        q, g = columns(rng, 15, int(k), zeros=rng.random() < 0.5)
        eta = np.where(rng.random(15) < 0.5, np.nan, rng.normal(1.0, 2.0, 15))
        found.append((q, g, eta, float(rng.choice([0.05, 0.4, 1.5]))))
    return found


def test_a_guessed_start_leaves_the_l1_step_as_it_is(cases):
    for q, g, eta, lam in cases:
        found = np.full_like(q, np.nan)
        coplsa_l1.h_step_l1(q, g[None], np.ones((1, len(q)), bool), lam, eta, found)
        for d in range(len(q)):
            up, down, plain = (np.empty(q.shape[1]) for _ in range(3))
            column = np.column_stack([g[d], np.full(q.shape[1], np.inf)])
            coplsa_l1._solve_l1(q[d], column, 1, lam, np.nan, up, down)
            coplsa_l1._interpolate(up, down, plain)
            np.testing.assert_allclose(found[d], plain, atol=1e-9)
            assert found[d].sum() == pytest.approx(1.0, abs=1e-10)


def test_the_l1_sum_at_a_jump_is_what_it_is_beside(rng):
    """Above for ``closed=False`` and below for ``closed=True``; counts of 0 alone jump there."""
    for n_others in (1, 2, 3):
        q = np.where(rng.random(9) < 0.4, 0.0, rng.uniform(0.01, 3.0, 9))
        g = np.column_stack([np.sort(rng.random((9, n_others))), np.full(9, np.inf)])
        for i in range(n_others):
            at, near, exact = -0.7 * (2 * i - n_others), np.empty(9), np.empty(9)
            for closed, side in ((True, -1e-9), (False, 1e-9)):
                coplsa_l1._sum_l1(q, g, n_others, 0.7, at + side, closed, near)
                coplsa_l1._sum_l1(q, g, n_others, 0.7, at, closed, exact)
                np.testing.assert_allclose(exact, near, atol=1e-5)


def test_the_skl_step_is_that_of_bisection_with_exact_omegas(cases):
    for q, others, eta, w in cases:
        g, found = np.maximum(others, FLOOR), np.full_like(q, np.nan)
        coplsa.h_step_skl(q, g, np.log(g), np.full(len(q), w), FLOOR, eta, found)
        for d in range(len(q)):
            a = q[d] + w * g[d]
            shift = 1.0 + np.log(a / w) - np.log(g[d])

            def composition(x, a=a, shift=shift, w=w):
                return np.maximum(a / (w * wrightomega(shift + x / w)), FLOOR)

            low = float((a - w + w * np.log(g[d])).max()) - 1.0
            x = optimize.brentq(
                lambda x: composition(x).sum() - 1.0, low, q[d].sum() + 1.0, xtol=1e-14
            )
            np.testing.assert_allclose(found[d], composition(x), atol=1e-9)
