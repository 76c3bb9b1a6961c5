"""CONTRIBUTING.md, followed literally: its commands run, its links lead somewhere."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from reproduction.files import ROOT

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
LINES = [
    line
    for block in re.findall(r"^```console\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    for line in block.strip().splitlines()
]
LONG = re.compile(r"\s+# [^:]*\bminutes\b")  # "3 minutes", "1 to 3 minutes", "12 minutes or more"
#: Seconds a command may take that does not say it takes minutes.
SHORT = 240


def test_the_hour_is_an_hour():
    parts = [int(minutes) for minutes in re.findall(r"^## .*\((\d+) minutes\)$", GUIDE, re.M)]
    assert len(parts) == 6
    assert sum(parts) <= 60


def test_long_commands_exist():
    """What is too long to run here is at least a target of the Makefile or a file."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    long = [LONG.split(line)[0].split() for line in LINES if LONG.search(line)]
    assert len(long) >= 4
    for program, target, *_ in long:
        if program == "make":
            named = target.replace(".venv/.ready", "$(READY)")
            assert re.search(rf"^{re.escape(named)}:", makefile, re.MULTILINE), target
        else:
            assert (ROOT / target).is_file(), target


@pytest.mark.parametrize("line", [line for line in LINES if not LONG.search(line)])
def test_short_commands_run(line):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    sources = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        ["bash", "-euc", line],
        cwd=ROOT,
        env={**os.environ, "PATH": path, "PYTHONPATH": sources},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=SHORT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # it has children of its own
        process.communicate()
        pytest.fail(f"{line}: not done after {SHORT} s; its comment must say how many minutes")
    assert process.returncode == 0, f"{line}\n{said}"


@pytest.mark.parametrize("comment", ["3 minutes: a run", "12 to 13 minutes on two cores"])
def test_a_comment_that_speaks_of_minutes_keeps_a_command_from_running(comment):
    """A range of minutes was once read as a short command: the tests ran themselves for ever."""
    assert LONG.search(f"make test      # {comment}")
    assert not LONG.search("make plan  # the jobs: how many minutes each takes")


def test_no_test_starts_the_tests():
    short = [line for line in LINES if not LONG.search(line)]
    assert not [line for line in short if line.startswith(("make test", "bash .ci/run"))]


# docs/index.md is the index of the site, which checks its links when it is built
PAGES = sorted(
    {ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")} - {ROOT / "docs" / "index.md"}
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_between_files_lead_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), f"{target} is not there"
