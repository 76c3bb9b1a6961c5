"""What the text reading does otherwise: draws and links; and no label leaks."""

import numpy as np
import pytest
import scipy.sparse as sp
from leaks import Draws, Spy, same_answers

from reproduction.data.format import MultiViewData
from reproduction.papers.mvplsa import clustering, protocol, tables
from reproduction.papers.mvplsa.parts import TEXT, Part
from reproduction.papers.mvplsa.settings import PaperSettings, TableRuns
from reproduction.results.jobs import Context, find_job
from reproduction.results.published import load_published
from reproduction.results.settings import complete

SETTINGS = complete(
    PaperSettings,
    {
        "iterations": 5,
        "topics": {"webkb": 3, "news": 3},
        "topic_grid": {"webkb": [3], "news": [3]},
        "cotraining": {"u": [10], "p": [1], "n": [1], "rounds": 2},
    },
    size="quick",
).model_copy(update={"rates": [0.2], "runs": TableRuns.model_construct(webkb=1, news=1)})
N = 60
PARTS = {
    "cornell": ("naive_bayes", "mvplsa", "dplsa", "dplsa_v1_v2", "cotraining"),
    "newsgv4": ("naive_bayes", "mvplsa", "dplsa", "dplsa_v1_v2", "dplsa_v3_v4", "split_views"),
}


def context(dataset, seed, labels=None):
    names = ("v1", "v2", "v3", "v4") if dataset == "newsgv4" else ("content", "links", "cites")
    rng = np.random.default_rng(seed)
    views = {}
    for name in names:
        profile = rng.dirichlet(np.full(15, 0.4), 2)
        words = [rng.multinomial(12, profile[c]) for c in np.arange(N) % 2]
        views[name] = sp.csr_matrix(words, dtype=float)
    y = np.arange(N) % 2 if labels is None else labels
    data = MultiViewData(dataset, views, y, ["a", "b"], [str(i) for i in range(N)])
    return Context(find_job("mvplsa", dataset, "clustering"), {dataset: data}, SETTINGS)


def compute(given):
    return tables.compute(given, Part(PARTS[given.job.dataset], TEXT)).rows


@pytest.mark.parametrize("dataset", PARTS)
def test_every_printed_cell_has_its_row_and_nothing_else(dataset, rng):
    rows = compute(context(dataset, int(rng.integers(1 << 30))))
    assert {row.reading for row in rows} == {TEXT}
    printed = load_published("mvplsa")
    printed = printed[printed["dataset"] == dataset]
    assert {(row.table, row.method) for row in rows} == set(
        printed[["table", "method"]].itertuples(index=False, name=None)
    )


@pytest.mark.parametrize("dataset", PARTS)
def test_hidden_labels_move_nothing(dataset, rng, monkeypatch):
    seed = int(rng.integers(1 << 30))
    spy = Spy(monkeypatch, protocol, "accuracy")
    drawn = Draws(monkeypatch, protocol, "draw_over_all")
    clean = context(dataset, seed)
    compute(clean)
    before = spy.take()
    known = drawn.masks[0]
    assert all(np.array_equal(mask, known) for mask in drawn.masks)
    drawn.replay()
    y = clean.data.labels
    compute(context(dataset, seed, np.where(known, y, 1 - y)))
    same_answers(before, spy.take())


def test_pages_have_the_links_they_make(rng):
    given = context("cornell", int(rng.integers(1 << 30)))
    assert protocol.task_of(given, reading=TEXT).Xs[1] is given.data.views["cites"]
    assert protocol.task_of(given).Xs[1] is given.data.views["links"]


def test_no_draw_lacks_a_class_and_each_has_its_share(rng):
    """Any sizes of classes, any rate, any seed."""
    for _ in range(50):
        sizes = rng.integers(8, 60, size=rng.integers(2, 4))
        y = rng.permutation(np.repeat(np.arange(sizes.size), sizes))
        rate = float(rng.uniform(0.001, 0.5))
        mask = protocol.draw_over_all(y, rate, rng)
        assert set(y[mask]) == set(range(sizes.size))
        assert mask.sum() == max(sizes.size, round(rate * y.size))


def test_runs_draw_otherwise_and_again_the_same(rng):
    task = protocol.task_of(context("cornell", int(rng.integers(1 << 30))), reading=TEXT)
    drawn = [protocol.draw(task, 0.2, run).labels for run in range(20)]
    assert len({labels.tobytes() for labels in drawn}) == 20
    np.testing.assert_array_equal(drawn[7], protocol.draw(task, 0.2, 7).labels)


def test_draws_over_all_are_even(rng):
    """Given that no class is left out, every pair of one document a class is as likely."""
    y = np.array([0, 0, 0, 1])
    hits = sum(protocol.draw_over_all(y, 0.5, rng) for _ in range(3000))
    assert hits[3] == 3000
    np.testing.assert_allclose(hits[:3], 1000, atol=150)


def test_clusterings_differ_by_the_links_alone(rng):
    seed = int(rng.integers(1 << 30))
    for dataset in PARTS:
        given = context(dataset, seed)
        if dataset == "cornell":  # the same links under both readings: then all is the same
            given.data.views["cites"] = given.data.views["links"]
        rows = clustering.run(given).rows
        values = {
            reading: {
                (row.method, row.metric, row.run): row.value
                for row in rows
                if row.reading == reading and row.role == "published"
            }
            for reading in ("inferred", TEXT)
        }
        assert values["inferred"] == values[TEXT]
        assert {method for method, _, _ in values[TEXT]} == {
            "Kmeans_Best", "Kmeans_Avg", "MVC", "MVPLSA",
        }  # fmt: skip


def test_single_views_start_from_the_ensemble(rng, monkeypatch):
    starts = {}
    fit_rows = tables.fit_rows

    def spied(task, drawn, model, Xs, method, names, start="naive_bayes"):
        starts[method] = start
        return fit_rows(task, drawn, model, Xs, method, names, start)

    monkeypatch.setattr(tables, "fit_rows", spied)
    compute(context("cornell", int(rng.integers(1 << 30))))
    np.testing.assert_array_equal(starts["DPLSA_V1"], starts["DPLSA_V2"])
    assert starts["DPLSA_V1"].shape == (N, 2)
