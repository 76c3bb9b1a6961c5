"""What Snakemake answers without running anything."""

import re

import pytest

from reproduction.rooms import paper_keys

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-questions")]


def test_lint_finds_nothing_but_the_missing_conda_environments(shared_project):
    done = shared_project.snakemake("--lint")
    findings = re.findall(r"^    \* (.+?):?$", done.stdout + done.stderr, flags=re.MULTILINE)
    allowed = "Specify a conda environment or container for each rule."
    assert {finding for finding in findings if finding != allowed} == set()


@pytest.fixture(scope="module")
def plan(shared_project):
    """What a run of everything would do."""
    return shared_project.planned()


@pytest.mark.parametrize("graph", ["--dag", "--rulegraph"])
def test_graphs_are_drawn(shared_project, graph):
    done = shared_project.quick(graph, "--", "cotraining")
    assert done.returncode == 0, done.stderr
    assert "digraph snakemake_dag" in done.stdout


def test_a_dry_run_plans_every_station_and_paper(plan):
    for rule in ("fetch", "views", "fit", "score", "page", "overview"):
        assert re.search(rf"^{rule} +\d+$", plan, flags=re.MULTILINE), f"{rule} is not planned"
    for paper in paper_keys():
        assert f"/{paper}/ledger.csv" in plan


def test_the_workflow_plans_the_same_with_and_without_its_door(shared_project, plan):
    inner = shared_project.quick("-n", "--snakefile", "workflow/Snakefile")
    assert inner.returncode == 0, inner.stderr
    found = re.findall(r"^(\w+) +(\d+)$", inner.stdout, flags=re.MULTILINE)
    assert ("all", "1") in found
    assert found == re.findall(r"^(\w+) +(\d+)$", plan, flags=re.MULTILINE)


@pytest.mark.parametrize("target", ["build/quick/views/cornell.npz", "no/such/file"])
def test_a_fork_of_snakemake_answers_as_a_process_of_its_own(shared_project, target):
    """The tests of the workflow ask forks: see ready_snakemake.py."""
    alone = type(shared_project)(shared_project.root)
    assert shared_project.ready
    answers = []
    for project in (shared_project, alone):
        done = project.quick("-n", "--", target)
        answers.append((done.returncode, *map(_undated, (done.stdout, done.stderr))))
    assert answers[0] == answers[1]


def _undated(text):
    return re.sub(r"^(  Date|  Workflow ID|\[).*\n", "", text, flags=re.MULTILINE)


def test_explaining_a_cell_runs_nothing_else_and_answers_every_time(shared_project):
    cell = "mvplsa/3/Cornell/r=0.01/NBC_V1/accuracy_pct"
    for _ in range(2):
        done = shared_project.snakemake("--cores", "1", "explain", "--config", f"cell={cell}")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "read from   reports/tables/ledger.csv" in done.stderr
        assert "1 of 1 steps" in done.stderr
        assert "82.06 ± 3.74" in done.stderr


def test_every_rule_says_what_it_does_and_where_it_logs(shared_project):
    rules = shared_project.root / "workflow" / "rules"
    for path in rules.glob("*.smk"):
        for name, body in re.findall(
            r"^rule (\w+):\n((?:    .*\n|\n)+)", path.read_text(), flags=re.MULTILINE
        ):
            wanted = {"message:"}
            if "script:" in body:
                wanted |= {"log:", "threads:", "resources:"}
            missing = {part for part in wanted if part not in body}
            assert not missing, f"rule {name} lacks {missing}"
