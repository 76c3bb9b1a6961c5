import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.baselines.vote_plsa import VotePLSA, align_topics
from manyviews.models.plsa import PLSA, random_doc_topic, random_topic_word


def make_views(rng, n=90, views=2):
    y = np.arange(n) % 3
    Xs = []
    for _ in range(views):
        topics = rng.dirichlet(np.full(30, 0.1), 3)
        Xs.append(sp.csr_matrix(rng.poisson(25 * topics[y]).astype(float)))
    return Xs, y


def test_alignment_undoes_a_permutation(rng):
    h = rng.dirichlet(np.full(6, 0.2), 300)
    order = rng.permutation(6)
    np.testing.assert_array_equal(h[:, order][:, align_topics(h, h[:, order])], h)


def test_votes_are_kept_and_the_rest_assigned():
    rng = np.random.default_rng(1)
    Xs, y = make_views(rng)
    one = np.eye(3)[y]
    two = np.eye(3)[(y + 1) % 3]  # the same clusters under other names
    disputed = rng.choice(90, 12, replace=False)
    two[disputed] = np.eye(3)[(y[disputed] + 2) % 3]
    model = VotePLSA(3, max_iter=100).fit(Xs, doc_topics=[one, two])
    np.testing.assert_array_equal(np.flatnonzero(~model.voted_), np.sort(disputed))
    np.testing.assert_array_equal(model.labels_[model.voted_], y[model.voted_])
    np.testing.assert_array_equal(model.doc_topic_[model.voted_], one[model.voted_])
    assert np.mean(model.labels_[disputed] == y[disputed]) > 0.9


def test_constrained_likelihood_never_falls(rng):
    Xs, _ = make_views(rng)
    trace = VotePLSA(3, random_state=rng, tol=0.0, max_iter=40).fit(Xs).loglik_
    assert (np.diff(trace) >= -1e-9 * np.abs(trace[:-1])).all()


def test_first_stage_is_plsa_on_each_view_from_the_given_start(rng):
    Xs, _ = make_views(rng)
    init = [(random_doc_topic(90, 3, rng), random_topic_word(30, 3, rng)) for _ in Xs]
    topics = [PLSA(3, init=start).fit(X).doc_topic_ for X, start in zip(Xs, init, strict=True)]
    whole = VotePLSA(3, init=init).fit(Xs)
    reused = VotePLSA(3).fit(Xs, doc_topics=topics)
    np.testing.assert_array_equal(whole.labels_, reused.labels_)
    np.testing.assert_array_equal(whole.voted_, reused.voted_)


def test_bad_input_is_explained():
    Xs, _ = make_views(np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"2 arrays of shape \(90, 3\)"):
        VotePLSA(3).fit(Xs, doc_topics=[np.eye(3)])
