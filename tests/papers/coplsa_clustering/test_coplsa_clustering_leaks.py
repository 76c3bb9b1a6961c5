"""Labels reach no clustering: they score it, and choose a view where the paper's rule says so."""

import numpy as np
import pytest
import scipy.sparse as sp
from leaks import Spy

from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_clustering import protocol
from reproduction.papers.coplsa_clustering.columns import PAPER, TABLES
from reproduction.papers.coplsa_clustering.settings import PaperSettings
from reproduction.results.jobs import Context, find_job
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete

_TINY = {"iterations": 2, "choice_runs": 1, "documents": 100}
SETTINGS = complete(
    PaperSettings,
    {"reduction": {"topics": 4, "iterations": 2}, **dict.fromkeys(protocol.VIEWS, _TINY)},
    size="quick",
)
DATASET = "digits"
JOBS = ("kmeans", "plsa", "baselines", "coplsa")


@pytest.fixture
def data(rng):
    y = np.arange(60) % 3
    views = {}
    for name in protocol.VIEWS[DATASET]:
        topics = rng.dirichlet(np.full(12, 0.3), 3)
        views[name] = sp.csr_matrix(rng.poisson(20 * topics[y]).astype(float))
    return MultiViewData(DATASET, views, y, ["a", "b", "c"], [str(i) for i in range(60)])


def run(name, data, results=None):
    job = find_job(PAPER, DATASET, name)
    context = Context(job, {DATASET: data}, SETTINGS, results or {})
    return job.load()(context).rows


def choices(data):
    frame, _ = result_frames(PAPER, DATASET, run("kmeans", data), TABLES, printed_methods(PAPER))
    return {f"{DATASET}/kmeans": frame}


def clusterings(calls):
    return {guess.astype(np.int64).tobytes() for _, guess in calls}


@pytest.mark.parametrize("name", JOBS)
def test_labels_move_no_clustering(data, rng, monkeypatch, name):
    before = choices(data) if find_job(PAPER, DATASET, name).after else None
    spy = Spy(monkeypatch, protocol, "clustering_accuracy")
    run(name, data, before)
    clean = spy.take()
    other = MultiViewData(
        DATASET, data.views, rng.permutation(data.labels), data.class_names, data.ids
    )
    run(name, other, before)
    moved = spy.take()
    assert len(clean) == len(moved) > 0
    if before is None:  # here the labels choose, by the paper's rule, which clustering counts
        assert clusterings(clean) == clusterings(moved)
    else:
        assert [g.tobytes() for _, g in clean] == [g.tobytes() for _, g in moved]


@pytest.mark.parametrize("name", JOBS)
def test_every_document_is_scored(data, monkeypatch, name):
    before = choices(data) if find_job(PAPER, DATASET, name).after else None
    spy = Spy(monkeypatch, protocol, "clustering_accuracy")
    run(name, data, before)
    for truth, guess in spy.take():
        np.testing.assert_array_equal(truth, data.labels)
        assert guess.shape == (60,)


def test_the_best_view_is_the_one_with_the_larger_score(data):
    frame = choices(data)[f"{DATASET}/kmeans"]
    part = frame[frame["table"] == "choice:best_view"].copy()
    first, second = protocol.VIEWS[DATASET][:2]
    for winner, loser in ((first, second), (second, first)):
        part.loc[part["view"] == winner, "value"] = 0.9
        part.loc[part["view"] == loser, "value"] = 0.1
        assert set(protocol.read_choice(part, protocol.VIEWS[DATASET]).values()) == {winner}


def test_a_cell_of_table_1_by_hand():
    """Six documents, two clusters with other names than the classes; one is misplaced."""
    truth, found = np.array([0, 0, 0, 1, 1, 1]), np.array([1, 1, 0, 0, 0, 0])
    values = protocol.scores(truth, found)
    assert values["accuracy_pct"] == pytest.approx(100 * 5 / 6)
    shares = {(0, 1): 2 / 6, (0, 0): 1 / 6, (1, 0): 3 / 6}
    classes, clusters = {0: 1 / 2, 1: 1 / 2}, {0: 4 / 6, 1: 2 / 6}
    information = sum(p * np.log(p / (classes[c] * clusters[k])) for (c, k), p in shares.items())
    entropy = max(-sum(p * np.log(p) for p in d.values()) for d in (classes, clusters))
    assert values["nmi_pct"] == pytest.approx(100 * information / entropy)
