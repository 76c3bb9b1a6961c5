"""The protocol of the clustering paper on tiny data."""

import os

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from leaks import Spy

from manyviews import metrics
from manyviews.models.plsa import PLSA
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_clustering import extras, protocol
from reproduction.papers.coplsa_clustering.methods import tied
from reproduction.papers.coplsa_clustering.paper import (
    CONSTRUCTIONS,
    FROM_KMEANS,
    ON_COLOUR,
    OPPONENT,
    study,
)
from reproduction.papers.coplsa_clustering.settings import (
    PAPER,
    RULES,
    SCALES,
    TWO,
    VIEWS,
    PaperSettings,
)
from reproduction.results.jobs import Context, Job, find_job
from reproduction.results.published import load_published, printed_methods
from reproduction.results.rows import INFERRED, result_frames
from reproduction.results.settings import SettingsError, complete

CLASSES = 4
TINY = {
    "iterations": dict.fromkeys(VIEWS, 2), "choice_runs": dict.fromkeys(VIEWS, 1),
    "documents": dict.fromkeys(VIEWS, 100), "reduction": {"topics": 5, "iterations": 2},
    "trajectory": {"steps": [1, 2, 5], "short_steps": 2},
}  # fmt: skip
SETTINGS = complete(PaperSettings, TINY, size="quick")


@pytest.fixture(scope="module")
def make_data():
    """Return a function that makes views in which every class has its own words."""

    def make(dataset, n=110):
        rng = np.random.default_rng(int(os.environ["MANYVIEWS_TEST_SEED"]))
        y = np.arange(n) % CLASSES
        names = [*VIEWS[dataset], *(CONSTRUCTIONS if dataset == "corel5k" else ())]
        views = {}
        for name in names:
            topics = rng.dirichlet(np.full(25, 0.2), CLASSES)
            views[name] = sp.csr_matrix(rng.poisson(30 * topics[y]).astype(float))
        return MultiViewData(dataset, views, y, list("abcd"), [str(i) for i in range(n)])

    return make


def frame(dataset, rows):
    return result_frames(PAPER, dataset, rows, study.tables, printed_methods(PAPER))[0]


def run(place, data, results=None):
    job = find_job(PAPER, *place.split("/"))
    return frame(job.dataset, study(Context(job, {job.dataset: data}, SETTINGS, results)).rows)


@pytest.fixture(scope="module")
def frames(make_data):
    """Rows of every job of the paper."""
    found = {}
    for job in sorted(study.jobs, key=lambda job: len(job.after)):
        found[job.place] = run(job.place, make_data(job.dataset), found)
    return found


def start(data, run=0, choice=None, **changed):
    """Return a run as jobs have it; ``choice`` is the best view."""

    def seeded(*names):
        return generator(PAPER, data.name, *names)

    how = {"documents": 100, "scale": "raw", "sift": "sift", **changed}
    task = protocol.views(data, data.name, None, seeded, **how)
    task.choice = dict.fromkeys(RULES, choice or task.names[0])
    return protocol.start(task, run, seeded, 2, 1e-6)


def scores(part, labels):
    return {name: protocol.measure(name, part.task.truth, labels) for name in protocol.SCORES}


def test_every_published_cell_gets_its_runs_and_all_declared_tables_are_written(frames):
    rows = pd.concat(frames.values())
    ours = rows[(rows["reading"] == INFERRED) & (rows["role"] == "published")]
    counts = ours.groupby(["table", "dataset", "method", "metric"])["run"].nunique()
    for cell in load_published(PAPER).itertuples():
        assert counts[cell.table, cell.dataset, cell.method, cell.metric] == SETTINGS.runs
    assert set(rows["table"]) == {name for name, table in study.tables.items() if not table.timed}


def test_the_best_view_is_what_the_rules_say(frames):
    for dataset, names in VIEWS.items():
        values = frames[f"{dataset}/kmeans"]
        choice = protocol.read_choice(values, names)
        part = values[values["table"] == "choice:best_view"]
        means = part.groupby(["rule", "view"])["value"].mean()
        for job, method in (("kmeans", "K-means + BOVF"), ("plsa", "PLSA + BOVF")):
            rows = frames[f"{dataset}/{job}"]
            rows = rows[rows["method"] == method].set_index(["metric", "run"])
            for rule, reading in RULES.items():
                assert means[rule, choice[rule]] == max(means[rule, view] for view in names[:2])
                seen = rows[(rows["table"] == "choice:view") & (rows["view"] == choice[rule])]
                told = rows[(rows["table"] == "1") & (rows["reading"] == reading)]
                assert len(told)
                pd.testing.assert_series_equal(told["value"], seen["value"])


