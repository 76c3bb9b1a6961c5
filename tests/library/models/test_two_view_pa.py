import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive


def two_views(seed, n_rows=200, widths=(30, 20), density=0.2, empty=0.1):
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], size=n_rows)
    views = []
    for width in widths:
        signal = rng.normal(size=width)
        X = (rng.random((n_rows, width)) < density) * (1 + 0.8 * np.outer(y, np.sign(signal)))
        X[rng.random(n_rows) < empty] = 0
        views.append(sp.csr_matrix(X))
    return views, y


def test_trace_holds_the_scores_before_each_update():
    views, y = two_views(3)
    model = TwoViewPassiveAggressive(trace=True)
    for i in range(60):
        rows = [view[[i]] for view in views]
        before = model.view_scores(rows)[0] if i else np.zeros(2)
        model.partial_fit(rows, y[[i]])
        np.testing.assert_allclose(model.trace_[-1], before, atol=1e-12)
    assert model.trace_.shape == (60, 2)
    model.set_params(trace=False).fit(views, y)
    assert model.trace_.shape == (0, 2)


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_identical_views_exact_is_pa1_with_half_c_printed_is_not(C):
    (X, _), y = two_views(4, empty=0.0)
    exact = TwoViewPassiveAggressive(C=C, variant="exact", shuffle=False).fit([X, X], y)
    half = PassiveAggressive(C=C / 2, shuffle=False).fit(X, y)
    np.testing.assert_allclose(exact.coef_[0], half.coef_, atol=1e-10)
    np.testing.assert_allclose(exact.coef_[1], half.coef_, atol=1e-10)
    printed = TwoViewPassiveAggressive(C=C, variant="printed", shuffle=False).fit([X, X], y)
    for other in (C, C / 2):
        single = PassiveAggressive(C=other, shuffle=False).fit(X, y)
        assert np.abs(printed.coef_[0] - single.coef_).max() > 1e-3


def test_no_agreement_and_unit_norms_is_pa_on_the_concatenation():
    """With gamma = 0 the exact problem is PA-I on (x^A, x^B)/2 with weights (w^A, w^B)."""
    views, y = two_views(5, empty=0.0)
    model = TwoViewPassiveAggressive(C=0.3, gamma=0.0, variant="exact", shuffle=False)
    model.fit(views, y)
    cat = PassiveAggressive(C=0.3, shuffle=False).fit(sp.hstack(views).tocsr() * 0.5, y)
    np.testing.assert_allclose(np.concatenate(model.coef_), cat.coef_, atol=1e-10)
