"""Scores recorded along one training equal those of trainings that stop there."""

import numpy as np
import pytest

from manyviews.models.link_plsa import LinkPLSA
from reproduction.papers.coplsa_multimodal import PAPER, models, protocol, trajectory
from reproduction.papers.coplsa_multimodal.columns import LINK
from reproduction.results.jobs import Context, find_job
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete
from reproduction.rooms import tables_of

DATA = "wikipedia_pairs"


@pytest.fixture
def longer(settings):
    own = {
        "sweeps": [1, 3, 5],
        "coupled_sweeps": [1, 2, 6],
        "short_sweeps": 3,
        "fold_steps": [1, 4],
    }
    given = {**settings.model_dump(), "trajectory": own}
    return complete(type(settings), given, size="quick")


def recorded(pairs, settings, name):
    job = find_job(PAPER, DATA, f"trajectory_{name}")
    result = job.load()(Context(job, {DATA: pairs}, settings))
    frame = result_frames(PAPER, DATA, result.rows, tables_of(PAPER), printed_methods(PAPER))[0]
    assert "inferred" not in set(frame["reading"])  # no row of print's own reading: nothing moves
    return frame, result.details


def test_link_plsa_at_every_sweep_is_a_fresh_fit(pairs, longer):
    frame, _ = recorded(pairs, longer, "link")
    split = protocol.load_split(pairs, longer)
    own, n_topics = longer.trajectory, longer.topics.of(DATA)
    curve = frame[frame["table"] == "trajectory"]
    assert set(curve["sweep"]) == {1, 3, 5}
    for (sweep, steps, share, run), part in curve.groupby(
        ["sweep", "steps", "image_share", "run"], sort=True
    ):
        fresh = LinkPLSA(
            n_topics, alpha=(1 - share, share), max_iter=int(sweep), tol=0.0,
            init=protocol.start(split, n_topics, int(run)),
        ).fit(split.train)  # fmt: skip
        rankings = trajectory.rankings_after(fresh, split, longer, int(steps))
        assert len(part) == 4
        for row in part.itertuples():
            ranking = rankings[row.space, row.direction]
            assert row.value == pytest.approx(ranking.average_precision("full").mean(), abs=1e-11)
            if (sweep, steps) == (own.short_sweeps, own.short_steps):
                reading = "short run" if share == 0.5 else "short run, fitted"
                one = frame[(frame["table"] == "1") & (frame["reading"] == reading)]
                one = one[(one["space"] == row.space) & (one["direction"] == row.direction)]
                assert one.loc[one["run"] == run, "value"].tolist() == [row.value]


@pytest.mark.parametrize("divergence", ["skl", "l2", "l1"])
def test_coupled_models_at_every_sweep_are_fresh_fits(pairs, longer, divergence):
    grid = {"lambda_grid": {divergence: [0.05, 5.0]}}
    settings = complete(type(longer), {**longer.model_dump(), **grid}, size="quick")
    frame, details = recorded(pairs, settings, divergence)
    split = protocol.load_split(pairs, settings)
    curve = frame[frame["table"] == "trajectory"]
    assert {1, 2, 3, 6} == set(curve.loc[curve["run"] == 0, "sweep"])
    for (sweep, steps, lam, run), part in curve.groupby(
        ["sweep", "steps", "lambda_", "run"], sort=True
    ):
        fresh = models.fit(
            split, settings, int(run), divergence=divergence, lam=lam, sweeps=int(sweep)
        )
        rankings = trajectory.rankings_after(fresh, split, settings, int(steps))
        for row in part.itertuples():
            expected = rankings[row.space, row.direction].average_precision("full").mean()
            assert row.value == pytest.approx(expected, abs=1e-11)
    # lambda by validation is the best of the grid on pairs set aside; the other is as told
    tried = frame[frame["table"] == "choice:short_lambda"].groupby("lambda_")["value"].mean()
    best = max(tried.index, key=lambda lam: (round(tried[lam], 12), -lam))
    assert details["lambda by validation"] == best
    assert set(curve["lambda_"]) == {best, details["lambda by fit"]}
    assert {"short run", "short run, fitted"} == set(frame.loc[frame["table"] == "1", "reading"])


def test_the_state_kept_is_not_overwritten_by_later_sweeps(pairs, longer):
    split = protocol.load_split(pairs, longer)
    found = trajectory.trace_link(split, longer, 0, {1, 2, 5})
    topics = [found[sweep].topic_word_[0] for sweep in (1, 2, 5)]
    assert np.abs(topics[0] - topics[1]).max() > 1e-6
    assert np.abs(topics[1] - topics[2]).max() > 1e-6
    assert [found[sweep].n_iter_ for sweep in (1, 2, 5)] == [1, 2, 5]


def test_what_the_finding_needs_is_tried(pairs, longer):
    frame, _ = recorded(pairs, longer, "link")
    part = frame[frame["table"] == "choice:short_run"]
    assert set(part["method"]) == {LINK}
    assert set(part["space"]) == {"semantic"}
    tried = set(part[["items", "penalty"]].itertuples(index=False, name=None))
    assert tried == {("refolded", 0.1), ("coupled", longer.regression_C)}
