"""The workflow's processes import jsonschema without its slow checker of IRIs."""

import subprocess
import sys
from importlib.util import find_spec

from reproduction.files import ROOT

CHECK_CONFIG = "from reproduction.workflow.config import load_config\nload_config()\n"


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(done.stdout.split())


def test_the_workflow_leaves_the_slow_checker_out():
    light = modules_after(
        "from reproduction.workflow import light_jsonschema\n"
        "light = light_jsonschema.import_jsonschema_without_iri\n"
        f"light()\nlight()\nimport nbformat\n{CHECK_CONFIG}"
    )
    assert {"jsonschema", "nbformat"} <= light
    assert "rfc3987_syntax" not in light


def test_the_library_leaves_jsonschema_as_it_is():
    there = find_spec("rfc3987_syntax") is not None
    assert ("rfc3987_syntax" in modules_after(CHECK_CONFIG)) == there
