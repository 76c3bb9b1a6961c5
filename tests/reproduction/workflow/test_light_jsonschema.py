"""Processes that write pages import jsonschema without its slow checker of IRIs."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from reproduction.files import ROOT

LIGHT = (
    "from reproduction.workflow import light_jsonschema\n"
    "light_jsonschema.import_jsonschema_without_iri()\n"
)
#: What every snakemake call reads before it plans.
START = (
    "from reproduction.workflow.config import load_config\n"
    "from reproduction.data.registry import load_registry\n"
    "load_config()\nload_registry()\n"
)


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(done.stdout.split())


def test_writing_a_page_leaves_the_slow_checker_out():
    light = modules_after(f"{LIGHT}{LIGHT}import nbformat, papermill")
    assert {"jsonschema", "nbformat", "papermill"} <= light
    assert "rfc3987_syntax" not in light


@pytest.mark.skipif(find_spec("rfc3987_syntax") is None, reason="the slow checker is not installed")
def test_without_it_the_slow_checker_is_imported():
    """Or else the module has nothing to save any more and can go."""
    assert "rfc3987_syntax" in modules_after("import nbformat")


def test_a_call_of_the_workflow_needs_neither():
    assert not {"jsonschema", "nbformat"} & modules_after(START)
