import copy

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from manyviews.baselines.one_table import PLSAClustering
from reproduction.data.format import MultiViewData
from reproduction.files import ROOT
from reproduction.papers.coplsa_clustering import protocol
from reproduction.papers.coplsa_clustering.coplsa import fit_both
from reproduction.results.jobs import Context, jobs_of, result_frames
from reproduction.workflow.config import load_config

PAPER = "coplsa_clustering"
PUBLISHED = ROOT / "data" / "published" / "results.csv"


@pytest.fixture(scope="module")
def settings():
    quick = copy.deepcopy(load_config(ROOT / "config" / "quick.yaml")["papers"][PAPER])
    quick["iterations"] = dict.fromkeys(quick["iterations"], 2)
    quick["reduction"] = {"topics": 5, "iterations": 2}
    quick["sensitivity_runs"] = dict.fromkeys(quick["sensitivity_runs"], 1)
    quick["documents"] = dict.fromkeys(quick["documents"], 100)
    return quick


def make_data(dataset, n=110):
    rng = np.random.default_rng(1)
    y = np.arange(n) % 4
    names = [*protocol.VIEWS[dataset][0]]
    if dataset == "corel5k":
        names += ["sift_dense", "sift_dog"]
    views = {}
    for name in names:
        topics = rng.dirichlet(np.full(25, 0.2), 4)
        views[name] = sp.csr_matrix(rng.poisson(30 * topics[y]).astype(float) + 0.0)
    return MultiViewData(dataset, views, y, list("abcd"), [str(i) for i in range(n)])


@pytest.fixture(scope="module")
def frames(settings):
    """Rows of every job of the paper, on small random data."""
    found = {}
    for job in jobs_of(PAPER):
        results = {name: found[name][0] for name in job.after}
        context = Context(job, {job.dataset: make_data(job.dataset)}, settings, results)
        found[f"{job.dataset}/{job.name}"] = result_frames(job, job.load()(context))
    return found


def test_every_published_cell_gets_its_runs(frames, settings):
    published = pd.read_csv(PUBLISHED, dtype=str)
    published = published[published["paper"] == PAPER]
    rows = pd.concat([values for values, _ in frames.values()])
    ours = rows[rows["reading"] == "paper"]
    counts = ours.groupby(["table", "label", "setting", "method", "metric"])["run"].nunique()
    assert len(published) == 54
    for cell in published.itertuples():
        key = (cell.table, cell.dataset, cell.setting, cell.method, cell.metric)
        assert counts[key] == settings["runs"]


def test_values_are_percentages_and_times_are_kept_apart(frames):
    for values, timings in frames.values():
        scores = values[values["metric"].isin(["accuracy_pct", "nmi_pct"])]["value"]
        assert scores.between(0, 100).all()
        assert not values["table"].str.startswith("time:").any()
        assert set(timings.columns) >= {"seconds", "iterations"}
    assert set(frames["corel5k/cost"][1]["table"]) == {"time:pairs", "time:words"}


def test_best_view_is_what_the_choice_table_says(frames):
    for dataset, (names, _) in protocol.VIEWS.items():
        values = frames[f"{dataset}/kmeans"][0]
        choice = protocol.read_choice(values, names)
        assert set(choice.values()) <= set(names[:2])
        bovf = values[values["method"] == "K-means + BOVF"]
        paper = bovf[bovf["reading"] == "paper"]["value"].to_numpy()
        chosen = bovf[bovf["reading"] == f"view={choice['accuracy']}"]["value"].to_numpy()
        np.testing.assert_array_equal(paper, chosen)


def test_runs_repeat_exactly(frames, settings):
    (job,) = [j for j in jobs_of(PAPER) if (j.dataset, j.name) == ("reuters", "coplsa")]
    results = {name: frames[name][0] for name in job.after}
    context = Context(job, {"reuters": make_data("reuters")}, settings, results)
    again, _ = result_frames(job, job.load()(context))
    pd.testing.assert_frame_equal(again, frames["reuters/coplsa"][0])


