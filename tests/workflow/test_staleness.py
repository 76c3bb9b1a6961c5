"""A change makes exactly the results stale that depend on it."""

import os
import re
import time

import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-staleness")]

PLACE = "build/quick/results/cotraining/webkb_course"
TABLE, CHOICES = f"{PLACE}/table2.csv", f"{PLACE}/choices.csv"
LEDGER = "build/quick/results/cotraining/ledger.csv"


def stale(project) -> set[str]:
    """Names of the jobs (and views) Snakemake would redo for the two results."""
    plan = project.planned(TABLE, CHOICES)
    if "Nothing to be done" in plan:
        return set()
    found = re.findall(r"Fitting \w+: (\w+) on|Building the views of ([\w.]+)", plan)
    assert found, f"the plan names no job:\n{plan}"
    return {job or view for job, view in found}


def edit(project, module: str, text: str = "_CHANGED = True") -> None:
    path = project.root / "src" / module
    path.write_text(path.read_text(encoding="utf-8") + f"\n{text}\n", encoding="utf-8")


def test_results_follow_the_modules_settings_and_data_they_depend_on(built_project, changed):
    project = built_project
    assert stale(project) == set()

    for module in ("reproduction/papers/cotraining/paper.py", "manyviews/parts/naive_bayes.py"):
        edit(project, module, "# a comment")
    edit(project, "manyviews/models/plsa.py")  # another paper's model
    edit(project, "reproduction/pages/figures.py")  # what only pages use
    assert stale(project) == set()

    edit(project, "reproduction/papers/cotraining/paper.py")  # what declares both
    assert stale(project) == {"choices", "table2"}
    project.build(TABLE, CHOICES)
    assert stale(project) == set()

    module = project.root / "src/manyviews/parts/naive_bayes.py"
    with changed(module, "\n_CHANGED = True\n"):  # what both import, at some remove
        assert stale(project) == {"choices", "table2"}

    edit(project, "reproduction/data/surrogates.py")  # the data they were fitted on
    assert {"webkb_course", "choices", "table2"} <= stale(project)


def test_a_fresh_checkout_makes_nothing_stale(built_project, changed):
    """Its files are all newer than what was made; only what they say counts."""
    project = built_project
    made = {project.root / part for part in ("build", "data", ".snakemake")}
    later = time.time() + 60
    for path in project.root.rglob("*"):
        if path.is_file() and not made & set(path.parents):
            os.utime(path, (later, later))
    assert "Nothing to be done" in project.planned(TABLE, CHOICES, LEDGER)

    scripts = project.root / "workflow" / "scripts"
    with changed(scripts / "fit.py", "# a comment\n"):
        assert stale(project) == set()
    with changed(scripts / "fit.py", "_CHANGED = True\n"):
        assert stale(project) == {"choices", "table2"}
    with changed(scripts / "score.py", "_CHANGED = True\n"):
        assert stale(project) == set()
        assert "Params have changed" in project.planned(LEDGER)


def test_results_follow_their_own_settings_alone(built_project):
    project = built_project
    quick = project.root / "config" / "quick.yaml"
    text = quick.read_text(encoding="utf-8")
    assert "papers:" not in text
    quick.write_text(f"{text}\npapers: {{mvplsa: {{runs: {{webkb: 3}}}}}}\n", encoding="utf-8")
    assert "Nothing to be done" in project.planned(TABLE)
    quick.write_text(f"{text}\npapers: {{cotraining: {{rounds: 4}}}}\n", encoding="utf-8")
    assert "Params have changed" in project.planned(TABLE)


def test_a_quick_run_leaves_nothing_stale_that_a_full_run_shares(built_project):
    """Fetched files are shared by both; what a quick run alone reads must not reach them."""
    project = built_project
    table = "build/surrogate/results/cotraining/webkb_course/table2.csv"
    done = project.snakemake("-n", "--configfile", "data.yaml", "--", table)
    assert done.returncode == 0, done.stderr
    assert "Fitting cotraining: table2" in done.stdout
    assert "Fetching" not in done.stdout
    assert "Nothing to be done" in project.planned(TABLE)


def test_another_place_with_the_same_bytes_makes_nothing_stale(built_project):
    """Where to look is no parameter: results follow from what was found."""
    project = built_project
    elsewhere = {**project.offline, "mirrors": ["data/another"], "user": "data/mine"}
    done = project.quick("-n", "--", TABLE, data=elsewhere)
    assert "Nothing to be done" in done.stdout + done.stderr
