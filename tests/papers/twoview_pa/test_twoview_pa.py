"""The protocol of two-view PA on tiny data: what is computed, and that no test row takes part."""

import copy
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from job_rows import made_up, run_job
from sklearn.metrics import f1_score

from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive
from manyviews.seeding import generator
from reproduction.papers.twoview_pa import protocol
from reproduction.papers.twoview_pa.paper import SEARCH, f1, nested, study
from reproduction.papers.twoview_pa.protocol import CAT, FITS, PAPER, TWO_VIEW, VIEW_1
from reproduction.results.settings import complete

seeded = partial(generator, PAPER, "ads")
SMALL = {"choices": {"C": [0.1], "gamma": [0.05, 0.5]}}
OPEN = {"C": 0.1, "gamma": 0.5, "empty": "zero"}


@pytest.fixture
def data(rng):
    """Some rows are empty in the first view."""
    made = made_up(rng, "ads", (np.arange(60) % 3 == 0).astype(int), first=12, second=8)
    filled = sp.diags((np.arange(60) % 11 > 0) * 1.0)
    made.views["first"] = sp.csr_matrix(filled @ made.views["first"])
    return made


def folds(data, scaling="binary", order="shuffled", passes=3):
    given = protocol.Choices(passes=[1, passes])
    return list(protocol.cross_validation(data, 0, seeded, 5, scaling, order, 1, given))


def scores(part, method, before=False):
    """Scores of the test rows after every pass, or of the training rows before each update."""
    found = study.methods[method].fit.result(OPEN, part)
    return [each.before.sum(axis=1) if before else each.test for each in found]


def run(name, data, **changed):
    """Run a job and return its rows."""
    return run_job(PAPER, f"{data.name}/{name}", data, given={**SMALL, **changed})[0]


def poisoned(data, rows, rng):
    """The data with other words in some rows."""
    other = copy.deepcopy(data)
    for name, X in data.views.items():
        dense = X.toarray()
        dense[rows] = rng.random((len(rows), X.shape[1])) < 0.5
        other.views[name] = sp.csr_matrix(dense)
    return other


@pytest.mark.parametrize("method", [*FITS])
def test_passes_are_those_of_the_estimators(data, method):
    part = folds(data)[0]
    found, before = scores(part, method), scores(part, method, before=True)
    if method in protocol.VARIANTS:
        variant, gate = protocol.VARIANTS[method]
        empty = {"empty": "zero"} if variant != "exact" else {}
        models = [(TwoViewPassiveAggressive(C=0.1, gamma=0.5, variant=variant, gate=gate, **empty),
                   slice(0, 2))]  # fmt: skip
    else:
        places = {VIEW_1: [0], protocol.VIEW_2: [1], CAT: [2], protocol.SUM: [0, 1]}[method]
        models = [(PassiveAggressive(C=0.1), place) for place in places]
    for number, rows in enumerate(part.orders):
        expected = 0.0
        for model, place in models:
            views = part.views[place]
            several = isinstance(views, tuple)
            model.partial_fit([X[rows] for X in views] if several else views[rows], part.y[rows])
            held = [X[part.test] for X in views] if several else views[part.test]
            expected = expected + model.decision_function(held)
        np.testing.assert_allclose(found[number], expected, atol=1e-12)
    assert before[0][0] == 0.0  # nothing is known before the first round
    assert before[0].shape == part.orders[0].shape


def test_a_cell_of_table_2_by_hand(data):
    """PA-I on the first view, round by round in plain numpy; the trace is the score before."""
    rows = run("tables", data)
    found = rows[(rows["method"] == VIEW_1) & (rows["table"] == "2")].set_index("run")["value"]
    for number, part in enumerate(folds(data)):
        X, w, trace = part.views[0].toarray(), np.zeros(12), []
        for i in part.orders[0]:
            trace.append(w @ X[i])
            loss = max(0.0, 1.0 - part.y[i] * trace[-1])
            if loss > 0 and X[i].any():
                w += min(0.1, loss / (X[i] @ X[i])) * part.y[i] * X[i]
        np.testing.assert_allclose(scores(part, VIEW_1)[0], X[part.test] @ w, atol=1e-9)
        np.testing.assert_allclose(scores(part, VIEW_1, before=True)[0], trace, atol=1e-9)
        # a score may be zero up to rounding: whether it counts is the kernel's to say
        said, positive = scores(part, VIEW_1)[0] > 0, part.y[part.test] > 0
        by_hand = 200 * (said & positive).sum() / max(said.sum() + positive.sum(), 1)
        assert found[number] == pytest.approx(by_hand)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_majority_is_that_of_the_training_rows(data, sign):
    part = folds(data)[0]
    y = sign * part.y
    y[part.test] = sign  # a third of the rows are positive: mostly -sign in training
    answer = study.methods[protocol.MAJORITY].fit.result({}, replace(part, y=y))
    np.testing.assert_array_equal(answer.test, np.full(part.test.size, -sign))


def test_f1_is_the_metric_of_the_house(data, rng):
    part = folds(data)[0]
    early, last = rng.normal(size=(part.train.size, 2)), part.orders[-1]
    answer = protocol.Scores(last, early, rng.normal(size=part.test.size))
    positive = part.y[part.test] > 0
    one, two = (100 * f1_score(positive == c, (answer.test > 0) == c) for c in (True, False))
    assert f1(part, answer, "held out", "positive") == pytest.approx(one)
    assert f1(part, answer, "held out", "both") == pytest.approx((one + two) / 2)
    assert protocol.f1_pct(np.zeros(part.test.size), positive) == 0.0
    expected = f1_score(part.y[last] > 0, early.sum(axis=1) > 0)
    assert f1(part, answer, protocol.PROGRESSIVE, "positive") == pytest.approx(100 * expected)


