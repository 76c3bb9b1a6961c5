import copy

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import f1_score

from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive
from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa import nested, tables
from reproduction.papers.twoview_pa.open_problems import ADS_GROUPS, original_views
from reproduction.papers.twoview_pa.protocol import (
    Fold,
    f1_pct,
    folds,
    kept_passes,
    orders,
    scale_views,
    signs,
    single_scores,
    two_view_scores,
)
from reproduction.results.jobs import Context, jobs_of, result_frames
from reproduction.workflow.config import load_config

PUBLISHED = ("PA View 1", "PA View 2", "PA Cat", "Two-view PA")


def review_data(name, n_rows=60, seed=0):
    """Two classes, a sparse view with some empty rows and a second view."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n_rows) % 3 == 0
    first = (rng.random((n_rows, 12)) < 0.2 + 0.3 * np.outer(labels, np.arange(12) < 4)) * 1.0
    first[::11] = 0
    if name == "digits":
        views = {v: rng.normal(size=(n_rows, 4)) + labels[:, None] for v in ("pix", "fac", "mor")}
        classes = ["0", "1"]
    elif name in ("opinion_spam", "product_review"):
        views = {"lexical": first + 1.0, "formal": rng.random((n_rows, 5)) + labels[:, None]}
        classes = ["true", "spam"]
    else:
        second = (rng.random((n_rows, 8)) < 0.2 + 0.3 * np.outer(labels, np.arange(8) < 3)) * 2.0
        views = {"first": first, "second": second}
        classes = ["no", "yes"]
    return MultiViewData(
        name=name,
        views={key: sp.csr_matrix(value) for key, value in views.items()},
        labels=labels.astype(int),
        class_names=classes,
        ids=[str(i) for i in range(n_rows)],
    )


@pytest.fixture(scope="module")
def settings():
    small = copy.deepcopy(load_config()["papers"]["twoview_pa"])
    small.update(repetitions=2, figure_runs=2)
    small["grid"].update(repetitions=1, passes=[1, 2], C=[0.1], gamma=[0.05, 0.5])
    small["nested"].update(repetitions=1, inner_folds=2, passes=[1])
    small["extra"].update(repetitions=1, gamma=[0.0, 0.05])
    return small


@pytest.mark.parametrize("job", jobs_of("twoview_pa"), ids=lambda job: f"{job.dataset}/{job.name}")
def test_every_job_gives_sound_rows_and_the_same_ones_again(job, settings):
    data = review_data(job.dataset)
    entry = job.load()
    frames = [
        result_frames(job, entry(Context(job, {job.dataset: data}, settings)))[0] for _ in range(2)
    ]
    assert frames[0].equals(frames[1])
    percent = frames[0][frames[0]["metric"].isin(["f1_pct", "accuracy_pct"])]["value"]
    assert percent.between(0, 100).all()


def test_published_cells_are_answered_under_their_own_names(settings):
    job = next(j for j in jobs_of("twoview_pa") if j.name == "published")
    result = job.load()(Context(job, {job.dataset: review_data(job.dataset)}, settings))
    values, _ = result_frames(job, result)
    cells = values[(values["table"] == "2") & (values["reading"] == "paper")]
    assert set(PUBLISHED) <= set(cells["method"])
    assert set(cells["setting"]) == {"5-fold;C=0.1;gamma=0.5"}
    runs = cells[cells["method"] == "Two-view PA"]["run"]
    assert sorted(runs) == list(range(10))


@pytest.mark.parametrize("variant", ["printed", "eq11", "exact"])
def test_batch_kernels_are_the_estimators(variant):
    data = review_data("ads")
    y = signs(data)
    fold = next(iter(folds(y, 5, 1, "test")))
    views = scale_views(data, "binary", fold.train)
    order = orders(fold, 3, "shuffled", "test")
    scores = two_view_scores(
        views, y, order, kept_passes([1, 3]), fold.test, [(0.1, 0.5), (0.3, 0.05)], variant
    )
    for pair, (C, gamma) in enumerate([(0.1, 0.5), (0.3, 0.05)]):
        model = TwoViewPassiveAggressive(C=C, gamma=gamma, variant=variant)
        for number, rows in enumerate(order, start=1):
            model.partial_fit([X[rows] for X in views.matrices[:2]], y[rows])
            expected = model.decision_function([X[fold.test] for X in views.matrices[:2]])
            if number in (1, 3):
                np.testing.assert_allclose(scores[pair, number // 2], expected, atol=1e-12)
    single = single_scores(views, y, order[:1], kept_passes([1]), fold.test, [0.1])
    cat = PassiveAggressive(C=0.1).partial_fit(views.matrices[2][order[0]], y[order[0]])
    expected = cat.decision_function(views.matrices[2][fold.test])
    np.testing.assert_allclose(single["PA Cat"][0, 0], expected, atol=1e-12)
    np.testing.assert_allclose(
        single["control:sum of two PA"], single["PA View 1"] + single["PA View 2"]
    )


def test_f1_is_the_metric_of_the_house():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(5, 40))
    positive = rng.random(40) < 0.3
    ours = f1_pct(scores, positive)
    for row, value in zip(scores, ours, strict=True):
        expected = f1_score(positive, row > 0, zero_division=0)
        assert value == pytest.approx(100 * expected)
    assert f1_pct(-np.ones(40), positive) == 0.0


def test_folds_are_stratified_and_orders_hold_the_training_rows_only():
    data = review_data("ads")
    y = signs(data)
    seen = np.zeros(len(y), dtype=int)
    for fold in folds(y, 5, 1, "test"):
        seen[fold.test] += 1
        assert (y[fold.test] > 0).sum() == 4
        for order in ("shuffled", "given"):
            sequence = orders(fold, 2, order, "test")
            for rows in sequence:
                np.testing.assert_array_equal(np.sort(rows), fold.train)
        assert np.array_equal(sequence[0], sequence[1])
    assert (seen == 1).all()


@pytest.mark.parametrize("rows", ["binary", "unit", "idf"])
@pytest.mark.parametrize("name", ["ads", "opinion_spam"])
def test_scaling_learns_nothing_from_test_rows(rows, name):
    data = review_data(name)
    train, test = np.arange(40), np.arange(40, 60)
    changed = copy.deepcopy(data)
    rng = np.random.default_rng(1)
    for key, view in changed.views.items():
        dense = view.toarray()
        dense[test] = rng.random((20, view.shape[1]))
        changed.views[key] = sp.csr_matrix(dense)
    before, after = scale_views(data, rows, train), scale_views(changed, rows, train)
    for one, other in zip(before.matrices, after.matrices, strict=True):
        np.testing.assert_array_equal(one[train].toarray(), other[train].toarray())


def test_nested_choice_never_sees_the_test_labels(settings):
    data = review_data("ads")
    y = signs(data)
    fold = next(iter(folds(y, 5, 1, "test")))
    flipped = y.copy()
    flipped[fold.test] *= -1
    one = nested._mean_inner(data, y, fold, settings)
    other = nested._mean_inner(data, flipped, fold, settings)
    for key, value in one.items():
        np.testing.assert_array_equal(value, other[key])


def test_nested_selection_takes_the_first_best_candidate(settings):
    shape = {method: (1 if method in nested.SINGLE_METHODS else 2) for method in nested._methods()}
    inner = {
        (m, r): np.full((k, 1), 50.0) for m, k in shape.items() for r in ("binary", "unit", "idf")
    }
    outer = {key: np.arange(value.size, dtype=float)[:, None] for key, value in inner.items()}
    inner["Two-view PA", "unit"] = np.array([[40.0], [60.0]])
    chosen = {(reading, m): (v, c) for reading, m, v, c in nested._select(inner, outer, settings)}
    assert chosen["tuned;rows=binary;passes=1", "Two-view PA"] == (0.0, "C=0.1;gamma=0.05")
    assert chosen["tuned;rows=unit;passes=1", "Two-view PA"] == (1.0, "C=0.1;gamma=0.5")
    value, choice = chosen["tuned;rows and passes too", "Two-view PA"]
    assert (value, choice) == (1.0, "rows=unit;passes=1;C=0.1;gamma=0.5")


def test_identical_views_rows_tell_printed_from_exact(settings):
    data = review_data("ads")
    y = signs(data)
    rows = tables.identical_views(data, y, [Fold(0, 0, np.arange(48), np.arange(48, 60))], settings)
    gap = {(row.setting, row.method): row.value for row in rows}
    for C in ("0.1", "10"):
        assert gap[f"C={C};gamma=0.5", "exact against PA-I(C/2)"] == 0.0
        assert gap[f"C={C};gamma=0.5", "printed against PA-I(C)"] > 0.0


def test_two_classes_are_needed():
    data = review_data("ads")
    data.class_names.append("third")
    with pytest.raises(ValueError, match="two-view PA needs two"):
        signs(data)


def test_original_views_follow_the_column_names():
    data = review_data("ads")
    data.feature_names = {
        "first": [f"url*{i}" for i in range(5)] + [f"ancurl*{i}" for i in range(7)],
        "second": [f"alt*{i}" for i in range(3)] + [f"origurl*{i}" for i in range(5)],
    }
    widths = dict(zip(ADS_GROUPS, [X.shape[1] for X in original_views(data)], strict=True))
    assert widths == {"url": 5, "ancurl": 7, "alt": 3, "origurl": 5}
    data.feature_names = {}
    assert sum(X.shape[1] for X in original_views(data)) == 20
