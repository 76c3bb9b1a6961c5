"""The tests behind the claims, against scipy and against hand computations."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from reproduction.verdicts.statistics import (
    correlation_above,
    difference_above,
    holm,
    is_zero,
    mean_above,
    mean_within,
    paired_test,
    rank_correlation,
)


def test_the_plain_test_is_scipys(rng):
    a, b = rng.normal(0.3, 1, 20), rng.normal(0, 1, 20)
    ours = mean_above(a - b)
    assert ours.p_value == pytest.approx(stats.ttest_rel(a, b, alternative="greater").pvalue)
    interval = stats.ttest_rel(a, b).confidence_interval(0.95)
    assert (ours.low, ours.high) == pytest.approx(tuple(interval))
    beyond = mean_above(a - b, 0.4)
    assert beyond.effect == pytest.approx((a - b).mean() - 0.4)
    assert beyond.p_value == pytest.approx(
        stats.ttest_1samp(a - b, 0.4, alternative="greater").pvalue
    )


def test_the_corrected_test_by_hand():
    """Four differences 1, 2, 3, 4 of two-fold runs: s² = 5/3, ratio 1, so t = 2.5 / sqrt(25/12)."""
    found = mean_above([1.0, 2.0, 3.0, 4.0], overlap=1.0)
    error = math.sqrt((1 / 4 + 1) * 5 / 3)
    assert error == pytest.approx(1.4433756729740645)
    assert found.effect == 2.5
    assert found.p_value == pytest.approx(stats.t.sf(1.7320508075688772, 3))
    assert found.high == pytest.approx(2.5 + 3.182446305284263 * error)


def test_the_corrected_test_is_never_surer_than_the_plain_one(rng):
    d = rng.normal(0.5, 1.0, 25)
    plain, corrected = mean_above(d), mean_above(d, overlap=0.25)
    assert abs(corrected.p_value - 0.5) < abs(plain.p_value - 0.5)
    assert corrected.low < plain.low < plain.high < corrected.high
    with pytest.raises(ValueError, match="overlap"):
        mean_above(d, overlap=-0.1)


def test_constant_differences_have_a_certain_answer():
    assert mean_above([0.0, 0.0, 0.0]).p_value == 1.0
    above = mean_above([0.1, 0.1, 0.1], overlap=0.5)
    assert (above.p_value, above.low, above.high) == pytest.approx((0.0, 0.1, 0.1))
    assert mean_above([-0.1, -0.1]).p_value == 1.0
    assert difference_above([2.0, 2.0], [1.0, 1.0]).p_value == 0.0
    assert paired_test([1.0, 2.0], [0.5, 1.5]).p_value == 0.0
    assert paired_test([1.0, 2.0], [1.0, 2.0]).p_value == 1.0


@pytest.mark.parametrize(("values", "text"), [([1.0], "at least 2"), ([1.0, math.nan], "finite")])
def test_too_little_or_broken_is_refused(values, text):
    for test in (mean_above, lambda d: mean_within(d, 1.0), lambda d: difference_above(d, d)):
        with pytest.raises(ValueError, match=text):
            test(values)


def test_the_level_is_kept(rng):
    """Under no effect about one in twenty tests rejects."""
    rejected = np.mean([mean_above(rng.normal(size=15)).p_value <= 0.05 for _ in range(1500)])
    assert 0.02 < rejected < 0.085


def test_welch_is_scipys(rng):
    a, b = rng.normal(1, 2, 12), rng.normal(0, 1, 7)
    found = difference_above(a, b)
    theirs = stats.ttest_ind(a, b, equal_var=False, alternative="greater")
    assert found.p_value == pytest.approx(theirs.pvalue)
    interval = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx(tuple(interval))


def test_the_equivalence_test_is_two_one_sided_tests(rng):
    for centre, overlap in itertools.product((0.0, 3.0), (0.0, 0.25)):
        d = rng.normal(centre + 0.3, 1.0, 20)
        found = mean_within(d, 2.0, centre, overlap=overlap)
        error = d.std(ddof=1) * math.sqrt(1 / 20 + overlap)
        upper = stats.t.cdf((d.mean() - centre - 2.0) / error, 19)
        lower = stats.t.sf((d.mean() - centre + 2.0) / error, 19)
        assert found.p_value == pytest.approx(max(upper, lower))
        assert found.effect == pytest.approx(2.0 - abs(d.mean() - centre))


def test_equivalence_is_refuted_when_the_interval_lies_outside(rng):
    far = mean_within(5 + 0.1 * rng.normal(size=20), 2.0)
    assert far.high < 0
    assert far.p_value > 0.99
    noise = rng.permutation([-1.0, 1.0] * 10)
    edge = mean_within(2.1 + noise, 2.0)
    assert edge.low < 0 < edge.high
    near = mean_within(0.1 * rng.normal(size=20), 2.0)
    assert near.low > 0
    assert near.p_value < 1e-6
    with pytest.raises(ValueError, match="positive margin"):
        mean_within([0.0, 1.0], 0.0)


def test_correlation(rng):
    x = rng.normal(size=12)
    y = -x + 0.1 * rng.normal(size=12)
    r, p_two = stats.pearsonr(x, y)
    found = correlation_above(x, y, -1)
    assert found.effect == pytest.approx(-r)
    assert found.p_value == pytest.approx(p_two / 2)
    assert correlation_above(x, y, 1).high < 0
    with pytest.raises(ValueError, match="4 points"):
        correlation_above(x[:3], y[:3])
    with pytest.raises(ValueError, match="vary"):
        correlation_above(x, np.ones(12))
    assert rank_correlation([1, 2, 3], [5.0, 5.0, 5.0]) == 0.0
    assert rank_correlation([1, 2, 3], [1.0, 4.0, 9.0]) == pytest.approx(1.0)


def test_identical_means_identical():
    assert is_zero([0.0, 1e-15])
    assert not is_zero([0.0, 1e-6])
    assert is_zero([0.0, 5e-11], scale=100.0)


def test_holm_by_hand():
    """Four p-values: .01 x 4, .02 x 3, .03 x 2 raised to .06, .4 x 1."""
    found = holm({"d": 0.4, "a": 0.01, "c": 0.03, "b": 0.02})
    assert found == pytest.approx({"a": 0.04, "b": 0.06, "c": 0.06, "d": 0.4})
    assert holm({}) == {}
    assert holm({"a": 0.6, "b": 0.7}) == {"a": 1.0, "b": 1.0}


def test_holm_is_the_closed_bonferroni_test(rng):
    """A hypothesis is rejected exactly when every set with it is rejected by Bonferroni."""
    for _ in range(200):
        p_values = {str(i): float(p) for i, p in enumerate(rng.random(4) ** 3)}
        adjusted = holm(p_values)
        for name in p_values:
            sets = [
                {name, *others}
                for size in range(len(p_values))
                for others in itertools.combinations(sorted(set(p_values) - {name}), size)
            ]
            slow = max(min(1.0, len(s) * min(p_values[each] for each in s)) for s in sets)
            assert adjusted[name] == pytest.approx(slow)
