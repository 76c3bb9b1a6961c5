"""Clusters of neighbour graphs, LSA and stacking against slow, plain versions."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

from manyviews.baselines import AMGL, LSAKMeans, MeanGraphSpectral, Stacking
from manyviews.baselines.graph_clustering import laplacian, neighbour_graph
from manyviews.testing import random_case
from manyviews.views import Views


def test_neighbours_by_cosine_against_sorting(rng):
    X = rng.random((12, 4))
    U = X / np.linalg.norm(X, axis=1, keepdims=True)
    cosine = U @ U.T
    expected = np.zeros((12, 12))
    for i in range(12):
        order = [j for j in np.argsort(-cosine[i]) if j != i][:4]
        expected[i, order] = cosine[i, order]
    # kneighbors_graph without rows leaves the row itself out and takes one neighbour more
    found = neighbour_graph(X, 3).toarray()
    np.testing.assert_allclose(found, 0.5 * (expected + expected.T), atol=1e-9)
    # columns of zeros make the table sparse, and change no neighbour
    padded = neighbour_graph(np.hstack([X, np.zeros((12, 100))]), 3).toarray()
    np.testing.assert_allclose(padded, found, atol=1e-9)


def test_the_laplacian_has_a_zero_eigenvalue(rng):
    A = np.triu(rng.random((9, 9)), 1)
    L = laplacian(sp.csr_matrix(A + A.T)).toarray()
    values = np.linalg.eigvalsh(L)
    assert values[0] == pytest.approx(0, abs=1e-9)
    assert values[-1] <= 2 + 1e-9


def test_amgl_trusts_the_clear_view_more(rng):
    classes = np.repeat([0, 1], 30)
    clear = np.eye(2)[classes] + 0.05 * rng.random((60, 2))
    # noise alone would lead the first, equally weighted graph astray in 3 draws of 100
    dim = rng.random((60, 5)) + 0.5 * np.outer(classes, np.eye(5)[0])
    model = AMGL(2, n_neighbors=8, random_state=0).fit([clear, dim])
    assert model.view_weights_[0] > model.view_weights_[1]
    assert max(np.mean(model.labels_ == classes), np.mean(model.labels_ != classes)) > 0.8


def test_a_row_without_a_view_is_clustered_by_the_others(rng):
    """Rows that lack a noisy view go where the clear one puts them; oracle: that view alone."""
    classes = np.repeat([0, 1], 20)
    clear = np.eye(2)[classes] + 0.1 * rng.random((40, 2))
    observed = np.ones((40, 2), dtype=bool)
    observed[rng.permutation(40)[:15], 1] = False
    views = Views([clear, clear + 0.1 * rng.random((40, 2))], observed=observed)
    for model in (MeanGraphSpectral(2, random_state=0), AMGL(2, random_state=0),
                  LSAKMeans(2, random_state=0)):  # fmt: skip
        labels = np.asarray(model.fit(views).labels_)
        assert np.mean(labels == classes) in (0, 1), type(model).__name__


def test_new_rows_go_to_the_cluster_of_their_like(rng):
    case = random_case(rng, n_views=2, n_classes=2, n_rows=40)
    model = LSAKMeans(2, random_state=0).fit(case.matrices)
    np.testing.assert_array_equal(model.predict(case.matrices), model.labels_)


def test_stacking_of_one_view_with_rows_that_cannot_be_held_out(rng):
    """With one row a class there is no second model: the view's own regression answers."""
    X = np.vstack([np.eye(3), np.eye(3) + 0.1 * rng.random((3, 3))])
    y = np.array([0, 1, 2, -1, -1, -1])
    plain = LogisticRegression(C=2.0, max_iter=1000).fit(X[:3], y[:3])
    found = Stacking(2.0).fit([X], y)
    np.testing.assert_allclose(found.predict_proba([X]), plain.predict_proba(X), atol=1e-6)


def test_stacking_reads_the_view_that_tells(rng):
    y = np.arange(60) % 2
    tells, noise = y[:, None] + 0.3 * rng.standard_normal((60, 2)), rng.standard_normal((60, 4))
    model = Stacking(random_state=0).fit([noise, tells], y)
    strength = np.abs(model.top_.coef_).reshape(2, 2).sum(axis=1)
    assert strength[1] > strength[0]
    # a row that lacks what tells is judged by the prior and the noise: not surely
    lacking = Views([noise, tells], observed=np.column_stack([np.ones(60), np.zeros(60)]) > 0)
    unsure = model.predict_proba(lacking).max(axis=1).mean()
    assert unsure < model.predict_proba([noise, tells]).max(axis=1).mean()
