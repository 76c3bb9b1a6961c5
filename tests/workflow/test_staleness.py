"""A change makes exactly the results stale that depend on it."""

import re

import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-staleness")]

PLACE = "build/quick/results/twoview_pa/product_review"
TABLE, TRACE = f"{PLACE}/published.csv", f"{PLACE}/nested.csv"


def stale(project) -> set[str]:
    """Names of the jobs (and views) Snakemake would redo for the two results."""
    plan = project.planned(TABLE, TRACE)
    if "Nothing to be done" in plan:
        return set()
    found = re.findall(r"Fitting \w+: (\w+) on|Building the views of ([\w.]+)", plan)
    assert found, f"the plan names no job:\n{plan}"
    return {job or view for job, view in found}


def edit(project, module: str) -> None:
    path = project.root / "src" / "multiview" / module
    path.write_text(path.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")


def test_results_follow_the_modules_settings_and_data_they_depend_on(project):
    project.build(TABLE, TRACE)
    assert stale(project) == set()

    edit(project, "models/plsa.py")  # another paper's model
    edit(project, "reporting/figures.py")  # what only pages use
    assert stale(project) == set()

    edit(project, "experiments/twoview_pa/nested.py")  # one job's own module
    assert stale(project) == {"nested"}
    project.build(TABLE, TRACE)
    assert stale(project) == set()

    edit(project, "kernels/passive_aggressive.py")  # what both import, at some remove
    assert stale(project) == {"nested", "published"}
    project.build(TABLE, TRACE)

    edit(project, "datasets/surrogates.py")  # the data they were fitted on
    assert {"product_review", "nested", "published"} <= stale(project)


def test_other_papers_settings_leave_results_alone(project):
    project.build(TABLE)
    path = project.root / "config" / "quick.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(\n  mvplsa:\n(?:.*\n)*?    runs: )\d+", r"\g<1>3", text))
    assert path.read_text(encoding="utf-8") != text
    plan = project.planned(TABLE)
    assert "Nothing to be done" in plan
