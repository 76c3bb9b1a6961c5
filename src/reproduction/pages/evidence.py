"""Figures about the project's own reliability: what was tried on purpose, and what came of it.

Scripts below ``tests/`` measure them and keep each in a small file; the page on reliability shows
them, in the words of ``assets/reliability.yaml``. A figure that no run has produced is "not
measured" there.
"""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from reproduction.files import ROOT, read_yaml, write_json
from reproduction.pages.markup import templates

EVIDENCE = ROOT / "tests" / "evidence"
NOT_MEASURED = "not measured"

#: Kinds of trouble: name of the file, title, what is done, the command, words for its figures.
MEASUREMENTS = read_yaml(Path(__file__).with_name("assets") / "reliability.yaml")


def commit() -> str:
    """Return the commit that is measured and its day; one with changes on top of it says so."""
    try:
        head = _git("log", "-1", "--abbrev=12", "--format=%h of %cs")
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
    """Write one measurement with the command that repeats it; return its file."""
    path = folder / f"{name}.json"
    write_json(path, {"command": command, "commit": state, "figures": dict(figures)})
    return path


def read_evidence(name: str, folder: Path = EVIDENCE) -> dict[str, Any]:
    """Return a measurement with its command and commit; without figures when there is none."""
    path = folder / f"{name}.json"
    found = path.read_text(encoding="utf-8") if path.is_file() else '{"figures": {}}'
    return dict(json.loads(found))


def summary_frame(folder: Path = EVIDENCE) -> pd.DataFrame:
    """Return a row for every measurement; those without a file are "not measured"."""
    rows = []
    for entry in MEASUREMENTS:
        found = read_evidence(entry["name"], folder)
        row = {"what": entry["title"]}
        for words in ("tried", "outcome"):
            told = templates().from_string(entry[words] if found["figures"] else NOT_MEASURED)
            row[words] = told.render(f=found["figures"], killed=entry.get("killed", {}))
        rows.append(row | {"command": entry["command"], "commit": found.get("commit", "")})
    return pd.DataFrame(rows)


def descriptions() -> str:
    """Return what each measurement does, as a Markdown list."""
    return "\n".join(f"* **{entry['title']}.** {entry['what']}" for entry in MEASUREMENTS)


def mutants_frame(folder: Path = EVIDENCE) -> pd.DataFrame:
    """Return mutants made and caught in every room; empty when not measured."""
    rooms = read_evidence("mutants", folder)["figures"].get("rooms", {})
    columns = ["room", "made", "caught at first", "caught", "equivalent", "commit"]
    rows = [
        {**score, "room": room, "equivalent": len(score["equivalent"])}
        for room, score in rooms.items()
    ]
    return pd.DataFrame(rows, columns=columns)


def shortcomings(folder: Path = EVIDENCE) -> str:
    """Return everything that did not go as it should, as Markdown."""
    lines = []
    for entry in MEASUREMENTS:
        figures = read_evidence(entry["name"], folder)["figures"]
        scores = [figures, *figures.get("rooms", {}).values()]
        texts = [text for f in scores for word in ("missed", "wrong") for text in f.get(word, [])]
        lines += [f"* {entry['title']}: `{text}`" for text in texts]
    return "\n".join(lines) or "Nothing that was measured went wrong."
