"""Linear models in the space of the rows are those on the columns."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from manyviews.parts.row_space import InRowSpace, coordinates, few_rows


def wide(rng, n=30, width=400, classes=3):
    """Few rows with many columns, some of which tell the classes apart."""
    labels = np.arange(n) % classes
    X = rng.random((n, width)) * (rng.random((n, width)) < 0.3)
    X[np.arange(n), labels] += 1.0
    return X, labels


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_inner_products_and_weights_by_hand(rng, form):
    X, _ = wide(rng)
    Z, back = coordinates(form(X))
    assert Z.shape[1] <= len(X)
    np.testing.assert_allclose(Z @ Z.T, X @ X.T, atol=1e-9)
    w = rng.normal(size=Z.shape[1])
    np.testing.assert_allclose(X @ (X.T @ back @ w), Z @ w, atol=1e-8)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_same_models_as_on_the_columns(rng, form, classes):
    X, y = wide(rng, classes=classes)
    new = form(rng.random((50, X.shape[1])))
    assert few_rows(form(X))
    # a strict tolerance: in other coordinates the solver stops at another step
    for model in (
        lambda: LogisticRegression(C=2.0, max_iter=5000, tol=1e-9),
        lambda: LinearSVC(C=1.0, random_state=0, max_iter=100_000, tol=1e-9),
    ):
        plain, other = model().fit(form(X), y), InRowSpace(model()).fit(form(X), y)
        assert other.coef_.shape == plain.coef_.shape
        np.testing.assert_allclose(other.coef_, plain.coef_, atol=1e-4)
        values = plain.decision_function(new)
        np.testing.assert_allclose(other.model.decision_function(new), values, atol=1e-3)
    np.testing.assert_array_equal(other.classes_, np.arange(classes))


def test_rows_that_repeat_and_rows_of_zeros(rng):
    X, y = wide(rng)
    X[3:9] = X[0]
    X[9] = 0
    found = InRowSpace(LogisticRegression(max_iter=5000, tol=1e-9)).fit(X, y)
    plain = LogisticRegression(max_iter=5000, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(found.predict_proba(X), plain.predict_proba(X), atol=1e-4)
    nothing = InRowSpace(LogisticRegression()).fit(np.zeros_like(X), y)
    assert set(nothing.predict(X)) <= set(y)


def test_many_rows_or_few_columns_stay_as_they_are(rng):
    assert not few_rows(rng.random((50, 20)))
    assert not few_rows(sp.random(2000, 4000, 0.001, format="csr", random_state=0))
    X, y = wide(rng, n=60, width=10)
    model = InRowSpace(LogisticRegression()).fit(X, y)
    np.testing.assert_array_equal(model.coef_, LogisticRegression().fit(X, y).coef_)
