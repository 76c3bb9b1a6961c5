import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import eigh
from scipy.spatial.distance import pdist, squareform

from manyviews.baselines import coreg_spectral
from manyviews.baselines.coreg_spectral import (
    CoRegularisedSpectral,
    affinity_matrix,
    nearest_neighbour_graph,
    normalised_adjacency,
)


def make_views(rng, n=120, k=3, spread=0.6):
    y = np.arange(n) % k
    return [rng.normal(0, spread, (n, d)) + 4 * rng.normal(size=(k, d))[y] for d in (4, 6)], y


def plain_embedding(L, k):
    return eigh(L)[1][:, -k:]


def test_gaussian_kernel_has_the_median_width(rng):
    X = rng.normal(size=(30, 4))
    distance = pdist(X)
    expected = np.exp(-(squareform(distance) ** 2) / (2 * np.median(distance) ** 2))
    np.testing.assert_allclose(affinity_matrix(sp.csr_matrix(X)), expected, atol=1e-9)


def test_adjacency_is_normalised_and_isolated_points_stay_isolated(rng):
    K = rng.random((6, 6))
    K = K + K.T
    K[2] = K[:, 2] = 0
    d = K.sum(axis=1)
    for graph in (K.copy(), sp.csr_matrix(K)):
        L = normalised_adjacency(graph)
        L = L.toarray() if sp.issparse(L) else L
        np.testing.assert_allclose(L[0, 1], K[0, 1] / np.sqrt(d[0] * d[1]))
        assert not L[2].any()


def test_neighbour_graph_is_symmetric_and_keeps_the_largest(rng):
    kernel = affinity_matrix(sp.csr_matrix(rng.normal(size=(40, 3))))
    graph = nearest_neighbour_graph(kernel, 5)
    assert abs(graph - graph.T).max() == 0
    assert graph.diagonal().max() == 0
    for i in range(40):
        others = np.delete(kernel[i], i)
        assert (graph[i].toarray() >= np.sort(others)[-5] - 1e-15).sum() >= 5


@pytest.mark.parametrize("affinity", ["gaussian", "cosine"])
@pytest.mark.parametrize("block", [1, 500, 1 << 20])
def test_blocks_give_the_graph_of_the_full_kernel(rng, monkeypatch, affinity, block):
    monkeypatch.setattr(coreg_spectral, "_BLOCK", block)
    X = sp.csr_matrix(rng.random((60, 5)))
    width = None if affinity == "cosine" else 0.6
    whole = nearest_neighbour_graph(affinity_matrix(X, affinity, width), 7)
    parts = coreg_spectral.blockwise_neighbour_graph(X, 7, affinity, width)
    assert abs(whole - parts).max() < 1e-12


def test_the_sampled_width_is_near_the_median(rng):
    X = sp.csr_matrix(rng.normal(size=(300, 6)))
    assert coreg_spectral.sampled_width(X) == pytest.approx(np.median(pdist(X.toarray())), rel=0.02)


def test_rounds_are_the_printed_eigenproblems(rng):
    Xs, _ = make_views(rng, n=50)
    L = [normalised_adjacency(affinity_matrix(sp.csr_matrix(X))) for X in Xs]
    U = [plain_embedding(matrix, 3) for matrix in L]
    for _ in range(2):
        U[0] = plain_embedding(L[0] + 0.3 * U[1] @ U[1].T, 3)
        U[1] = plain_embedding(L[1] + 0.3 * U[0] @ U[0].T, 3)
    model = CoRegularisedSpectral(3, lam=0.3, max_iter=2, tol=0.0).embed(Xs)
    for mine, theirs in zip(model.embeddings_, U, strict=True):
        scaled = theirs / np.linalg.norm(theirs, axis=1, keepdims=True)
        np.testing.assert_allclose(mine @ mine.T, scaled @ scaled.T, atol=1e-6)
    assert (np.diff(model.objective_) >= -1e-9).all()


@pytest.mark.parametrize("n_neighbors", [None, 15])
def test_lanczos_equals_the_full_decomposition(monkeypatch, n_neighbors):
    Xs, _ = make_views(np.random.default_rng(2), n=80)
    model = CoRegularisedSpectral(3, lam=0.1, n_neighbors=n_neighbors)
    dense = model.embed(Xs).embeddings_
    monkeypatch.setattr(coreg_spectral, "_DENSE_LIMIT", 10)
    lanczos = model.embed(Xs).embeddings_
    for a, b in zip(dense, lanczos, strict=True):
        np.testing.assert_allclose(a @ a.T, b @ b.T, atol=1e-5)
