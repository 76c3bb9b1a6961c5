import copy

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import f1_score

from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive
from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa.choices import tuned
from reproduction.papers.twoview_pa.columns import EVERYTHING, INNER, TABLES
from reproduction.papers.twoview_pa.extras import ADS_GROUPS, original_views
from reproduction.papers.twoview_pa.methods import (
    CAT,
    EXACT,
    GATED,
    SINGLE_METHODS,
    SUM,
    TWO_VIEW,
    VIEW_1,
    VIEW_2,
)
from reproduction.papers.twoview_pa.protocol import (
    f1_pct,
    folds,
    kept_passes,
    orders,
    scale_views,
    signs,
    single_scores,
    two_view_scores,
)
from reproduction.papers.twoview_pa.rivals import compare
from reproduction.papers.twoview_pa.settings import PaperSettings
from reproduction.results.jobs import Context, find_job, jobs_of
from reproduction.results.published import load_published, printed_methods
from reproduction.results.rows import RowError, result_frames
from reproduction.results.settings import SettingsError, complete

PAPER = "twoview_pa"


def review_data(name, rng, n_rows=60):
    """Two classes, a sparse view with some empty rows and a second view."""
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
    small = {"choices": {"C": [0.1], "gamma": [0.05, 0.5]}}
    return complete(PaperSettings, small, size="quick")


def run(name, settings, data, entry=None):
    """Run a job on some data and return its checked rows, with their settings as print has them."""
    job = find_job(PAPER, data.name, name)
    result = (entry or job.load())(Context(job, {data.name: data}, settings))
    return checked(result, data.name)


def checked(result, dataset):
    values, _ = result_frames(PAPER, dataset, result.rows, TABLES, printed_methods(PAPER))
    return values.assign(setting=TABLES.written(values))


@pytest.mark.parametrize("job", jobs_of(PAPER), ids=lambda job: job.place)
def test_every_job_gives_sound_rows_and_the_same_ones_again(job, settings, rng):
    data = review_data(job.dataset, rng)
    once, again = (run(job.name, settings, data) for _ in range(2))
    assert once.equals(again)
    percent = once[once["metric"].isin(["f1_pct", "accuracy_pct"])]["value"]
    assert percent.between(0, 100).all()


@pytest.mark.parametrize("dataset", ["ads", "webkb_course", "product_review"])
def test_published_cells_are_answered_under_their_own_names(dataset, rng):
    settings = complete(PaperSettings, {"repetitions": 2})
    rows = run("tables", settings, review_data(dataset, rng))
    ours = rows[rows["role"] == "published"]
    printed = load_published(PAPER)
    printed = printed[printed["dataset"] == dataset]
    names = ["table", "setting", "method", "metric"]
    cells = set(printed[names].itertuples(index=False, name=None))
    assert cells == {key for key in ours[names].itertuples(index=False, name=None) if key[0] == "2"}
    for _, part in ours[ours["table"] == "2"].groupby("method"):
        assert sorted(part["run"]) == list(range(settings.repetitions * settings.folds))


def test_a_choice_that_changes_nothing_gives_the_numbers_of_the_table(settings, rng):
    data = review_data("ads", rng)
    table = run("tables", settings, data)
    same = run("choices", settings, data)
    same = same[(same["table"] == "choice:empty") & (same["empty"] == "zero")]
    declared = table[(table["table"] == "2") & (table["method"] == TWO_VIEW)]
    np.testing.assert_array_equal(same["value"], declared["value"])
    combined = run("choices_combined", settings, data)
    point = {"scaling": "binary", "order": "shuffled", "passes": 1, "C": 0.1}
    for method, more in ((CAT, {}), (TWO_VIEW, {"gamma": 0.5, "empty": "zero"})):
        part = combined[combined["method"] == method]
        for name, value in {**point, **more}.items():
            part = part[part[name] == value]
        runs = table[(table["table"] == "2") & (table["method"] == method)]
        first = runs[runs["run"] < settings.folds]["value"].mean()
        assert part["value"].item() == pytest.approx(first)


