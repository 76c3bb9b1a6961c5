"""Naive Bayes, co-training, late fusion, graphs."""

import numpy as np
import pytest
import scipy.sparse as sp
from problems import equal_parts, partly, word_views
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB

from manyviews.baselines.cotraining import CoTraining, cotrain_rounds
from manyviews.baselines.graph_classifiers import SGC, GraphSpreading
from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from manyviews.baselines.stacking import Stacking
from manyviews.parts.naive_bayes import (
    class_log_priors,
    class_log_probabilities,
    combine_posteriors,
    naive_bayes_posterior,
)
from manyviews.views import Views


@pytest.mark.parametrize("alpha", [1.0, 0.1])
def test_each_view_equals_scikit_learn(alpha, rng):
    Xs, classes = word_views(rng)
    y = partly(rng, classes)
    model, known = NaiveBayesEnsemble(alpha).fit(Xs, y), y >= 0
    for X, posterior in zip(Xs, model.view_posteriors(Xs), strict=True):
        expected = MultinomialNB(alpha=alpha).fit(X[known], y[known]).predict_proba(X)
        np.testing.assert_allclose(posterior, expected, atol=1e-12)
        np.testing.assert_allclose(naive_bayes_posterior(X, y, 3, alpha), expected, atol=1e-12)


def test_no_underflow():
    p = combine_posteriors([np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])], "product")
    np.testing.assert_allclose(p, [[0.5, 0.5]])
    X = sp.csr_matrix(np.array([[5000.0, 1.0], [1.0, 5000.0], [3000.0, 3000.0]]))
    p = naive_bayes_posterior(X, np.array([0, 1, -1]), 2)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


def slow_cotraining(Xs, labels, per_class, pool_size, n_iter, rng):
    """Retrain from scratch in every round, as the method is described."""
    labels = labels.copy()
    order = list(rng.permutation(np.flatnonzero(labels < 0)))
    pool, order = order[:pool_size], order[pool_size:]
    for _ in range(n_iter):
        given = {}
        for X in Xs:
            joint = X @ class_log_probabilities(X, labels, 2) + class_log_priors(labels, 2)
            odds = joint - joint[:, ::-1]
            for c, count in enumerate(per_class):
                for _ in range(count):
                    free = [d for d in pool if d not in given]
                    if free:
                        given[max(free, key=lambda d: odds[d, c])] = c
        for d, c in given.items():
            labels[d] = c
        pool = [d for d in pool if d not in given]
        while order and len(pool) < pool_size:
            pool.append(order.pop(0))
    return labels, [naive_bayes_posterior(X, labels, len(per_class)) for X in Xs]


@pytest.mark.parametrize(
    ("per_class", "pool_size", "n_iter"), [((1, 3), 20, 5), ((2, 2), 75, 30), ((1, 1), 3, 200)]
)
def test_cotraining_equals_retraining_from_scratch(per_class, pool_size, n_iter, rng):
    for seed in range(4):
        Xs, y = word_views(rng, n=80, k=2, widths=(15, 9), length=25.0, concentration=0.4)
        labels = np.where(np.arange(80) < 4, y, -1)
        model = CoTraining(per_class, pool_size=pool_size, max_iter=n_iter, random_state=seed)
        model.fit(Xs, labels)
        given, posteriors = slow_cotraining(
            Xs, labels, per_class, pool_size, n_iter, np.random.default_rng(seed)
        )
        np.testing.assert_array_equal(model.given_, given)
        equal_parts(model.view_posteriors(Xs), posteriors, atol=1e-9)
        taught = model.given_ >= 0
        np.testing.assert_array_equal(model.labels_[taught], model.given_[taught])
        np.testing.assert_array_equal(model.labels_[~taught], model.predict(Xs)[~taught])
        sizes = np.array(per_class)
        rounds = cotrain_rounds(
            [sp.csr_matrix(X) for X in Xs],
            labels,
            sizes,
            pool_size,
            n_iter,
            1.0,
            np.random.default_rng(seed),
        )
        assert [each.rounds for each in rounds] == list(range(1, model.n_iter_ + 1))


def test_documents_per_class_by_number_and_by_name(rng):
    Xs, y = word_views(rng)
    labels = np.array(["x", "y", "z", None])[partly(rng, y)]
    equal, mapped, listed = (
        CoTraining(given, max_iter=2, random_state=0).fit(Xs, labels).given_
        for given in (2, {"z": 2, "x": 2, "y": 2}, (2, 2, 2))
    )
    equal_parts([mapped, listed], [equal, equal])


