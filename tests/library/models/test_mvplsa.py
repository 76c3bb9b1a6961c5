"""MVPLSA and DPLSA as estimators."""

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA, floor_rows


def two_views(seed, n=60, classes=2, spread=0.0, concentration=0.15):
    """Well separated classes in two views; ``spread`` varies the views' length ratio."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    profiles = [rng.dirichlet(np.full(30, concentration), classes) for _ in range(2)]
    ratio = np.exp(spread * rng.standard_normal(n))
    lengths = [np.ceil(40 * ratio), np.ceil(40 / ratio)]
    Xs = [
        sp.csr_matrix(
            np.array([rng.multinomial(int(m), p[c]) for m, c in zip(length, y, strict=True)]),
            dtype=float,
        )
        for p, length in zip(profiles, lengths, strict=True)
    ]
    return Xs, y


def partial(y, per_class=2):
    labels = np.full(y.size, -1)
    for c in np.unique(y):
        labels[np.flatnonzero(y == c)[:per_class]] = c
    return labels


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_classifies_and_keeps_labelled_rows(classes):
    Xs, y = two_views(classes, classes=classes)
    labels = partial(y)
    model = MVPLSA(6, max_iter=80, random_state=1).fit(Xs, labels)
    known = labels >= 0
    assert np.mean(model.labels_[~known] == y[~known]) > 0.95
    np.testing.assert_array_equal(model.doc_topic_[known], np.eye(classes)[y[known]])
    np.testing.assert_allclose(model.doc_topic_.sum(axis=1), 1.0)
    assert model.n_iter_ == 80
    assert model.loglik_.shape == (81,)
    assert np.all(np.diff(model.loglik_) >= -1e-9 * np.abs(model.loglik_[:-1]))
    for v in range(2):
        np.testing.assert_allclose(model.topic_class_[v].sum(axis=1), 1.0)
        sums = model.topic_word_[v].sum(axis=1)
        assert np.all(np.isclose(sums, 1.0) | (sums == 0))


@pytest.mark.parametrize("track", [True, False])
def test_tol_stops_where_the_likelihood_does(track):
    Xs, y = two_views(3)
    whole = MVPLSA(4, max_iter=200, random_state=1).fit(Xs, partial(y))
    early = MVPLSA(4, max_iter=200, tol=1e-4, track_loglik=track, random_state=1).fit(
        Xs, partial(y)
    )
    steps = early.n_iter_
    assert 2 <= steps < 200
    assert early.loglik_.shape == (steps + 1,)
    np.testing.assert_array_equal(early.loglik_, whole.loglik_[: steps + 1])
    gain = np.diff(whole.loglik_) / np.abs(whole.loglik_[:-1])
    assert gain[steps - 2] <= 1e-4
    assert (gain[: steps - 2] > 1e-4).all()
    same = MVPLSA(4, max_iter=steps, random_state=1).fit(Xs, partial(y))
    np.testing.assert_array_equal(same.doc_topic_, early.doc_topic_)


def test_clusters_without_labels():
    Xs, y = two_views(7, classes=3, n=90)
    model = MVPLSA(5, n_classes=3, max_iter=60, random_state=0).fit(Xs)
    assert model.score(Xs, y) > 0.8
    assert not model.supervised_


def test_dplsa_on_one_view_is_mvplsa_on_one_view():
    Xs, y = two_views(6)
    one = DPLSA(4, max_iter=30, random_state=2).fit(Xs[:1], partial(y))
    same = MVPLSA(4, max_iter=30, random_state=2).fit([Xs[0]], partial(y))
    np.testing.assert_array_equal(one.doc_topic_, same.doc_topic_)


def test_dplsa_joins_the_views():
    Xs, y = two_views(6)
    start = floor_rows(np.random.default_rng(0).dirichlet(np.ones(2), y.size), 1e-3)
    joined = DPLSA(4, max_iter=30, init=start, random_state=2).fit(Xs, partial(y))
    by_hand = MVPLSA(4, max_iter=30, init=start, random_state=2).fit(
        [sp.hstack(Xs).tocsr()], partial(y)
    )
    np.testing.assert_array_equal(joined.doc_topic_, by_hand.doc_topic_)
    assert len(joined.topic_word_) == 1
    assert joined.predict(Xs).shape == y.shape


def test_floor_rows():
    p = floor_rows(np.array([[1.0, 0.0], [0.5, 0.5]]), 1e-2)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert p[0, 1] == pytest.approx(0.01 / 1.01)
    np.testing.assert_allclose(p[1], 0.5)
