"""Stepwise EM: a batch of everything with full weight is EM, and small batches come near it."""

import numpy as np
import pytest
from problems import equal_parts, views_with_an_empty_row
from sklearn.base import clone

from manyviews.models import DPLSA, MVPLSA, PLSA, mvplsa, plsa


@pytest.fixture
def words(rng):
    return views_with_an_empty_row(rng, 400)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_one_batch_with_full_weight_is_em(words, monkeypatch):
    """The oracle, after a fit: fold-in has nothing to do where all rows are labelled."""
    views, _, y = words
    for module in (plsa, mvplsa):
        monkeypatch.setattr(module, "batch_weight", lambda batch: 1.0)
    for model in (MVPLSA(5), DPLSA(5), MVPLSA(5, view_weights=[2.0, 0.5])):
        model.set_params(random_state=1)
        batch = clone(model).set_params(max_iter=1).fit(views, y).partial_fit(views, y)
        em = model.set_params(max_iter=2).fit(views, y)
        for name in ("topic_word_", "topic_class_", "doc_topic_", "_p_fz"):
            equal_parts(getattr(em, name), getattr(batch, name), atol=1e-10)
        np.testing.assert_allclose(batch.loglik_, em.loglik_[1])
        assert batch.n_iter_ == em.n_iter_
    one = PLSA(3, max_iter=1, random_state=1).fit(views[1])
    folded = one.transform(views[1])
    again = PLSA(3, max_iter=1, init=(folded, one.topic_word_)).fit(views[1])
    one.partial_fit(views[1])
    np.testing.assert_allclose(one.topic_word_, again.topic_word_, atol=1e-10)
    np.testing.assert_allclose(one.loglik_, again.loglik_[0])


def test_batches_classify_as_em_does(words):
    views, labels, y = words
    model = MVPLSA(8, max_iter=40, random_state=1)
    rng = np.random.default_rng(1)
    for rows in (rows for _ in range(5) for rows in np.array_split(rng.permutation(400), 8)):
        model.partial_fit([X[rows] for X in views], labels[rows], classes=range(4))
        known = labels[rows] >= 0
        np.testing.assert_array_equal(model.labels_[known], labels[rows][known])
    model.partial_fit(views)  # without labels: what was learnt from them stays
    assert model.score(views, y) == np.mean(model.predict(views) == y) > 0.8
    for part in model.topic_word_ + model.topic_class_:
        np.testing.assert_allclose(part.sum(axis=1), 1.0)


def test_a_class_that_the_first_batch_lacks_and_one_that_nobody_named(words):
    views, _, y = words
    model = MVPLSA(8, max_iter=5, random_state=0)
    model.partial_fit([X[y < 2] for X in views], y[y < 2], classes=range(4))
    model.partial_fit([X[y > 1] for X in views], y[y > 1])
    assert set(model.predict(views)) == set(range(4))
    before = model.topic_word_[0].copy()
    with pytest.raises(ValueError, match="label 4 in row 0 is not one of the classes"):
        model.partial_fit(views, y + 4)
    np.testing.assert_array_equal(model.topic_word_[0], before)
    with pytest.raises(ValueError, match="classes names -1"):
        MVPLSA(8).partial_fit(views, y, classes=range(-1, 4))
    model.partial_fit(views)  # no labels: all rows are folded in
    assert model.labels_.shape == y.shape


def test_an_empty_batch_moves_nothing(words):
    for model, data in ((PLSA(3), words[0][0]), (MVPLSA(3, n_classes=2, init="random"), words[0])):
        model.set_params(random_state=0).partial_fit(data)
        before = [np.array(part) for part in model.topic_word_]
        model.partial_fit([X * 0 for X in data] if isinstance(data, list) else data * 0)
        equal_parts(before, model.topic_word_)
