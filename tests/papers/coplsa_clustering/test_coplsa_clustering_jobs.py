import os

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from pydantic import ValidationError

from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_clustering import protocol
from reproduction.papers.coplsa_clustering.columns import INFERRED, PAPER, SAFEGUARDED, TABLES, TWO
from reproduction.papers.coplsa_clustering.rivals import DATASETS, compare
from reproduction.papers.coplsa_clustering.settings import PaperSettings
from reproduction.papers.coplsa_clustering.tables import fit_both
from reproduction.results.jobs import Context, Job, find_job, jobs_of
from reproduction.results.published import load_published, printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete

_TINY = {"iterations": 2, "choice_runs": 1, "documents": 100}
SETTINGS = complete(
    PaperSettings,
    {"reduction": {"topics": 5, "iterations": 2}, **dict.fromkeys(protocol.VIEWS, _TINY)},
    size="quick",
)
_CLASSES = 4


def make_data(dataset, n=110):
    """Views in which every class has its own words; the same in all tests of a session."""
    rng = np.random.default_rng(int(os.environ["MANYVIEWS_TEST_SEED"]))
    y = np.arange(n) % _CLASSES
    names = [*protocol.VIEWS[dataset]]
    if dataset == "corel5k":
        names += ["sift_dense", "sift_multi", "sift_dog", "sift_opponent"]
    views = {}
    for name in names:
        topics = rng.dirichlet(np.full(25, 0.2), _CLASSES)
        views[name] = sp.csr_matrix(rng.poisson(30 * topics[y]).astype(float))
    classes = [str(c) for c in range(_CLASSES)]
    return MultiViewData(dataset, views, y, classes, [str(i) for i in range(n)])


def run(job, results, settings=SETTINGS):
    context = Context(job, {job.dataset: make_data(job.dataset)}, settings, results)
    rows = job.load()(context).rows
    return result_frames(PAPER, job.dataset, rows, TABLES, printed_methods(PAPER))


@pytest.fixture(scope="module")
def frames():
    """Rows of every job of the paper, on small random data."""
    found = {}
    for job in jobs_of(PAPER):
        found[job.place] = run(job, {name: found[name][0] for name in job.after})
    return found


def test_every_published_cell_gets_its_runs(frames):
    rows = pd.concat([values for values, _ in frames.values()])
    ours = rows[(rows["reading"] == INFERRED) & (rows["role"] == "published")]
    counts = ours.groupby(["table", "dataset", "method", "metric"])["run"].nunique()
    for cell in load_published(PAPER).itertuples():
        assert counts[cell.table, cell.dataset, cell.method, cell.metric] == SETTINGS.runs


def test_every_declared_table_is_written(frames):
    written = {name for pair in frames.values() for part in pair for name in part["table"]}
    assert written == set(TABLES)


def test_values_are_percentages_and_times_are_kept_apart(frames):
    for values, timings in frames.values():
        scores = values[values["metric"].isin(["accuracy_pct", "nmi_pct"])]["value"]
        assert scores.between(0, 100).all()
        assert not values["table"].map(lambda name: TABLES[name].timed).any()
        assert set(timings.columns) >= {"seconds", "iterations"}
    assert set(frames["corel5k/cost"][1]["sweep"]) == {"pairs", "words"}


def test_best_view_is_what_the_rules_say(frames):
    for dataset, names in protocol.VIEWS.items():
        values = frames[f"{dataset}/kmeans"][0]
        choice = protocol.read_choice(values, names)
        assert set(choice.values()) <= set(names[:2])
        bovf = values[values["method"] == "K-means + BOVF"].set_index(["metric", "run"])
        chosen = bovf[(bovf["table"] == "choice:view") & (bovf["view"] == choice["accuracy"])]
        paper = bovf[(bovf["table"] == "1") & (bovf["reading"] == INFERRED)]
        assert len(paper)
        pd.testing.assert_series_equal(paper["value"], chosen["value"])


def test_runs_repeat_exactly(frames):
    job = find_job(PAPER, "reuters", "coplsa")
    again, _ = run(job, {name: frames[name][0] for name in job.after})
    pd.testing.assert_frame_equal(again, frames[job.place][0])


def make_task(dataset="reuters", settings=SETTINGS):
    job = find_job(PAPER, dataset, "kmeans")
    return protocol.make_task(Context(job, {dataset: make_data(dataset)}, settings))


def test_plsa_and_coplsa_share_their_starts():
    task = make_task()
    starts = task.starts(3, 2)
    for v, name in enumerate(task.names[:2]):
        alone = task.start(name, task.Xs[v], 3)
        np.testing.assert_array_equal(alone[0], starts[v][0])
        np.testing.assert_array_equal(alone[1], starts[v][1])
        np.testing.assert_array_equal(task.plsa(name, task.Xs[v], 3).init[0], starts[v][0])
    assert not np.array_equal(task.start("EN", task.Xs[0], 0)[0], starts[0][0])
    model = task.coplsa(3, 2, lam=0.0).fit(task.Xs[:2])
    again = task.coplsa(3, 3, lam=0.0).fit(task.Xs)
    np.testing.assert_array_equal(model.doc_topic_[1], again.doc_topic_[1])


def test_second_fit_is_saved_only_when_it_would_be_the_same():
    task = make_task()
    calm = fit_both(task, 0, 2, lam=1e-6)
    assert calm[INFERRED] is calm[SAFEGUARDED]
    wild = fit_both(task.scaled("l1"), 0, 2, lam=50.0, pair_share=1.0, max_iter=15)
    assert wild[INFERRED].unsafe_steps_ > 0
    assert wild[SAFEGUARDED].update == "safeguarded"
    assert (np.diff(wild[SAFEGUARDED].objective_) >= -1e-9).all()


