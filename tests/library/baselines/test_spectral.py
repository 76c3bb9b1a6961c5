"""Clusterings of graphs against slow, plain versions."""

import numpy as np
import pytest
import scipy.sparse as sp
from problems import random_case
from scipy.linalg import eigh
from scipy.spatial.distance import pdist, squareform

from manyviews.baselines import coreg_spectral
from manyviews.baselines.coreg_spectral import (
    CoRegularisedSpectral,
    median_width,
    nearest_neighbour_graph,
    normalised_adjacency,
    similarities,
)
from manyviews.baselines.graph_clustering import AMGL, MeanGraphSpectral, Neighbours, laplacian
from manyviews.baselines.lsa_kmeans import LSAKMeans
from manyviews.views import Views


def groups(rng, n=120, k=3):
    y = np.arange(n) % k
    return [rng.normal(0, 0.6, (n, d)) + 4 * rng.normal(size=(k, d))[y] for d in (4, 6)]


def test_isolated_points_stay_isolated(rng):
    K = rng.random((6, 6))
    K = K + K.T
    K[2] = K[:, 2] = 0
    expected = K / np.sqrt(np.outer(K.sum(axis=0), K.sum(axis=0)) + (K == 0))
    np.testing.assert_allclose(normalised_adjacency(K.copy()), expected)
    np.testing.assert_allclose(normalised_adjacency(sp.csr_matrix(K)).toarray(), expected)


@pytest.mark.parametrize("block", [1, 500, 1 << 20])
@pytest.mark.parametrize("width", [None, 0.6])
def test_the_graph_keeps_the_largest_similarities(rng, monkeypatch, width, block):
    """Of cosines or of a Gaussian, whatever the block; symmetric, without the rows themselves."""
    monkeypatch.setattr(coreg_spectral, "_BLOCK", block)
    X = sp.csr_matrix(rng.random((60, 5)))
    kernel = similarities(X, X, width)
    np.fill_diagonal(kernel, 0)
    kept = np.where(kernel >= np.sort(kernel, axis=1)[:, [-7]], kernel, 0.0)
    graph = nearest_neighbour_graph(X, 7, width).toarray()
    np.testing.assert_allclose(graph, np.maximum(kept, kept.T), atol=1e-12)


@pytest.mark.parametrize("given", [None, 2.5])
def test_rounds_are_the_printed_eigenproblems(rng, given):
    """Of Gaussian kernels, by default of the median width, scaled by the degrees."""
    Xs, L = groups(rng, n=50), []
    for X in Xs:
        K = np.exp(-(squareform(pdist(X)) ** 2) / (2 * (given or np.median(pdist(X))) ** 2))
        S = sp.csr_matrix(X)
        np.testing.assert_allclose(similarities(S, S, given or median_width(S)), K, atol=1e-9)
        L.append(K / np.sqrt(np.outer(K.sum(axis=0), K.sum(axis=0))))
    U = [eigh(matrix)[1][:, -3:] for matrix in L]
    for _ in range(2):
        U[0] = eigh(L[0] + 0.3 * U[1] @ U[1].T)[1][:, -3:]
        U[1] = eigh(L[1] + 0.3 * U[0] @ U[0].T)[1][:, -3:]
    model = CoRegularisedSpectral(3, lam=0.3, max_iter=2, tol=0.0, bandwidth=given).embed(Xs)
    for mine, theirs in zip(model.embeddings_, U, strict=True):
        scaled = theirs / np.linalg.norm(theirs, axis=1, keepdims=True)
        np.testing.assert_allclose(mine @ mine.T, scaled @ scaled.T, atol=1e-6)
    assert (np.diff(model.objective_) >= -1e-9).all()
    many = sp.csr_matrix(rng.normal(size=(300, 6)))
    width = np.median(pdist(many.toarray()))
    assert median_width(many, exact=False) == pytest.approx(width, rel=0.02)


@pytest.mark.parametrize("n_neighbors", [None, 15])
def test_lanczos_equals_the_full_decomposition(monkeypatch, n_neighbors):
    Xs = groups(np.random.default_rng(2), n=80)
    model = CoRegularisedSpectral(3, lam=0.1, n_neighbors=n_neighbors)
    dense = model.embed(Xs).embeddings_
    monkeypatch.setattr(coreg_spectral, "_DENSE_LIMIT", 10)
    for a, b in zip(dense, model.embed(Xs).embeddings_, strict=True):
        np.testing.assert_allclose(a @ a.T, b @ b.T, atol=1e-5)


def test_neighbours_by_cosine_against_sorting(rng):
    X = rng.random((12, 4))
    U = X / np.linalg.norm(X, axis=1, keepdims=True)
    cosine = U @ U.T
    expected = np.zeros((12, 12))
    for i in range(12):
        order = [j for j in np.argsort(-cosine[i]) if j != i][:4]
        expected[i, order] = cosine[i, order]
    # kneighbors_graph without rows leaves the row itself out and takes one neighbour more
    found = Neighbours(X, 3).graph().toarray()
    np.testing.assert_allclose(found, 0.5 * (expected + expected.T), atol=1e-9)
    # columns of zeros make the table sparse, and change no neighbour
    padded = Neighbours(np.hstack([X, np.zeros((12, 100))]), 3).graph().toarray()
    np.testing.assert_allclose(padded, found, atol=1e-9)


def test_the_laplacian_has_a_zero_eigenvalue(rng):
    A = np.triu(rng.random((9, 9)), 1)
    values = np.linalg.eigvalsh(laplacian(sp.csr_matrix(A + A.T)).toarray())
    assert values[0] == pytest.approx(0, abs=1e-9)
    assert values[-1] <= 2 + 1e-9


def test_amgl_trusts_the_clear_view_more(rng):
    classes = np.repeat([0, 1], 30)
    clear = np.eye(2)[classes] + 0.05 * rng.random((60, 2))
    # noise alone would lead the first, equally weighted graph astray in 3 draws of 100
    dim = rng.random((60, 5)) + 0.5 * np.outer(classes, np.eye(5)[0])
    model = AMGL(2, n_neighbors=8, random_state=0).fit([clear, dim])
    assert model.view_weights_[0] > model.view_weights_[1]
    assert max(np.mean(model.labels_ == classes), np.mean(model.labels_ != classes)) > 0.8


@pytest.mark.parametrize("kind", [MeanGraphSpectral, AMGL, LSAKMeans])
def test_a_row_without_a_view_is_clustered_by_the_others(kind, rng):
    """Rows that lack a noisy view go where the clear one puts them; oracle: that view alone."""
    classes = np.repeat([0, 1], 20)
    clear = np.eye(2)[classes] + 0.1 * rng.random((40, 2))
    observed = np.ones((40, 2), dtype=bool)
    observed[rng.permutation(40)[:15], 1] = False
    views = Views([clear, clear + 0.1 * rng.random((40, 2))], observed=observed)
    labels = np.asarray(kind(2, random_state=0).fit(views).labels_)
    assert np.mean(labels == classes) in (0, 1)


def test_new_rows_go_to_the_cluster_of_their_like(rng):
    case = random_case(rng, n_views=2, n_classes=2, n_rows=40)
    model = LSAKMeans(2, random_state=0).fit(case.matrices)
    np.testing.assert_array_equal(model.predict(case.matrices), model.labels_)
