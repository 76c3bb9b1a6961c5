import numpy as np
import pytest
from scipy import linalg
from sklearn.metrics.pairwise import additive_chi2_kernel

from manyviews.baselines.cca import CCA
from manyviews.baselines.kernel_cca import KernelCCA, chi2_distances


def two_views(seed, n=300, d1=6, d2=5, shared=2, noise=0.5):
    rng = np.random.default_rng(seed)
    z = rng.standard_normal((n, shared))
    a = z @ rng.standard_normal((shared, d1)) + noise * rng.standard_normal((n, d1))
    b = z @ rng.standard_normal((shared, d2)) + noise * rng.standard_normal((n, d2))
    return a + 3.0, b - 1.0


def test_correlations_equal_the_generalised_eigenvalues():
    a, b = two_views(0)
    a0, b0 = a - a.mean(0), b - b.mean(0)
    n = len(a)
    caa, cbb, cab = a0.T @ a0 / n, b0.T @ b0 / n, a0.T @ b0 / n
    expected = np.sqrt(linalg.eigh(cab @ linalg.inv(cbb) @ cab.T, caa, eigvals_only=True)[::-1][:5])
    model = CCA(5, reg=0.0).fit([a, b])
    np.testing.assert_allclose(model.correlations_, expected, atol=1e-10)
    za, zb = model.transform([a, b])
    for i in range(5):
        assert np.corrcoef(za[:, i], zb[:, i])[0, 1] == pytest.approx(expected[i], abs=1e-9)
    np.testing.assert_allclose(za.T @ za / n, np.eye(5), atol=1e-9)


def test_the_gram_route_equals_the_covariance_route():
    # columns of zeros make a view wide without changing it; they halve its mean variance
    a, b = two_views(1, n=30, d1=20, d2=16)
    wide = [np.hstack([v, np.zeros_like(v)]) for v in (a, b)]
    narrow = CCA(3, reg=0.1).fit([a, b]).transform([a, b])
    for expected, ours in zip(narrow, CCA(3, reg=0.2).fit(wide).transform(wide), strict=True):
        np.testing.assert_allclose(np.abs(ours), np.abs(expected), atol=1e-8)


def test_two_views_agree_with_the_many_view_criterion():
    a, b = two_views(2)
    pair = CCA(2, reg=1e-6).fit([a, b])
    rng = np.random.default_rng(0)
    trio = CCA(2, reg=1e-6).fit([a, b, rng.standard_normal((300, 4))])
    shared = np.corrcoef(pair.transform([a, b])[0][:, 0], trio.transform([a, b, None])[0][:, 0])
    assert abs(shared[0, 1]) > 0.95


def test_linear_kernel_cca_equals_linear_cca():
    a, b = two_views(4, n=60)
    linear = CCA(2, reg=0.0).fit([a, b])
    kernel = KernelCCA(2, reg=0.0, kernels=("linear", "linear")).fit([a, b])
    np.testing.assert_allclose(kernel.correlations_, linear.correlations_, atol=1e-8)
    new_a, new_b = two_views(5, n=7)
    for ours, expected in zip(
        kernel.transform([new_a, new_b]), linear.transform([new_a, new_b]), strict=True
    ):
        np.testing.assert_allclose(np.abs(ours), np.abs(expected), rtol=1e-6, atol=1e-8)


def test_training_rows_project_to_their_own_coordinates():
    rng = np.random.default_rng(6)
    a, b = rng.dirichlet(np.ones(8), 40), rng.dirichlet(np.ones(6), 40)
    model = KernelCCA(3, reg=0.5, kernels=("chi2", "hellinger")).fit([a, b])
    trained = model.cca_.transform([m.coordinates for m in model.maps_])
    for ours, expected in zip(model.transform([a, b]), trained, strict=True):
        np.testing.assert_allclose(ours, expected, atol=1e-6)


def test_chi2_distances():
    a, b = np.array([[0.5, 0.5, 0.0]]), np.array([[0.0, 0.5, 0.5], [0.5, 0.5, 0.0]])
    np.testing.assert_allclose(chi2_distances(a, b), [[1.0, 0.0]], atol=1e-15)
    rng = np.random.default_rng(0)
    for width in (1, 2, 7, 8):
        a, b = (rng.random((5, width)) * (rng.random((5, width)) < 0.5) for _ in range(2))
        np.testing.assert_allclose(chi2_distances(a, b), -additive_chi2_kernel(a, b), atol=1e-14)