def test_stacking_of_one_view_with_rows_that_cannot_be_held_out(rng):
    """With one row a class there is no second model: the view's own regression answers."""
    X = np.vstack([np.eye(3), np.eye(3) + 0.1 * rng.random((3, 3))])
    y = np.array([0, 1, 2, -1, -1, -1])
    plain = LogisticRegression(C=2.0, max_iter=1000).fit(X[:3], y[:3])
    with pytest.warns(UserWarning, match="nothing can be held out"):
        found = Stacking(2.0).fit([X], y)
    np.testing.assert_allclose(found.predict_proba([X]), plain.predict_proba(X), atol=1e-6)
    assert Stacking(2.0).fit([X], np.arange(6) % 3).top_ is not None  # two rows a class will do


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


def test_late_fusion_is_the_mean_of_the_views_models(rng):
    """Of any estimator: oracle by hand; a row is judged by the views it has."""
    Xs, y = word_views(rng)
    kind = LogisticRegression(C=0.5, class_weight="balanced", max_iter=1000)
    each = [kind.fit(X.toarray(), y).predict_proba(X.toarray()) for X in Xs]
    for combine, expected in (
        ("mean", (each[0] + each[1]) / 2),
        ("product", np.sqrt(each[0] * each[1]) / np.sqrt(each[0] * each[1]).sum(1, keepdims=True)),
    ):
        model = Stacking(estimator=kind, combine=combine).fit(Xs, y)
        np.testing.assert_allclose(model.predict_proba(Xs), expected, atol=1e-5)
    alone = Stacking(estimator=kind, combine="mean").fit(Xs, y).predict_proba([Xs[0], None])
    np.testing.assert_allclose(alone, each[0], atol=1e-5)


def random_links(rng, n):
    """Return symmetric links in which every row has one at least."""
    A = (rng.random((n, n)) < 0.1) * 1.0
    A[np.arange(n), np.roll(np.arange(n), 1)] = 1
    return np.maximum(A, A.T) * (1 - np.eye(n))


def test_spreading_solves_the_printed_equation(rng):
    A, y = random_links(rng, 30), partly(rng, np.arange(30) % 3, 0.3)
    S = A / np.sqrt(np.outer(A.sum(axis=0), A.sum(axis=0)))
    F = np.linalg.solve(np.eye(30) - 0.8 * S, 0.2 * (y[:, None] == np.arange(3)))
    model = GraphSpreading(0.8, graphs=[0]).fit([A], y)
    np.testing.assert_allclose(model.shares_, F / F.sum(axis=1, keepdims=True), atol=1e-4)
    np.testing.assert_array_equal(model.labels_[y >= 0], y[y >= 0])
    # a new row is the mean of the rows that it links to; one without links the labelled shares
    row = np.zeros((2, 30))
    row[0, :2] = 1, 3
    expected = [
        (model.shares_[0] + 3 * model.shares_[1]) / 4,
        np.bincount(y[y >= 0]) / (y >= 0).sum(),
    ]
    np.testing.assert_allclose(model.predict_proba([row]), expected, atol=1e-9)


@pytest.mark.parametrize("shared", [False, True])
def test_sgc_is_a_regression_on_means_over_neighbours(rng, shared):
    """Oracle with dense matrices; new rows that are training rows get the same probabilities."""
    n, y = 40, partly(rng, np.arange(40) % 2)
    X, links = rng.random((n, 4)) + np.eye(4)[np.arange(n) % 2], random_links(rng, n)
    if shared:
        links = (rng.random((n, 7)) < 0.3) * 1.0
        rows, columns = (np.maximum(links.sum(axis=a), 1) for a in (1, 0))
        S = 0.5 * (np.eye(n) + links / rows[:, None] @ (links / columns).T)
        X_all = np.hstack([X, links])
    else:
        A = links + np.eye(n)
        S, X_all = A / np.sqrt(np.outer(A.sum(axis=0), A.sum(axis=0))), X
    smooth = S @ S @ X_all
    plain = LogisticRegression(C=5.0, max_iter=1000).fit(smooth[y >= 0], y[y >= 0])
    model = SGC(2, 5.0, graphs=["links"], shared=shared).fit({"words": X, "links": links}, y)
    found = model.predict_proba({"links": links, "words": X})
    np.testing.assert_allclose(found, plain.predict_proba(smooth), atol=1e-3)
    np.testing.assert_array_equal(model.labels_, plain.predict(smooth))
