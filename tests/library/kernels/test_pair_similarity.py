import itertools

import numpy as np
import pytest

from manyviews.kernels import pair_similarity as kernels


def all_pairs(n):
    return kernels.decode_pairs(np.arange(n * (n - 1) // 2), n)


def similarity(P, left, right, sigma):
    out = np.empty(left.size)
    kernels.gaussian_pairs(P, left, right, sigma, out)
    return out


@pytest.mark.parametrize("n", [2, 3, 7, 30])
def test_decoding_lists_every_pair_once_in_order(n):
    assert list(zip(*all_pairs(n), strict=True)) == list(itertools.combinations(range(n), 2))


@pytest.mark.parametrize("sigma", [0.1, 3.0])
def test_gradient_equals_central_differences(sigma, rng):
    P, Q = rng.dirichlet(np.full(5, 0.5), 8), rng.dirichlet(np.full(3, 0.5), 8)
    keep = np.sort(rng.choice(28, 20, replace=False))
    left, right = (side[keep] for side in all_pairs(8))
    use = (rng.random(20) < 0.8).astype(np.uint8)
    other = similarity(Q, left, right, sigma)
    gaps = ((P[left] - P[right]) ** 2).sum(axis=1)
    assert kernels.mean_squared_distance(P, left, right) == pytest.approx(gaps.mean())

    def value(T):
        return kernels.penalty(similarity(T, left, right, sigma), other, use)

    coefficient, gradient = np.zeros(20), np.empty_like(P)
    kernels.add_coefficients(similarity(P, left, right, sigma), other, use, coefficient)
    kernels.laplacian_gradient(P, left, right, coefficient, sigma, gradient)
    numeric = np.empty_like(P)
    for position in np.ndindex(*P.shape):
        step = np.zeros_like(P)
        step[position] = 1e-6
        numeric[position] = (value(P + step) - value(P - step)) / 2e-6
    np.testing.assert_allclose(gradient, numeric, atol=1e-7)


def test_clipped_update_is_an_ascent_direction(rng):
    """<G, p_hat - p> >= 0 for G = n/p - w dR/dp, whatever the gradient (Jensen)."""
    for _ in range(100):
        p = rng.dirichlet(np.ones(5), 4)
        counts = p * rng.gamma(1.0, 10.0, (4, 5))
        counts[3] = 0.0  # a row without words stays
        gradient = rng.normal(0, 15, (4, 5))
        target = np.empty_like(p)
        clipped, pull = kernels.clipped_rows(p, counts, gradient, 1.3, 1e-12, target)
        raw = counts - 1.3 * p * gradient
        usable = (raw > 0).any(axis=1) & counts.any(axis=1)
        assert ((raw / p * (target - p)).sum(axis=1)[usable] >= -1e-6).all()
        np.testing.assert_array_equal(target[~usable], p[~usable])
        np.testing.assert_allclose(target.sum(axis=1), 1.0)
        assert clipped == int((raw < 0).sum())
        assert pull == pytest.approx(np.abs(1.3 * p * gradient).sum())
    kernels.clipped_rows(p, counts, gradient, 0.0, 1e-12, target)
    np.testing.assert_allclose(target[:3], counts[:3] / counts[:3].sum(axis=1, keepdims=True))
    np.testing.assert_array_equal(target[3], p[3])


def test_log_gain_ignores_empty_topics():
    counts = np.array([[2.0, 0.0], [1.0, 3.0]])
    old = np.array([[0.5, 0.5], [0.25, 0.75]])
    new = np.array([[1.0, 0.0], [0.5, 0.5]])
    expected = 3 * np.log(2.0) + 3 * np.log(2 / 3)
    assert kernels.log_gain(counts, old, new) == pytest.approx(expected, rel=1e-12)
    new[1, 1] = 0.0
    assert kernels.log_gain(counts, old, new) == -np.inf
