import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.baselines.spherical_kmeans import SphericalKMeans
from manyviews.kernels.spherical import WIDTH, centroid_scores
from manyviews.kernels.spherical_kmeans import nearest, unit_sums
from manyviews.parts.cosine_kmeans import _lloyd
from manyviews.preprocessing.sparse import row_normalise


def blobs(seed=0, n=90, k=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    X = np.eye(k)[y] * 4 + rng.random((n, k))
    return sp.csr_matrix(X * rng.uniform(0.1, 10, (n, 1))), y


def test_fixed_point_and_criterion():
    rng = np.random.default_rng(1)
    X = row_normalise(sp.csr_matrix(rng.random((50, 6))), "l2")
    model = SphericalKMeans(4, n_init=3, random_state=0).fit(X)
    sums = np.array([np.asarray(X[model.labels_ == k].sum(axis=0)).ravel() for k in range(4)])
    centroids = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    np.testing.assert_allclose(centroids, model.cluster_centers_)
    similarity = X @ centroids.T
    np.testing.assert_array_equal(similarity.argmax(axis=1), model.labels_)
    assert model.criterion_ == pytest.approx(np.linalg.norm(sums, axis=1).sum())


def test_more_sweeps_never_lower_the_criterion():
    rng = np.random.default_rng(2)
    X = row_normalise(sp.csr_matrix(rng.random((80, 5))), "l2")
    start = np.ascontiguousarray(X[:4].toarray().T)
    columns = X.T.tocsr()
    values = [_lloyd(X, columns, start, sweeps)[2] for sweeps in range(1, 8)]
    assert np.all(np.diff(values) >= -1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 8, 9, 17, 21])
def test_sweeps_equal_dense_ones(k, rng):
    """Assignment with ties (equal centroids, zero rows) and unit sums against plain numpy."""
    X = rng.integers(0, 3, (40, 12)) * (rng.random((40, 12)) < 0.4) * 1.0
    X[5] = 0.0
    rows, columns = sp.csr_matrix(X), sp.csr_matrix(X.T)
    centroids = rng.integers(-1, 2, (12, k)) * 1.0
    centroids[:, -1] = centroids[:, 0]
    table = np.concatenate([centroids.ravel(), np.full(WIDTH, np.nan)])
    labels, best, scores = np.empty(40, np.int64), np.empty(40), np.empty((40, k))
    centroid_scores(rows.indptr, rows.indices, rows.data, table, np.arange(k), scores)
    nearest(scores, labels, best)
    np.testing.assert_array_equal(labels, (X @ centroids).argmax(axis=1))
    np.testing.assert_array_equal(best, (X @ centroids).max(axis=1))
    total = unit_sums(columns.indptr, columns.indices, columns.data, labels, centroids)
    sums = X.T @ np.eye(k)[labels]
    lengths = np.linalg.norm(sums, axis=0)
    np.testing.assert_allclose(centroids, sums / np.where(lengths > 0, lengths, 1.0), atol=1e-15)
    assert total == pytest.approx(lengths.sum())


def test_empty_rows_and_empty_clusters():
    X = sp.csr_matrix(np.vstack([np.zeros((3, 2)), np.tile([1.0, 0.0], (5, 1))]))
    model = SphericalKMeans(3, random_state=0).fit(X)
    assert np.unique(model.labels_).size == 3
    assert np.isfinite(model.cluster_centers_).all()
