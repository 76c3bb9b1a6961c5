"""The experiments of mvplsa on tiny data: rows, readings, draws."""

import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data.format import MultiViewData
from reproduction.papers.mvplsa.protocol import draw, task_of
from reproduction.papers.mvplsa.silent import draw_by
from reproduction.papers.mvplsa.split_views import split_columns
from reproduction.results.jobs import Context, find_job, jobs_of, result_frames

SETTINGS = {
    "runs": 2,
    "rates": [0.05, 0.2],
    "iterations": 6,
    "floor": 1e-3,
    "topics": {"webkb": 4, "news": 4},
    "topic_grid": {"webkb": [2, 5], "news": [2, 5]},
    "topic_runs": {"webkb": 2, "news": 2},
    "cotraining": {"u": [10], "p": [1, 2], "n": [1], "rounds": 3},
    "extra_runs": 1,
    "choice_runs": {"webkb": 2, "news": 1},
    "text_runs": 2,
    "floor_grid": [1e-6, 1e-3],
    "smoothing_grid": [0.1, 1.0],
    "iteration_grid": [2, 6],
}


def fake(name, views, n, classes, rng):
    """Small random documents whose classes differ in every view."""
    y = np.arange(n) % classes
    matrices = {}
    for view in views:
        profile = rng.dirichlet(np.full(20, 0.3), classes)
        counts = np.array([rng.multinomial(15, profile[c]) for c in y])
        matrices[view] = sp.csr_matrix(counts, dtype=float)
    return MultiViewData(
        name=name,
        views=matrices,
        labels=y,
        class_names=[f"class {c}" for c in range(classes)],
        ids=[str(i) for i in range(n)],
        feature_names={},
        ontology=None,
        rows={},
        provenance={},
    )


def context_of(dataset, name, rng):
    job = find_job("mvplsa", dataset, name)
    views = {
        "cornell": ("content", "links", "cites", "cited"),
        "washington": ("content", "links", "cites", "cited"),
        "newsgv2": ("v1", "v2"),
        "newsgv4": ("v1", "v2", "v3", "v4"),
    }[dataset]
    classes = 3 if dataset == "newsgv4" else 2
    data = {key: fake(key, views, 30 * classes, classes, rng) for key in job.view_keys}
    return Context(job, data, SETTINGS)


@pytest.mark.parametrize("place", [(job.dataset, job.name) for job in jobs_of("mvplsa")])
def test_every_job_runs_twice_to_the_same_rows(place, rng):
    seed = int(rng.integers(1 << 30))
    first = context_of(*place, np.random.default_rng(seed))
    one, _ = result_frames(first.job, first.job.load()(first))
    assert np.isfinite(one["value"]).all()
    assert one["value"].between(0, 100).all()
    if place[1] in ("mvplsa", "clustering"):
        again = context_of(*place, np.random.default_rng(seed))
        two, _ = result_frames(again.job, again.job.load()(again))
        assert one.equals(two)


def test_the_jobs_cover_every_published_cell():
    import pandas as pd

    from reproduction.pages.results import published_root

    published = pd.read_csv(published_root() / "results.csv", dtype={"table": str})
    published = published[published["paper"] == "mvplsa"]
    assert len(published) == 233
    rng = np.random.default_rng(0)
    settings = dict(SETTINGS, rates=[0.01, 0.02, 0.03, 0.04, 0.05], iterations=2, runs=2)
    have = set()
    for job in jobs_of("mvplsa"):
        if job.name in ("topics", "text", "choices", "clustering"):
            continue
        context = context_of(job.dataset, job.name, rng)
        context.settings = settings
        frame, _ = result_frames(job, job.load()(context))
        frame = frame[frame["reading"] == "paper"]
        keys = frame[["table", "dataset", "setting", "method", "metric"]].itertuples(index=False)
        have |= {tuple(map(str, key)) for key in keys}
    columns = ["table", "dataset", "setting", "method", "metric"]
    wanted = published.assign(dataset=published["dataset"].str.lower())[columns]
    assert set(wanted.itertuples(index=False, name=None)) <= have


def test_draws_are_shared_and_per_class(rng):
    context = context_of("cornell", "everything", rng)
    task = task_of(context)
    one, two = draw(task, 0.1, 3), draw(task, 0.1, 3)
    np.testing.assert_array_equal(one.labels, two.labels)
    assert [int((one.labels == c).sum()) for c in range(2)] == [3, 3]
    assert (draw(task, 0.1, 4).labels != one.labels).any()
    assert one.setting == "r=0.10"


def test_other_samplings(rng):
    task = task_of(context_of("cornell", "everything", rng))
    for run in range(5):
        both = draw_by(task, 0.04, run, "both present")
        assert (both.labels >= 0).sum() == 2
        assert np.unique(both.labels[both.labels >= 0]).size == 2
        assert (draw_by(task, 0.04, run, "any").labels >= 0).sum() == 2
        assert (draw_by(task, 0.001, run, "both present").labels >= 0).sum() == 2


def test_split_deals_every_column_once(rng):
    X = sp.csr_matrix(rng.random((4, 11)))
    parts = split_columns(X, 4, rng)
    assert sorted(part.shape[1] for part in parts) == [2, 3, 3, 3]
    joined = np.hstack([part.toarray() for part in parts])
    np.testing.assert_allclose(np.sort(joined, axis=1), np.sort(X.toarray(), axis=1))