def test_plsa_and_coplsa_share_their_starts(make_data):
    part = start(make_data("reuters"), run=3)
    assert not np.array_equal(start(make_data("reuters")).starts["EN"][0], part.starts["EN"][0])
    two, three = (tied(n)(part, 0.0, 1.0, 0.05, 2, 0.0)["printed"] for n in (2, 3))
    for view in ("EN", "SP"):
        alone = part.fitted(view, part.starts[view], 2).labels_
        np.testing.assert_array_equal(two.labels[view], alone)
        np.testing.assert_array_equal(three.labels[view], alone)


def test_the_second_fit_is_saved_only_when_it_would_be_the_same(make_data):
    part, made = start(make_data("reuters"), scale="l1"), []

    def updates(**options):
        def fit(update):
            made.append(protocol.coplsa(part, part.task.views(2), update=update, **options))
            return made[-1]

        return protocol.both_updates(fit, part.task.names[:2])

    calm = updates(lam=1e-6)
    assert calm["safeguarded"].told == calm["printed"].told
    assert len(made) == 1
    wild = updates(lam=50.0, pair_share=1.0, max_iter=15)
    assert wild["printed"].told["unsafe_steps"] > 0
    assert wild["safeguarded"].told["decreases"] == 0
    assert [model.update for model in made[1:]] == ["printed", "safeguarded"]


def test_scales(make_data):
    X = make_data("reuters").views["EN"]
    dense = {name: protocol.rescaled(X, name).toarray() for name in SCALES}
    np.testing.assert_allclose(dense["l1"].sum(axis=1), 1.0)
    np.testing.assert_allclose((dense["l2"] ** 2).sum(axis=1), 1.0)
    np.testing.assert_allclose(dense["sqrt"] ** 2, dense["raw"])
    np.testing.assert_array_equal(dense["binary"], dense["raw"] > 0)


def test_a_part_of_the_documents_may_be_taken(make_data):
    data = make_data("reuters")
    assert start(data).task.truth.size == 100
    assert start(data, documents=None).task.truth.size == data.n_rows


def test_a_fit_that_goes_on_is_one_long_fit(frames, make_data):
    values, total = frames["digits/choice_iterations"], max(SETTINGS.iteration_grid)
    best = protocol.read_choice(frames["digits/kmeans"], VIEWS["digits"])["accuracy"]
    part = start(make_data("digits"), choice=best)
    last = values[values["steps"] == total].set_index(["method", "metric"])["value"]
    plsa = part.fitted(best, part.starts[best], total)
    both = tied(2)(part, SETTINGS.lambda_.digits, 1.0, SETTINGS.pair_share, total, 0.0)
    for method, labels in (("PLSA + BOVF", plsa.labels_), (TWO, both["printed"].labels[best])):
        for metric, value in scores(part, labels).items():
            assert last[method, metric] == pytest.approx(value, abs=1e-9)
    assert last["PLSA + BOVF", "loglik"] == pytest.approx(plsa.loglik_[-1], rel=1e-9)


def test_hidden_documents_are_scored_apart(frames):
    rows = frames["digits/missing"].set_index(["missing", "scored", "metric"])["value"]
    assert (0.0, "hidden") not in {key[:2] for key in rows.index}
    accuracy = rows.xs("accuracy_pct", level="metric")
    assert accuracy[0.0, "all"] == accuracy[0.0, "seen"]
    assert {(0.3, part) for part in ("all", "hidden", "seen")} <= set(accuracy.index)


def test_fewer_words_leave_no_document_empty(rng):
    Xs = [sp.csr_matrix(np.eye(6)), sp.csr_matrix(np.eye(6)[::-1])]
    kept = extras.fewer_words(Xs, 0.5, rng)
    assert [X.shape for X in kept] == [(6, 3), (6, 3)]
    assert sum(np.asarray(X.sum(axis=1)).ravel() for X in kept).min() >= 1


