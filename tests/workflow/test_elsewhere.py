"""The workflow away from its repository, as a module of another workflow."""

import pytest
import yaml

pytestmark = pytest.mark.workflow

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


def files(root):
    return {
        path: path.stat().st_mtime_ns
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_as_a_module_of_another_workflow_in_its_folder(shared_built_project, tmp_path):
    """The repository has made the same before, and nothing writes to it."""
    home = shared_built_project
    before = files(home.root)
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
    assert files(home.root) == before
