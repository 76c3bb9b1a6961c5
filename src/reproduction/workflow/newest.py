"""Try the newest releases: ``python -m reproduction.workflow.newest`` (``make newest``).

Installs every direct requirement without its range into ``build/newest``, runs the tests there, and
says which packages have left their range and which tests fail with them. Nothing of the project's
own environment changes; to take the newest versions in, widen the ranges and call ``make lock``.
Without arguments a sample of the tests runs; ``make newest ARGS=tests`` runs them all.
"""

import argparse
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from reproduction.files import ROOT, write_text
from reproduction.workflow.packaging import direct_requirements, locked_versions

PLACE = Path("build", "newest")
#: Kinds of requirements that the tests need.
EXTRAS = ("reproduce", "dev")
#: All that other people import, then what leans most on other packages: data, verdicts, one run of
#: Snakemake. The rest takes longer than a look at the newest releases should.
SAMPLE = (
    "tests/library",
    "tests/reproduction/data",
    "tests/reproduction/verdicts",
    "tests/workflow/test_own_data.py",
)


@dataclass(frozen=True)
class Step:
    """A direct requirement: what is locked, what is newest, whether the range allows it."""

    name: str
    locked: str
    newest: str
    allowed: bool


def wanted(root: Path = ROOT) -> dict[str, Requirement]:
    """Return the direct requirements by canonical name, those of the tests included."""
    found = (one for extra in EXTRAS for one in direct_requirements(root, extra))
    return {canonicalize_name(one.name): one for one in found}


def steps(
    requirements: Mapping[str, Requirement],
    locked: Mapping[str, str],
    installed: Mapping[str, str],
) -> list[Step]:
    """Return what would change, by name; packages that stay at their pin are left out."""
    return [
        Step(
            name,
            locked.get(name, "none"),
            installed[name],
            requirement.specifier.contains(installed[name], prereleases=True),
        )
        for name, requirement in sorted(requirements.items())
        if name in installed and installed[name] != locked.get(name)
    ]


def failures(junit: Path) -> list[str]:
    """Return the names of the tests that failed, from pytest's XML."""
    cases = ET.parse(junit).iter("testcase")
    return [
        f"{case.get('classname', '')}::{case.get('name', '')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]


def report_text(changes: Iterable[Step], failed: Iterable[str], tests: Iterable[str]) -> str:
    """Return the report as Markdown: what is newer, which tests ran, which of them fail."""
    rows = list(changes)
    lines = ["# The newest releases", ""]
    if rows:
        lines += ["| package | locked | newest | in range |", "|---|---|---|---|"]
        lines += [
            f"| {row.name} | {row.locked} | {row.newest} | {'yes' if row.allowed else 'no'} |"
            for row in rows
        ]
    else:
        lines.append("Every direct requirement is locked at its newest release.")
    broken = list(failed)
    ran = ", ".join(f"`{name}`" for name in tests)
    lines += ["", f"{len(broken)} tests of {ran} fail with them{':' if broken else '.'}", ""]
    lines += [f"- `{name}`" for name in broken]
    return "\n".join(lines).rstrip() + "\n"


def _install(names: Iterable[str]) -> Path:
    """Make the environment; return its Python."""
    subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(PLACE / "environment")], check=True
    )
    python = PLACE / "environment" / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--prefer-binary"]
    subprocess.run([*pip, "--upgrade", *names], check=True)
    subprocess.run([*pip, "--no-deps", "--editable", str(ROOT)], check=True)
    return python


def _installed(python: Path) -> dict[str, str]:
    command = [str(python), "-m", "pip", "list", "--format", "json"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {canonicalize_name(one["name"]): one["version"] for one in json.loads(listed)}


def main(arguments: list[str] | None = None) -> int:
    """Install, test and report; the exit code is that of the tests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", help="which tests (default: a sample; `tests`: all)")
    given = parser.parse_args(arguments)
    requirements = wanted()
    tests = given.tests or list(SAMPLE)
    print(f"1 of 2: {len(requirements)} requirements at their newest, some minutes", flush=True)
    try:
        python = _install(requirements)
    except subprocess.CalledProcessError as error:
        print(f"the newest releases do not install together: {error}", file=sys.stderr)
        return 2
    junit = PLACE / "tests.xml"
    path = os.pathsep.join([str(python.parent.resolve()), os.environ["PATH"]])
    shown = " ".join(tests) + ("" if given.tests else " (a sample; ARGS=tests runs all)")
    print(f"2 of 2: {shown}", flush=True)
    options = ["-q", "-n", "auto", "--dist", "loadgroup", f"--junit-xml={junit}"]
    command = [str(python), "-m", "pytest", *options, *tests]
    done = subprocess.run(command, env={**os.environ, "PATH": path}, check=False)
    failed = failures(junit) if junit.is_file() else ["pytest itself, before any test"]
    text = report_text(steps(requirements, locked_versions(), _installed(python)), failed, tests)
    write_text(PLACE / "report.md", text)
    print(text)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
