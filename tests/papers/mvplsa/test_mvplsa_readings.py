"""Readings found after seeing print: each equals its slow computation."""

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.baselines.cotraining import cotrain_rounds, cotrain_views
from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from reproduction.data.format import MultiViewData
from reproduction.papers.mvplsa import readings
from reproduction.papers.mvplsa.baselines import ORIGINAL
from reproduction.papers.mvplsa.columns import TABLES
from reproduction.papers.mvplsa.protocol import draw, percent, seed_of, task_of
from reproduction.papers.mvplsa.settings import PaperSettings
from reproduction.results.jobs import Context, find_job
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete

SETTINGS = complete(
    PaperSettings,
    {
        "rates": [0.1, 0.2], "iterations": 4, "topics": {"news": 4}, "cotraining": {"rounds": 8},
        "common_words": {"grid": [0.4, 1.0], "cut": 0.6},
    },
    size="quick",
)  # fmt: skip


def made_up(rng, name, views, classes=2, n=60):
    y = np.arange(n) % classes
    matrices = {}
    for view in views:
        profile = rng.dirichlet(np.full(25, 0.4), classes)
        matrices[view] = sp.csr_matrix(
            np.array([rng.multinomial(20, profile[c]) for c in y]), dtype=float
        )
    names = [f"class {c}" for c in range(classes)]
    return MultiViewData(name, matrices, y, names, [str(i) for i in range(n)])


def frame_of(context):
    rows = context.job.load()(context).rows
    frame = result_frames("mvplsa", context.job.dataset, rows, TABLES, printed_methods("mvplsa"))[0]
    assert "inferred" not in set(frame["reading"])  # no row of print's own reading: nothing moves
    return frame


def test_common_words_are_left_out(rng):
    X = sp.csr_matrix((rng.random((40, 30)) < rng.random(30)).astype(float))
    for share in (0.2, 0.5, 0.8):
        left = readings.without_common_words(X, share).toarray()
        common = np.count_nonzero(X.toarray(), axis=0) >= share * 40
        np.testing.assert_array_equal(left, X.toarray()[:, ~common])
    assert readings.without_common_words(X, 1.0) is X


def test_naive_bayes_on_counts_stands_in_tables_3_and_5(rng):
    names = ("v1", "v2", "v3", "v4")
    job = find_job("mvplsa", "newsgv4", "readings")
    data = {key: made_up(rng, key, names, 3) for key in job.view_keys}
    frame = frame_of(Context(job, data, SETTINGS))
    counts = data["newsgv4.counts"]
    task = task_of(Context(job, data, SETTINGS), counts)
    for rate in SETTINGS.rates:
        for run in range(SETTINGS.runs.news):
            drawn = draw(task, rate, run)
            here = frame[(frame["rate"] == rate) & (frame["run"] == run)]
            for cut in (0.4, 0.6, 1.0):
                Xs = [readings.without_common_words(X, cut) for X in counts.Xs(*names)]
                model = NaiveBayesEnsemble().fit(Xs, drawn.labels)
                expected = percent(task, drawn, model.predict(Xs))
                part = here[(here["table"] == "choice:cut") & (here["method"] == "NBC_E")]
                assert part.loc[part["cut"] == cut, "value"].tolist() == pytest.approx([expected])
                if cut == 0.6:
                    part = here[(here["table"] == "3") & (here["method"] == "NBC_E")]
                    assert part["value"].tolist() == pytest.approx([expected])
                    assert set(part["reading"]) == {"counts without common words"}
    five = frame[frame["table"] == "5"].set_index(["view", "run"])["value"]
    three = frame[(frame["table"] == "3") & (frame["rate"] == min(SETTINGS.rates))]
    for view in range(1, 5):
        same = three[three["method"] == f"NBC_V{view}"].set_index("run")["value"]
        assert five[view].to_dict() == same.to_dict()
    assert set(five.index.get_level_values("view")) == {1, 2, 3, 4}


def test_every_round_is_a_fresh_run_of_co_training(rng):
    for _ in range(10):
        n = int(rng.integers(20, 60))
        Xs = [sp.csr_matrix(rng.poisson(1.0, (n, 12)).astype(float)) for _ in range(2)]
        labels = np.full(n, -1)
        labels[:4] = [0, 1, 0, 1]
        wanted, pool = rng.integers(1, 4, 2), int(rng.integers(5, 40))
        seed = int(rng.integers(1 << 30))
        trail = list(cotrain_rounds(Xs, labels, wanted, pool, 12, 1.0, np.random.default_rng(seed)))
        for rounds in range(1, 13):
            fresh = cotrain_views(
                Xs, labels, wanted, pool, rounds, 1.0, np.random.default_rng(seed)
            )
            found = trail[min(rounds, len(trail)) - 1]
            np.testing.assert_array_equal(found.labels, fresh.labels)
            assert found.rounds == fresh.rounds
            for one, two in zip(found.posteriors(Xs), fresh.posteriors(Xs), strict=True):
                np.testing.assert_allclose(one, two, atol=1e-12)


def test_few_rounds_are_read_off_the_trajectory(rng):
    job = find_job("mvplsa", "cornell", "readings")
    data = {"cornell": made_up(rng, "cornell", ("content", "links", "cites", "cited"))}
    context = Context(job, data, SETTINGS)
    frame = frame_of(context)
    task = task_of(context)
    short = frame[frame["reading"] == "few rounds"]
    assert set(short["method"]) == {"CoTr_V1", "CoTr_V2", "CoTr_E"}
    for rate in SETTINGS.rates:
        drawn = draw(task, rate, 0)
        rng_ = np.random.default_rng(seed_of(task, "CoTr", drawn))
        wanted = np.array([ORIGINAL.n, ORIGINAL.p])
        rounds = SETTINGS.few_rounds.rounds
        model = cotrain_views(task.Xs, drawn.labels, wanted, ORIGINAL.u, rounds, 1.0, rng_)
        expected = percent(task, drawn, model.posteriors(task.Xs)[1].argmax(axis=1))
        here = short[(short["rate"] == rate) & (short["run"] == 0)]
        assert here.loc[here["method"] == "CoTr_V2", "value"].tolist() == pytest.approx([expected])
