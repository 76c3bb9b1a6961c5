"""What Snakemake answers without running anything."""

import re

import pytest

from reproduction.results.jobs import jobs_of
from reproduction.rooms import paper_keys

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-questions")]


def test_lint_finds_nothing_but_the_missing_conda_environments(shared_project):
    done = shared_project.snakemake("--lint")
    findings = re.findall(r"^    \* (.+?):?$", done.stdout + done.stderr, flags=re.MULTILINE)
    allowed = "Specify a conda environment or container for each rule."
    assert {finding for finding in findings if finding != allowed} == set()


def test_a_dry_run_plans_every_fit_once_with_and_without_the_door(shared_project):
    plan = shared_project.planned("all")
    for rule in ("fetch", "views", "statistics", "score", "page", "overview"):
        assert re.search(rf"^{rule} +\d+$", plan, flags=re.MULTILINE), f"{rule} is not planned"
    said = re.findall(r"^Job \d+: Fitting (\w+) on (\w+): (.+)$", plan, flags=re.MULTILINE)
    fitted = [(p, f"{d}/{name}") for p, d, names in said for name in names.split(", ")]
    assert sorted(fitted) == sorted((p, job.place) for p in paper_keys() for job in jobs_of(p))
    inner = shared_project.quick("-n", "--snakefile", "workflow/Snakefile")
    assert inner.returncode == 0, inner.stderr
    counts = re.compile(r"^(\w+) +(\d+)$", flags=re.MULTILINE)
    assert counts.findall(inner.stdout) == counts.findall(plan)


def test_a_shortened_run_takes_a_target_and_types_of_the_command_line(shared_project):
    target = "build/quick/views/cornell.npz"
    data = "data={network: false, surrogate_scale: 0.5}"
    done = shared_project.snakemake(
        "-n", "--profile", "profiles/quick", "--cores", "2", "--config", data, "--", target
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Building the views of cornell" in done.stdout
    assert "Fitting" not in done.stdout, "more than the target is planned"


def test_explaining_a_cell_runs_nothing_else_and_answers_every_time(shared_project):
    cell = "mvplsa/3/Cornell/r=0.01/NBC_V1/accuracy_pct"
    for _ in range(2):
        done = shared_project.snakemake("--cores", "1", "explain", "--config", f"cell={cell}")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "1 of 1 steps" in done.stderr
        assert "82.06" in done.stderr
