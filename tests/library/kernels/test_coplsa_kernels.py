"""The H-steps against a generic convex solver and against their own optimality conditions."""

import numpy as np
import pytest
from scipy import optimize
from scipy.special import wrightomega

from manyviews.kernels import coplsa, coplsa_l1

FLOOR = 1e-10
K = 7


def columns(seed, n, zeros=True):
    """Random columns: dense, peaked, with zeros in q and in g, with empty q."""
    rng = np.random.default_rng(seed)
    q = rng.dirichlet(np.full(K, 0.5), n) * rng.choice([0.1, 1.0, 30.0], (n, 1))
    g = rng.dirichlet(np.full(K, 0.4), n)
    if zeros:
        q[rng.random((n, K)) < 0.25] = 0.0
        q[:: max(1, n // 5)] = 0.0
        g[rng.random((n, K)) < 0.25] = 0.0
        g[:, 0] += 1e-3
    g /= g.sum(axis=1, keepdims=True)
    return q, g


def floored(g):
    """The nearest thing with no entry below the floor that still sums to one."""
    g = np.maximum(g, 2 * FLOOR)
    return g / g.sum(axis=1, keepdims=True)


def likelihood(q, h):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(q > 0, q * np.log(h), 0.0).sum(axis=-1)


def objective(kind, q, h, others, lam):
    value = likelihood(q, h)
    for g in others:
        if kind == "skl":
            value = value - lam * ((h - g) * np.log(h / g)).sum(axis=-1)
        elif kind == "l2":
            value = value - lam * 0.5 * ((h - g) ** 2).sum(axis=-1)
        else:
            value = value - lam * np.abs(h - g).sum(axis=-1)
    return value


def solve(kind, q, others, lam):
    """The library's step; several others only where the kernels take them."""
    n = len(q)
    out, eta = np.full((n, K), np.nan), np.full(n, np.nan)
    weight = np.full(n, lam * len(others))
    mean = np.mean(others, axis=0)
    if kind == "skl":
        coplsa.h_step_skl(q, mean, np.mean(np.log(others), axis=0), weight, FLOOR, eta, out)
    elif kind == "l2":
        coplsa.h_step_l2(q, mean, weight, eta, out)
    else:
        use = np.ones((len(others), n), dtype=bool)
        coplsa_l1.h_step_l1(q, np.array(others), use, lam, eta, out)
    return out


def oracle(kind, q, others, lam):
    """Many columns as one convex program (they are independent given the data)."""
    import cvxpy as cp

    h = cp.Variable(q.shape, nonneg=True)
    value = cp.sum(cp.multiply(q, cp.log(h + (q == 0))))
    constraints = [cp.sum(h, axis=1) == 1]
    for g in others:
        if kind == "skl":
            value -= lam * (cp.sum(-cp.entr(h)) - cp.sum(cp.multiply(h, np.log(g))))
            value -= lam * cp.sum(cp.multiply(g, np.log(g))) - lam * cp.sum(
                cp.multiply(g, cp.log(h))
            )
        elif kind == "l2":
            value -= lam * 0.5 * cp.sum_squares(h - g)
        else:
            value -= lam * cp.sum(cp.abs(h - g))
    problem = cp.Problem(cp.Maximize(value), constraints)
    problem.solve(solver=cp.CLARABEL)
    return problem.value


def test_wright_omega():
    z = np.concatenate([np.linspace(-30, 60, 2001), [1e3, 1e6, 1e12]])
    ours = np.array([coplsa.wright_omega(x) for x in z])
    np.testing.assert_allclose(ours, wrightomega(z), rtol=2e-14)


@pytest.mark.mip
@pytest.mark.parametrize("kind", ["skl", "l2", "l1"])
@pytest.mark.parametrize(("lam", "n_others"), [(0.05, 1), (8.0, 1), (0.7, 3)])
def test_h_step_equals_a_convex_solver(kind, lam, n_others):
    n = 40
    seed = 1000 * n_others + int(100 * lam)
    q, _ = columns(seed, n)
    others = [columns(seed + 1 + i, n)[1] for i in range(n_others)]
    if kind == "skl":
        others = [floored(g) for g in others]
    h = solve(kind, q, others, lam)
    assert h.min() >= 0
    np.testing.assert_allclose(h.sum(axis=1), 1.0, atol=1e-11)
    ours = objective(kind, q, h, others, lam).sum()
    best = oracle(kind, q, others, lam)
    assert ours >= best - 2e-5 * max(1.0, abs(best))


@pytest.mark.parametrize("kind", ["skl", "l2", "l1"])
def test_empty_documents_copy_the_other_modality(kind):
    _, g = columns(4, 50, zeros=False)
    h = solve(kind, np.zeros_like(g), [g], 0.7)
    np.testing.assert_allclose(h, g, atol=1e-9)


def test_skl_is_stable_for_tiny_lambda_where_the_printed_form_overflows():
    q, g = columns(5, 100, zeros=False)
    h = solve("skl", q, [floored(g)], 1e-6)
    np.testing.assert_allclose(h, q / q.sum(axis=1, keepdims=True), atol=1e-3)


def test_l1_returns_the_other_composition_exactly_when_the_ratios_are_close():
    _, g = columns(6, 100, zeros=False)
    q = g * np.random.default_rng(0).uniform(0.9, 1.1, g.shape)
    h = solve("l1", q, [g], 1.0)
    np.testing.assert_array_equal(h, g)


@pytest.mark.mip
@pytest.mark.parametrize(("lam", "zeros"), [(0.05, False), (0.4, True), (5.0, True)])
def test_joint_l1_step_equals_a_convex_solver(lam, zeros):
    import cvxpy as cp

    n = 30
    rng = np.random.default_rng(int(lam * 100) + zeros)
    q = [rng.dirichlet(np.full(K, 0.5), n) * rng.choice([0.5, 1.0, 3.0], (n, 1)) for _ in range(2)]
    if zeros:
        for part in q:
            part[rng.random((n, K)) < 0.3] = 0.0
            part[:, 0] += 0.05
    out = [np.empty((n, K)), np.empty((n, K))]
    coplsa_l1.h_step_l1_joint(q[0], q[1], lam, np.full((n, 2), np.nan), out[0], out[1])
    for h in out:
        assert h.min() >= 0
        np.testing.assert_allclose(h.sum(axis=1), 1.0, atol=1e-10)
    ours = (likelihood(q[0], out[0]) + likelihood(q[1], out[1])).sum()
    ours -= lam * np.abs(out[0] - out[1]).sum()
    h1, h2 = cp.Variable((n, K), nonneg=True), cp.Variable((n, K), nonneg=True)
    value = cp.sum(cp.multiply(q[0], cp.log(h1 + (q[0] == 0))))
    value += cp.sum(cp.multiply(q[1], cp.log(h2 + (q[1] == 0)))) - lam * cp.sum(cp.abs(h1 - h2))
    problem = cp.Problem(cp.Maximize(value), [cp.sum(h1, axis=1) == 1, cp.sum(h2, axis=1) == 1])
    problem.solve(solver=cp.CLARABEL)
    assert ours >= problem.value - 2e-5 * max(1.0, abs(problem.value))


def test_joint_l1_step_with_counts_next_to_zero():
    rng = np.random.default_rng(9)
    q1, q2 = (np.maximum(rng.dirichlet(np.full(K, 0.02), 500), 1e-300) for _ in range(2))
    for lam in (0.3, 1.0, 10.0):
        h1, h2 = np.empty_like(q1), np.empty_like(q2)
        coplsa_l1.h_step_l1_joint(q1, q2, lam, np.full((500, 2), np.nan), h1, h2)
        np.testing.assert_allclose(h1.sum(axis=1), 1.0, atol=1e-9)
        np.testing.assert_allclose(h2.sum(axis=1), 1.0, atol=1e-9)
        blocks = solve("l1", q1, [h2], lam)
        gain = objective("l1", q1, blocks, [h2], lam) - objective("l1", q1, h1, [h2], lam)
        assert gain.max() < 1e-7


def test_divergences():
    q, g = columns(8, 30, zeros=False)
    h = q / q.sum(axis=1, keepdims=True)
    h, g = floored(h), floored(g)
    active, once = np.arange(30) % 3 != 0, np.empty(0)
    a, b = h[active], g[active]
    skl = (a * np.log(a / b)).sum() + (b * np.log(b / a)).sum()
    assert coplsa.divergence(h, g, active, 0, once) == pytest.approx(skl)
    assert coplsa.divergence(h, g, active, 1, once) == pytest.approx(0.5 * ((a - b) ** 2).sum())
    assert coplsa.divergence(h, g, active, 2, once) == pytest.approx(np.abs(a - b).sum())
    weight = np.arange(30.0)
    each = ((h - g) ** 2).sum(axis=1)[active]
    expected = 0.5 * (weight[active] * each).sum()
    assert coplsa.divergence(h, g, active, 1, weight) == pytest.approx(expected)


def _random_columns(rng, n_docs):
    """Counts with zeros among them, compositions of the other modality, warm or cold starts."""
    n_topics = int(rng.integers(2, 30))
    counts = rng.dirichlet(np.full(n_topics, 0.3), n_docs) * rng.choice([0.1, 1.0, 20.0])
    counts[rng.random(counts.shape) < rng.choice([0.0, 0.3])] = 0.0
    others = rng.dirichlet(np.full(n_topics, 0.3), n_docs)
    eta = np.where(rng.random(n_docs) < 0.5, np.nan, rng.normal(1.0, 2.0, n_docs))
    return counts, others, eta


def test_a_guessed_start_leaves_the_l1_step_as_it_is(rng):
    for _ in range(20):
        counts, others, eta = _random_columns(rng, 20)
        lam = float(rng.choice([0.05, 0.4, 1.5]))
        found = np.full_like(counts, np.nan)
        coplsa_l1.h_step_l1(counts, others[None], np.ones((1, 20), bool), lam, eta, found)
        for d in range(20):
            up, down, plain = (np.empty(counts.shape[1]) for _ in range(3))
            column = np.column_stack([others[d], np.full(counts.shape[1], np.inf)])
            coplsa_l1._solve_l1(counts[d], column, 1, lam, np.nan, up, down)
            coplsa_l1._interpolate(up, down, plain)
            np.testing.assert_allclose(found[d], plain, atol=1e-9)
            assert found[d].sum() == pytest.approx(1.0, abs=1e-10)


def test_the_skl_step_is_that_of_bisection_with_exact_omegas(rng):
    floor = 1e-10
    for _ in range(20):
        counts, others, eta = _random_columns(rng, 10)
        others = np.maximum(others, floor)
        w = float(rng.choice([0.05, 0.4, 3.0]))
        found = np.full_like(counts, np.nan)
        coplsa.h_step_skl(counts, others, np.log(others), np.full(10, w), floor, eta, found)
        for d in range(10):
            a = counts[d] + w * others[d]
            shift = 1.0 + np.log(a / w) - np.log(others[d])

            def composition(x, a=a, shift=shift, w=w):
                return np.maximum(a / (w * wrightomega(shift + x / w)), floor)

            low = float((a - w + w * np.log(others[d])).max()) - 1.0
            x = optimize.brentq(
                lambda x: composition(x).sum() - 1.0, low, counts[d].sum() + 1.0, xtol=1e-14
            )
            np.testing.assert_allclose(found[d], composition(x), atol=1e-9)
