import numpy as np
import pytest
from scipy import sparse

from manyviews.kernels import plsa as kernels
from manyviews.models.plsa import random_doc_topic, random_topic_word


def problem(seed, n_docs=13, n_words=37, n_topics=5, density=0.3):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(2.0, (n_docs, n_words)) * (rng.random((n_docs, n_words)) < density)
    counts[3] = 0  # an empty document
    X = sparse.csr_matrix(counts.astype(float))
    h = random_doc_topic(n_docs, n_topics, rng)
    w = np.ascontiguousarray(random_topic_word(n_words, n_topics, rng).T)
    return X, h, w


def responsibilities(X, h, w):
    joint = h[:, None, :] * w[None, :, :]
    mixture = joint.sum(axis=2)
    return joint / mixture[:, :, None] * X.toarray()[:, :, None], mixture


@pytest.mark.parametrize("n_topics", [1, 2, 7, 8, 19])
@pytest.mark.parametrize("seed", range(3))
def test_em_step_equals_the_dense_responsibilities(seed, n_topics):
    X, h, w = problem(seed, n_topics=n_topics)
    doc, word = np.full_like(h, np.nan), np.full_like(w, np.nan)
    loglik = kernels.em_step(X.indptr, X.indices, X.data, h, w, doc, word)
    weighted, mixture = responsibilities(X, h, w)
    np.testing.assert_allclose(doc, weighted.sum(axis=1), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(word, weighted.sum(axis=0), rtol=1e-12, atol=1e-14)
    assert loglik == pytest.approx((X.toarray() * np.log(mixture)).sum(), rel=1e-12)


def test_em_step_over_many_word_blocks():
    # 3000 topics x 8 bytes: a block holds ten words, so 37 words cross four blocks
    X, h, w = problem(1, n_topics=3000)
    doc, word = np.empty_like(h), np.empty_like(w)
    kernels.em_step(X.indptr, X.indices, X.data, h, w, doc, word)
    weighted, _ = responsibilities(X, h, w)
    np.testing.assert_allclose(doc, weighted.sum(axis=1), rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(word, weighted.sum(axis=0), rtol=1e-11, atol=1e-14)


def test_fold_in_step_is_the_document_half():
    X, h, w = problem(4)
    doc, word, alone = np.empty_like(h), np.empty_like(w), np.empty_like(h)
    loglik = kernels.em_step(X.indptr, X.indices, X.data, h, w, doc, word)
    again = kernels.fold_in_step(X.indptr, X.indices, X.data, h, w, alone)
    np.testing.assert_allclose(alone, doc, rtol=1e-12, atol=1e-15)
    assert again == pytest.approx(loglik, rel=1e-12)


def test_fold_in_is_the_step_iterated():
    X, h, w = problem(5)
    expected, counts = h.copy(), np.empty_like(h)
    for _ in range(9):
        kernels.fold_in_step(X.indptr, X.indices, X.data, expected, w, counts)
        kernels.normalise_documents(counts, expected)
    steps = kernels.fold_in(X.indptr, X.indices, X.data, h, w, 9, 0.0)
    assert steps == 9
    np.testing.assert_allclose(h, expected, rtol=1e-12, atol=1e-15)


def test_words_without_probability_are_left_out():
    X, h, w = problem(6)
    w[4] = 0.0
    doc, word = np.empty_like(h), np.empty_like(w)
    loglik = kernels.em_step(X.indptr, X.indices, X.data, h, w, doc, word)
    assert np.isfinite(loglik)
    assert np.all(word[4] == 0.0)
    kept = np.delete(X.toarray(), 4, axis=1).sum(axis=1)
    np.testing.assert_allclose(doc.sum(axis=1), kept, rtol=1e-12)


def test_normalisers_keep_rows_and_topics_without_counts():
    counts = np.array([[1.0, 3.0], [0.0, 0.0]])
    h = np.array([[0.5, 0.5], [0.2, 0.8]])
    kernels.normalise_documents(counts, h)
    np.testing.assert_array_equal(h, [[0.25, 0.75], [0.2, 0.8]])
    counts = np.array([[1.0, 0.0], [3.0, 0.0]])
    w = np.array([[0.5, 0.1], [0.5, 0.9]])
    kernels.normalise_topics(counts, w)
    np.testing.assert_array_equal(w, [[0.25, 0.1], [0.75, 0.9]])
