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
from manyviews.metrics import clustering_accuracy


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


def test_many_rows_need_no_full_kernel(rng, monkeypatch):
    Xs, y = make_views(rng, n=120)
    monkeypatch.setattr(coreg_spectral, "_KERNEL_LIMIT", 50)
    monkeypatch.setattr(coreg_spectral, "affinity_matrix", None)
    model = CoRegularisedSpectral(3, n_neighbors=10, random_state=0).fit(Xs)
    assert np.isfinite(model.objective_).all()
    assert np.unique(model.labels_).size == np.unique(y).size


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


@pytest.mark.parametrize("affinity", ["gaussian", "cosine"])
def test_clusters_are_found_and_deterministic(affinity):
    Xs, y = make_views(np.random.default_rng(5))
    Xs = [np.abs(X) for X in Xs] if affinity == "cosine" else Xs
    scores = []
    for seed in range(4):
        model = CoRegularisedSpectral(3, affinity=affinity, random_state=seed)
        labels = model.fit_predict(Xs)
        np.testing.assert_array_equal(labels, model.fit(Xs).labels_)
        scores.append(clustering_accuracy(y, labels))
    assert max(scores) > 0.9


def test_the_best_of_several_starts_is_kept():
    Xs, _ = make_views(np.random.default_rng(5), spread=3.0)

    def inertia(labels, points):
        groups = [points[labels == c] for c in np.unique(labels)]
        return sum(((group - group.mean(axis=0)) ** 2).sum() for group in groups)

    better = 0
    for seed in range(20):
        model = CoRegularisedSpectral(6, random_state=seed).fit(Xs)
        points = model.embeddings_[0]
        one = inertia(model.cluster(0, seed), points)
        many = inertia(model.labels_, points)
        assert many <= one * (1 + 1e-9)
        better += many < one * (1 - 1e-6)
    assert better > 0


def test_coregularisation_pulls_the_views_together():
    rng = np.random.default_rng(7)
    Xs, _ = make_views(rng, spread=2.5)
    agreement = []
    for lam in (0.0, 1.0):
        U = [np.linalg.qr(E)[0] for E in CoRegularisedSpectral(3, lam=lam).embed(Xs).embeddings_]
        agreement.append(((U[0].T @ U[1]) ** 2).sum())
    assert agreement[1] > agreement[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": 120}, "must be smaller than n_samples=120"),
        ({"n_neighbors": 120}, "n_neighbors=120 must be smaller"),
        ({"affinity": "linear"}, "affinity must be one of"),
        ({"lam": -1.0}, "lam must be at least 0"),
        ({"label_view": 2}, "label_view=2, but there are 2 views"),
    ],
)
def test_bad_settings_are_explained(options, message):
    Xs, _ = make_views(np.random.default_rng(0))
    with pytest.raises(ValueError, match=message):
        CoRegularisedSpectral(**{"n_clusters": 3, **options}).fit(Xs)
