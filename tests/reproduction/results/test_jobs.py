import json

import numpy as np
import pandas as pd
import pytest

from reproduction.data.format import MultiViewData
from reproduction.results import runner
from reproduction.results.jobs import (
    Context,
    Job,
    Result,
    Row,
    draw_per_class,
    find_job,
    jobs_of,
    result_frames,
    stopwatch,
    view_keys_behind,
    write_result,
)
from reproduction.results.rows import PAPERS, read_table
from reproduction.results.runner import run_job
from reproduction.closure import module_path

JOB = Job("mvplsa", "toy", "table9", f"{__name__}:entry")


def test_draws_take_the_share_of_every_class(rng):
    y = np.repeat([0, 1, 2, -1], [100, 41, 3, 20])
    mask = draw_per_class(y, 0.05, rng)
    assert [mask[y == c].sum() for c in (0, 1, 2, -1)] == [5, 3, 1, 0]
    rounded = draw_per_class(y, 0.05, rng, rounding="round")
    assert [rounded[y == c].sum() for c in (0, 1, 2)] == [5, 2, 1]
    assert draw_per_class(y, 1.0, rng).sum() == 144


def test_a_rate_that_selects_none_is_an_error(rng):
    with pytest.raises(ValueError, match="selects none"):
        draw_per_class(np.zeros(5, dtype=int), 0.01, rng, rounding="round", minimum=0)


def rows():
    return [
        Row("3", "r=0.02", "B", "accuracy_pct", 50.0, run=1, seconds=0.5),
        Row("3", "r=0.01", "A", "accuracy_pct", 1 / 3),
        Row("time:fit", "n=10", "A", "seconds", 0.1),
    ]


def test_rows_are_sorted_and_times_go_elsewhere(tmp_path):
    paths = [tmp_path / name for name in ("a.csv", "a.json", "a.timing.csv")]
    write_result(JOB, Result(rows(), {"note": "x"}), *paths)
    back = read_table(paths[0])
    assert back["setting"].tolist() == ["r=0.01", "r=0.02"]
    assert back["table"].tolist() == ["3", "3"]
    assert "seconds" not in back.columns
    assert set(read_table(paths[2])["table"]) == {"3", "time:fit"}


def test_holes_and_repeats_are_errors():
    with pytest.raises(ValueError, match="two rows for"):
        result_frames(JOB, Result([*rows(), rows()[1]]))
    with pytest.raises(ValueError, match="NaN"):
        result_frames(JOB, Result([Row("3", "", "A", "x", float("nan"))]))
    with pytest.raises(ValueError, match="no rows"):
        result_frames(JOB, Result([]))


def entry(context: Context) -> Result:
    total = float(context.data.views["w"].sum())
    other = context.results["toy/first"]["value"].sum()
    return Result([Row("9", "s", "A", "sum", total + other + context.settings["add"])])


def test_a_job_runs_from_files_to_files(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "job_code", lambda job: "1234")
    views = tmp_path / "views"
    MultiViewData("toy", {"w": np.eye(3)}, np.zeros(3), ["a"], list("xyz")).save(views / "toy.npz")
    first = tmp_path / "results/mvplsa/toy/first.csv"
    first.parent.mkdir(parents=True)
    pd.DataFrame({"table": ["1"], "value": [10.0]}).to_csv(first, index=False)
    job = Job("mvplsa", "toy", "table9", f"{entry.__module__}:entry", after=("toy/first",))
    object.__setattr__(job, "load", lambda: entry)
    path = run_job(job, {"add": 1}, views_dir=views, results_dir=tmp_path / "results")
    assert read_table(path)["value"].tolist() == [14.0]
    assert json.loads(path.with_suffix(".json").read_text())["stamp"] == {"code": "1234"}


@pytest.mark.parametrize("paper", PAPERS)
def test_the_papers_jobs_are_well_formed(paper):
    jobs = jobs_of(paper)
    places = {f"{job.dataset}/{job.name}" for job in jobs}
    for job in jobs:
        assert job.paper == paper
        assert module_path(job.module) is not None, f"{job.entry} does not exist"
        assert set(job.after) <= places
        assert find_job(paper, job.dataset, job.name) == job
        assert set(job.view_keys) <= set(view_keys_behind(job)), f"{job.name} reads nothing"


def test_unknown_jobs_list_what_there_is():
    with pytest.raises(ValueError, match="unknown paper"):
        jobs_of("none")
    with pytest.raises(ValueError, match="it has: "):
        find_job(PAPERS[0], "none", "none")


def test_the_stopwatch_measures():
    with stopwatch() as watch:
        sum(range(1000))
    assert watch.seconds > 0
