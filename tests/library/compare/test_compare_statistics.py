"""The test behind "use this method": formulas written out, and data whose truth is known."""

import numpy as np
import pytest
from scipy import stats

from manyviews.compare.statistics import ALPHA, against, decided, interval, leader_of
from manyviews.compare.task import Task


def test_one_rival_and_no_overlap_is_the_t_test(rng):
    for _ in range(5):
        a, b = rng.random((2, int(rng.integers(4, 20))))
        found = against({"a": a, "b": b}, "b", 0.0)["a"]
        expected = stats.ttest_rel(a, b, alternative="greater")
        assert found.p == pytest.approx(expected.pvalue, abs=0.06)  # of 2,000 draws
        low = expected.confidence_interval(1 - ALPHA).low
        assert found.mean - found.low == pytest.approx(found.mean - low, rel=0.2)


def test_overlap_widens_the_interval(rng):
    scores = rng.random(10)
    half = stats.t.ppf(1 - ALPHA, 9) * np.sqrt((1 / 10 + 0.25) * scores.var(ddof=1))
    found = interval(scores, 0.25)
    assert (found.low, found.high) == pytest.approx((scores.mean() - half, scores.mean() + half))
    a, b = rng.random((2, 10))
    wide, narrow = (against({"a": a, "b": b}, "b", overlap)["a"] for overlap in (0.25, 0.0))
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(np.sqrt(3.5))


@pytest.mark.parametrize(("kind", "overlap"), [("classify", 1), ("cluster", 1), ("retrieve", 2)])
def test_splits_that_share_rows_or_a_learnt_space_tell_less(kind, overlap):
    for share in (0.2, 0.5):
        task = Task(kind, "", "", "", 2, share=share)
        assert task.overlap == pytest.approx(overlap * share / (1 - share))


def test_equal_scores_are_no_difference():
    ones, zeros = np.ones(5), np.zeros(5)
    found = against({"same": ones, "worse": zeros, "better": 2 * ones, "me": ones}, "me", 0.25)
    assert found["same"].p == found["worse"].p == 1
    assert found["better"].p < 0.001
    assert against({"alone": ones}, "alone", 0.25) == {}


def test_more_rivals_need_a_larger_difference(rng):
    table = rng.standard_normal((12, 20))
    few = against({"a": table[0], "ref": table[1]}, "ref", 0.25)
    many = against({"a": table[0], "ref": table[1], **dict(enumerate(table))}, "ref", 0.25)
    assert many["a"].low < few["a"].low
    # copies of a rival are one rival
    same = {"a": table[0], "ref": table[1], **dict.fromkeys(range(10), table[0])}
    copies = against(same, "ref", 0.25)["a"]
    assert copies.mean - copies.low == pytest.approx(few["a"].mean - few["a"].low, rel=0.2)


def test_leader():
    scores = {"a": np.array([1.0, 0.5]), "b": np.array([0.5, 0.5]), "c": np.array([0.0, 1.5])}
    assert leader_of(scores) == "a"


def test_decided_only_when_all_are_beaten(rng):
    noise = rng.normal(0, 0.01, (3, 20))
    far = {"a": 0.9 + noise[0], "b": 0.5 + noise[1], "c": 0.4 + noise[2]}
    assert decided(far, 0.25, 4)
    assert not decided(far | {"b": far["a"].copy()}, 0.25, 4)


def fifths(rng, rows):
    """Means of rows over two rounds of five folds, methods x splits."""
    parts = [part for _ in range(2) for part in np.array_split(rng.permutation(rows.shape[1]), 5)]
    return np.array([rows[:, part].mean(axis=1) for part in parts]).T


def broken(rng, rows):
    """A score that jumps with its rows, as clusters do: the sign of the mean of a part."""
    return np.sign(fifths(rng, rows))


@pytest.mark.parametrize("scored", [fifths, broken])
@pytest.mark.parametrize("shared", [0.0, 0.8])
def test_exchangeable_methods_are_hardly_ever_told_apart(rng, scored, shared):
    """Nominal 4.5 %: 15 % of 150 data sets would be chance in one of 100,000 runs."""
    wrong, noise = 0, np.sqrt([shared, 1 - shared])
    for _ in range(150):
        rows = noise[0] * rng.standard_normal((1, 100)) + noise[1] * rng.standard_normal((9, 100))
        scores = dict(enumerate(scored(rng, rows)))
        wrong += min(d.p for d in against(scores, 0, 0.25).values()) < ALPHA
    assert wrong <= 22


def test_ten_points_with_a_deviation_of_five_are_found(rng):
    """One of nine is better: found in 74 % of 600 sets; below 50 is chance in a million runs."""
    right = 0
    for _ in range(100):
        # rows with a deviation of 5 points in the difference of two means of 20 rows
        rows = 0.05 * np.sqrt(20 / 2) * rng.standard_normal((9, 100))
        rows[3] += 0.1
        found = against(dict(enumerate(fifths(rng, rows))), 0, 0.25)
        right += found[3].p < ALPHA
    assert right >= 50
