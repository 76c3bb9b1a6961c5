"""How far the runs of a job go on, and what a further run costs."""

import csv

import pytest

from reproduction.files import ROOT
from reproduction.results.further import Further, Limits
from reproduction.results.jobs import Context, Job, further_job, goes_on, jobs_of, run_limits
from reproduction.rooms import paper_keys
from reproduction.workflow.config import load_config


@pytest.mark.parametrize(
    ("factor", "budget", "most"),
    [
        (4, 1e9, 80),  # 20, 40, 80: the cap
        (7, 1e9, 80),  # the next would be 160, eight times as many
        (2, 1e9, 40),
        (1, 1e9, 20),  # switched off
        (4, 60, 40),  # 20 more at 2 s are 40 s; 60 more would be 120 s
        (4, 40, 40),  # exactly the budget
        (4, 39.9, 20),
        (4, 0, 20),
    ],
)
def test_runs_are_doubled_within_the_cap_and_the_budget(factor, budget, most):
    assert Further(cost=2.0).most(20, Limits(factor, budget)) == most


def test_a_method_is_fixed_by_its_name_or_a_pattern():
    way = Further(1.0, fixed={"CoTr_*": "searched", "SCM": "nothing random"})
    assert way.why_fixed("CoTr_V1") == "searched"
    assert way.why_fixed("SCM") == "nothing random"
    assert way.why_fixed("MVPLSA") == ""


def test_further_runs_read_the_first_ones_and_lie_beside_them():
    way = Further(1.0, "some.module:more")
    job = Job("p", "d", "tables", "some.module:run", after=("d/kmeans",), further=way)
    own = further_job(job)
    assert own.place == "d/tables.further"
    assert own.after == ("d/kmeans", "d/tables")
    assert own.entry == "some.module:more"
    assert own.further is None
    assert own.view_keys == job.view_keys
    with pytest.raises(ValueError, match=r"p/d/tables\.further declares no further runs"):
        further_job(own)


def test_a_job_makes_the_declared_runs_or_those_that_follow():
    job = Job("p", "d", "n", "m:f")
    assert list(Context(job, {}, None).runs(3)) == [0, 1, 2]
    assert list(Context(job, {}, None, further=range(3, 6)).runs(3)) == [3, 4, 5]


def _measured():
    with (ROOT / "workflow" / "measured.csv").open(encoding="utf-8", newline="") as stream:
        return {row["job"]: float(row["seconds"]) for row in csv.DictReader(stream)}


def _with_further():
    return [job for paper in paper_keys() for job in jobs_of(paper) if job.further is not None]


@pytest.mark.parametrize("job", _with_further(), ids=lambda job: f"{job.paper}/{job.place}")
def test_the_declared_cost_is_what_was_measured(job):
    """A run costs no more than its share of the whole job, and as much where the job is all runs.

    Other machines differ, and short jobs are mostly start: twice and two seconds are allowed.
    """
    seconds = _measured()[f"fit/{job.paper}/{job.place}"]
    settings = load_config().settings(job.paper).model_dump()
    declared, _ = run_limits(job, settings, Limits(4, 60))
    assert declared * job.further.cost <= 2 * seconds + 2
    if not job.further.entry and seconds > 20:
        assert declared * job.further.cost >= seconds / 2


def test_a_job_over_the_budget_does_not_go_on():
    config = load_config()
    settings = config.settings("mvplsa").model_dump()
    jobs = {job.place: job for job in jobs_of("mvplsa")}
    cheap, dear = jobs["newsgv4/baselines"], jobs["newsgv4/mvplsa"]
    assert goes_on(cheap, settings, config.further.limits)
    assert not goes_on(dear, settings, config.further.limits)
    assert goes_on(dear, settings, Limits(2, 1e6))
    assert not goes_on(cheap, settings, Limits(1, 1e6))
    assert not goes_on(jobs["newsgv2/topics"], settings, Limits(4, 1e6))
