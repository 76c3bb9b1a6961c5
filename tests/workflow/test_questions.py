"""What Snakemake answers without running anything."""

import re

import pytest

from reproduction.results.rows import PAPERS

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-questions")]


def test_lint_finds_nothing_but_the_missing_conda_environments(shared_project):
    done = shared_project.snakemake("--lint")
    findings = re.findall(r"^    \* (.+?):?$", done.stdout + done.stderr, flags=re.MULTILINE)
    allowed = "Specify a conda environment or container for each rule."
    assert {finding for finding in findings if finding != allowed} == set()


@pytest.mark.parametrize("graph", ["--dag", "--rulegraph"])
def test_graphs_are_drawn(shared_project, graph):
    done = shared_project.quick(graph)
    assert done.returncode == 0, done.stderr
    assert "digraph snakemake_dag" in done.stdout


def test_a_dry_run_plans_every_station_and_paper(shared_project):
    plan = shared_project.planned()
    for rule in ("fetch", "views", "fit", "score", "page", "overview"):
        assert re.search(rf"^{rule} +\d+$", plan, flags=re.MULTILINE), f"{rule} is not planned"
    for paper in PAPERS:
        assert f"/{paper}/ledger.csv" in plan


@pytest.mark.parametrize(
    ("config", "texts"),
    [
        ("data={miror: x}", ["unknown key 'miror'", "did you mean 'mirrors'?"]),
        ("data={source: nowhere}", ["data.source", "'nowhere' is not one of"]),
        ("paper=mvplsa", ["unknown key 'paper'", "did you mean 'papers'?"]),
    ],
)
def test_a_wrong_configuration_is_refused_before_anything_runs(shared_project, config, texts):
    done = shared_project.snakemake("-n", "--config", config)
    assert done.returncode != 0
    for text in texts:
        assert text in done.stdout + done.stderr


def test_every_rule_says_what_it_does_and_where_it_logs(shared_project):
    rules = shared_project.root / "workflow" / "rules"
    for path in rules.glob("*.smk"):
        for name, body in re.findall(
            r"^rule (\w+):\n((?:    .*\n|\n)+)", path.read_text(), flags=re.MULTILINE
        ):
            wanted = {"message:"}
            if "script:" in body:
                wanted |= {"log:", "benchmark:", "threads:", "resources:"}
            missing = {part for part in wanted if part not in body}
            assert not missing, f"rule {name} lacks {missing}"
