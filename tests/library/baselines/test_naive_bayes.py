import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.naive_bayes import MultinomialNB

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from manyviews.parts.naive_bayes import combine_posteriors, naive_bayes_posterior


def data(seed=0):
    rng = np.random.default_rng(seed)
    Xs = [sp.csr_matrix(rng.poisson(1.0, (40, size)) * 1.0) for size in (12, 7)]
    y = rng.integers(3, size=40)
    y[:3] = range(3)
    y[30:] = -1
    return Xs, y


@pytest.mark.parametrize("alpha", [1.0, 0.1])
def test_each_view_equals_scikit_learn(alpha):
    Xs, y = data()
    model = NaiveBayesEnsemble(alpha).fit(Xs, y)
    known = y >= 0
    for X, posterior in zip(Xs, model.view_posteriors(Xs), strict=True):
        expected = MultinomialNB(alpha=alpha).fit(X[known], y[known]).predict_proba(X)
        np.testing.assert_allclose(posterior, expected, atol=1e-12)
        np.testing.assert_allclose(naive_bayes_posterior(X, y, 3, alpha), expected, atol=1e-12)


def test_product_survives_saturated_posteriors():
    p = combine_posteriors([np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])], "product")
    np.testing.assert_allclose(p, [[0.5, 0.5]])


def test_no_underflow_in_long_documents():
    X = sp.csr_matrix(np.array([[5000.0, 1.0], [1.0, 5000.0], [3000.0, 3000.0]]))
    p = naive_bayes_posterior(X, np.array([0, 1, -1]), 2)
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
