"""Dot products with centroids: in registers or in plain loops, the same bits."""

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.kernels.spherical import _many_scores, centroid_scores


def by_hand(X, centroids, columns, out):
    """Every product and every sum rounded one after the other."""
    for i in range(X.shape[0]):
        for c, column in enumerate(columns):
            total = 0.0
            for e in range(X.indptr[i], X.indptr[i + 1]):
                total += X.data[e] * centroids[X.indices[e], c]
            out[i, column] = total


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
def test_scores_are_those_of_plain_loops_to_the_bit(rng, index_type):
    for count in [*range(1, 11), 17]:
        rows, features = int(rng.integers(1, 30)), int(rng.integers(1, 40))
        X = sp.random(rows, features, 0.3, "csr", random_state=rng)
        X.data -= 0.5
        X.indptr, X.indices = X.indptr.astype(index_type), X.indices.astype(index_type)
        centroids = rng.standard_normal((features, count))
        columns = rng.permutation(count + 3)[:count]
        expected = rng.standard_normal((rows, count + 3))
        fast, plain = expected.copy(), expected.copy()
        by_hand(X, centroids, columns, expected)
        centroid_scores(X.indptr, X.indices, X.data, centroids, columns, fast)
        _many_scores(X.indptr, X.indices, X.data, centroids, columns, plain)
        assert np.array_equal(fast, expected), count
        assert np.array_equal(plain, expected), count


def test_no_centroid_changed_nothing_is_written(rng):
    X = sp.random(5, 7, 0.5, "csr", random_state=rng)
    out = rng.standard_normal((5, 3))
    before = out.copy()
    centroid_scores(X.indptr, X.indices, X.data, np.zeros((7, 0)), np.zeros(0, dtype=np.intp), out)
    assert np.array_equal(out, before)
