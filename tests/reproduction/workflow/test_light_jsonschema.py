"""Our processes import jsonschema without its slow checker of IRIs."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from reproduction.files import ROOT

LIGHT = (
    "from reproduction.workflow import light_jsonschema\n"
    "light_jsonschema.import_jsonschema_without_iri()\n"
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
    light = modules_after(f"{LIGHT}{LIGHT}import nbformat")
    assert {"jsonschema", "nbformat"} <= light
    assert "rfc3987_syntax" not in light


@pytest.mark.skipif(find_spec("rfc3987_syntax") is None, reason="the slow checker is not installed")
def test_without_it_the_slow_checker_is_imported():
    """Or else the module has nothing to save any more and can go."""
    assert "rfc3987_syntax" in modules_after("import nbformat")


def test_planning_leaves_the_slow_checker_out(tmp_path):
    """Snakemake imports nbformat itself, so the rules must come first."""
    plan = (
        "import os, sys\n"
        f"os.chdir({str(tmp_path)!r})\n"
        f"sys.argv = ['snakemake', '-n', '--quiet', '-s', {str(ROOT / 'workflow/Snakefile')!r}, "
        "'data/views/cornell.npz']\n"
        "from snakemake.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
    )
    modules = modules_after(plan)
    assert "nbformat" in modules
    assert "rfc3987_syntax" not in modules
