import numpy as np
import pytest

from manyviews.models.plsa import (
    PLSA,
    fold_in,
    random_doc_topic,
    random_topic_word,
)
from manyviews.progress import assert_monotone


@pytest.mark.parametrize("seed", range(4))
def test_likelihood_rises_and_factors_are_stochastic(seed):
    X = np.random.default_rng(seed).poisson(0.6, (40, 50)).astype(float)
    model = PLSA(6, max_iter=40, tol=0.0, random_state=seed).fit(X)
    assert model.n_iter_ == 40
    assert len(model.loglik_) == 41
    assert model.loglik_[-1] > model.loglik_[0]
    np.testing.assert_allclose(model.doc_topic_.sum(axis=1), 1.0)
    np.testing.assert_allclose(model.topic_word_.sum(axis=1), 1.0)
    probabilities = model.doc_topic_ @ model.topic_word_
    seen = X > 0
    assert (X[seen] * np.log(probabilities[seen])).sum() == pytest.approx(model.loglik_[-1])


def test_one_topic_is_the_mean_document():
    X = np.random.default_rng(3).poisson(1.0, (9, 8)).astype(float)
    model = PLSA(1, random_state=0).fit(X)
    np.testing.assert_allclose(model.topic_word_[0], X.sum(axis=0) / X.sum())


def test_warm_start_continues_where_the_first_fit_stopped():
    X = np.random.default_rng(2).poisson(0.7, (25, 30)).astype(float)
    rng = np.random.default_rng(5)
    start = (random_doc_topic(25, 4, rng), random_topic_word(30, 4, rng))
    whole = PLSA(4, max_iter=20, tol=0.0, init=start).fit(X)
    half = PLSA(4, max_iter=12, tol=0.0, init=start).fit(X)
    rest = PLSA(4, max_iter=8, tol=0.0, init=(half.doc_topic_, half.topic_word_)).fit(X)
    np.testing.assert_allclose(rest.doc_topic_, whole.doc_topic_, rtol=1e-10)
    assert rest.loglik_[0] == pytest.approx(half.loglik_[-1], rel=1e-14)


def test_fold_in_of_training_documents_reaches_at_least_their_likelihood():
    X = np.random.default_rng(4).poisson(0.7, (30, 40)).astype(float)
    model = PLSA(5, max_iter=60, random_state=0).fit(X)
    h = fold_in(X, model.topic_word_, max_iter=2000, tol=1e-10)
    seen = X > 0
    folded = (X[seen] * np.log((h @ model.topic_word_)[seen])).sum()
    assert folded >= model.loglik_[-1] - 1e-6


def test_empty_documents_and_unknown_words():
    X = np.random.default_rng(4).poisson(0.7, (10, 12)).astype(float)
    X[:, 5] = 0.0
    X[2] = 0.0
    model = PLSA(3, random_state=0).fit(X)
    assert np.all(np.isfinite(model.doc_topic_))
    new = np.zeros((2, 12))
    new[1, 5] = 4.0
    np.testing.assert_allclose(model.transform(new), 1 / 3)


def test_monotonicity_is_asserted():
    assert_monotone(np.array([-3.0, -2.0, -2.0 - 1e-13]), "trace")
    with pytest.raises(FloatingPointError, match="iteration 2"):
        assert_monotone(np.array([-3.0, -2.0, -2.1]), "trace")
