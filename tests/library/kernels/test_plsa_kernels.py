import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.kernels import plsa as kernels


@pytest.mark.parametrize("n_topics", [1, 2, 7, 8, 19, 65, 130, 3000])
def test_steps_equal_the_dense_responsibilities(n_topics, rng):
    """With an empty document, a word without probability, and blocks of few words (3000 topics)."""
    n_docs, n_words = int(rng.integers(4, 20)), int(rng.integers(5, 40))
    counts = rng.poisson(2.0, (n_docs, n_words)) * (rng.random((n_docs, n_words)) < 0.3) * 1.0
    counts[3] = 0
    X = sp.csr_matrix(counts)
    h, w = rng.dirichlet(np.ones(n_topics), n_docs), rng.random((n_words, n_topics))
    w[4] = 0.0
    joint = h[:, None, :] * w[None]
    mixture = joint.sum(axis=2)
    seen = (counts > 0) & (mixture > 0)
    weighted = joint * np.divide(counts, mixture, out=np.zeros_like(counts), where=seen)[:, :, None]
    expected = (
        weighted.sum(axis=1),
        weighted.sum(axis=0),
        (counts[seen] * np.log(mixture[seen])).sum(),
    )

    doc, word, alone = np.full_like(h, np.nan), np.full_like(w, np.nan), np.full_like(h, np.nan)
    loglik = kernels.em_step(X.indptr, X.indices, X.data, h, w, doc, word)
    again = kernels.fold_in_step(X.indptr, X.indices, X.data, h, w, alone)
    for found, wanted in zip((doc, word, alone), (*expected[:2], expected[0]), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-14)
    assert loglik == pytest.approx(expected[2], rel=1e-12)
    assert again == pytest.approx(expected[2], rel=1e-12)

    iterated, steps = h.copy(), 9
    for _ in range(steps):
        kernels.fold_in_step(X.indptr, X.indices, X.data, iterated, w, alone)
        kernels.normalise_documents(alone, iterated)
    done = kernels.fold_in(X.indptr, X.indices, X.data, h, w, steps, 0.0)
    assert done == steps or n_topics == 1  # one topic has nothing to change
    np.testing.assert_allclose(h, iterated, rtol=1e-11, atol=1e-15)


def test_normalisers_keep_rows_and_topics_without_counts():
    counts = np.array([[1.0, 3.0], [0.0, 0.0]])
    h = np.array([[0.5, 0.5], [0.2, 0.8]])
    kernels.normalise_documents(counts, h)
    np.testing.assert_array_equal(h, [[0.25, 0.75], [0.2, 0.8]])
    counts = np.array([[1.0, 0.0], [3.0, 0.0]])
    w = np.array([[0.5, 0.1], [0.5, 0.9]])
    kernels.normalise_topics(counts, w)
    np.testing.assert_array_equal(w, [[0.25, 0.1], [0.75, 0.9]])