def test_a_rival_sees_copies_of_the_views_and_no_labels(make_data):
    given = []

    class Rival:
        def get_params(self):
            return {"n_clusters": 2, "random_state": None}

        def set_params(self, **changed):
            given.append(changed)
            return self

        def fit(self, Xs):
            given.append([X.toarray() for X in Xs])
            for X in Xs:
                X.data[:] = 0.0  # whatever it does to its views, the next run sees them whole
            self.labels_ = np.zeros(Xs[0].shape[0], dtype=int)
            return self

    data = make_data("digits")
    context = Context(Job(PAPER, "digits", "rival_test", ""), {"digits": data}, SETTINGS)
    rows = frame("digits", study.beside("all in one", Rival)(context).rows)
    part = start(data)
    expected = scores(part, np.zeros(100, dtype=int))
    assert {row.metric: row.value for row in rows.itertuples()} == expected
    assert set(rows["role"]) == {"ours"}
    told = [name for one in given if isinstance(one, dict) for name in one.items()]
    assert len({value for name, value in told if name == "random_state"}) == SETTINGS.runs
    assert told.count(("n_clusters", CLASSES)) == SETTINGS.runs
    for Xs in (one for one in given if isinstance(one, list)):
        for seen, view in zip(Xs, part.task.views(2), strict=True):
            np.testing.assert_array_equal(seen, view.toarray())


@pytest.mark.parametrize("job", ["kmeans", "plsa", "baselines", "coplsa"])
def test_labels_move_no_clustering_and_every_document_is_scored(
    make_data, frames, rng, monkeypatch, job
):
    data, spy = make_data("digits", n=100), Spy(monkeypatch, metrics, "clustering_accuracy")
    run(f"digits/{job}", data, frames)
    clean = spy.take()
    truth = data.labels.copy()
    data.labels[:] = rng.permutation(data.labels)
    run(f"digits/{job}", data, frames)
    moved = spy.take()
    assert len(clean) == len(moved) > 0
    for labels, _ in clean:
        np.testing.assert_array_equal(labels, truth)
    guesses = [[guess.astype(np.int64).tobytes() for _, guess in calls] for calls in (clean, moved)]
    assert guesses[0] == guesses[1]


def test_labels_move_no_clustering_of_the_searches(make_data, frames, rng, monkeypatch):
    data, spy = make_data("corel5k", n=100), Spy(monkeypatch, metrics, "clustering_accuracy")
    run("corel5k/search", data, frames)
    clean = [guess.tobytes() for _, guess in spy.take()]
    data.labels[:] = rng.permutation(data.labels)
    run("corel5k/search", data, frames)
    assert [guess.tobytes() for _, guess in spy.take()] == clean


def test_a_cell_of_table_1_by_hand(make_data):
    """Six documents, two clusters with other names than the classes; one is misplaced."""
    part = start(make_data("digits"))
    part.task.truth, found = np.array([0, 0, 0, 1, 1, 1]), np.array([1, 1, 0, 0, 0, 0])
    values = scores(part, found)
    assert values["accuracy_pct"] == pytest.approx(100 * 5 / 6)
    shares = {(0, 1): 2 / 6, (0, 0): 1 / 6, (1, 0): 3 / 6}
    classes, clusters = {0: 1 / 2, 1: 1 / 2}, {0: 4 / 6, 1: 2 / 6}
    information = sum(p * np.log(p / (classes[c] * clusters[k])) for (c, k), p in shares.items())
    entropy = max(-sum(p * np.log(p) for p in d.values()) for d in (classes, clusters))
    assert values["nmi_pct"] == pytest.approx(100 * information / entropy)


def test_a_search_by_hand(frames, make_data):
    rows = frames["corel5k/search"]
    here = rows[rows["reading"] == "sift_best: sift_dog, sqrt"].set_index(["method", "metric"])
    part = start(make_data("corel5k"), scale="sqrt")
    for method, view in (("K-means + BOVF", "sift_dog"), (ON_COLOUR, "rgb")):
        expected = scores(part, part.kmeans[view])
        assert here.loc[method]["value"].to_dict() == pytest.approx(expected)