@pytest.mark.parametrize("variant", ["printed", "eq11", "exact"])
def test_batch_kernels_are_the_estimators(variant, rng):
    data = review_data("ads", rng)
    y = signs(data)
    fold = next(iter(folds(y, 5, range(1), "test")))
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
    np.testing.assert_allclose(single[CAT][0, 0], expected, atol=1e-12)
    np.testing.assert_allclose(single[SUM], single[VIEW_1] + single[VIEW_2])


def test_f1_is_the_metric_of_the_house(rng):
    scores = rng.normal(size=(5, 40))
    positive = rng.random(40) < 0.3
    ours = f1_pct(scores, positive)
    for row, value in zip(scores, ours, strict=True):
        expected = f1_score(positive, row > 0, zero_division=0)
        assert value == pytest.approx(100 * expected)
    assert f1_pct(-np.ones(40), positive) == 0.0


def test_folds_are_stratified_and_orders_hold_the_training_rows_only(rng):
    data = review_data("ads", rng)
    y = signs(data)
    seen = np.zeros(len(y), dtype=int)
    for fold in folds(y, 5, range(1), "test"):
        seen[fold.test] += 1
        assert (y[fold.test] > 0).sum() == 4
        for order in ("shuffled", "given"):
            sequence = orders(fold, 2, order, "test")
            for rows in sequence:
                np.testing.assert_array_equal(np.sort(rows), fold.train)
        assert np.array_equal(sequence[0], sequence[1])
    assert (seen == 1).all()


@pytest.mark.parametrize("scaling", ["binary", "unit", "idf"])
@pytest.mark.parametrize("name", ["ads", "opinion_spam"])
def test_scaling_learns_nothing_from_test_rows(scaling, name, rng):
    data = review_data(name, rng)
    train, test = np.arange(40), np.arange(40, 60)
    changed = copy.deepcopy(data)
    for key, view in changed.views.items():
        dense = view.toarray()
        dense[test] = rng.random((20, view.shape[1]))
        changed.views[key] = sp.csr_matrix(dense)
    before, after = scale_views(data, scaling, train), scale_views(changed, scaling, train)
    for one, other in zip(before.matrices, after.matrices, strict=True):
        np.testing.assert_array_equal(one[train].toarray(), other[train].toarray())


def test_tuning_never_sees_the_test_labels(settings, rng):
    data = review_data("ads", rng)
    y = signs(data)
    fold = next(iter(folds(y, 5, range(1), "test")))
    flipped = y.copy()
    flipped[fold.test] *= -1
    one = tuned._mean_inner(data, y, fold, settings)
    other = tuned._mean_inner(data, flipped, fold, settings)
    for key, value in one.items():
        np.testing.assert_array_equal(value, other[key])


def test_tuning_takes_the_first_best_candidate(settings):
    shape = {**dict.fromkeys(SINGLE_METHODS, 1), **dict.fromkeys(GATED, 2)}
    inner = {
        (method, scaling): np.full((k, 1), 50.0)
        for method, k in shape.items()
        for scaling in settings.choices.scalings
    }
    outer = {key: np.arange(value.size, dtype=float)[:, None] for key, value in inner.items()}
    inner[TWO_VIEW, "unit"] = np.array([[40.0], [60.0]])
    found = {
        (chosen.tuned, chosen.scaling): (value, chosen.C, chosen.gamma)
        for chosen, value in tuned._select(inner, outer, settings)
        if chosen.method == TWO_VIEW
    }
    assert found[INNER, "binary"] == (0.0, 0.1, 0.05)
    assert found[INNER, "unit"] == (1.0, 0.1, 0.5)
    assert found[EVERYTHING, "unit"] == (1.0, 0.1, 0.5)
    assert (EVERYTHING, "binary") not in found


