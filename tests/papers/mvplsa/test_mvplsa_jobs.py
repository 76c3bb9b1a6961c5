"""The experiments of mvplsa on tiny data: rows, readings, draws."""

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.mvplsa.columns import TABLES
from reproduction.papers.mvplsa.parts import PARTS
from reproduction.papers.mvplsa.protocol import draw, task_of
from reproduction.papers.mvplsa.rivals import DATASETS, compare
from reproduction.papers.mvplsa.settings import PaperSettings
from reproduction.papers.mvplsa.split_views import split_columns
from reproduction.results.draws import draw_per_class
from reproduction.results.jobs import Context, find_job, jobs_of
from reproduction.results.published import load_published, printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete

TINY = {
    "rates": [0.05, 0.2],
    "iterations": 6,
    "topics": {"webkb": 4, "news": 4},
    "topic_grid": {"webkb": [2, 5], "news": [2, 5]},
    "cotraining": {"u": [10], "p": [1, 2], "n": [1], "rounds": 3},
    "iteration_grid": [2, 6],
}


def tiny(**changes):
    return complete(PaperSettings, {**TINY, **changes}, size="quick")


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


def context_of(job, rng, **changes):
    views = {
        "newsgv2": ("v1", "v2"),
        "newsgv4": ("v1", "v2", "v3", "v4"),
    }.get(job.dataset, ("content", "links", "cites", "cited"))
    classes = 3 if job.dataset == "newsgv4" else 2
    data = {key: fake(key, views, 30 * classes, classes, rng) for key in job.view_keys}
    return Context(job, data, tiny(**changes))


def frame_of(context, result=None):
    """Result rows as they are written, checked at the door."""
    job = context.job
    rows = (job.load()(context) if result is None else result).rows
    return result_frames(job.paper, job.dataset, rows, TABLES, printed_methods(job.paper))[0]


@pytest.mark.parametrize("job", jobs_of("mvplsa"), ids=lambda job: job.place)
def test_every_job_runs_twice_to_the_same_rows(job, rng):
    seed = int(rng.integers(1 << 30))
    one = frame_of(context_of(job, np.random.default_rng(seed)))
    assert np.isfinite(one["value"]).all()
    assert one["value"].between(0, 100).all()
    if job.place in ("newsgv2/mvplsa", "cornell/clustering"):
        again = frame_of(context_of(job, np.random.default_rng(seed)))
        assert one.equals(again)


@pytest.mark.parametrize("reading", ["inferred", "text"])
def test_the_jobs_cover_every_published_cell_under_both_readings(reading, rng):
    published = load_published("mvplsa")
    rates = sorted({float(rate) for rate in published["rate"]})
    keys = ["table", "dataset", "rate", "view", "method", "metric"]
    have = set()
    for job in jobs_of("mvplsa"):
        if job.place not in PARTS or PARTS[job.place].reading != reading:
            continue
        frame = frame_of(context_of(job, rng, rates=rates, iterations=2))
        frame = frame[(frame["reading"] == reading) & (frame["role"] == "published")]
        frame = frame.reindex(columns=keys).fillna({"view": 0})
        have |= set(frame.itertuples(index=False, name=None))
    wanted = set(published[keys].fillna({"view": 0}).itertuples(index=False, name=None))
    assert wanted <= have


def test_shares_of_a_method_make_all_its_runs_once(rng):
    for reading in ("", "text_"):
        runs = [
            (row.table, row.at["rate"], row.run)
            for job in jobs_of("mvplsa")
            if job.place.startswith(f"newsgv4/{reading}mvplsa_")
            for row in job.load()(context_of(job, rng)).rows
            if row.reading == ("text" if reading else "inferred")
        ]
        settings = tiny()
        wanted = [
            (table, rate, run)
            for table in ("3", "4")
            for rate in settings.rates
            for run in range(settings.runs.news)
        ]
        assert sorted(runs) == sorted(wanted)


def test_draws_are_shared_and_per_class(rng):
    task = task_of(context_of(find_job("mvplsa", "cornell", "tables"), rng))
    one, two = draw(task, 0.1, 3), draw(task, 0.1, 3)
    np.testing.assert_array_equal(one.labels, two.labels)
    assert [int((one.labels == c).sum()) for c in range(2)] == [3, 3]
    assert (draw(task, 0.1, 4).labels != one.labels).any()
    # the words of a seed decide the numbers of every table
    known = draw_per_class(task.y, 0.1, generator("mvplsa", "cornell", "labels", "r=0.10", 3))
    np.testing.assert_array_equal(~one.hidden, known)


def test_split_deals_every_column_once(rng):
    X = sp.csr_matrix(rng.random((4, 11)))
    parts = split_columns(X, 4, rng)
    assert sorted(part.shape[1] for part in parts) == [2, 3, 3, 3]
    joined = np.hstack([part.toarray() for part in parts])
    np.testing.assert_allclose(np.sort(joined, axis=1), np.sort(X.toarray(), axis=1))


@pytest.mark.parametrize("dataset", DATASETS)
def test_a_rival_meets_the_same_draws_and_no_hidden_label(dataset, rng):
    job = next(job for job in jobs_of("mvplsa") if job.dataset == dataset)
    context = context_of(job, rng)
    task = task_of(context)
    seen = []

    def largest_class(Xs, labels, n_classes, rng):
        seen.append(labels.copy())
        found = np.full(labels.size, np.bincount(labels[labels >= 0]).argmax())
        labels[:] = 0  # what a method does to its copies touches nobody else
        for X in Xs:
            X.data[:] = 0
        return found

    rows = frame_of(context, compare(context, "Largest class", largest_class))
    settings = context.settings
    drawn = [
        draw(task, rate, run) for rate in settings.rates for run in range(task.own(settings.runs))
    ]
    for ours, labels in zip(drawn, seen, strict=True):
        np.testing.assert_array_equal(labels, ours.labels)
        assert (labels[ours.hidden] == -1).all()
        assert ours.hidden.any()
    assert all(X.data.any() for X in context.data.views.values())
    assert set(rows["table"]) == {"3"}
    assert set(rows["role"]) == {"ours"}
    assert set(rows["method"]) == {"Largest class"}
    wanted = {(d.rate, d.run): 100 * np.mean(task.y[d.hidden] == 0) for d in drawn}
    values = rows.set_index(["rate", "run"])["value"].to_dict()
    assert values == pytest.approx(wanted)
    assert set(frame_of(context, compare(context, "x", largest_class, "modern"))["role"]) == {
        "modern"
    }


@pytest.mark.parametrize(
    "answer",
    [
        lambda n: np.zeros(n - 1),
        lambda n: np.full(n, -1),
        lambda n: np.full(n, 2),
        lambda n: np.full(n, 0.5),
        lambda n: np.zeros((n, 2)),
        lambda n: None,
    ],
)
def test_a_rival_that_answers_badly_is_told(answer, rng):
    context = context_of(find_job("mvplsa", "cornell", "tables"), rng)
    with pytest.raises(ValueError, match=r"Mine: predict\(\) must return a class from 0 to 1"):
        compare(context, "Mine", lambda Xs, labels, n_classes, rng: answer(labels.size))