def test_clusters_at_every_step_are_those_of_a_fresh_fit(frames, make_data):
    rows = frames["corel5k/trajectory"]
    assert INFERRED not in set(rows["reading"])  # no row of print's own reading: nothing moves
    curve = rows[rows["table"] == "trajectory"]
    assert set(curve["view"]) == {*VIEWS["corel5k"], "first two"}
    for (view, number, steps), found in curve.groupby(["view", "run", "steps"]):
        part = start(make_data("corel5k"), run=int(number), scale="sqrt")
        init = part.soft_start(view, view, 0.9)
        h = init[0]
        if steps:
            model = PLSA(CLASSES, max_iter=int(steps), tol=0.0, init=init)
            h = model.fit(part.task.inputs[view]).doc_topic_
        expected = scores(part, h.argmax(axis=1))
        assert found.set_index("metric")["value"].to_dict() == pytest.approx(expected, abs=1e-9)


def test_the_inferred_readings_take_the_curve_at_the_short_length(frames):
    rows = frames["corel5k/trajectory"]
    table = rows[(rows["table"] == "1") & (rows["role"] == "published")]
    assert set(table["reading"]) == {FROM_KMEANS, OPPONENT}
    table = table[table["reading"] == FROM_KMEANS]
    printed = load_published(PAPER)
    assert set(table["method"]) == set(printed["method"]) - {"PCoSC"}
    curve = rows[rows["table"] == "trajectory"].set_index(["steps", "view", "metric", "run"])
    start = curve.loc[0]["value"].xs("accuracy_pct", level="metric").groupby("view").mean()
    best = max(("rgb", "sift"), key=lambda view: start[view])
    for method, steps in (("K-means", 0), ("PLSA", 2)):
        for ending, view in (("BOVF", best), ("CTVF", "first two")):
            own = table[table["method"] == f"{method} + {ending}"]
            expected = curve.loc[(steps, view)]["value"].to_dict()
            assert own.set_index(["metric", "run"])["value"].to_dict() == expected


def test_opponent_words_take_the_place_of_grey_ones_and_of_nothing_else(frames, make_data):
    rows = frames["corel5k/trajectory"]
    own = rows[rows["reading"] == OPPONENT]
    data = make_data("corel5k")
    for number in range(2):
        part = start(data, run=number, scale="sqrt", sift="sift_opponent")
        pair = [part.task.inputs[view] for view in ("rgb", "sift_opponent")]
        both = sp.csr_matrix(sp.hstack(pair))
        np.testing.assert_array_equal(part.task.inputs["both"].toarray(), both.toarray())
        labels = part.kmeans["both"]
        h = part.fitted("both", part.soft_start("both", "both", 0.9), 2).doc_topic_
        here = own[own["run"] == number].set_index(["method", "metric"])["value"]
        for method, found in (("K-means", labels), ("PLSA", h.argmax(axis=1))):
            expected = scores(part, found)
            assert here[f"{method} + CTVF"].to_dict() == pytest.approx(expected, abs=1e-9)


def test_a_soft_start_is_a_distribution_around_the_partition(rng):
    X = sp.csr_matrix(rng.poisson(2.0, (30, 9)) + (rng.random((30, 9)) < 0.2).astype(float))
    labels = rng.integers(0, 3, 30)
    h, w = protocol.soft_start(X, labels, 3, 0.8)
    np.testing.assert_allclose(h.sum(axis=1), 1.0)
    np.testing.assert_allclose(w.sum(axis=1), 1.0)
    np.testing.assert_array_equal(h.argmax(axis=1), labels)
    np.testing.assert_allclose(h.max(axis=1), 0.8)
    by_hand = np.stack([(h[:, [z]] * X.toarray()).sum(axis=0) for z in range(3)])
    np.testing.assert_allclose(w, by_hand / by_hand.sum(axis=1, keepdims=True))


@pytest.mark.parametrize(
    "given",
    [
        {"runs": 1},
        {"share_grid": [0.0]},
        {"missing_grid": [1.0]},
        {"scales": ["cubic"]},
        {"documents": {"reuters": 10}},
        {"strong_lambda": {"reuters": 0.0}},
        {"lambda_grid": {"digits": [-1.0]}},
        {"trajectory": {"short_steps": 7}},
    ],
)
def test_absurd_settings_are_refused(given):
    with pytest.raises(SettingsError):
        complete(PaperSettings, given)
    assert complete(PaperSettings, {"strong_lambda": {"nus_wide": 0.0}})
