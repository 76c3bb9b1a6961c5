import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.baselines.mvc import MultiViewClustering
from manyviews.kernels import common_pattern as kernels
from manyviews.parts.common_pattern import common_pattern, one_hot, pattern_to_probabilities


def test_divergence():
    A, eye = np.array([[1.0, 0.0], [2.0, 3.0]]), np.eye(2)
    assert kernels.divergence(A, A, eye) == pytest.approx(0.0)
    B = np.array([[0.5, 0.5], [2.0, 1.0]])
    expected = np.log(2) + 3 * np.log(3) - A.sum() + B.sum()
    assert kernels.divergence(A, B, eye) == pytest.approx(expected)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_updates_equal_the_matrix_formulas(k, rng):
    """Zero entries, a zero row and an unused column of A included."""
    for j in (1, 3):
        A = rng.random((20, j)) * (rng.random((20, j)) < 0.6)
        A[3], B, P = 0.0, rng.random((20, k)), rng.random((k, j))
        B[4] = 0.0  # models nothing: the ratio is held at A / TINY, B stays 0
        ratio = A / np.maximum(B @ P, kernels.TINY)
        numerator = np.ones((20, k))
        kernels.add_numerator(A, B, P, 0.7, numerator)
        np.testing.assert_allclose(numerator, 1.0 + 0.7 * ratio @ P.T, rtol=1e-12)
        expected = P * (B.T @ ratio) / B.sum(axis=0)[:, None]
        kernels.renew_mapping(A, B, P)
        np.testing.assert_allclose(P, expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_objective_never_rises_and_is_stationary(seed):
    rng = np.random.default_rng(seed)
    patterns = [one_hot(rng.integers(3, size=30), 3), rng.random((30, 4))]
    B, maps = rng.random((30, 3)) + 0.1, [rng.random((3, 3)) + 0.1, rng.random((3, 4)) + 0.1]
    B, maps, trace = common_pattern(patterns, B, maps, weights=[1.0, 2.0], max_iter=3000, tol=1e-14)
    assert np.all(np.diff(trace) <= 1e-9)
    # multiplicative fixed point: gradient zero wherever B is positive
    gradient = sum(
        w * ((1 - A / np.maximum(B @ P, 1e-300)) @ P.T)
        for w, A, P in zip([1.0, 2.0], patterns, maps, strict=True)
    )
    assert np.abs(B * gradient).max() < 1e-3


def test_agreeing_views_are_reproduced():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    Xs = [sp.csr_matrix(np.eye(3)[(y + s) % 3] * 5 + rng.random((60, 3))) for s in range(2)]
    model = MultiViewClustering(3, random_state=1).fit(Xs)
    for c in range(3):
        assert np.unique(model.labels_[y == c]).size == 1
    assert np.unique(model.labels_).size == 3
    np.testing.assert_allclose(model.pattern_.sum(axis=1), 1.0)
    assert len(model.view_labels_) == 2


def test_probabilities_do_not_depend_on_the_scale():
    rng = np.random.default_rng(3)
    B, maps = rng.random((5, 2)), [rng.random((2, 3)), rng.random((2, 2))]
    scale = np.array([10.0, 0.1])
    other = pattern_to_probabilities(B * scale, [P / scale[:, None] for P in maps])
    np.testing.assert_allclose(pattern_to_probabilities(B, maps), other)
