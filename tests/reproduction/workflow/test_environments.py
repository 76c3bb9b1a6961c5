"""Environments beyond the lock: the container's recipe."""

import re
import shutil
import subprocess

import pytest

from reproduction.files import ROOT
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
