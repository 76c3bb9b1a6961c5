"""The workflow away from its repository: another working directory, another workflow's module."""

import re

import pytest
import yaml

from reproduction.data.surrogate_runs import FOLDER

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-elsewhere")]

FILES = ("webkb_course.npz", "table2.csv", "table2.json")
TABLE = "cotraining/webkb_course/table2.csv"


def contents(folder):
    """The view file and the result of a run, by name."""
    found = {path.name: path.read_bytes() for path in folder.rglob("*") if path.name in FILES}
    assert set(found) == set(FILES)
    return found


def files_of(folder):
    return {
        path: path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def home(shared_built_project):
    """A copy of the project with one result made in it, and what the result holds."""
    return shared_built_project, contents(shared_built_project.root)


def test_in_another_directory(home, tmp_path):
    project, expected = home
    before = files_of(project.root)
    work = tmp_path / "work"
    work.mkdir()
    settings = tmp_path / "settings.yaml"
    settings.write_text(yaml.safe_dump({"size": "quick", "data": project.offline}))
    arguments = (
        f"--snakefile={project.root}/Snakefile", f"--directory={work}", f"--configfile={settings}",
    )  # fmt: skip
    whole = project.snakemake("-n", *arguments, folder=tmp_path)
    assert whole.returncode == 0, whole.stdout + whole.stderr
    assert re.search(r"^overview +1$", whole.stdout, flags=re.MULTILINE)
    table = f"{FOLDER}/results/{TABLE}"  # surrogates never go to the folders of real results
    done = project.snakemake("--cores", "1", *arguments, table, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert contents(work) == expected
    assert files_of(project.root) == before


def test_a_working_directory_may_have_a_configuration_of_its_own(home, tmp_path):
    project, _ = home
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").write_text("output: {results: mine}\n")
    done = project.snakemake(
        "-n", f"--snakefile={project.root}/Snakefile", f"mine/{TABLE}", folder=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr


PARENT = """
configfile: "parent.yaml"

module multiview:
    snakefile: "{root}/workflow/Snakefile"
    config: config["multiview"]

use rule * from multiview as multiview_*

rule count_lines:
    default_target: True
    input: "papers/results/{table}"
    output: "lines.txt"
    shell: "wc -l < {{input}} > {{output}}"
"""


def test_as_a_module_of_another_workflow(home, tmp_path):
    project, expected = home
    before = files_of(project.root)
    folders = {name: f"papers/{name}" for name in ("views", "results", "reports")}
    ours = {"size": "quick", "data": project.offline, "output": folders}
    (tmp_path / "parent.yaml").write_text(yaml.safe_dump({"mine": 1, "multiview": ours}))
    (tmp_path / "Snakefile").write_text(PARENT.format(root=project.root, table=TABLE))
    done = project.snakemake("--cores", "1", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert contents(tmp_path / "papers") == expected
    assert int((tmp_path / "lines.txt").read_text()) == expected["table2.csv"].count(b"\n")
    whole = project.snakemake("-n", "multiview_all", folder=tmp_path)
    assert whole.returncode == 0, whole.stdout + whole.stderr
    assert "Open papers/reports/index.html" in whole.stdout
    assert files_of(project.root) == before
