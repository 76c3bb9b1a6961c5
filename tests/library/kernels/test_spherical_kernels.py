"""Dot products with centroids and sums of members: the same bits as plain loops have."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.kernels import spherical as kernels
from manyviews.kernels.spherical import nearest, unit_sums
from manyviews.models.spherical_view import SphericalView, ViewState


def by_hand(X, centroids, columns, out):
    """Product and sum rounded once, entry by entry in the row's order."""
    for i in range(X.shape[0]):
        for c, column in enumerate(columns):
            total = 0.0
            for e in range(X.indptr[i], X.indptr[i + 1]):
                exact = Fraction(X.data[e]) * Fraction(centroids[X.indices[e], c])
                total = float(exact + Fraction(total))
            out[i, column] = total


def table_of(centroids):
    """Centroids as the kernel takes them; what stands behind them must not matter."""
    return np.concatenate([centroids.ravel(), np.full(kernels.WIDTH, np.nan)])


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
def test_scores_are_those_of_plain_loops_to_the_bit(rng, index_type):
    for count in [*range(1, 10), 16, 17, 25, 40]:
        rows, features = int(rng.integers(1, 30)), int(rng.integers(1, 40))
        X = sp.random(rows, features, 0.3, "csr", random_state=rng)
        X.data -= 0.5
        X.indptr, X.indices = X.indptr.astype(index_type), X.indices.astype(index_type)
        centroids = rng.standard_normal((features, count))
        columns = rng.permutation(count + 3)[:count]
        expected = rng.standard_normal((rows, count + 3))
        fast = expected.copy()
        by_hand(X, centroids, columns, expected)
        kernels.centroid_scores(X.indptr, X.indices, X.data, table_of(centroids), columns, fast)
        assert np.array_equal(fast, expected), count


def test_sums_of_members_are_added_row_by_row(rng):
    for _ in range(10):
        rows, features, classes = (int(n) for n in rng.integers(1, 20, 3))
        X = sp.random(rows, features, 0.4, "csr", random_state=rng)
        members = rng.random((rows, classes)) < 0.4
        columns = rng.permutation(classes)[: int(rng.integers(1, classes + 1))]
        expected = np.zeros((features, columns.size))
        for i, c in zip(*np.nonzero(members[:, columns]), strict=True):
            for e in range(X.indptr[i], X.indptr[i + 1]):
                expected[X.indices[e], c] += X.data[e]
        found = np.full_like(expected, np.nan)
        kernels.member_sums(X.indptr, X.indices, X.data, members, columns, found)
        assert np.array_equal(found, expected)


@pytest.mark.parametrize("how", ["features", "gram"])
def test_a_state_is_what_all_its_members_give(rng, how):
    """Updates of the changed classes alone lead to the scores of all classes together.

    Rows without entries make classes that sum to zero: those keep their centroid.
    """
    for _ in range(5):
        rows, features, classes = (int(n) for n in rng.integers(2, 25, 3))
        X = sp.random(rows, features, 0.2, "csr", random_state=rng)
        view = SphericalView(X, how)
        state = ViewState(view, classes)
        scores = np.zeros((rows, classes))
        kept = np.zeros((rows, classes), dtype=bool)
        members = np.zeros((2, rows, classes), dtype=bool)
        for _ in range(6):
            flips = rng.random((rows, classes)) < rng.choice([0.01, 0.3])
            members[1] ^= flips
            state.update(members[1])
            sums = view.X.T @ members[1].astype(float)
            length = np.sqrt((sums**2).sum(axis=0))
            alive = (length > 0) & (members[1] != kept).any(axis=0)
            scores[:, alive] = view.X @ (sums[:, alive] / length[alive])
            kept[:, alive] = members[1][:, alive]
            assert np.allclose(state.scores, scores, atol=1e-12)
            assert np.array_equal(state.members, kept)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 8, 9, 17, 21])
def test_sweeps_of_kmeans_equal_dense_ones(k, rng):
    """Assignment with ties (equal centroids, zero rows) and unit sums against plain numpy."""
    X = rng.integers(0, 3, (40, 12)) * (rng.random((40, 12)) < 0.4) * 1.0
    X[5] = 0.0
    rows, columns = sp.csr_matrix(X), sp.csr_matrix(X.T)
    centroids = rng.integers(-1, 2, (12, k)) * 1.0
    centroids[:, -1] = centroids[:, 0]
    labels, best, scores = np.empty(40, np.int64), np.empty(40), np.empty((40, k))
    table = table_of(centroids)
    kernels.centroid_scores(rows.indptr, rows.indices, rows.data, table, np.arange(k), scores)
    nearest(scores, labels, best)
    np.testing.assert_array_equal(labels, (X @ centroids).argmax(axis=1))
    np.testing.assert_array_equal(best, (X @ centroids).max(axis=1))
    total = unit_sums(columns.indptr, columns.indices, columns.data, labels, centroids)
    sums = X.T @ np.eye(k)[labels]
    lengths = np.linalg.norm(sums, axis=0)
    np.testing.assert_allclose(centroids, sums / np.where(lengths > 0, lengths, 1.0), atol=1e-15)
    assert total == pytest.approx(lengths.sum())
