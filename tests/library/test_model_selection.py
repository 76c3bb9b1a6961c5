import numpy as np
import pytest
from problems import word_views
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import Normalizer

from manyviews.baselines import NaiveBayesEnsemble
from manyviews.model_selection import LabelledFold, ampute, hide_labels, transductive_validate
from manyviews.models import MultiViewKMeans
from manyviews.preprocessing.per_view import PerView
from manyviews.views import Views

NAMES = np.array(["ant", "bee", "cow"])


@pytest.fixture
def problem():
    """Views, the labels, and those of two rows of three."""
    rng = np.random.default_rng(0)
    matrices, y = word_views(rng, widths=(18, 12))
    return Views(matrices), NAMES[y], hide_labels(NAMES[y], rng.permutation(60)[:20])


def test_a_search_over_a_pipeline(problem):
    views, y, _ = problem
    pipeline = Pipeline([("scale", PerView(Normalizer("l1"))), ("model", NaiveBayesEnsemble())])
    grid = {"model__alpha": [1e-3, 1.0], "scale__transformers": [Normalizer("l1"), "passthrough"]}
    found = GridSearchCV(pipeline, grid, cv=3).fit(views, y)
    assert found.best_score_ > 0.8
    assert found.predict(views[:5]).shape == (5,)
    assert cross_val_score(found, views, y, cv=2).min() > 0.7  # nested


@pytest.mark.parametrize("marker", [None, np.nan])
def test_labelled_folds_keep_unlabelled_rows_in_training(rng, marker):
    y, hidden = NAMES[np.arange(60) % 3].astype(object), rng.permutation(60)[:30]
    y[hidden] = marker
    tested = []
    for train, test in LabelledFold(KFold(3, shuffle=True, random_state=0)).split(None, y):
        assert np.isin(hidden, train).all()
        np.testing.assert_array_equal(np.sort([*train, *test]), np.arange(60))
        tested.extend(test)
    np.testing.assert_array_equal(np.sort(tested), np.setdiff1d(np.arange(60), hidden))
    assert LabelledFold(4).get_n_splits() == 4


class Spy(MultiViewKMeans):
    """Remembers the labels of every fit."""

    seen = []  # noqa: RUF012

    def fit(self, Xs, y):
        self.seen.append(list(y))
        return super().fit(Xs, y)


def test_transductive_scores_hide_exactly_the_test_labels(problem):
    views, _, part = problem
    Spy.seen.clear()
    found = transductive_validate(Spy(), views, part, cv=4)
    assert found["test_score"].shape == (4,)
    assert found["test_score"].min() > 0.8
    folds = [test for _, test in LabelledFold(4).split(views, part)]
    for labels, held in zip(Spy.seen, folds, strict=True):
        expected = part.copy()
        expected[held] = None
        assert labels == expected.tolist()


def test_hidden_labels_keep_their_kind():
    assert hide_labels([1, 2, 3], np.array([1])).tolist() == [1, None, 3]
    assert hide_labels(np.array([1, 2, 3]), np.array([1])).tolist() == [1, -1, 3]
    assert hide_labels(np.array(["a", "b"]), np.array([0])).tolist() == [None, "b"]


@pytest.mark.parametrize("share", [0.0, 0.35, 1.0])
def test_amputation_leaves_every_row_a_view(rng, share):
    views = Views([np.ones((40, 2))] * 3)
    found = ampute(views, share, rng)
    lost = ~found.observed
    assert (lost.sum(axis=1) <= 1).all()
    assert lost.sum() == round(share * 40)
    assert views.observed.all()
    twice = ampute(ampute(found, 1.0, rng), 1.0, rng)
    assert (twice.observed.sum(axis=1) >= 1).all()
