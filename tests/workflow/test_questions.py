"""What Snakemake answers: to questions, to input that is wrong or lost, to other workflows."""

import os
import re
import shutil

import pytest
import yaml

from reproduction.results.jobs import jobs_of
from reproduction.rooms import paper_keys

pytestmark = pytest.mark.workflow

WRONG = """
output: {results: ../elsewhere, reports: src/reproduction}
data: {miror: [], source: nowhere}
"""
NAMED = (
    "output.results: '../elsewhere'", "output.reports: 'src/reproduction'",
    "data.miror: unknown key; did you mean 'mirrors'?", "data.source: 'nowhere'",
)  # fmt: skip
PARENT = """
configfile: "parent.yaml"

module multiview:
    snakefile: "{root}/workflow/Snakefile"
    config: config["multiview"]

use rule * from multiview as multiview_*

rule count_lines:
    default_target: True
    input: "papers/results/cotraining/webkb_course/table2.csv"
    output: "lines.txt"
    shell: "wc -l < {{input}} > {{output}}"
"""


def test_a_dry_run_plans_every_fit_once_with_and_without_the_door(shared_project):
    plan = shared_project.planned("all")
    for rule in ("fetch", "views", "statistics", "score", "page", "overview"):
        assert re.search(rf"^{rule} +\d+$", plan, flags=re.MULTILINE), f"{rule} is not planned"
    said = re.findall(r"^Job \d+: Fitting (\w+) on (\w+): (.+)$", plan, flags=re.MULTILINE)
    fitted = [(p, f"{d}/{name}") for p, d, names in said for name in names.split(", ")]
    assert sorted(fitted) == sorted((p, job.place) for p in paper_keys() for job in jobs_of(p))
    assert "Today's methods" not in plan, "then and now is asked for by name"
    inner = shared_project.quick("-n", "--snakefile", "workflow/Snakefile").stdout
    counts = re.compile(r"^(\w+) +(\d+)$", flags=re.MULTILINE)
    assert counts.findall(inner) == counts.findall(plan)
    page = shared_project.planned("then_and_now")
    assert "Today's methods on multiview_hier.cora" in page
    assert "then_and_now.html" in page


def test_every_wrong_setting_is_named_before_anything_runs(shared_project):
    root = shared_project.root
    (root / "wrong.yaml").write_text(WRONG)
    words = ("--cores", "1", "--configfile=wrong.yaml", "data/raw/cora")
    said = shared_project.snakemake(*words, good=False).said
    assert [part for part in NAMED if part not in said] == [], said
    assert "Traceback" not in said
    assert not (root / "data" / "raw" / "cora").exists()


@pytest.mark.parametrize(
    ("target", "data", "named"),
    [
        ("build/quick/views/cora.npz", {"source": "real", "mirrors": [], "network": False},
         ("cora", "mirror", "tried, in order")),
        ("data/raw/corra", {"network": False}, ("corra", "did you mean cora")),
    ],
)  # fmt: skip
def test_data_that_is_nowhere_is_named_and_leaves_nothing(shared_project, target, data, named):
    said = shared_project.build(target, data=data, good=False).said.lower()
    assert [part for part in named if part not in said] == [], said
    assert not list((shared_project.root / "data" / "raw").glob("cor*"))


def test_a_lost_source_is_said_and_keeps_away_from_real_results(project):
    """A full configuration, with no place that has the data."""
    there, lost = "data/views/cornell.npz", "data/views/washington.npz"
    data = {"mirrors": ["mirror"], "network": False, "cache": "cache", "surrogate_scale": 0.2}

    def run(*targets, good=True, **more):
        text = yaml.safe_dump({"name": "full", "data": {**data, **more}})
        (project.root / "config" / "config.yaml").write_text(text, encoding="utf-8")
        return project.snakemake("--cores", "1", "--", *targets, good=good).said

    real = project.root / there
    real.parent.mkdir(parents=True)
    real.write_bytes(b"views of real data")
    said = run(lost, good=False)
    assert "washington: SURROGATE, synthetic data in place of real data" in said
    assert "Run the same command again" in said
    assert not (project.root / lost).exists()
    run(f"build/surrogate/{there}", f"build/surrogate/{lost}")
    assert real.read_bytes() == b"views of real data"
    assert (
        '"source": "surrogate"' in (project.root / "data/raw/cornell/PROVENANCE.json").read_text()
    )
    said = run("data/raw/cornell", good=False, source="real")
    assert "data set 'cornell' is not available" in said


def test_a_failed_job_is_named_and_what_does_not_need_it_is_done(built_project):
    """An edited view file is refused, and a job that does not need it is done."""
    cornell, view = (
        built_project.root / f"build/quick/views/{name}.npz" for name in ("cornell", "webkb_course")
    )
    shutil.rmtree(built_project.root / "build/quick/results")
    cornell.unlink()
    when = view.stat()
    view.write_bytes(view.read_bytes()[:1000])
    os.utime(view, ns=(when.st_atime_ns, when.st_mtime_ns))
    table = "cotraining/webkb_course/table2"
    targets = f"build/quick/results/{table}.csv", "build/quick/views/cornell.npz"
    said = built_project.build(*targets, good=False).said
    for text in (
        "is not a readable view file",
        f"build/quick/results/logs/fit/{table}.log",
        "The run stopped; give the same command again",
    ):
        assert text in said
    assert "Traceback" not in said
    assert cornell.is_file()


def test_as_a_module_of_another_workflow_in_its_folder(shared_built_project, tmp_path):
    """The repository has made the same before, and nothing writes to it."""
    home, names = shared_built_project, ("webkb_course.npz", "table2.csv", "table2.json")

    def contents(folder):
        return {path.name: path.read_bytes() for path in folder.rglob("*") if path.name in names}

    def times():
        paths = [path for path in home.root.rglob("*") if "__pycache__" not in path.parts]
        return {path: path.stat().st_mtime_ns for path in paths if path.is_file()}

    before, expected = times(), contents(home.root)
    assert set(expected) == set(names)
    folders = {name: f"papers/{name}" for name in ("views", "results", "reports")}
    ours = {"size": "quick", "data": home.offline, "output": folders}
    (tmp_path / "parent.yaml").write_text(yaml.safe_dump({"mine": 1, "multiview": ours}))
    (tmp_path / "Snakefile").write_text(PARENT.format(root=home.root))
    home.snakemake("--cores", "1", folder=tmp_path, good=True)
    assert contents(tmp_path / "papers") == expected
    assert int((tmp_path / "lines.txt").read_text()) == expected["table2.csv"].count(b"\n")
    whole = home.snakemake("-n", "multiview_all", folder=tmp_path, good=True)
    assert "Open papers/reports/index.html" in whole.stdout
    assert times() == before
