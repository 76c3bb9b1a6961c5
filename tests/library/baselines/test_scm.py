import numpy as np
import pytest

from manyviews.baselines.scm import SCM, SemanticSpace


def histograms(seed, n=150, n_classes=3):
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(99).dirichlet(np.full(12, 0.3), (2, n_classes))
    y = rng.integers(n_classes, size=n)
    views = [np.array([rng.dirichlet(30 * c[k] + 0.2) for k in y]) for c in centres]
    return views, y


def test_paired_items_land_near_each_other_and_classes_are_found():
    views, y = histograms(0)
    new, truth = histograms(50)
    model = SCM(2, reg=0.1, kernels=("chi2", "chi2")).fit(views, y)
    a, b = model.transform(new)
    assert np.corrcoef(a[:, 0], b[:, 0])[0, 1] > 0.7
    for posterior in model.semantic([a, b]):
        np.testing.assert_allclose(posterior.sum(axis=1), 1.0)
        assert (posterior.argmax(axis=1) == truth).mean() > 0.8


def test_refit_equals_a_fresh_fit():
    views, y = histograms(7, n=60)
    fresh = SCM(2, reg=0.5).fit(views, y)
    changed = SCM(1, reg=9.0).fit(views, y).refit(2, 0.5, y)
    for a, b in zip(fresh.transform(views), changed.transform(views), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)


def test_semantic_space_does_not_depend_on_the_scale_of_its_input():
    (X, _), y = histograms(1)
    a = SemanticSpace().fit(X, y).transform(X)
    b = SemanticSpace().fit(1000 * X, y).transform(1000 * X)
    np.testing.assert_allclose(a, b, atol=1e-6)
    with pytest.raises(ValueError, match="C must be"):
        SemanticSpace(0.0).fit(X, y)