def make_task(settings, dataset="reuters"):
    job = jobs_of(PAPER)[0]
    job = next(j for j in jobs_of(PAPER) if j.dataset == dataset)
    return protocol.make_task(Context(job, {dataset: make_data(dataset)}, settings))


def test_plsa_and_coplsa_share_their_starts(settings):
    task = make_task(settings)
    starts = task.starts(3, 2)
    for v, name in enumerate(task.names[:2]):
        alone = task.start(name, task.Xs[v], 3)
        np.testing.assert_array_equal(alone[0], starts[v][0])
        np.testing.assert_array_equal(alone[1], starts[v][1])
    assert not np.array_equal(task.start("EN", task.Xs[0], 0)[0], starts[0][0])
    model = task.coplsa(3, 2, lam=0.0).fit(task.Xs[:2])
    again = task.coplsa(3, 3, lam=0.0).fit(task.Xs)
    np.testing.assert_array_equal(model.doc_topic_[1], again.doc_topic_[1])


def test_second_fit_is_saved_only_when_it_would_be_the_same(settings):
    task = make_task(settings)
    calm = fit_both(task, 0, 2, lam=1e-6)
    assert calm["paper"] is calm["update=safeguarded"]
    wild = fit_both(task.scaled("l1"), 0, 2, lam=50.0, pair_share=1.0, max_iter=15)
    assert wild["paper"].unsafe_steps_ > 0
    assert wild["update=safeguarded"].update == "safeguarded"
    assert (np.diff(wild["update=safeguarded"].objective_) >= -1e-9).all()


def test_scales(settings):
    task = make_task(settings)
    X = task.Xs[0]
    np.testing.assert_allclose(task.scaled("l1").Xs[0].sum(axis=1), 1.0)
    np.testing.assert_allclose(
        task.scaled("l2").Xs[0].multiply(task.scaled("l2").Xs[0]).sum(axis=1), 1.0
    )
    np.testing.assert_allclose(task.scaled("sqrt").Xs[0].toarray() ** 2, X.toarray())
    assert set(task.scaled("binary").Xs[0].data) == {1.0}
    assert task.scaled("raw").Xs[0] is X


def test_quick_runs_use_a_subset_of_the_documents(settings):
    assert make_task(settings).y.size == 100
    assert make_task({**settings, "documents": dict.fromkeys(protocol.VIEWS)}).y.size == 110


def test_a_fit_that_goes_on_is_one_long_fit(frames, settings):
    values = frames["digits/iterations"][0]
    job = next(job for job in jobs_of(PAPER) if (job.dataset, job.name) == ("digits", "iterations"))
    results = {name: frames[name][0] for name in job.after}
    task = protocol.make_task(Context(job, {"digits": make_data("digits")}, settings, results))
    best = task.names.index(protocol.read_choice(results["digits/kmeans"], task.names)["accuracy"])
    total = max(settings["iteration_grid"])
    last = values[values["setting"] == f"iterations={total}"].set_index(["method", "metric"])
    plsa = PLSAClustering(
        task.n_clusters,
        max_iter=total,
        tol=0.0,
        init=task.start(task.names[best], task.Xs[best], 0),
    ).fit(task.Xs[best])
    tied = task.coplsa(0, 2, max_iter=total, tol=0.0).fit(task.Xs[:2])
    found = {"PLSA + BOVF": plsa.labels_, "CoPLSA(2)": tied.labels_by_view_[best]}
    for method, labels in found.items():
        for metric, value in protocol.scores(task.y, labels).items():
            assert last.loc[(method, metric), "value"] == pytest.approx(value, abs=1e-9)
    assert last.loc[("PLSA + BOVF", "loglik"), "value"] == pytest.approx(plsa.loglik_[-1], rel=1e-9)
