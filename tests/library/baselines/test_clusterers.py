"""Clusterings of words: joined and single views, common patterns, votes, the best view."""

import numpy as np
import pytest
import scipy.sparse as sp
from problems import equal_parts, never_falls, starts, word_views
from scipy.special import kl_div
from sklearn.base import clone
from sklearn.cluster import KMeans

from manyviews.baselines.cca_kmeans import CCAKMeans
from manyviews.baselines.mvc import MultiViewClustering
from manyviews.baselines.one_table import ConcatenatedViews, PLSAClustering, SingleView
from manyviews.baselines.spherical_kmeans import SphericalKMeans
from manyviews.baselines.view_selection import ViewSelector, information_per_word
from manyviews.baselines.vote_plsa import VotePLSA
from manyviews.kernels import common_pattern as kernels
from manyviews.metrics import clustering_accuracy
from manyviews.models.plsa import PLSA
from manyviews.parts.common_pattern import common_pattern, one_hot, pattern_to_probabilities
from manyviews.parts.cosine_kmeans import _lloyd, _refill
from manyviews.preprocessing.sparse import row_normalise


def noise_and_words(rng, n=90):
    """A view of noise, one whose words tell the classes, and the classes."""
    (words,), y = word_views(rng, n, widths=(30,), length=100.0, concentration=0.1)
    return [sp.csr_matrix(rng.poisson(3.0, (n, 30)) * 1.0), words], y


def test_plsa_clustering_is_plsa_read_by_its_largest_topic(rng):
    (X, _), _ = word_views(rng)
    model = PLSAClustering(3, random_state=4).fit(X)
    np.testing.assert_array_equal(model.labels_, model.doc_topic_.argmax(axis=1))
    np.testing.assert_array_equal(model.doc_topic_, PLSA(3, random_state=4).fit(X).doc_topic_)


@pytest.mark.parametrize(
    "base", [KMeans(3, n_init=1, random_state=0), PLSAClustering(3, random_state=0)]
)
def test_single_and_joined_views_are_one_table(base, rng):
    Xs, _ = word_views(rng)
    for model, X in (
        (SingleView(base, view=1), Xs[1]),
        (ConcatenatedViews(base), sp.csr_matrix(sp.hstack(Xs))),
    ):
        np.testing.assert_array_equal(model.fit(Xs).labels_, clone(base).fit(X).labels_)
    assert not hasattr(base, "labels_")


def test_spherical_kmeans_has_a_fixed_point_and_its_criterion_rises(rng):
    X = row_normalise(sp.csr_matrix(rng.random((50, 6))), "l2")
    model = SphericalKMeans(4, n_init=3, max_iter=300, random_state=0).fit(X)
    sums = np.array([np.asarray(X[model.labels_ == k].sum(axis=0)).ravel() for k in range(4)])
    centroids = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    np.testing.assert_allclose(centroids, model.cluster_centers_)
    np.testing.assert_array_equal((X @ centroids.T).argmax(axis=1), model.labels_)
    assert model.criterion_ == pytest.approx(np.linalg.norm(sums, axis=1).sum())
    start, columns = np.ascontiguousarray(X[:4].toarray().T), X.T.tocsr()
    never_falls([_lloyd(X, columns, start, sweeps)[2] for sweeps in range(1, 8)], 1e-12)
    few = sp.csr_matrix(np.vstack([np.zeros((3, 2)), np.tile([1.0, 0.0], (5, 1))]))
    model = SphericalKMeans(3, random_state=0).fit(few)
    assert np.unique(model.labels_).size == 3
    assert np.isfinite(model.cluster_centers_).all()
    assert _lloyd(X, columns, start, 1).n_iter == 1
    labels = np.zeros(5, dtype=int)
    _refill(labels, np.array([0.1, 0.9, 0.2, 0.3, 0.4]), 3)  # the rows that fit worst
    assert labels.tolist() == [1, 0, 2, 0, 0]
    alone = np.array([0, 1, 1, 1])  # the worst row has its cluster for itself
    _refill(alone, np.array([0.1, 0.2, 0.3, 0.4]), 3)
    assert alone.tolist() == [0, 2, 1, 1]


@pytest.mark.parametrize("k", [1, 2, 5, 20])
def test_updates_of_the_pattern_equal_the_matrix_formulas(k, rng):
    """Zero entries, a zero row and an unused column of A included."""
    for j in (1, 3, 70):
        A = rng.random((20, j)) * (rng.random((20, j)) < 0.6)
        A[3], B, P = 0.0, rng.random((20, k)), rng.random((k, j))
        B[4] = 0.0  # models nothing: the ratio is held at A / TINY, B stays 0
        apart = kl_div(A[:4], B[:4] @ P).sum()
        assert kernels.divergence(A[:4], B[:4], P) == pytest.approx(apart)
        ratio = A / np.maximum(B @ P, kernels.TINY)
        numerator = np.ones((20, k))
        kernels.add_numerator(A, B, P, 0.7, numerator)
        np.testing.assert_allclose(numerator, 1.0 + 0.7 * ratio @ P.T, rtol=1e-12)
        expected = P * (B.T @ ratio) / B.sum(axis=0)[:, None]
        kernels.renew_mapping(A, B, P)
        np.testing.assert_allclose(P, expected, rtol=1e-12)


