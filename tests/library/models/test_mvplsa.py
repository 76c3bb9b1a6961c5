"""MVPLSA and DPLSA as estimators."""

import numpy as np
import pytest
import scipy.sparse as sp
from problems import never_falls, partly, word_views

from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA, floor_rows


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_classifies_and_keeps_labelled_rows(classes):
    rng = np.random.default_rng(classes)
    Xs, y = word_views(rng, k=classes, widths=(30, 30))
    labels = partly(rng, y, 0.1)
    model = MVPLSA(6, max_iter=80, random_state=1).fit(Xs, labels)
    known = labels >= 0
    assert np.mean(model.labels_[~known] == y[~known]) > 0.95
    np.testing.assert_array_equal(model.doc_topic_[known], np.eye(classes)[y[known]])
    np.testing.assert_allclose(model.doc_topic_.sum(axis=1), 1.0)
    assert model.n_iter_ == 80
    assert model.loglik_.shape == (81,)
    never_falls(model.loglik_)
    for v in range(2):
        np.testing.assert_allclose(model.topic_class_[v].sum(axis=1), 1.0)
        sums = model.topic_word_[v].sum(axis=1)
        assert np.all(np.isclose(sums, 1.0) | (sums == 0))


@pytest.mark.parametrize("track", [True, False])
def test_tol_stops_where_the_likelihood_does(track):
    rng = np.random.default_rng(3)
    Xs, y = word_views(rng, k=2)
    labels = partly(rng, y, 0.1)
    whole = MVPLSA(4, max_iter=200, random_state=1).fit(Xs, labels)
    early = MVPLSA(4, max_iter=200, tol=1e-4, track_loglik=track, random_state=1).fit(Xs, labels)
    steps = early.n_iter_
    assert 2 <= steps < 200
    np.testing.assert_array_equal(early.loglik_, whole.loglik_[: steps + 1])
    gain = np.diff(whole.loglik_) / np.abs(whole.loglik_[:-1])
    assert gain[steps - 2] <= 1e-4
    assert (gain[: steps - 2] > 1e-4).all()
    same = MVPLSA(4, max_iter=steps, random_state=1).fit(Xs, labels)
    np.testing.assert_array_equal(same.doc_topic_, early.doc_topic_)


def test_clusters_without_labels():
    Xs, y = word_views(np.random.default_rng(7), n=90)
    model = MVPLSA(5, n_classes=3, max_iter=60, random_state=0).fit(Xs)
    assert model.score(Xs, y) > 0.8
    assert not model.supervised_


def test_dplsa_is_mvplsa_of_the_joined_views(rng):
    Xs, y = word_views(rng, k=2)
    labels = partly(rng, y, 0.1)
    start = floor_rows(rng.dirichlet(np.ones(2), y.size), 1e-3)
    settings = {"max_iter": 30, "init": start, "random_state": 2}
    joined = DPLSA(4, **settings).fit(Xs, labels)
    by_hand = MVPLSA(4, **settings).fit([sp.hstack(Xs).tocsr()], labels)
    np.testing.assert_array_equal(joined.doc_topic_, by_hand.doc_topic_)
    assert len(joined.topic_word_) == 1
