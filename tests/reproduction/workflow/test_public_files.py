"""Files that other services read: valid by their schemas, and in step with the project's own."""

import re
import shutil
import subprocess
import tomllib

import check_jsonschema
import pytest
from click.testing import CliRunner

from reproduction.files import ROOT, read_yaml

SCHEMAS = {
    "vendor.citation-file-format": ["CITATION.cff"],
    "vendor.github-workflows": [".github/workflows/*.yml"],
    "vendor.github-issue-forms": [
        ".github/ISSUE_TEMPLATE/bug.yml",
        ".github/ISSUE_TEMPLATE/addition.yml",
    ],
    "vendor.github-issue-config": [".github/ISSUE_TEMPLATE/config.yml"],
}


def files(patterns):
    return sorted(str(path) for pattern in patterns for path in ROOT.glob(pattern))


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_are_valid_by_their_schema(schema):
    found = files(SCHEMAS[schema])
    assert found
    done = CliRunner().invoke(check_jsonschema.main, ["--builtin-schema", schema, *found])
    assert done.exit_code == 0, done.output


def test_every_file_for_github_has_a_schema():
    known = {path for patterns in SCHEMAS.values() for path in files(patterns)}
    assert set(files([".github/**/*.yml"])) <= known


def steps(name):
    (job,) = read_yaml(ROOT / ".github" / "workflows" / f"{name}.yml")["jobs"].values()
    return job, [step["run"] for step in job["steps"] if "run" in step]


def test_the_gate_runs_the_gate_and_nothing_else():
    assert steps("gate")[1] == ["bash .ci/run"]


def test_the_library_is_tested_on_every_python_it_claims():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    claimed = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    job, commands = steps("library")
    assert job["strategy"]["matrix"]["python"] == claimed
    assert project["requires-python"] == f">={claimed[0]}"
    assert commands == ['python -m pip install ".[test]"', "python -m pytest -q tests/library"]


def test_workflows_pass_their_linter():
    linter = shutil.which("actionlint")
    if linter is None:
        pytest.skip(
            "actionlint is not on PATH; the package index has no wheel of it: see "
            "https://github.com/rhysd/actionlint (the schema is checked all the same)"
        )
    command = [linter, *files([".github/workflows/*.yml"])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_workflows_may_only_read():
    for path in files([".github/workflows/*.yml"]):
        assert read_yaml(path)["permissions"] == {"contents": "read"}, path


def words(line):
    """A command without its options and files: the tool, and what it is asked to do."""
    line = line.strip().removeprefix("python -m ").removeprefix(".venv/bin/")
    kept = [word for word in line.split() if not word.startswith("-")]
    return tuple(kept[:2]) if kept[0] == "ruff" else tuple(kept[:1])


def test_pre_commit_calls_the_tools_of_make_lint():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)[1]
    wanted = {words(line) for line in recipe.strip().splitlines()}
    (local,) = read_yaml(ROOT / ".pre-commit-config.yaml")["repos"]
    assert local["repo"] == "local", "hooks come from the project's environment, not the network"
    entries = {words(hook["entry"]) for hook in local["hooks"]}
    assert entries == wanted
    assert all(hook["language"] == "system" for hook in local["hooks"])
