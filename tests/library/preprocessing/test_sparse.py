import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.preprocessing.sparse import binarise, hstack_csr, idf_weight, row_normalise, tfidf


@pytest.fixture
def counts(rng):
    X = rng.poisson(0.6, (12, 9)).astype(float)
    X[3] = 0
    X[:, 4] = 0
    return X


@pytest.mark.parametrize("norm", ["l1", "l2", "max"])
def test_rows_have_norm_one_and_empty_rows_stay_empty(counts, norm):
    Y = row_normalise(sp.csr_matrix(counts), norm).toarray()
    order = {"l1": 1, "l2": 2, "max": np.inf}[norm]
    norms = np.linalg.norm(Y, order, axis=1)
    empty = counts.sum(axis=1) == 0
    np.testing.assert_allclose(norms[~empty], 1, rtol=1e-14)
    assert (Y[empty] == 0).all()


def test_tfidf_is_the_dense_formula(counts):
    df = (counts > 0).sum(axis=0)
    idf = np.where(df > 0, np.log(len(counts) / np.maximum(df, 1)), 0)
    np.testing.assert_allclose(tfidf(sp.csr_matrix(counts)).toarray(), counts * idf, rtol=1e-14)


def test_zeros_that_are_stored_count_for_nothing(counts):
    X = sp.csr_matrix(counts)
    stored = X.copy()
    stored.data[::3] = 0.0
    expected = tfidf(sp.csr_matrix(stored.toarray()))
    np.testing.assert_allclose(tfidf(stored).toarray(), expected.toarray(), rtol=1e-14)


def test_idf_from_training_rows_only(counts):
    train = counts[:6]
    df = (train > 0).sum(axis=0)
    idf = np.where(df > 0, np.log(6 / np.maximum(df, 1)), 0)
    weighted = idf_weight(sp.csr_matrix(counts), sp.csr_matrix(train))
    np.testing.assert_allclose(weighted.toarray(), counts * idf, rtol=1e-14)


def test_binarise_and_hstack(counts):
    X = sp.csr_matrix(counts)
    np.testing.assert_array_equal(binarise(X).toarray(), (counts > 0).astype(float))
    np.testing.assert_array_equal(hstack_csr([X, X]).toarray(), np.hstack([counts, counts]))