def test_scales():
    task = make_task()
    X = task.Xs[0]
    np.testing.assert_allclose(task.scaled("l1").Xs[0].sum(axis=1), 1.0)
    np.testing.assert_allclose(
        task.scaled("l2").Xs[0].multiply(task.scaled("l2").Xs[0]).sum(axis=1), 1.0
    )
    np.testing.assert_allclose(task.scaled("sqrt").Xs[0].toarray() ** 2, X.toarray())
    assert set(task.scaled("binary").Xs[0].data) == {1.0}
    assert task.scaled("raw").Xs[0] is X


def test_quick_runs_use_a_subset_of_the_documents():
    assert make_task().y.size == _TINY["documents"]
    assert make_task(settings=PaperSettings()).y.size == make_data("reuters").n_rows


def test_a_fit_that_goes_on_is_one_long_fit(frames):
    job = find_job(PAPER, "digits", "choice_iterations")
    results = {name: frames[name][0] for name in job.after}
    context = Context(job, {"digits": make_data("digits")}, SETTINGS, results)
    task = protocol.make_task(context)
    total = max(SETTINGS.iteration_grid)
    values = frames[job.place][0]
    last = values[values["steps"] == total].set_index(["method", "metric"])["value"]
    X, name = task.Xs[task.best], task.names[task.best]
    plsa = task.plsa(name, X, 0, max_iter=total, tol=0.0).fit(X)
    tied = task.coplsa(0, 2, max_iter=total, tol=0.0).fit(task.Xs[:2])
    found = {"PLSA + BOVF": plsa.labels_, TWO: tied.labels_by_view_[task.best]}
    for method, labels in found.items():
        for metric, value in protocol.scores(task.y, labels).items():
            assert last[method, metric] == pytest.approx(value, abs=1e-9)
    assert last["PLSA + BOVF", "loglik"] == pytest.approx(plsa.loglik_[-1], rel=1e-9)


def rival_context(dataset):
    """What a rival's job gets: no results of other jobs."""
    job = Job(PAPER, dataset, "rival_test", "no.module:run")
    return Context(job, {dataset: make_data(dataset)}, SETTINGS)


@pytest.mark.parametrize("dataset", DATASETS)
def test_a_rival_sees_views_and_no_labels(dataset):
    given = []

    def predict(Xs, n_clusters, seed):
        given.append((Xs, n_clusters, seed))
        for X in Xs:
            X.data[:] = 0.0  # whatever it does to its views, the next run sees them whole
        return np.zeros(Xs[0].shape[0], dtype=int)

    rows = compare(rival_context(dataset), "all in one", predict).rows
    frame, timings = result_frames(PAPER, dataset, rows, TABLES, printed_methods(PAPER))
    assert set(frame["role"]) == {"ours"}
    assert set(frame["table"]) == {"1"}
    assert set(frame["run"]) == set(range(SETTINGS.runs))
    assert len(timings) == SETTINGS.runs
    task = make_task(dataset)
    expected = protocol.scores(task.y, np.zeros(task.y.size, dtype=int))
    for row in frame.itertuples():
        assert row.value == expected[row.metric]
    assert len({seed for _, _, seed in given}) == SETTINGS.runs
    for Xs, n_clusters, _ in given:
        assert n_clusters == _CLASSES
        assert [X.shape for X in Xs] == [X.shape for X in task.Xs[:2]]
        assert [X.nnz for X in Xs] == [X.nnz for X in task.Xs[:2]]


def test_what_a_rival_is_given_does_not_change_with_the_labels(rng):
    data = make_data("digits")
    other = MultiViewData(
        "digits", data.views, rng.permutation(data.labels), data.class_names, data.ids
    )
    seen = []
    for told in (data, other):
        context = rival_context("digits")
        context.views = {"digits": told}

        def predict(Xs, n_clusters, seed):
            seen.append([*(X.toarray() for X in Xs), n_clusters, seed])
            return np.zeros(Xs[0].shape[0], dtype=int)

        compare(context, "all in one", predict)
    for one, two in zip(seen[: SETTINGS.runs], seen[SETTINGS.runs :], strict=True):
        for left, right in zip(one, two, strict=True):
            np.testing.assert_array_equal(left, right)


def test_a_rival_that_returns_too_little_is_named():
    with pytest.raises(ValueError, match=r"short: .* return one cluster number per document"):
        compare(rival_context("digits"), "short", lambda Xs, n_clusters, seed: [0, 1])


@pytest.mark.parametrize(
    "given",
    [
        {"runs": 1},
        {"runs": 100_000},
        {"share_grid": []},
        {"share_grid": [0.0]},
        {"missing_grid": [1.0]},
        {"scales": ["cubic"]},
        {"reuters": {"documents": 10}},
        {"reuters": {"strong_lambda": 0.0}},
        {"digits": {"lambda_grid": [-1.0]}},
        {"nus_wide": {"runs": 3}},
    ],
)
def test_absurd_settings_are_refused(given):
    with pytest.raises(ValidationError):
        PaperSettings.model_validate(given)


def test_a_strong_lambda_may_be_left_out_where_only_table_1_reads_it():
    assert PaperSettings.model_validate({"nus_wide": {"strong_lambda": 0}}).nus_wide
