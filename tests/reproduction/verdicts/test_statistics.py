"""Intervals and tests of cells and claims against scipy, each other and simulated truth.

Words of cells are in ``test_recomputed.py``.
"""

import math

import numpy as np
import pytest
from scipy import stats

from asprinted.agreement import Figure, figure_of, judge, stable_share
from asprinted.margins import load_margins
from asprinted.statistics import Estimate, above, apart, bootstrap, estimate, holm, within
from manyviews.seeding import generator

NAN = math.nan
PERCENT = load_margins().unit("accuracy_pct")


def test_without_skewness_it_is_students_t(rng):
    half = rng.normal(size=12) + 0.3
    d = np.concatenate([half, 2 * half.mean() - half])  # symmetric about its mean
    found = above(estimate([d]), 0.1)
    plain = stats.ttest_1samp(d, 0.1, alternative="greater")
    assert found.p_holds == pytest.approx(plain.pvalue)
    assert found.p_refuted == pytest.approx(1 - plain.pvalue)
    ends = stats.ttest_1samp(d, 0.1).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((ends.low - 0.1, ends.high - 0.1))


def test_intervals_and_p_values_say_the_same(rng):
    """A value lies outside an interval exactly where a one-sided test rejects it."""
    for _ in range(50):
        found = estimate([rng.exponential(size=int(rng.integers(5, 60))) - 0.7])
        for level in (0.9, 0.95):
            low, high = found.interval(level)
            tail = (1 - level) / 2
            assert found.plus(-low).p_above() == pytest.approx(tail)
            assert found.plus(-high).plus(0.0, -1.0).p_above() == pytest.approx(tail)


def test_strata_weigh_the_same_and_add_their_variances(rng):
    a, b = rng.normal(1, 2, size=25), rng.normal(3, 1, size=400)
    found = estimate([a, b])
    assert found.value == pytest.approx((a.mean() + b.mean()) / 2)
    assert found.error**2 == pytest.approx((a.var(ddof=1) / 25 + b.var(ddof=1) / 400) / 4)
    assert 24 <= found.freedom <= 423
    one, many = estimate([a]), int(rng.integers(2, 6))  # equal strata: cumulants of a mean
    several = estimate([a] * many)
    assert several.skew == pytest.approx(one.skew / math.sqrt(many))
    assert several.error == pytest.approx(one.error / math.sqrt(many))
    assert several.freedom == pytest.approx(one.freedom * many)


def test_draws_without_a_partner_are_welchs(rng):
    a, b = rng.normal(size=20), rng.normal(0.5, 2, size=35)
    found = apart(a, b)
    plain = stats.ttest_ind(a, b, equal_var=False)
    assert found.value / found.error == pytest.approx(plain.statistic)
    assert found.freedom == pytest.approx(plain.df)


def test_equal_values_are_certain():
    assert above(estimate([[0.1, 0.1, 0.1]])).p_holds == 0.0
    assert above(estimate([[-0.1, -0.1]])).p_refuted == 0.0
    nothing = above(estimate([[0.0, 0.0, 0.0]]), practical=2.0)
    assert nothing.tie
    assert nothing.p_holds == nothing.p_refuted == 1.0
    assert within(estimate([[0.0, 0.0]]), 2.0).p_holds == 0.0


def test_equivalence_is_two_tests(rng):
    for _ in range(30):
        d = rng.normal(rng.uniform(-3, 3), 1, size=20)
        found = within(estimate([d]), 2.0)
        low, high = estimate([d]).interval(0.9)
        assert (found.p_holds <= 0.05) == (low >= -2.0 and high <= 2.0)
        assert (found.p_refuted <= 0.05) == (low >= 2.0 or high <= -2.0)
        assert found.effect == pytest.approx(2.0 - abs(d.mean()))
        ends = estimate([d]).interval(0.95)
        left = [2.0 - abs(x) for x in (*ends, float(np.clip(0.0, *ends)))]
        assert (found.low, found.high) == pytest.approx((min(left), max(left)))
    with pytest.raises(ValueError, match="positive margin"):
        within(estimate([[0.0, 1.0]]), 0.0)


def test_runs_needed_decide_with_the_stated_power(rng):
    d = rng.normal(size=40)
    d = (d - d.mean()) / d.std(ddof=1) + 0.1
    needed = int(above(estimate([d])).runs_needed)
    decided = [
        above(estimate([rng.normal(0.1, 1, size=needed)])).p_holds <= 0.05 for _ in range(300)
    ]
    assert 0.7 <= np.mean(decided) <= 0.9
    assert math.isnan(above(Estimate(1.0, 0.0, 0.0, math.inf, 3)).runs_needed)


def test_bootstrap_agrees_with_the_interval_of_a_mean(rng):
    tables = {"a": rng.normal(0.2, 1, size=(60, 2)), "b": rng.normal(0.1, 1, size=(60, 2))}

    def gap(mean, std):
        return (mean[..., 0] - mean[..., 1]).mean(axis=-1)

    found = bootstrap(tables, gap)
    known = estimate([table[:, 0] - table[:, 1] for table in tables.values()])
    assert found.effect == pytest.approx(known.value)
    assert found.error == pytest.approx(known.error, rel=0.1)
    spread = bootstrap(tables, lambda mean, std: std[..., 1].sum(axis=-1))
    assert spread.effect == pytest.approx(sum(t[:, 1].std(ddof=1) for t in tables.values()))
    assert found == bootstrap(tables, gap)  # the same samples each time
    opposite = bootstrap(tables, lambda mean, std: -gap(mean, std))
    assert (opposite.p_holds, opposite.p_refuted) == (found.p_refuted, found.p_holds)


