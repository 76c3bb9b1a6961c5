"""Test rows reach neither training nor tuning nor scaling, and they alone are scored."""

import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa import protocol, tables
from reproduction.papers.twoview_pa.choices import tuned
from reproduction.papers.twoview_pa.settings import PaperSettings
from reproduction.results.jobs import Context, find_job
from reproduction.results.settings import complete

SETTINGS = complete(PaperSettings, {}, size="quick").model_copy(
    update={"folds": 3, "repetitions": 1}
)


@pytest.fixture
def data(rng):
    y = np.arange(36) % 2
    views = {}
    for name in ("page", "link"):
        shares = np.where(y[:, None] == 1, [0.7] * 3 + [0.3] * 3, [0.3] * 3 + [0.7] * 3)
        views[name] = sp.csr_matrix((rng.random((36, 6)) < shares).astype(float))
    return MultiViewData("webkb_course", views, y, ["other", "course"], [str(i) for i in range(36)])


@pytest.fixture
def fold(data):
    return next(iter(protocol.folds(data.labels, 3, range(1), data.name)))


def poisoned(data, rows, rng):
    """The data with other labels and other words in some rows."""
    labels = data.labels.copy()
    labels[rows] = 1 - labels[rows]
    views = {}
    for name, X in data.views.items():
        dense = X.toarray()
        dense[rows] = rng.random((len(rows), 6)) < 0.5
        views[name] = sp.csr_matrix(dense)
    return MultiViewData(data.name, views, labels, data.class_names, data.ids)


def test_labels_of_test_rows_move_no_score(data, fold):
    views = protocol.scale_views(data, protocol.DECLARED_SCALING, fold.train)
    order = protocol.orders(fold, 1, protocol.DECLARED_ORDER, data.name)
    y = protocol.signs(data)
    other = y.copy()
    other[fold.test] *= -1
    clean = protocol.table_scores(views, y, order, np.ones(1, bool), fold.test, SETTINGS)
    moved = protocol.table_scores(views, other, order, np.ones(1, bool), fold.test, SETTINGS)
    assert set(clean) == set(moved)
    for method, scores in clean.items():
        assert scores.shape == (1, fold.test.size)
        np.testing.assert_array_equal(scores, moved[method])


@pytest.mark.parametrize("scaling", SETTINGS.choices.scalings)
def test_scaling_learns_from_the_training_rows_alone(data, fold, rng, scaling):
    clean = protocol.scale_views(data, scaling, fold.train)
    moved = protocol.scale_views(poisoned(data, fold.test, rng), scaling, fold.train)
    for before, after in zip(clean.matrices, moved.matrices, strict=True):
        np.testing.assert_array_equal(before[fold.train].toarray(), after[fold.train].toarray())


def test_a_measured_view_is_standardised_by_the_training_rows(data, fold, rng):
    """Means and deviations of the training rows by hand; a column without spread stays as it is."""
    X = rng.normal(3.0, 2.0, (36, 4))
    X[:, 3] = 1.0
    found = protocol.scale_view(sp.csr_matrix(X), "binary", fold.train, measured=True).toarray()
    part = X[fold.train]
    spread = np.where(part.std(axis=0) > 0, part.std(axis=0), 1.0)
    np.testing.assert_allclose(found, (X - part.mean(axis=0)) / spread, atol=1e-12)


def test_the_test_fold_has_no_say_in_what_is_chosen(data, fold, rng):
    """Whatever the outer scores are, every method takes the same candidate."""
    y = protocol.signs(data)
    inner = tuned._mean_inner(data, y, fold, SETTINGS)
    outer = tuned._scores(data, y, fold, SETTINGS, (data.name,))
    other = {key: rng.permuted(values, axis=0) for key, values in outer.items()}
    clean = [chosen for chosen, _ in tuned._select(inner, outer, SETTINGS)]
    assert clean == [chosen for chosen, _ in tuned._select(inner, other, SETTINGS)]
    for chosen, value in tuned._select(inner, outer, SETTINGS):
        assert value in outer[chosen.method, chosen.scaling]


def test_tuning_sees_no_test_row(data, fold, rng):
    other = poisoned(data, fold.test, rng)
    clean = tuned._mean_inner(data, protocol.signs(data), fold, SETTINGS)
    moved = tuned._mean_inner(other, protocol.signs(other), fold, SETTINGS)
    assert set(clean) == set(moved)
    for key, values in clean.items():
        np.testing.assert_array_equal(values, moved[key])


def test_every_row_is_scored_once_and_in_its_own_fold(data, monkeypatch):
    seen = []
    score = tables.f1_pct
    monkeypatch.setattr(
        tables, "f1_pct", lambda scores, positive: seen.append(positive) or score(scores, positive)
    )
    context = Context(
        find_job("twoview_pa", "webkb_course", "tables"), {"webkb_course": data}, SETTINGS
    )
    rows = tables.run(context).rows
    splits = list(protocol.folds(data.labels, 3, range(1), data.name))
    tested = np.concatenate([fold.test for fold in splits])
    assert sorted(tested) == list(range(36))
    for fold in splits:
        assert not set(fold.train) & set(fold.test)
        assert sum(np.array_equal(p, data.labels[fold.test] == 1) for p in seen) > 0
    methods = {row.method for row in rows if row.table == "2"}
    assert len(seen) == 3 * (len(methods) - 1)  # the majority control takes its value from another
    assert {row.run for row in rows if row.table == "2"} == {0, 1, 2}


def test_a_cell_of_table_2_by_hand(data):
    """PA-I on the first view, round by round in plain numpy."""
    context = Context(
        find_job("twoview_pa", "webkb_course", "tables"), {"webkb_course": data}, SETTINGS
    )
    found = {
        row.run: row.value for row in tables.run(context).rows if row.method == protocol.VIEW_1
    }
    y = protocol.signs(data)
    for fold in protocol.folds(data.labels, 3, range(1), data.name):
        X = protocol.scale_views(data, protocol.DECLARED_SCALING, fold.train).matrices[0].toarray()
        w = np.zeros(X.shape[1])
        orders = protocol.orders(fold, protocol.DECLARED_PASSES, protocol.DECLARED_ORDER, data.name)
        for i in orders.ravel():
            loss = max(0.0, 1.0 - y[i] * (w @ X[i]))
            if loss > 0 and X[i].any():
                w += min(SETTINGS.C, loss / (X[i] @ X[i])) * y[i] * X[i]
        views = protocol.scale_views(data, protocol.DECLARED_SCALING, fold.train)
        scores = protocol.table_scores(views, y, orders, np.ones(1, bool), fold.test, SETTINGS)
        np.testing.assert_allclose(scores[protocol.VIEW_1][0], X[fold.test] @ w, atol=1e-9)
        # a score may be zero up to rounding: whether it counts is the kernel's to say
        said, is_positive = scores[protocol.VIEW_1][0] > 0, y[fold.test] > 0
        hits = (said & is_positive).sum()
        by_hand = 100 * 2 * hits / max(said.sum() + is_positive.sum(), 1)
        assert found[fold.run] == pytest.approx(by_hand)
