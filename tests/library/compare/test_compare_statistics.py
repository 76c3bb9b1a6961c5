"""Tests, ranks and corrections against formulas written out."""

import numpy as np
import pytest
from scipy import stats

from manyviews.compare.statistics import (
    against_leader,
    critical_difference,
    decided,
    holm,
    leader_of,
    mean_ranks,
    paired,
    without_luck,
)


def test_without_overlap_it_is_the_paired_t_test(rng):
    for _ in range(20):
        a, b = rng.random((2, int(rng.integers(3, 20))))
        expected = stats.ttest_rel(a, b)
        found = paired(a, b, 0.0)
        assert found.p == pytest.approx(expected.pvalue)
        low, high = expected.confidence_interval()
        assert (found.low, found.high) == pytest.approx((low, high))


def test_overlap_widens_the_interval(rng):
    a, b = rng.random((2, 10))
    d = a - b
    error = np.sqrt((1 / 10 + 0.25) * d.var(ddof=1))
    found = paired(a, b, 0.25)
    assert found.high - found.mean == pytest.approx(stats.t.ppf(0.975, 9) * error)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(d.mean()) / error, 9))


def test_equal_scores_are_no_difference():
    assert paired(np.ones(5), np.ones(5), 0.25).p == 1
    assert paired(np.ones(5), np.zeros(5), 0.25).p == 0
    assert paired(np.ones(1), np.zeros(1), 0.25).p == 1


def test_holm_against_its_definition(rng):
    for _ in range(20):
        values = rng.random(int(rng.integers(1, 8))) ** 3
        p = {f"m{i}": float(v) for i, v in enumerate(values)}
        order = np.argsort(values, kind="stable")
        expected = np.empty(values.size)
        for i, at in enumerate(order):
            steps = [(values.size - j) * values[order[j]] for j in range(i + 1)]
            expected[at] = min(1.0, max(steps))
        assert [holm(p)[f"m{i}"] for i in range(values.size)] == pytest.approx(expected.tolist())


def test_critical_difference_of_demsar():
    # table 5 of Demsar (2006): q = 2.728 for five methods
    expected = 2.728 * np.sqrt(5 * 6 / (6 * 30))
    assert critical_difference(5, 30) == pytest.approx(expected, rel=1e-3)


def test_ranks_and_leader():
    scores = {"a": np.array([1.0, 0.5]), "b": np.array([0.5, 0.5]), "c": np.array([0.0, 1.0])}
    assert mean_ranks(scores) == {"a": 1.75, "b": 2.25, "c": 2.0}
    assert leader_of(scores) == "a"


def test_decided_only_when_all_are_beaten(rng):
    noise = rng.normal(0, 0.01, (3, 20))
    far = {"a": 0.9 + noise[0], "b": 0.5 + noise[1], "c": 0.4 + noise[2]}
    assert decided(far, 0.25, 4)
    near = far | {"b": far["a"].copy()}
    assert not decided(near, 0.25, 4)
    assert against_leader(near, 0.25)["b"].p == 1


def test_luck_of_the_best_is_taken_out(rng):
    """Forty coins: the best looks good, its honest score is a half."""
    truth = rng.integers(2, size=60)
    coins = {f"m{i}": rng.integers(2, size=60) for i in range(40)}
    best = max(float(np.mean(truth == guess)) for guess in coins.values())
    honest = without_luck(truth, coins, lambda t, g: float(np.mean(t == g)), rng)
    assert honest < best
