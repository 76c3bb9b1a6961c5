import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from manyviews.models.plsa import (
    PLSA,
    assert_monotone,
    fold_in,
    random_doc_topic,
    random_topic_word,
)


def planted(seed, n_docs=60, n_topics=3, block=12):
    """Documents of one topic each, topics on disjoint words."""
    rng = np.random.default_rng(seed)
    z = rng.integers(n_topics, size=n_docs)
    counts = np.zeros((n_docs, n_topics * block))
    for d, topic in enumerate(z):
        counts[d, topic * block : (topic + 1) * block] = 1 + rng.poisson(3.0, block)
    return counts, z


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


def test_planted_topics_are_found():
    X, z = planted(0)
    runs = [PLSA(3, max_iter=200, random_state=s).fit(X) for s in range(8)]
    best = max(runs, key=lambda m: m.loglik_[-1])
    found = best.doc_topic_.argmax(axis=1)
    assert len({(a, b) for a, b in zip(z, found, strict=True)}) == 3


def test_one_topic_is_the_mean_document():
    X = np.random.default_rng(3).poisson(1.0, (9, 8)).astype(float)
    model = PLSA(1, random_state=0).fit(X)
    np.testing.assert_allclose(model.topic_word_[0], X.sum(axis=0) / X.sum())


def test_sparse_dense_and_repeated_fits_agree_bit_for_bit():
    X = np.random.default_rng(1).poisson(0.5, (20, 30)).astype(float)
    a = PLSA(4, random_state=7).fit(X)
    b = PLSA(4, random_state=7).fit(sparse.csc_matrix(X))
    np.testing.assert_array_equal(a.doc_topic_, b.doc_topic_)
    np.testing.assert_array_equal(a.topic_word_, b.topic_word_)


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


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"n_topics": 0}, "n_topics"),
        ({"max_iter": 0}, "max_iter"),
        ({"tol": -1.0}, "tol"),
        ({"n_topics": 2, "init": (np.ones((4, 2)), np.ones((2, 3)) / 3)}, "row 0 sums to 2"),
        ({"n_topics": 2, "init": (np.ones((4, 2)) / 2, np.ones((2, 9)))}, "shape"),
    ],
)
def test_wrong_parameters_are_named(options, text):
    with pytest.raises(ValueError, match=text):
        PLSA(**options).fit(np.ones((4, 3)))


def test_negative_counts_and_other_vocabularies_are_refused():
    X = np.ones((4, 3))
    X[1, 2] = -1.0
    with pytest.raises(ValueError, match="negative"):
        PLSA(2).fit(X)
    model = PLSA(2, random_state=0).fit(np.ones((4, 3)))
    with pytest.raises(ValueError, match="X has 5 features, but PLSA is expecting 3"):
        model.transform(np.ones((2, 5)))


def test_memory_does_not_grow_with_non_zeros_times_topics():
    X = sparse.random(300, 400, 0.5, format="csr", random_state=0)
    n_topics = 80
    model = PLSA(n_topics, max_iter=2, random_state=0).fit(X[:10])  # compiled beforehand
    tracemalloc.start()
    model.fit(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    factors = 8 * n_topics * (300 + 400)
    assert peak < 6 * factors + 4 * X.nnz * 12 + 1_000_000
    assert peak < 0.25 * 8 * X.nnz * n_topics
