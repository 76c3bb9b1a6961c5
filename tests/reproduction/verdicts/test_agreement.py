import math

import pytest
from scipy import stats

from reproduction.verdicts.agreement import (
    WORDS,
    Figure,
    codes,
    compare,
    figure_of,
    judge,
    stable_share,
)
from reproduction.verdicts.margins import load_margins

NAN = math.nan
PERCENT = load_margins().unit("accuracy_pct")
PROBABILITY = load_margins().unit("p_value")


def word_from_scipy(published, ours, margin):
    """The rule once more, from scipy's own tests on the runs themselves."""
    above = stats.ttest_ind(ours + margin, published, equal_var=False, alternative="greater")
    below = stats.ttest_ind(ours - margin, published, equal_var=False, alternative="less")
    if max(above.pvalue, below.pvalue) <= 0.05:
        return "equivalent"
    if stats.ttest_ind(ours, published, equal_var=False).pvalue >= 0.05:
        return "compatible"
    return "near" if abs(ours.mean() - published.mean()) <= 2.5 * margin else "different"


def test_the_words_are_those_of_scipys_tests(rng):
    seen = set()
    for _ in range(400):
        n_p, n_o = rng.integers(2, 30, 2)
        published = rng.normal(70, rng.uniform(0.1, 8), n_p)
        ours = rng.normal(70 + rng.normal(0, 4), rng.uniform(0.1, 8), n_o)
        word = judge(figure_of(published), figure_of(ours), PERCENT).word
        assert word == word_from_scipy(published, ours, PERCENT.margin)
        seen.add(word)
    assert seen == set(WORDS)  # the cases reach every word


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


def test_print_without_a_deviation_takes_ours_and_its_degrees_of_freedom(rng):
    for _ in range(100):
        ours, runs = rng.normal(60, 3, rng.integers(2, 20)), int(rng.integers(1, 20))
        found = judge(Figure(61.0, NAN, runs), figure_of(ours), PERCENT)
        se = ours.std(ddof=1) * math.sqrt(1 / runs + 1 / ours.size)
        half = stats.t.ppf(0.975, ours.size - 1) * se
        assert found.se == pytest.approx(se)
        assert found.high - found.low == pytest.approx(2 * half)


@pytest.mark.parametrize("spread", [NAN, 0.0])
@pytest.mark.parametrize(
    ("metric", "published", "ours", "word"),
    [
        ("accuracy_pct", 80.0, 82.0, "equivalent"),
        ("accuracy_pct", 80.0, 78.0, "equivalent"),
        ("accuracy_pct", 80.0, 82.01, "near"),
        ("accuracy_pct", 80.0, 85.0, "near"),
        ("accuracy_pct", 80.0, 85.01, "different"),
        ("map_at_10", 0.40, 0.43, "equivalent"),
        ("map_at_10", 0.40, 0.475, "near"),
        ("map_at_10", 0.40, 0.48, "different"),
        ("average_rank", 2.0, 2.5, "equivalent"),
        ("average_rank", 2.0, 3.3, "different"),
        ("pearson_r", -0.5, -0.3, "equivalent"),
        ("pearson_r", -0.5, 0.1, "different"),
        ("view_agreement", 0.30, 0.32, "equivalent"),
        ("view_agreement", 0.30, 0.36, "different"),
        ("p_value", 0.03, 0.03 * 3, "equivalent"),
        ("p_value", 0.03, 0.03 / 10, "near"),
        ("p_value", 0.03, 0.0, "different"),
    ],
)
def test_without_a_spread_the_margin_alone_decides(metric, published, ours, word, spread):
    runs = 1 if math.isnan(spread) else 5
    unit = load_margins().unit(metric)
    found = judge(Figure(published, spread, runs), Figure(ours, spread, runs), unit)
    assert found.word == word
    assert found.se == 0
    assert found.low == found.high == found.difference
    assert found.prediction_low == found.prediction_high == pytest.approx(published)


def test_a_printed_deviation_never_widens_the_margin():
    # far apart and noisy is compatible at most, and with enough runs it is different
    noisy = judge(Figure(82.9, 12.7, 5), Figure(94.2, 1.0, 20), PERCENT)
    assert noisy.word == "compatible"
    assert judge(Figure(82.9, 12.7, 500), Figure(94.2, 1.0, 20), PERCENT).word == "different"
    equal = judge(Figure(80.0, 12.7, 20), Figure(80.0, 12.7, 20), PERCENT)
    assert equal.word == "compatible"  # equal means alone do not make print precise


def test_powers_of_ten_carry_deviations_over_by_the_slope():
    found = judge(Figure(0.02, NAN, 4), Figure(0.02, 0.002, 4), PROBABILITY)
    small = (math.log10(0.022) - math.log10(0.018)) / 2  # a central difference over one deviation
    assert found.se == pytest.approx(small * math.sqrt(2 / 4), rel=0.01)
    assert found.prediction_low < 0.02 < found.prediction_high


def test_arrays_are_judged_like_single_figures(rng):
    size = 200
    published = Figure(
        rng.uniform(40, 60, size), rng.uniform(0, 6, size), rng.integers(2, 30, size)
    )
    published.std[rng.random(size) < 0.3] = NAN
    ours = Figure(rng.uniform(40, 60, size), rng.uniform(0, 6, size), rng.integers(2, 30, size))
    together = codes(compare(published, ours, PERCENT), PERCENT.margin)
    alone = [
        judge(Figure(*p), Figure(*o), PERCENT).word
        for p, o in zip(zip(*published, strict=True), zip(*ours, strict=True), strict=True)
    ]
    assert [WORDS[code] for code in together] == alone


def slow_share(name, values, published, unit):
    from manyviews.seeding import generator

    drawn = generator("bootstrap of a verdict", name).integers(
        len(values), size=(1000, len(values))
    )
    own = judge(published, figure_of(values), unit).word
    words = [judge(published, figure_of(values[line]), unit).word for line in drawn]
    return sum(word == own for word in words) / 1000


def test_the_bootstrap_share_is_that_of_a_plain_loop(rng):
    for case in range(5):
        values = rng.normal(72, 3, rng.integers(2, 12))
        published = Figure(70.0, [NAN, 2.5][case % 2], 10)
        share = stable_share(f"cell {case}", values, published, PERCENT)
        assert share == slow_share(f"cell {case}", values, published, PERCENT)


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
