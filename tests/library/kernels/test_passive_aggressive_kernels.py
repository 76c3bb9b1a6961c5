"""The closed forms of one round against a convex solver and against the paper's algebra."""

import itertools

import numpy as np
import pytest

from manyviews.kernels import multi_view_pa
from manyviews.kernels.multi_view_pa import round_steps, workspace
from manyviews.kernels.passive_aggressive import (
    EMPTY_RULES,
    GATES,
    VARIANTS,
    exact_tau_delta,
    two_view_steps,
)


def agreeing(a, u, v, leave_out):
    """1 where the pair of views counts in the agreement."""
    return ((a[:, u] > 0) & (a[:, v] > 0) | (not leave_out)).astype(float)


def round_objective(m, m0, a, theta, C, gamma, leave_out=False):
    """Value of the section-3.3 problem for V views in terms of margins, one row a round."""
    moved = np.divide((m - m0) ** 2, 2 * a, out=np.zeros_like(m), where=a > 0).sum(axis=1)
    total = moved + C * np.maximum(0, 1 - (theta * m).sum(axis=1))
    for u, v in itertools.combinations(range(m.shape[1]), 2):
        total += gamma * agreeing(a, u, v, leave_out) * np.abs(m[:, u] - m[:, v])
    return total


def assert_optimal(m, m0, a, theta, C, gamma, leave_out=False):
    """Assert that margins solve their rounds: many independent ones in one separable problem."""
    import cvxpy as cp

    x = cp.Variable(m0.shape)
    weight = np.divide(0.5, a, out=np.zeros_like(a), where=a > 0)
    slack = cp.pos(1 - cp.sum(cp.multiply(theta, x), axis=1))
    cost = cp.sum(cp.multiply(weight, cp.square(x - m0))) + cp.sum(cp.multiply(C, slack))
    for u, v in itertools.combinations(range(m0.shape[1]), 2):
        price = gamma * agreeing(a, u, v, leave_out)
        cost += cp.sum(cp.multiply(price, cp.abs(x[:, u] - x[:, v])))
    fixed = a <= 0
    tight = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-13)
    cp.Problem(cp.Minimize(cost), [x[fixed] == m0[fixed]] if fixed.any() else []).solve(
        solver="CLARABEL", **tight
    )
    solved = np.where(fixed, m0, x.value)
    given = (m0, a, theta, C, gamma, leave_out)
    ours, oracle = round_objective(m, *given), round_objective(solved, *given)
    assert (ours - oracle).max() < 1e-9  # never worse than the solver
    assert (oracle - ours).max() < 1e-7  # and the solver was solving the same problem


def random_rounds(rng, n_rounds, n_views, empty=0.0):
    a = np.exp(rng.normal(0, 1.5, (n_rounds, n_views)))
    m0 = rng.normal(0, 1.5, (n_rounds, n_views))
    gone = rng.random((n_rounds, n_views)) < empty
    a[gone] = m0[gone] = 0.0
    return a, m0, np.exp(rng.normal(-1, 1, n_rounds)), np.exp(rng.normal(-2, 1.5, n_rounds))


@pytest.mark.mip
@pytest.mark.parametrize("empty", [0.0, 0.3])
def test_exact_two_view_round_is_the_optimum(empty, rng):
    a, m0, C, gamma = random_rounds(rng, 500, 2, empty)
    m = m0.copy()
    for i in range(len(a)):
        tau, delta = exact_tau_delta(*a[i], *m0[i], C[i], gamma[i])
        m[i] += a[i] * (0.5 * tau - delta, 0.5 * tau + delta)
    assert_optimal(m, m0, a, np.full_like(a, 0.5), C, gamma)


def general_steps(a, m, theta, C, gamma, leave_out):
    steps = np.empty(len(a))
    tau = round_steps((a, m, theta, gamma, leave_out), C, steps, workspace(len(a)))
    assert 0.0 <= tau <= C
    return steps


@pytest.mark.mip
@pytest.mark.parametrize("n_views", [1, 2, 5])
@pytest.mark.parametrize(("empty", "leave_out"), [(0.0, False), (0.25, False), (0.25, True)])
def test_multi_view_round_is_the_optimum(n_views, empty, leave_out, rng):
    a, m0, C, gamma = random_rounds(rng, 200, n_views, empty)
    theta = rng.dirichlet(np.ones(n_views), size=len(a))
    m = m0.copy()
    for i in range(len(a)):
        m[i] += a[i] * general_steps(a[i], m0[i], theta[i], C[i], gamma[i], leave_out)
    assert_optimal(m, m0, a, theta, C, gamma, leave_out)


@pytest.mark.parametrize("spread", [0.1, 1.0, 30.0])
def test_two_views_steps_are_the_general_solvers_to_the_bit(rng, spread):
    for _ in range(1000):
        a, m = np.exp(rng.normal(0, 2, 2)), rng.normal(0, spread, 2)
        if rng.random() < 0.3:
            m[1] = m[0]  # ties
        share = rng.choice([0.0, 0.5, 1.0, rng.random()])
        theta = np.array([share, 1.0 - share])
        C = float(np.exp(rng.normal(0, 3)))
        gamma = float(rng.choice([0.0, np.exp(rng.normal(0, 3))]))
        found = multi_view_pa.two_view_steps(*a, *m, *theta, C, gamma)
        expected = general_steps(a, m, theta, C, gamma, True)
        assert np.array_equal(found, expected), (a, m, theta, C, gamma)


def algorithm_1(A, B, mA, mB, C, gamma):
    """Algorithm 1 line by line, with its alpha and beta."""
    loss = max(0.0, 1 - 0.5 * (mA + mB))
    if loss == 0:
        return 0.0, 0.0
    quotient = ((1 - mB) / B - (1 - mA) / A) / (A + B)
    alpha = max(0.0, min(gamma, 0.5 * (gamma + quotient)))
    beta = max(0.0, min(gamma, 0.5 * (gamma - quotient)))
    tau = min(C, ((alpha - beta) * (A - B) + 2 * loss) / (A + B))
    return -(alpha - beta - 0.5 * tau), -(beta - alpha - 0.5 * tau)


def test_printed_round_is_algorithm_1(rng):
    a, m0, C, gamma = random_rounds(rng, 1000, 2)
    for i in range(len(a)):
        ours = two_view_steps(*a[i], *m0[i], C[i], gamma[i], VARIANTS["printed"], GATES["loss"], 0)
        np.testing.assert_allclose(ours, algorithm_1(*a[i], *m0[i], C[i], gamma[i]), atol=1e-12)


def test_empty_row_rules():
    """A row empty in view 2 at the start: what each rule does with the paper's C and gamma."""
    expected = {
        "exact": 0.0,  # agreement with 0 outweighs the loss
        "single": 0.05,  # min(C / 2, 2 loss / A)
        "skip": 0.0,
        "zero": 0.05 + 0.25 / 4,
        "limit": 0.05 - 0.5,  # away from the label
    }
    assert set(expected) == set(EMPTY_RULES)
    for rule, code in EMPTY_RULES.items():
        step = two_view_steps(4.0, 0.0, 0.0, 0.0, 0.1, 0.5, VARIANTS["printed"], 0, code)[0]
        assert step == pytest.approx(expected[rule], abs=1e-15)
        assert two_view_steps(0.0, 0.0, 0.0, 0.0, 0.1, 0.5, 0, 1, code) == (0.0, 0.0)