def test_every_row_is_tested_once_and_never_trained_on(data):
    parts = folds(data)
    assert sorted(np.concatenate([part.test for part in parts])) == list(range(60))
    for part in parts:
        assert (part.y[part.test] > 0).sum() == 4
        for rows in part.orders:
            assert sorted([*rows, *part.test]) == list(range(60))
    given = folds(data, order="given")[0]
    np.testing.assert_array_equal(given.orders[0], given.train)


@pytest.mark.parametrize("scaling", ["binary", "unit", "idf"])
@pytest.mark.parametrize("measured", [False, True])
def test_scaling_learns_from_the_training_rows_alone(data, rng, scaling, measured):
    train, test = np.arange(40), np.arange(40, 60)
    other = poisoned(data, test, rng)
    before, after = (
        protocol.scale_view(each.views["first"], scaling, train, measured)[train].toarray()
        for each in (data, other)
    )
    np.testing.assert_array_equal(before, after)


def test_a_measured_view_is_standardised_by_the_training_rows(rng):
    """Means and deviations of the training rows by hand; a column without spread stays as it is."""
    X, train = rng.normal(3.0, 2.0, (36, 4)), np.arange(20)
    X[:, 3] = 1.0
    found = protocol.scale_view(sp.csr_matrix(X), "binary", train, measured=True).toarray()
    spread = np.where(X[train].std(axis=0) > 0, X[train].std(axis=0), 1.0)
    np.testing.assert_allclose(found, (X - X[train].mean(axis=0)) / spread, atol=1e-12)


def test_tuning_sees_no_test_row(data, rng):
    """Inner folds come from the training rows, and nothing in them follows the test rows."""
    given = complete(protocol.Choices, SMALL["choices"]), protocol.Tuned(inner_folds=3, passes=[1])
    part = next(nested(data, 0, seeded, 5, "shuffled", *given))
    outer, *inner = part["idf"]
    assert len(inner) == 3
    for fold in inner:
        assert not set(outer.test) & {*fold.train, *fold.test}
    other = next(nested(poisoned(data, outer.test, rng), 0, seeded, 5, "shuffled", *given))
    for one, two in zip(inner, other["idf"][1:], strict=True):
        np.testing.assert_array_equal(one.orders, two.orders)
        for X, Z in zip(one.views, two.views, strict=True):
            np.testing.assert_array_equal(X[one.train].toarray(), Z[one.train].toarray())


def test_the_best_inside_is_taken_and_the_first_of_equals():
    inner = {"binary": np.array([[50.0], [50.0]]), "unit": np.array([[40.0], [60.0]])}
    outer = {"binary": np.array([[1.0], [90.0]]), "unit": np.array([[95.0], [2.0]])}
    assert list(protocol.picks(inner, outer, [1])) == [
        (protocol.INNER, "binary", 1, 1.0), (protocol.INNER, "unit", 1, 2.0),
        (protocol.EVERYTHING, "unit", 1, 2.0),
    ]  # fmt: skip


def test_differences_of_the_views_are_measured_before_each_round(data):
    rows, _, details = run_job(PAPER, "ads/differences", data, given={"figure_runs": 1})
    for method, trace in details["difference_per_round"].items():
        part = rows[(rows["method"] == method) & (rows["scaling"] == "binary")]
        value = part.set_index(["metric", "setting"])["value"]
        assert value["mean_view_difference", "rows=binary"] == pytest.approx(
            np.mean(trace), abs=1e-3
        )
        assert value["sd_view_difference", "rows=binary"] == pytest.approx(np.std(trace), abs=1e-3)
        ninth = value["cumulative_view_difference", "rows=binary;round=9"]
        assert ninth == pytest.approx(np.mean(trace[:9]), abs=1e-3)
    others = rows[rows["scaling"] != "binary"]
    assert set(others["reading"]) == {"one other choice"}


def test_identical_views_tell_printed_from_exact(data):
    rows = run("identical_views", data)
    assert sorted(rows["C"].unique()) == pytest.approx([0.1, 10.0])
    exact = rows[(rows["method"] == protocol.EXACT) & (rows["single"] == "C/2")]
    printed = rows[(rows["method"] == TWO_VIEW) & (rows["single"] == "C")]
    assert len(exact) == len(printed) == 10
    assert (exact["value"] == 0.0).all()
    assert (printed["value"] > 0.0).all()


def test_readings_of_the_search_are_what_their_names_say(data):
    rows = run("search", data)
    assert set(rows["reading"]) == {f"order_on_ads: {name}" for name in SEARCH}
    assert set(rows["method"]) == set(protocol.PRINTED)
    assert (rows["gamma"] == 0.5).all()  # also where a reading takes another gamma
    value = rows.set_index(["reading", "method", "run"])["value"]
    part = folds(data)[0]
    plain = {m: protocol.f1_pct(scores(part, m)[0], part.y[part.test] > 0) for m in FITS}
    exchanged, summed = (
        "order_on_ads: the two rows exchanged",
        "order_on_ads: Cat is the sum of two PA",
    )
    assert value[exchanged, CAT, 0] == plain[TWO_VIEW]
    assert value[exchanged, TWO_VIEW, 0] == plain[CAT]
    assert value[summed, CAT, 0] == plain[protocol.SUM]
    assert value[summed, VIEW_1, 0] == plain[VIEW_1]
