import numpy as np
import pytest
from problems import word_views
from sklearn.model_selection import KFold

from manyviews.model_selection import LabelledFold, ampute, hide_labels, transductive_validate
from manyviews.models import MultiViewKMeans
from manyviews.views import Views

NAMES = np.array(["ant", "bee", "cow"])


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


def test_transductive_scores_hide_exactly_the_test_labels():
    matrices, y = word_views(np.random.default_rng(0), widths=(18, 12))
    views, part = Views(matrices), hide_labels(NAMES[y], np.arange(20))
    Spy.seen.clear()
    found = transductive_validate(Spy(), views, part, cv=4)
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