def test_the_pattern_is_stationary_and_its_objective_never_rises(rng):
    patterns = [one_hot(rng.integers(3, size=30), 3), rng.random((30, 4))]
    B, maps = rng.random((30, 3)) + 0.1, [rng.random((3, 3)) + 0.1, rng.random((3, 4)) + 0.1]
    B0, maps0 = B, maps
    B, maps, trace = common_pattern(patterns, B, maps, weights=[1.0, 2.0], max_iter=3000, tol=1e-14)
    never_falls(-np.array(trace))
    *_, early = common_pattern(patterns, B0, maps0, weights=[100.0, 200.0], max_iter=999, tol=1e-3)
    small = -np.diff(early) <= 1e-3 * np.maximum(1.0, np.abs(early[:-1]))
    assert small.tolist() == [False] * (len(small) - 1) + [True]
    # multiplicative fixed point: gradient zero wherever B is positive
    gradient = sum(
        w * ((1 - A / np.maximum(B @ P, 1e-300)) @ P.T)
        for w, A, P in zip([1.0, 2.0], patterns, maps, strict=True)
    )
    assert np.abs(B * gradient).max() < 1e-3
    scale = np.array([10.0, 0.1, 3.0])
    other = pattern_to_probabilities(B * scale, [P / scale[:, None] for P in maps])
    # a column may vanish: what is next to zero has few digits
    np.testing.assert_allclose(pattern_to_probabilities(B, maps), other, atol=1e-300)


def test_agreeing_views_are_reproduced(rng):
    y = np.arange(60) % 3
    Xs = [sp.csr_matrix(np.eye(3)[(y + s) % 3] * 5 + rng.random((60, 3))) for s in range(2)]
    model = MultiViewClustering(3, random_state=1).fit(Xs)
    assert clustering_accuracy(y, model.labels_) == 1.0
    np.testing.assert_allclose(model.pattern_.sum(axis=1), 1.0)
    assert len(model.view_labels_) == 2


@pytest.mark.parametrize("criterion", ["accuracy", "nmi", "silhouette", "likelihood"])
def test_every_rule_finds_the_view_with_clusters(criterion):
    """Rules that need no labels never look at them."""
    Xs, y = noise_and_words(np.random.default_rng(3))
    selector = ViewSelector(3, criterion=criterion, random_state=0).fit(Xs, y)
    assert selector.best_view_ == 1
    if criterion in ("silhouette", "likelihood"):
        without = ViewSelector(3, criterion=criterion, random_state=0).fit(Xs)
        np.testing.assert_array_equal(selector.scores_, without.scores_)


def test_information_is_zero_for_one_topic_and_grows_with_topics(rng):
    (_, X), _ = noise_and_words(rng)
    fits = [PLSA(k, random_state=0, max_iter=200, tol=1e-9).fit(X) for k in (1, 3)]
    gains = [information_per_word(X, model.loglik_[-1]) for model in fits]
    assert gains[0] == pytest.approx(0.0, abs=1e-9)
    assert gains[1] > 0.05


def test_votes_are_kept_and_the_rest_assigned():
    rng = np.random.default_rng(1)
    Xs, y = word_views(rng, n=90)
    one = np.eye(3)[y]
    two = np.eye(3)[(y + 1) % 3]  # the same clusters under other names
    disputed = rng.choice(90, 12, replace=False)
    two[disputed] = np.eye(3)[(y[disputed] + 2) % 3]
    model = VotePLSA(3, max_iter=100).fit(Xs, doc_topics=[one, two])
    np.testing.assert_array_equal(np.flatnonzero(~model.voted_), np.sort(disputed))
    np.testing.assert_array_equal(model.labels_[model.voted_], y[model.voted_])
    np.testing.assert_array_equal(model.doc_topic_[model.voted_], one[model.voted_])
    assert np.mean(model.labels_[disputed] == y[disputed]) > 0.9
    with pytest.raises(ValueError, match=r"2 arrays of shape \(90, 3\)"):
        VotePLSA(3).fit(Xs, doc_topics=[np.eye(3)])


def test_votes_come_from_plsa_on_each_view_and_their_likelihood_never_falls(rng):
    Xs, _ = word_views(rng)
    init = starts(rng, Xs, 3)
    topics = [PLSA(3, init=start).fit(X).doc_topic_ for X, start in zip(Xs, init, strict=True)]
    whole = VotePLSA(3, init=init).fit(Xs)
    reused = VotePLSA(3).fit(Xs, doc_topics=topics)
    equal_parts((whole.labels_, whole.voted_), (reused.labels_, reused.voted_))
    never_falls(VotePLSA(3, random_state=rng, tol=0.0, max_iter=40).fit(Xs).loglik_)


def test_shared_groups_are_found_where_views_are_noisy():
    """Projections default to one less than the clusters, and fit the views."""
    rng = np.random.default_rng(1)
    y = np.arange(150) % 3
    Xs = [
        3 * rng.normal(size=(3, d))[y] + rng.normal(0, 0.3, (150, d))
        + rng.normal(0, 4.0, (150, 1)) * rng.normal(size=(1, d))
        for d in (8, 6)
    ]  # fmt: skip
    models = [CCAKMeans(3, random_state=seed).fit(Xs) for seed in range(6)]
    assert max(clustering_accuracy(y, model.labels_) for model in models) > 0.95
    assert [p.shape for p in models[0].projections_] == [(150, 2), (150, 2)]
    np.testing.assert_array_equal(models[0].labels_, models[0].labels_by_view_[0])
    wide = CCAKMeans(3, n_components=40, random_state=0).fit(Xs)
    assert wide.projections_[0].shape[1] <= 6
