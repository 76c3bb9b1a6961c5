"""A row of weight n is a row that occurs n times; one of weight 0 is not there."""

import numpy as np
import pytest

from manyviews.baselines import NaiveBayesEnsemble
from manyviews.models import DPLSA, MVPLSA, PLSA, CoPLSA, LinkPLSA, MultiViewKMeans
from manyviews.models.plsa import random_doc_topic, random_topic_word


@pytest.fixture
def case(rng):
    n_rows, k = 50, 3
    classes = np.arange(n_rows) % k
    views = []
    for width in (20, 14):
        profile = rng.dirichlet(np.full(width, 0.3), k)
        views.append(rng.poisson(10 * profile[classes]) + 0.0)
        views[-1][:, 0] += 1.0  # no row is empty
    weights = rng.integers(1, 4, n_rows)
    labels = np.where(rng.random(n_rows) < 0.5, classes, -1)
    labels[:k] = range(k)
    rows = np.repeat(np.arange(n_rows), weights)
    return views, labels, weights, rows


def shares(views):
    return [X / X.sum(axis=1, keepdims=True) for X in views]


def test_plsa(case, rng):
    (X, _), _, weights, rows = case
    h, w = random_doc_topic(len(X), 3, rng), random_topic_word(X.shape[1], 3, rng)
    one = PLSA(3, max_iter=10, tol=0.0, init=(h, w)).fit(X, sample_weight=weights)
    two = PLSA(3, max_iter=10, tol=0.0, init=(h[rows], w)).fit(X[rows])
    np.testing.assert_allclose(one.topic_word_, two.topic_word_, atol=1e-10)
    np.testing.assert_allclose(one.doc_topic_[rows], two.doc_topic_, atol=1e-10)
    np.testing.assert_allclose(one.loglik_, two.loglik_)


@pytest.mark.parametrize("kind", [MVPLSA, DPLSA])
@pytest.mark.parametrize("init", ["naive_bayes", "product", "given"])
def test_mvplsa(case, rng, kind, init):
    views, labels, weights, rows = case
    start = random_doc_topic(len(labels), 3, rng)
    fits = []
    for Xs, y, given, how in (
        (views, labels, weights, start),
        ([X[rows] for X in views], labels[rows], None, start[rows]),
    ):
        model = kind(4, max_iter=8, random_state=3, init=how if init == "given" else init)
        fits.append(model.fit(Xs, y, sample_weight=given))
    np.testing.assert_allclose(fits[0].doc_topic_[rows], fits[1].doc_topic_, atol=1e-9)
    np.testing.assert_allclose(fits[0].loglik_, fits[1].loglik_)
    for one, two in zip(fits[0].topic_word_, fits[1].topic_word_, strict=True):
        np.testing.assert_allclose(one, two, atol=1e-9)


@pytest.mark.parametrize("divergence", ["skl", "l2", "l1"])
def test_coplsa(case, rng, divergence):
    views, _, weights, rows = case
    views = shares(views)
    h = random_doc_topic(len(rows), 3, rng)[: len(weights)]
    ws = [random_topic_word(X.shape[1], 3, rng) for X in views]
    settings = {"divergence": divergence, "lam": 0.3, "max_iter": 6, "tol": 0.0}
    one = CoPLSA(3, init=([h, h], ws), **settings).fit(views, sample_weight=weights)
    two = CoPLSA(3, init=([h[rows]] * 2, ws), **settings).fit([X[rows] for X in views])
    np.testing.assert_allclose(one.objective_, two.objective_, rtol=1e-7)
    for a, b in zip(one.topic_word_, two.topic_word_, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)
    for a, b in zip(one.doc_topic_, two.doc_topic_, strict=True):
        np.testing.assert_allclose(a[rows], b, atol=1e-6)


def test_link_plsa(case, rng):
    views, _, weights, rows = case
    views = shares(views)
    h = random_doc_topic(len(weights), 3, rng)
    ws = [random_topic_word(X.shape[1], 3, rng) for X in views]
    one = LinkPLSA(3, init=(h, ws), max_iter=8, tol=0.0).fit(views, sample_weight=weights)
    two = LinkPLSA(3, init=(h[rows], ws), max_iter=8, tol=0.0).fit([X[rows] for X in views])
    np.testing.assert_allclose(one.doc_topic_[rows], two.doc_topic_, atol=1e-9)
    np.testing.assert_allclose(one.objective_, two.objective_)


def test_naive_bayes(case):
    views, labels, weights, rows = case
    one = NaiveBayesEnsemble().fit(views, labels, sample_weight=weights)
    two = NaiveBayesEnsemble().fit([X[rows] for X in views], labels[rows])
    np.testing.assert_allclose(one.predict_proba(views), two.predict_proba(views))


@pytest.mark.parametrize("combine", ["sum", "prod", "maxagree", "concat", "cotrain"])
def test_kmeans(case, combine):
    views, labels, weights, rows = case
    one = MultiViewKMeans(combine).fit(views, labels, sample_weight=weights)
    two = MultiViewKMeans(combine).fit([X[rows] for X in views], labels[rows])
    np.testing.assert_array_equal(one.labels_[rows], two.labels_)
    for a, b in zip(one.centroids_, two.centroids_, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)


def test_mvplsa_of_weight_zero_is_folded_in(case, rng):
    views, labels, _, _ = case
    keep = (rng.random(len(labels)) < 0.7) | (labels >= 0)
    settings = {"max_iter": 10, "random_state": 1, "init": "uniform"}
    one = MVPLSA(4, **settings).fit(views, labels, sample_weight=keep * 1.0)
    two = MVPLSA(4, **settings).fit([X[keep] for X in views], labels[keep])
    np.testing.assert_allclose(one.doc_topic_[keep], two.doc_topic_, atol=1e-9)
    if not keep.all():
        new = two.transform([X[~keep] for X in views])
        np.testing.assert_allclose(one.doc_topic_[~keep], new, atol=1e-9)