def test_identical_views_tell_printed_from_exact(settings, rng):
    rows = run("identical_views", settings, review_data("ads", rng))
    assert sorted(rows["C"].unique()) == pytest.approx([0.1, 10.0])
    exact = rows[(rows["method"] == EXACT) & (rows["single"] == "C/2")]
    printed = rows[(rows["method"] == TWO_VIEW) & (rows["single"] == "C")]
    assert len(exact) == len(printed) == 2 * settings.folds
    assert (exact["value"] == 0.0).all()
    assert (printed["value"] > 0.0).all()


def test_two_classes_are_needed(rng):
    data = review_data("ads", rng)
    data.class_names.append("third")
    with pytest.raises(ValueError, match="two-view PA needs two"):
        signs(data)


def test_original_views_follow_the_column_names(rng):
    data = review_data("ads", rng)
    data.feature_names = {
        "first": [f"url*{i}" for i in range(5)] + [f"ancurl*{i}" for i in range(7)],
        "second": [f"alt*{i}" for i in range(3)] + [f"origurl*{i}" for i in range(5)],
    }
    widths = dict(zip(ADS_GROUPS, [X.shape[1] for X in original_views(data)], strict=True))
    assert widths == {"url": 5, "ancurl": 7, "alt": 3, "origurl": 5}
    data.feature_names = {}
    assert sum(X.shape[1] for X in original_views(data)) == 20


def test_a_rival_meets_the_folds_of_the_table_and_no_label_of_a_test_row(settings, rng):
    data = review_data("ads", rng)
    y = signs(data)
    splits = list(folds(data.labels, settings.folds, range(settings.repetitions), data.name))
    seen = []

    def predict(train, labels, test, generator):
        fold = splits[len(seen)]
        views = scale_views(data, "binary", fold.train)
        stream = orders(fold, 1, "shuffled", data.name)[0]
        np.testing.assert_array_equal(labels, y[stream])
        for view, ours, theirs in zip(views.matrices[:2], train, test, strict=True):
            np.testing.assert_array_equal(ours.toarray(), view[stream].toarray())
            np.testing.assert_array_equal(theirs.toarray(), view[fold.test].toarray())
        seen.append(generator.random())
        return np.ones(fold.test.size)

    job = find_job(PAPER, "ads", "tables")
    context = Context(job, {"ads": data}, settings)
    rows = checked(compare(context, "Always yes", predict), "ads")
    assert len(seen) == len(splits) == len(set(seen))
    assert set(rows["role"]) == {"ours"}
    table = run("tables", settings, data)
    control = table[table["method"] == "all positive"]
    for name in ("table", "setting", "metric", "run", "value"):
        assert rows[name].tolist() == control[name].tolist()
    with pytest.raises(RowError, match="prints no such method"):
        checked(
            compare(context, "Always yes", lambda *a: np.ones(a[2][0].shape[0]), "published"), "ads"
        )


@pytest.mark.parametrize("scores", [np.ones(3), np.nan, np.inf])
def test_a_rival_without_a_score_for_each_row_is_refused(scores, settings, rng):
    job = find_job(PAPER, "ads", "tables")
    context = Context(job, {"ads": review_data("ads", rng)}, settings)

    def predict(train, labels, test, generator):
        return scores if np.ndim(scores) else np.full(test[0].shape[0], scores)

    with pytest.raises(ValueError, match="one finite score per test row"):
        compare(context, "Broken", predict)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"folds": 1000}, "folds: 1000"),
        ({"C": 0.0}, "C: 0.0"),
        ({"C": float("nan")}, "C: nan"),
        ({"choices": {"passes": [1, 1]}}, "list each once"),
        ({"choices": {"scalings": []}}, "at least 1 item"),
        ({"choices": {"orders": ["random"]}}, "'shuffled' or 'given'"),
        ({"tuned": {"inner_folds": 1}}, "tuned.inner_folds: 1"),
        ({"grid": {}}, "unknown key"),
    ],
)
def test_absurd_settings_are_refused_with_a_text_that_names_them(given, text):
    with pytest.raises(SettingsError, match=text):
        complete(PaperSettings, given)
