"""Scores of an answer against scikit-learn's."""

import numpy as np
from sklearn.metrics import f1_score

from manyviews.compare.scores import mean_f1


def test_mean_f1_is_scikit_learns(rng):
    for _ in range(300):
        n, k = rng.integers(1, 40), rng.integers(1, 6)
        truth = rng.integers(0, k, n)
        # classes that the truth lacks, and rows without an answer (-1), count as wrong
        predicted = np.where(rng.random(n) < 0.5, truth, rng.integers(-1, k + 2, n))
        expected = f1_score(
            truth, predicted, average="macro", labels=np.unique(truth), zero_division=0
        )
        assert mean_f1(truth, predicted) == expected


def test_mean_f1_by_hand():
    truth, predicted = np.array([0, 0, 1, 1, 5]), np.array([0, 1, 1, 1, 0])
    # F1 of class 0: 2 * 1 / (2 + 2); of class 1: 2 * 2 / (2 + 3); class 5 is never found
    assert mean_f1(truth, predicted) == np.mean([0.5, 0.8, 0.0])
