"""The workflow away from its repository: another working directory, another workflow's module."""

import re

import pytest
import yaml

from reproduction.data.surrogate_runs import FOLDER

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-elsewhere")]

FILES = ("webkb_course.npz", "table2.csv", "table2.json")
TABLE = "cotraining/webkb_course/table2.csv"
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


def contents(folder):
    """The view file and the result of a run, by name."""
    found = {path.name: path.read_bytes() for path in folder.rglob("*") if path.name in FILES}
    assert set(found) == set(FILES)
    return found


@pytest.fixture
def home(shared_built_project):
    """A copy of the project with one result made in it, which nothing may write to."""

    def files():
        paths = shared_built_project.root.rglob("*")
        return {
            p: p.stat().st_mtime_ns for p in paths if p.is_file() and "__pycache__" not in str(p)
        }

    before = files()
    yield shared_built_project
    assert files() == before


def test_in_another_directory(home, tmp_path):
    settings, work = tmp_path / "settings.yaml", tmp_path / "work"
    work.mkdir()
    settings.write_text(yaml.safe_dump({"size": "quick", "data": home.offline}))
    words = (
        f"--snakefile={home.root}/Snakefile",
        f"--directory={work}",
        f"--configfile={settings}",
    )
    whole = home.snakemake("-n", *words, folder=tmp_path, good=True)
    assert re.search(r"^overview +1$", whole.stdout, flags=re.MULTILINE)
    table = f"{FOLDER}/results/{TABLE}"  # surrogates never go to the folders of real results
    home.snakemake("--cores", "1", *words, table, folder=tmp_path, good=True)
    assert contents(work) == contents(home.root)


def test_as_a_module_of_another_workflow(home, tmp_path):
    folders = {name: f"papers/{name}" for name in ("views", "results", "reports")}
    ours = {"size": "quick", "data": home.offline, "output": folders}
    (tmp_path / "parent.yaml").write_text(yaml.safe_dump({"mine": 1, "multiview": ours}))
    (tmp_path / "Snakefile").write_text(PARENT.format(root=home.root, table=TABLE))
    home.snakemake("--cores", "1", folder=tmp_path, good=True)
    expected = contents(home.root)
    assert contents(tmp_path / "papers") == expected
    assert int((tmp_path / "lines.txt").read_text()) == expected["table2.csv"].count(b"\n")
    whole = home.snakemake("-n", "multiview_all", folder=tmp_path, good=True)
    assert "Open papers/reports/index.html" in whole.stdout
