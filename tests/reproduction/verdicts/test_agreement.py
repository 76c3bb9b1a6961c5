"""The rule of cells: its edges, its intervals, the bootstrap; words are in test_recomputed."""

import math

import pytest
from scipy import stats

from asprinted.agreement import Figure, figure_of, judge, stable_share
from asprinted.margins import load_margins
from manyviews.seeding import generator

NAN = math.nan
PERCENT = load_margins().unit("accuracy_pct")


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
