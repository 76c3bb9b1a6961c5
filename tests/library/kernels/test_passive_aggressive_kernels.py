"""The closed forms of one round against a convex solver and against the paper's algebra."""

import itertools

import numpy as np
import pytest

from manyviews.kernels.multi_view_pa import (
    count_mistakes,
    hedge,
    round_steps,
    workspace,
)
from manyviews.kernels.passive_aggressive import (
    EMPTY_RULES,
    GATES,
    VARIANTS,
    exact_tau_delta,
    pa_tau,
    two_view_steps,
)

TIGHT = {"solver": "CLARABEL", "tol_gap_abs": 1e-13, "tol_gap_rel": 1e-13, "tol_feas": 1e-13}


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


def solve_rounds(m0, a, theta, C, gamma, leave_out=False):
    """Solve many independent rounds in one separable problem; returns their margins."""
    import cvxpy as cp

    m = cp.Variable(m0.shape)
    weight = np.divide(0.5, a, out=np.zeros_like(a), where=a > 0)
    slack = cp.pos(1 - cp.sum(cp.multiply(theta, m), axis=1))
    cost = cp.sum(cp.multiply(weight, cp.square(m - m0))) + cp.sum(cp.multiply(C, slack))
    for u, v in itertools.combinations(range(m0.shape[1]), 2):
        price = gamma * agreeing(a, u, v, leave_out)
        cost += cp.sum(cp.multiply(price, cp.abs(m[:, u] - m[:, v])))
    fixed = a <= 0
    constraints = [m[fixed] == m0[fixed]] if fixed.any() else []
    cp.Problem(cp.Minimize(cost), constraints).solve(**TIGHT)
    value = np.asarray(m.value)
    value[fixed] = m0[fixed]
    return value


def random_rounds(rng, n_rounds, n_views, empty=0.0):
    a = np.exp(rng.normal(0, 1.5, (n_rounds, n_views)))
    m0 = rng.normal(0, 1.5, (n_rounds, n_views))
    gone = rng.random((n_rounds, n_views)) < empty
    a[gone] = 0.0
    m0[gone] = 0.0
    C = np.exp(rng.normal(-1, 1, n_rounds))
    gamma = np.exp(rng.normal(-2, 1.5, n_rounds))
    return a, m0, C, gamma


@pytest.mark.mip
@pytest.mark.parametrize("empty", [0.0, 0.3])
def test_exact_two_view_round_is_the_optimum(empty, rng):
    a, m0, C, gamma = random_rounds(rng, 500, 2, empty)
    half = np.full_like(a, 0.5)
    m = m0.copy()
    for i in range(len(a)):
        tau, delta = exact_tau_delta(*a[i], *m0[i], C[i], gamma[i])
        m[i] += a[i] * (0.5 * tau - delta, 0.5 * tau + delta)
    ours = round_objective(m, m0, a, half, C, gamma)
    oracle = round_objective(solve_rounds(m0, a, half, C, gamma), m0, a, half, C, gamma)
    assert (ours - oracle).max() < 1e-9  # never worse than the solver
    assert (oracle - ours).max() < 1e-7  # and the solver was solving the same problem


@pytest.mark.mip
@pytest.mark.parametrize("n_views", [1, 2, 5])
@pytest.mark.parametrize(("empty", "leave_out"), [(0.0, False), (0.25, False), (0.25, True)])
def test_multi_view_round_is_the_optimum(n_views, empty, leave_out, rng):
    a, m0, C, gamma = random_rounds(rng, 200, n_views, empty)
    theta = rng.dirichlet(np.ones(n_views), size=len(a))
    m = m0.copy()
    steps = np.empty(n_views)
    for i in range(len(a)):
        tau = round_steps(
            a[i], m0[i], theta[i], C[i], gamma[i], leave_out, steps, *workspace(n_views)
        )
        assert 0.0 <= tau <= C[i]
        m[i] += a[i] * steps
    problem = (m0, a, theta, C, gamma, leave_out)
    ours = round_objective(m, *problem)
    oracle = round_objective(solve_rounds(*problem), *problem)
    assert (ours - oracle).max() < 1e-9
    assert (oracle - ours).max() < 1e-7


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


def test_the_step_of_one_view_is_that_of_crammer_and_others(rng):
    """PA has no bound, PA-I is bounded by C, PA-II adds 1/(2C) to the norm."""
    for _ in range(200):
        margin, norm, C = rng.normal(), rng.uniform(0.1, 5), rng.uniform(0.01, 2)
        loss = max(0.0, 1 - margin)
        assert pa_tau(margin, norm, C, 0) == pytest.approx(loss / norm)
        assert pa_tau(margin, norm, C, 1) == pytest.approx(min(C, loss / norm))
        assert pa_tau(margin, norm, C, 2) == pytest.approx(loss / (norm + 1 / (2 * C)))
    assert [pa_tau(-1.0, 0.0, 1.0, mode) for mode in (0, 1, 2)] == [0, 0, 0]


def test_gate_stops_updates_at_zero_loss_only_when_asked():
    arguments = (1.0, 1.0, 3.0, -0.5, 0.1, 0.5, VARIANTS["exact"])
    assert two_view_steps(*arguments, GATES["loss"], 0) == (0.0, 0.0)
    left, right = two_view_steps(*arguments, GATES["always"], 0)
    assert left < 0 < right  # the views move towards each other


def test_empty_row_rules():
    """A row empty in view 2 at the start: what each rule does with the paper's C and gamma."""
    steps = {
        rule: two_view_steps(4.0, 0.0, 0.0, 0.0, 0.1, 0.5, VARIANTS["printed"], 0, code)[0]
        for rule, code in EMPTY_RULES.items()
    }
    assert steps["exact"] == pytest.approx(0.0, abs=1e-15)  # agreement with 0 outweighs the loss
    assert steps["single"] == pytest.approx(0.05)  # min(C / 2, 2 loss / A)
    assert steps["skip"] == 0.0
    assert steps["zero"] == pytest.approx(0.05 + 0.25 / 4)
    assert steps["limit"] == pytest.approx(0.05 - 0.5)  # away from the label
    for code in EMPTY_RULES.values():
        assert two_view_steps(0.0, 0.0, 0.0, 0.0, 0.1, 0.5, 0, 1, code) == (0.0, 0.0)


def test_hedge_weights_follow_the_mistakes():
    theta = np.full(3, 1 / 3)
    losses = np.zeros(3)
    for label, scores in ((1, [2.0, 0.0, -1.0]), (0, [-0.1, -3.0, 4.0])):
        count_mistakes(np.array([scores]), label, losses)
    np.testing.assert_array_equal(losses, [0, 1, 2])  # a score of 0 decides nothing
    hedge(theta, losses, 0.5)
    np.testing.assert_allclose(theta, np.exp([0, -0.5, -1]) / np.exp([0, -0.5, -1]).sum())


def test_mistakes_with_several_classes():
    losses = np.zeros(2)
    count_mistakes(np.array([[1.0, 0.0], [0.5, 0.0], [-1.0, 0.0]]), 0, losses)
    np.testing.assert_array_equal(losses, [0, 1])  # a tie decides nothing
