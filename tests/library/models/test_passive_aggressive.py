import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import SGDClassifier

from manyviews.models.passive_aggressive import PassiveAggressive


def stream(seed, n_rows=300, n_features=40, density=0.2):
    rng = np.random.default_rng(seed)
    X = sp.random_array((n_rows, n_features), density=density, rng=rng, format="csr")
    X = sp.csr_matrix(X)
    X.data = rng.normal(size=X.nnz)
    y = np.where(X @ rng.normal(size=n_features) + 0.3 * rng.normal(size=n_rows) > 0, 1, -1)
    return X, y


def reference(X, y, C, mode):
    """The three updates of the paper's section 3.1 on dense rows."""
    w = np.zeros(X.shape[1])
    for x, label in zip(X.toarray(), y, strict=True):
        loss = max(0.0, 1 - label * (w @ x))
        if loss > 0 and x @ x > 0:
            tau = {
                "PA": loss / (x @ x),
                "PA-I": min(C, loss / (x @ x)),
                "PA-II": loss / (x @ x + 1 / (2 * C)),
            }[mode]
            w = w + tau * label * x
    return w


@pytest.mark.parametrize("mode", ["PA", "PA-I", "PA-II"])
def test_updates_are_the_papers(mode, rng):
    X, y = stream(rng)
    for C in (0.01, 0.1, 1.0):
        model = PassiveAggressive(C=C, mode=mode, shuffle=False).fit(X, y)
        np.testing.assert_allclose(model.coef_, reference(X, y, C, mode), atol=1e-12)


@pytest.mark.parametrize(("mode", "rate"), [("PA-I", "pa1"), ("PA-II", "pa2")])
def test_equals_scikit_learn_on_the_same_order(mode, rate, rng):
    X, y = stream(rng)
    ours = PassiveAggressive(C=0.3, mode=mode, max_iter=3, shuffle=False).fit(X, y)
    peer = SGDClassifier(
        loss="hinge", penalty=None, learning_rate=rate, eta0=0.3, fit_intercept=False,
        shuffle=False, max_iter=3, tol=None,
    ).fit(X, y)  # fmt: skip
    np.testing.assert_allclose(ours.coef_, peer.coef_[0], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))


def test_empty_rows_change_nothing():
    X, y = stream(5)
    model = PassiveAggressive().fit(X, y)
    before = model.coef_.copy()
    model.partial_fit(sp.csr_matrix((3, X.shape[1])), [1, -1, 1])
    np.testing.assert_array_equal(model.coef_, before)
