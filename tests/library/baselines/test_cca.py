"""Canonical correlations, with kernels and with classes (SCM)."""

import numpy as np
import pytest
from problems import equal_parts
from scipy import linalg
from sklearn.metrics.pairwise import additive_chi2_kernel

from manyviews.baselines.cca import CCA
from manyviews.baselines.kernel_cca import KernelCCA, chi2_distances
from manyviews.baselines.scm import SCM, SemanticSpace


def two_views(rng, n=300, d1=6, d2=5):
    """Views of two shared variables under noise, neither centred."""
    z = rng.standard_normal((n, 2))
    return [
        z @ rng.standard_normal((2, d)) + 0.5 * rng.standard_normal((n, d)) + mean
        for d, mean in ((d1, 3.0), (d2, -1.0))
    ]


def test_the_gram_route_equals_the_covariance_route(rng):
    # columns of zeros make a view wide without changing it; they halve its mean variance
    narrow = two_views(rng, n=30, d1=20, d2=16)
    wide = [np.hstack([v, np.zeros_like(v)]) for v in narrow]
    one = CCA(3, reg=0.1).fit(narrow).transform(narrow)
    two = CCA(3, reg=0.2).fit(wide).transform(wide)
    equal_parts(map(np.abs, one), map(np.abs, two), atol=1e-7)


def test_two_views_agree_with_the_many_view_criterion(rng):
    a, b = two_views(rng)
    pair = CCA(2, reg=1e-6).fit([a, b])
    trio = CCA(2, reg=1e-6).fit([a, b, rng.standard_normal((300, 4))])
    planes = [model.transform(Xs)[0] for model, Xs in ((pair, [a, b]), (trio, [a, b, None]))]
    # the shared plane, whatever its axes: correlations between its two bases are nearly 1
    assert linalg.svdvals(linalg.orth(planes[0]).T @ linalg.orth(planes[1])).min() > 0.9


def test_linear_kernel_cca_equals_linear_cca(rng):
    views, new = two_views(rng, n=60), two_views(rng, n=7)
    linear = CCA(2, reg=0.0).fit(views)
    kernel = KernelCCA(2, reg=0.0, kernels=("linear", "linear")).fit(views)
    np.testing.assert_allclose(kernel.correlations_, linear.correlations_, atol=1e-8)
    found, expected = kernel.transform(new), linear.transform(new)
    equal_parts(map(np.abs, found), map(np.abs, expected), rtol=1e-5, atol=1e-6)


def test_training_rows_project_to_their_own_coordinates(rng):
    views = [rng.dirichlet(np.ones(width), 40) for width in (8, 6)]
    model = KernelCCA(3, reg=0.5, kernels=("chi2", "hellinger")).fit(views)
    trained = model.cca_.transform([m.coordinates for m in model.maps_])
    equal_parts(model.transform(views), trained, atol=1e-6)


@pytest.mark.parametrize("width", [1, 2, 7, 8, 70])
def test_chi2_distances(width, rng):
    a, b = (rng.random((5, width)) * (rng.random((5, width)) < 0.5) for _ in range(2))
    np.testing.assert_allclose(chi2_distances(a, b), -additive_chi2_kernel(a, b), atol=1e-13)


def histograms(rng, centres, n=150):
    y = np.arange(n) % 3
    return [np.array([rng.dirichlet(30 * c[k] + 0.2) for k in y]) for c in centres], y


def test_semantic_correlation_matching():
    """Paired items land near each other and classes are found; refits are fresh fits."""
    rng = np.random.default_rng(0)
    centres = rng.dirichlet(np.full(12, 0.3), (2, 3))
    (views, y), (new, truth) = histograms(rng, centres), histograms(rng, centres)
    model = SCM(2, reg=0.1, kernels=("chi2", "chi2")).fit(views, y)
    a, b = model.transform(new)
    assert np.corrcoef(a[:, 0], b[:, 0])[0, 1] > 0.7
    for posterior in model.semantic([a, b]):
        np.testing.assert_allclose(posterior.sum(axis=1), 1.0)
        assert (posterior.argmax(axis=1) == truth).mean() > 0.8
    fresh = SCM(2, reg=0.5).fit(views, y)
    changed = SCM(1, reg=9.0).fit(views, y).refit(2, 0.5, y)
    equal_parts(fresh.transform(views), changed.transform(views), atol=1e-9)
    X = views[0]
    one, two = (SemanticSpace().fit(scale * X, y).transform(scale * X) for scale in (1, 1000))
    np.testing.assert_allclose(one, two, atol=1e-6)
