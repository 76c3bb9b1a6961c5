"""Figures about the project's own reliability, each measured by a run and kept in a small file.

Scripts below ``tests/`` write them, the page on reliability shows them. A figure that no run has
produced is "not measured" there.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reproduction.files import ROOT, shown_path, write_json

EVIDENCE = ROOT / "tests" / "evidence"


def commit() -> str:
    """Return the commit that is measured; one with changes on top of it says so."""
    try:
        head = _git("rev-parse", "--short=12", "HEAD")
        changes = _git("status", "--porcelain", "--untracked-files=no", "--", "src", "tests")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    # the files of other measurements are no change of what is measured
    changed = [line for line in changes.splitlines() if "tests/evidence/" not in line]
    return f"{head} with changes" if changed else head


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.rstrip()


def record(
    name: str, command: str, figures: Mapping[str, Any], state: str, folder: Path = EVIDENCE
) -> Path:
    """Write one measurement; return its file.

    ``command`` is what anyone calls to measure again, ``state`` what :func:`commit` said before the
    run. Figures are plain and no times, so that the same outcome gives the same file.
    """
    path = folder / f"{name}.json"
    write_json(path, {"command": command, "commit": state, "figures": dict(figures)})
    return path


def read_evidence(name: str, folder: Path = EVIDENCE) -> dict[str, Any]:
    """Return a measurement with its command and commit; empty when there is none.

    A file that does not hold these three is an error that names it.
    """
    path = folder / f"{name}.json"
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        whole = {"command", "commit", "figures"} <= set(found)
    except (ValueError, TypeError):
        whole = False
    if not whole:
        raise ValueError(f"{shown_path(path)} is no measurement; remove it, or measure again")
    return dict(found)
