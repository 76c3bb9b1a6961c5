import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from manyviews.baselines.cotraining import CoTraining
from manyviews.parts.naive_bayes import (
    class_log_priors,
    class_log_probabilities,
    naive_bayes_posterior,
)


def data(seed=0, n=80):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    Xs = []
    for size in (15, 9):
        profiles = rng.dirichlet(np.full(size, 0.4), 2)
        Xs.append(sp.csr_matrix(np.array([rng.multinomial(25, profiles[c]) for c in y]) * 1.0))
    labels = np.full(n, -1)
    labels[:4] = y[:4]
    return Xs, y, labels


def slow_cotraining(Xs, labels, per_class, pool_size, n_iter, rng):
    """Retrain from scratch in every round, as the method is described."""
    labels = labels.copy()
    order = list(rng.permutation(np.flatnonzero(labels < 0)))
    pool, order = order[:pool_size], order[pool_size:]
    for _ in range(n_iter):
        if not pool:
            break
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
def test_equals_retraining_from_scratch(per_class, pool_size, n_iter):
    for seed in range(4):
        Xs, _, labels = data(seed)
        model = CoTraining(per_class, pool_size=pool_size, max_iter=n_iter, random_state=seed).fit(
            Xs, labels
        )
        given, posteriors = slow_cotraining(
            Xs, labels, per_class, pool_size, n_iter, np.random.default_rng(seed)
        )
        np.testing.assert_array_equal(model.given_, given)
        for found, expected in zip(model.view_posteriors(Xs), posteriors, strict=True):
            np.testing.assert_allclose(found, expected, atol=1e-9)


def test_learns_and_stops_when_all_are_labelled():
    Xs, y, labels = data(3)
    model = CoTraining((2, 2), max_iter=500, random_state=0).fit(Xs, labels)
    assert (model.given_ >= 0).all()
    assert model.n_iter_ < 500
    assert np.mean(model.predict(Xs) == y) > 0.8
    np.testing.assert_array_equal(model.given_[:4], y[:4])
    np.testing.assert_allclose(model.predict_proba(Xs).sum(axis=1), 1.0)


def test_training_documents_have_a_label():
    Xs, _, labels = data()
    model = CoTraining((1, 1), max_iter=2, random_state=0).fit(Xs, labels)
    given = model.given_ >= 0
    assert not given.all()
    np.testing.assert_array_equal(model.labels_[given], model.given_[given])
    np.testing.assert_array_equal(model.labels_[~given], model.predict(Xs)[~given])


def test_contract_and_errors():
    Xs, _, labels = data()
    model = clone(CoTraining((1, 2), pool_size=9))
    before = labels.copy()
    model.fit(Xs, labels)
    np.testing.assert_array_equal(labels, before)
    with pytest.raises(ValueError, match="2 view"):
        model.fit(Xs + Xs[:1], labels)
    with pytest.raises(ValueError, match="does not fit the 2 classes of y"):
        CoTraining((1, 1, 1)).fit(Xs, labels)
    with pytest.raises(ValueError, match=r"per_class\[1\] must be at least 1"):
        CoTraining((1, 0)).fit(Xs, labels)
    with pytest.raises(ValueError, match="pool_size"):
        CoTraining(pool_size=0).fit(Xs, labels)
    with pytest.raises(ValueError, match="view 0 has 2 columns"):
        model.predict([Xs[0][:, :2], Xs[1]])
