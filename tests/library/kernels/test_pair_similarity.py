import itertools

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from manyviews.kernels import pair_similarity as kernels


def all_pairs(n):
    return kernels.decode_pairs(np.arange(n * (n - 1) // 2), n)


def similarity(P, left, right, sigma):
    out = np.empty(left.size)
    kernels.gaussian_pairs(P, left, right, sigma, out)
    return out


def random_topics(rng, n, k):
    return rng.dirichlet(np.full(k, 0.5), n)


@pytest.mark.parametrize("n", [2, 3, 7, 30])
def test_decoding_lists_every_pair_once_in_order(n):
    left, right = all_pairs(n)
    assert list(zip(left, right, strict=True)) == list(itertools.combinations(range(n), 2))


@pytest.mark.parametrize("k", [1, 4, 5, 11])
@pytest.mark.parametrize("sigma", [0.1, 3.0])
def test_similarity_is_equation_7(k, sigma, rng):
    P = random_topics(rng, 9, k)
    left, right = all_pairs(9)
    expected = np.exp(-pdist(P, "sqeuclidean") / sigma)
    np.testing.assert_allclose(similarity(P, left, right, sigma), expected, rtol=1e-13)


def full_penalty(P, Q, sigma):
    """R of (6), summed over all ordered pairs as printed."""

    def matrix(T):
        return np.exp(-((T[:, None, :] - T[None, :, :]) ** 2).sum(axis=2) / sigma)

    return ((matrix(P) - matrix(Q)) ** 2).sum()


@pytest.mark.parametrize("sigma", [0.1, 3.0])
def test_penalty_equals_the_full_matrix_norm(sigma, rng):
    P, Q = random_topics(rng, 12, 4), random_topics(rng, 12, 3)
    left, right = all_pairs(12)
    use = np.ones(left.size, np.uint8)
    s, t = similarity(P, left, right, sigma), similarity(Q, left, right, sigma)
    expected = full_penalty(P, Q, sigma)
    assert kernels.penalty(s, t, use) == pytest.approx(expected, rel=1e-12)
    coefficient = np.zeros(left.size)
    assert kernels.add_coefficients(s, t, use, coefficient) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(coefficient, s * (s - t), rtol=1e-14)


@pytest.mark.parametrize("sigma", [0.1, 3.0])
def test_gradient_equals_central_differences(sigma, rng):
    P, Q = random_topics(rng, 8, 5), random_topics(rng, 8, 3)
    left, right = all_pairs(8)
    keep = np.sort(rng.choice(left.size, 20, replace=False))
    left, right = left[keep], right[keep]
    use = (rng.random(20) < 0.8).astype(np.uint8)
    other = similarity(Q, left, right, sigma)

    def value(T):
        return kernels.penalty(similarity(T, left, right, sigma), other, use)

    coefficient = np.zeros(20)
    kernels.add_coefficients(similarity(P, left, right, sigma), other, use, coefficient)
    gradient = np.empty_like(P)
    kernels.laplacian_gradient(P, left, right, coefficient, sigma, gradient)
    step = 1e-6
    numeric = np.empty_like(P)
    for position in np.ndindex(*P.shape):
        up, down = P.copy(), P.copy()
        up[position] += step
        down[position] -= step
        numeric[position] = (value(up) - value(down)) / (2 * step)
    np.testing.assert_allclose(gradient, numeric, atol=1e-7)


def test_mean_distance_and_empty_list(rng):
    P = random_topics(rng, 10, 4)
    left, right = all_pairs(10)
    expected = pdist(P, "sqeuclidean").mean()
    assert kernels.mean_squared_distance(P, left, right) == pytest.approx(expected, rel=1e-12)
    assert kernels.mean_squared_distance(P, left[:0], right[:0]) == 0.0


def test_clipped_update_is_an_ascent_direction(rng):
    """<G, p_hat - p> >= 0 for G = n/p - w dR/dp, whatever the gradient (Jensen)."""
    for _ in range(100):
        p = rng.dirichlet(np.ones(5), 4)
        counts = p * rng.gamma(1.0, 10.0, (4, 5))
        gradient = rng.normal(0, 15, (4, 5))
        target = np.empty_like(p)
        clipped, pull = kernels.clipped_rows(p, counts, gradient, 1.3, 1e-12, target)
        raw = counts - 1.3 * p * gradient
        ascent = raw / p
        usable = (raw > 0).any(axis=1)
        assert ((ascent * (target - p)).sum(axis=1)[usable] >= -1e-6).all()
        np.testing.assert_array_equal(target[~usable], p[~usable])
        np.testing.assert_allclose(target.sum(axis=1), 1.0)
        assert clipped == int((raw < 0).sum())
        assert pull == pytest.approx(np.abs(1.3 * p * gradient).sum())


def test_clipped_rows_without_words_stay():
    p = np.array([[0.2, 0.8], [0.5, 0.5]])
    counts = np.array([[0.0, 0.0], [3.0, 1.0]])
    target = np.empty_like(p)
    kernels.clipped_rows(p, counts, np.ones((2, 2)), 0.0, 1e-12, target)
    np.testing.assert_array_equal(target, [[0.2, 0.8], [0.75, 0.25]])


def test_log_gain_ignores_empty_topics():
    counts = np.array([[2.0, 0.0], [1.0, 3.0]])
    old = np.array([[0.5, 0.5], [0.25, 0.75]])
    new = np.array([[1.0, 0.0], [0.5, 0.5]])
    expected = 3 * np.log(2.0) + 3 * np.log(2 / 3)
    assert kernels.log_gain(counts, old, new) == pytest.approx(expected, rel=1e-12)
    new[1, 1] = 0.0
    assert kernels.log_gain(counts, old, new) == -np.inf
