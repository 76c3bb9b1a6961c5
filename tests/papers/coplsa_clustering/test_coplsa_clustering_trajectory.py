"""PLSA from k-means on square roots: what is recorded equals fits that stop there."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from manyviews.models.plsa import PLSA
from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_clustering import protocol, trajectory
from reproduction.papers.coplsa_clustering.columns import PAPER, TABLES
from reproduction.papers.coplsa_clustering.settings import PaperSettings
from reproduction.results.jobs import Context, find_job
from reproduction.results.published import load_published, printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import SettingsError, complete

OWN = {"steps": [1, 2, 5], "short_steps": 2, "runs": 2}
SETTINGS = complete(PaperSettings, {"trajectory": OWN}, size="quick")


@pytest.fixture
def job():
    return find_job(PAPER, "corel5k", "trajectory")


@pytest.fixture
def context(rng, job):
    n, classes = 120, 4
    y = np.arange(n) % classes
    views = {}
    for name in (*protocol.VIEWS["corel5k"], "sift_opponent"):
        topics = rng.dirichlet(np.full(20, 0.4), classes)
        views[name] = sp.csr_matrix(rng.poisson(15 * topics[y]).astype(float))
    data = MultiViewData("corel5k", views, y, list("abcd"), [str(i) for i in range(n)])
    views_seen = [
        {"table": "choice:best_view", "rule": rule, "view": view, "value": 1.0}
        for rule in ("accuracy", "silhouette", "likelihood")
        for view in protocol.VIEWS["corel5k"]
    ]
    return Context(job, {"corel5k": data}, SETTINGS, {"corel5k/kmeans": pd.DataFrame(views_seen)})


def frame_of(context):
    result = context.job.load()(context)
    frame = result_frames(PAPER, "corel5k", result.rows, TABLES, printed_methods(PAPER))[0]
    return frame, result.details


def test_clusters_at_every_step_are_those_of_a_fresh_fit(context):
    frame, details = frame_of(context)
    assert "inferred" not in set(frame["reading"])  # no row of print's own reading: nothing moves
    task = protocol.make_task(context).scaled("sqrt")
    inputs = trajectory.Inputs.of(context, task, 2)
    curve = frame[frame["table"] == "trajectory"]
    assert set(curve["view"]) == {*task.names, "first two"}
    for (view, run, steps), part in curve.groupby(["view", "run", "steps"]):
        X = inputs.matrices[view]
        start = trajectory.soft_start(X, inputs.partitions[int(run)][view], 4, 0.9)
        h = start[0]
        if steps:
            h = PLSA(4, max_iter=int(steps), tol=0.0, init=start).fit(X).doc_topic_
        expected = protocol.scores(task.y, h.argmax(axis=1))
        assert part.set_index("metric")["value"].to_dict() == pytest.approx(expected, abs=1e-9)
    assert details["best view"] in task.names[:2]


def test_every_published_method_but_the_spectral_one_has_the_reading(context):
    frame, details = frame_of(context)
    table = frame[(frame["table"] == "1") & (frame["role"] == "published")]
    assert set(table["reading"]) == {trajectory.READING, trajectory.OPPONENT_READING}
    table = table[table["reading"] == trajectory.READING]
    printed = load_published(PAPER)
    printed = printed[printed["dataset"] == "corel5k"]
    assert set(table["method"]) == set(printed["method"]) - {"PCoSC"}
    # the best view's PLSA at the short length is the curve's value there
    curve = frame[(frame["table"] == "trajectory") & (frame["steps"] == 2)]
    curve = curve[curve["view"] == details["best view"]].set_index(["metric", "run"])["value"]
    plsa = table[table["method"] == "PLSA + BOVF"].set_index(["metric", "run"])["value"]
    assert plsa.to_dict() == curve.to_dict()
    kmeans = frame[(frame["table"] == "trajectory") & (frame["steps"] == 0)]
    kmeans = kmeans[kmeans["view"] == details["best view"]].set_index(["metric", "run"])["value"]
    own = table[table["method"] == "K-means + BOVF"].set_index(["metric", "run"])["value"]
    assert own.to_dict() == kmeans.to_dict()  # at the start the clusters are those of k-means


def test_opponent_words_take_the_place_of_grey_ones_and_of_nothing_else(context):
    frame, _ = frame_of(context)
    own = frame[frame["reading"] == trajectory.OPPONENT_READING]
    task = protocol.make_task(context)
    pair = [sp.csr_matrix(context.data.views[v].sqrt()) for v in ("rgb", "sift_opponent")]
    both = sp.csr_matrix(sp.hstack(pair))
    for run in range(2):
        labels = task.kmeans(both, "kmeans", "both", run)
        start = trajectory.soft_start(both, labels, 4, 0.9)
        h = PLSA(4, max_iter=2, tol=0.0, init=start).fit(both).doc_topic_
        here = own[own["run"] == run].set_index(["method", "metric"])["value"]
        for method, found in (("K-means", labels), ("PLSA", h.argmax(axis=1))):
            expected = protocol.scores(task.y, found)
            assert here[f"{method} + CTVF"].to_dict() == pytest.approx(expected, abs=1e-9)


def test_clusters_under_opponent_words_do_not_follow_the_labels(context, rng):
    """K-means and PLSA see no label but through the choice between two views by accuracy."""
    first = frame_of(context)[0]
    data = context.data
    data.labels[:] = rng.permutation(data.labels)
    second = frame_of(context)[0]
    joined = [
        frame[
            (frame["reading"] == trajectory.OPPONENT_READING) & (frame["method"] == "PLSA + CTVF")
        ]
        for frame in (first, second)
    ]
    assert joined[0]["value"].mean() > joined[1]["value"].mean()  # the same clusters, other truth


def test_a_soft_start_is_a_distribution_around_the_partition(rng):
    X = sp.csr_matrix(rng.poisson(2.0, (30, 9)) + (rng.random((30, 9)) < 0.2).astype(float))
    labels = rng.integers(0, 3, 30)
    h, w = trajectory.soft_start(X, labels, 3, 0.8)
    np.testing.assert_allclose(h.sum(axis=1), 1.0)
    np.testing.assert_allclose(w.sum(axis=1), 1.0)
    np.testing.assert_array_equal(h.argmax(axis=1), labels)
    np.testing.assert_allclose(h.max(axis=1), 0.8)
    by_hand = np.stack([(h[:, [z]] * X.toarray()).sum(axis=0) for z in range(3)])
    np.testing.assert_allclose(w, by_hand / by_hand.sum(axis=1, keepdims=True))


def test_a_short_run_that_is_not_recorded_is_refused():
    with pytest.raises(SettingsError, match="steps must contain"):
        complete(PaperSettings, {"trajectory": {"short_steps": 7}})
