"""Two views' steps against the general solver, which takes any number of views."""

import numpy as np
import pytest

from manyviews.kernels.multi_view_pa import round_steps, workspace
from manyviews.kernels.two_view_steps import two_view_steps


def general(a, m, theta, C, gamma):
    """Steps of the general solver."""
    steps = np.empty(2)
    round_steps(a, m, theta, C, gamma, True, steps, *workspace(2))
    return steps


@pytest.mark.parametrize("spread", [0.1, 1.0, 30.0])
def test_the_general_solvers_steps_to_the_bit(rng, spread):
    for _ in range(1000):
        a = np.exp(rng.normal(0, 2, 2))
        m = rng.normal(0, spread, 2)
        if rng.random() < 0.3:
            m[1] = m[0]  # ties
        share = rng.choice([0.0, 0.5, 1.0, rng.random()])
        theta = np.array([share, 1.0 - share])
        C = float(np.exp(rng.normal(0, 3)))
        gamma = float(rng.choice([0.0, np.exp(rng.normal(0, 3))]))
        found = two_view_steps(a[0], a[1], m[0], m[1], theta[0], theta[1], C, gamma)
        expected = general(a, m, theta, C, gamma)
        assert np.array_equal(found, expected), (a, m, theta, C, gamma)
