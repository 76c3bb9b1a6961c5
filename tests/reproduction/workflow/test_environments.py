"""Environments beyond the lock: the container's recipe, the try of the newest releases."""

import re
import shutil
import subprocess

import pytest
from packaging.requirements import Requirement

from reproduction.files import ROOT
from reproduction.workflow.newest import SAMPLE, Step, failures, report_text, steps, wanted
from reproduction.workflow.packaging import PYTHON

RECIPE = (ROOT / "Containerfile").read_text(encoding="utf-8")


def test_the_recipe_passes_its_linter():
    linter = shutil.which("hadolint")
    if linter is None:
        pytest.skip("hadolint is not on PATH; `make .venv/.ready` installs it where it has a wheel")
    done = subprocess.run(
        [linter, ROOT / "Containerfile"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_recipe_installs_the_lock_on_the_same_python():
    assert re.search(rf"^FROM \S+/python:{re.escape(PYTHON)}-", RECIPE, re.MULTILINE)
    assert "RUN make .venv/.ready" in RECIPE
    assert "pip install" not in RECIPE, "the Makefile installs, from requirements.lock"


def test_what_the_recipe_copies_is_there():
    for line in re.findall(r"^COPY (.+)$", RECIPE, re.MULTILINE):
        for name in line.split()[:-1]:
            assert (ROOT / name).exists(), name


def test_nothing_that_a_run_writes_goes_into_the_image():
    def lines(name):
        text = (ROOT / name).read_text(encoding="utf-8").split()
        return {line.strip("/").removeprefix("**/") for line in text}

    big = {".venv", ".snakemake", "data/raw", "data/views", "data/mirror", "results", "build"}
    assert big <= lines(".gitignore")
    assert big <= lines(".dockerignore")


def test_a_step_says_whether_the_range_allows_it():
    requirements = {name: Requirement(f"{name}>=1,<2") for name in ("a", "b", "c", "d")}
    locked = {"a": "1.0", "b": "1.0", "c": "1.0"}
    installed = {"a": "1.0", "b": "1.5", "c": "2.0", "d": "1.1"}
    assert steps(requirements, locked, installed) == [
        Step("b", "1.0", "1.5", allowed=True),
        Step("c", "1.0", "2.0", allowed=False),
        Step("d", "none", "1.1", allowed=True),
    ]


def test_the_report_names_what_breaks(tmp_path):
    junit = tmp_path / "tests.xml"
    junit.write_text(
        "<testsuites><testsuite>"
        '<testcase classname="tests.a" name="good"/>'
        '<testcase classname="tests.a" name="bad"><failure/></testcase>'
        '<testcase classname="tests.b" name="worse"><error/></testcase>'
        '<testcase classname="tests.b" name="left"><skipped/></testcase>'
        "</testsuite></testsuites>"
    )
    assert failures(junit) == ["tests.a::bad", "tests.b::worse"]
    text = report_text([Step("c", "1.0", "2.0", allowed=False)], failures(junit), ["tests"])
    assert "| c | 1.0 | 2.0 | no |" in text
    assert "2 tests of `tests` fail with them:" in text
    assert "0 tests of `a`, `b` fail with them." in report_text([], [], ["a", "b"])


def test_the_tests_own_requirements_are_tried_too():
    assert {"numpy", "snakemake", "pytest", "ruff"} <= set(wanted())


def test_the_sample_is_there_and_has_the_whole_library():
    assert "tests/library" in SAMPLE
    assert all((ROOT / name).exists() for name in SAMPLE)