def test_a_bootstrap_of_few_runs_is_as_wide_as_students_t(rng):
    """Of means of many data sets, so that the draws are close to normal."""
    runs, ratios = 6, []
    for _ in range(30):
        sets = rng.normal(size=(8, runs))
        found = bootstrap(
            {str(k): values[:, None] for k, values in enumerate(sets)},
            lambda mean, std: mean[..., 0].mean(axis=-1),
        )
        error = math.sqrt((sets.var(axis=1, ddof=1) / runs).sum()) / len(sets)
        ratios.append((found.high - found.low) / 2 / error / stats.t.ppf(0.975, runs - 1))
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("values", [[1.0], [1.0, math.nan]])
def test_too_few_or_broken_values_are_refused(values):
    with pytest.raises(ValueError, match="needs"):
        estimate([values])


def test_holm(rng):
    found = holm({"d": 0.4, "a": 0.01, "c": 0.03, "b": 0.02})
    assert found == pytest.approx({"a": 0.04, "b": 0.06, "c": 0.06, "d": 0.4})
    assert holm({}) == {}
    rejected = 0
    for _ in range(1000):
        p_values = {str(i): p for i, p in enumerate(rng.uniform(size=8))}
        adjusted = holm(p_values)
        assert all(adjusted[name] >= p for name, p in p_values.items())
        rejected += min(adjusted.values()) <= 0.05
    assert rejected / 1000 <= 0.075


def test_the_interval_is_that_of_welch(rng):
    for _ in range(100):
        published = rng.normal(50, rng.uniform(0.1, 5), rng.integers(2, 20))
        ours = rng.normal(52, rng.uniform(0.1, 5), rng.integers(2, 20))
        found = judge(figure_of(published), figure_of(ours), PERCENT)
        expected = stats.ttest_ind(ours, published, equal_var=False).confidence_interval(0.95)
        assert (found.low, found.high) == pytest.approx(tuple(expected))
        # our mean lies in the prediction interval exactly when 0 lies in that of the difference
        predicted = found.prediction_low <= ours.mean() <= found.prediction_high
        assert predicted == (found.low <= 0 <= found.high)


@pytest.mark.parametrize(
    ("metric", "published", "equivalent", "near", "different"),
    [
        ("accuracy_pct", 80.0, (78.0, 82.0), (77.99, 82.01, 75.0, 85.0), (74.99, 85.01)),
        ("map_at_10", 0.40, (0.37, 0.43), (0.431, 0.47), (0.48,)),
        ("average_rank", 2.0, (1.5, 2.5), (2.51, 3.2), (3.3,)),
        ("pearson_r", -0.5, (-0.7, -0.3), (-0.29, -0.01), (0.1,)),
        ("view_agreement", 0.30, (0.28, 0.32), (0.33, 0.34), (0.36,)),
        ("p_value", 0.03, (0.01, 0.09), (0.003, 0.2), (0.0,)),
    ],
)
def test_without_a_spread_the_margin_alone_decides(metric, published, equivalent, near, different):
    unit = load_margins().unit(metric)
    words = {"equivalent": equivalent, "near": near, "different": different}
    for spread, runs in ((NAN, 1), (0.0, 5)):
        for word, ours in ((word, ours) for word, each in words.items() for ours in each):
            found = judge(Figure(published, spread, runs), Figure(ours, spread, runs), unit)
            assert found.word == word
            assert found.low == found.high == found.difference


def test_the_bootstrap_share_is_that_of_a_plain_loop(rng):
    for case in range(5):
        values = rng.normal(72, 3, rng.integers(2, 12))
        published = Figure(70.0, [NAN, 2.5][case % 2], 10)
        seed = generator("bootstrap of a verdict", f"cell {case}")
        drawn = seed.integers(len(values), size=(1000, len(values)))
        own = judge(published, figure_of(values), PERCENT).word
        words = [judge(published, figure_of(values[line]), PERCENT).word for line in drawn]
        share = stable_share(f"cell {case}", values, published, PERCENT)
        assert share == words.count(own) / 1000


@pytest.mark.parametrize(
    ("published", "ours", "text"),
    [
        (Figure(NAN, NAN, 5), Figure(1.0, NAN, 1), "print"),
        (Figure(1.0, NAN, 5), Figure(NAN, NAN, 1), "ours"),
        (Figure(1.0, 0.5, 1), Figure(1.0, NAN, 1), "two runs"),
        (Figure(1.0, -0.5, 5), Figure(1.0, NAN, 1), "positive"),
    ],
)
def test_figures_that_cannot_be_are_refused(published, ours, text):
    with pytest.raises(ValueError, match=text):
        judge(published, ours, PERCENT)
