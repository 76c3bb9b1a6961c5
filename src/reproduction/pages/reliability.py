"""The page on reliability: what was tried on purpose, how often, and what came of it.

Every figure comes from a file that a run of one command wrote (:mod:`reproduction.pages.evidence`);
where there is none, the page says "not measured".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from reproduction.pages.data_names import data_name
from reproduction.pages.evidence import EVIDENCE, read_evidence

NOT_MEASURED = "not measured"
Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Measurement:
    """One kind of trouble: its file, what is done, the command, and how its figures are told."""

    name: str
    title: str
    what: str
    command: str
    tried: Callable[[Figures], str]
    outcome: Callable[[Figures], str]


def _count(number: Any) -> str:
    return f"{number:,}" if isinstance(number, int) else str(number)


def _list(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{_count(number)} {name}" for name, number in counts.items())


def _some(number: int, thing: str) -> str:
    """Return a count with its thing, which is one or several."""
    return f"{_count(number)} {thing}{'' if number == 1 else 's'}"


#: What a kill hit, in words.
_KILLED = {
    "page": "while a page was written", "tree": "all processes", "worker": "the process that fits",
}  # fmt: skip


def _editions(names: Mapping[str, str]) -> str:
    """Tell which data sets have another public edition, whose views cannot be compared."""
    return (
        f"; not compared, another edition is public: {', '.join(map(data_name, names))}"
        if names
        else ""
    )


MEASUREMENTS = (
    Measurement(
        "kills", "Kills",
        "A run is killed at a random moment (all its processes, the one that fits, or while the "
        "page is written), then the same command is given again.",
        "make chaos ARGS=kills",
        lambda f: f"{f['kills']} kills ("
        + ", ".join(f"{n} × {_KILLED.get(kind, kind)}" for kind, n in f["by kind"].items())
        + ")",
        lambda f: f"{f['half-written files']} half-written files; {_count(f['bytes alike'])} bytes "
        "of results, verdicts and pages as in an undisturbed run",
    ),
    Measurement(
        "disk", "No room, no right to write",
        "Results are written to a disk that is full; the workflow is called in a folder that "
        "cannot be written.",
        "make chaos ARGS=disk",
        lambda f: f"{_some(f['writes to a full disk'], 'write')} to a full disk, "
        f"{_some(f['calls in a read-only folder'], 'call')} in a read-only folder",
        lambda f: f"{len(f['wrong'])} without an error of one line; old files stay as they were",
    ),
    Measurement(
        "tampering", "Forgeries",
        "Fetched files, views, results, verdicts, pages and the manifest of a finished run are "
        "edited, swapped or removed.",
        "make chaos ARGS=tampering",
        lambda f: f"{f['forgeries']} forgeries",
        lambda f: f"{f['refused']} refused by name",
    ),
    Measurement(
        "hostile", "Hostile files",
        "Foreign files that are damaged in a known way, lead out of their folder, call functions "
        "or unpack to gigabytes.",
        "make chaos ARGS=hostile",
        lambda f: f"{f['files']} files",
        lambda f: f"{f['refused']} refused by name, {f['read without harm']} read without harm, "
        f"{f['code runs and escapes']} code runs or escapes, {len(f['wrong'])} otherwise",
    ),
    Measurement(
        "mutations", "Mutated files",
        "Sound foreign files of every format with a few bytes changed at random.",
        "make chaos ARGS=mutations",
        lambda f: f"{_count(f['mutations'])} mutations of {f['formats']} formats",
        lambda f: f"{f['crashes and bare errors']} crashes or bare errors; "
        f"{_count(f['refused'])} refused by name, {_count(f['read all the same'])} still readable",
    ),
    Measurement(
        "malformed", "Malformed input",
        "Every estimator on several views is given views and labels that are wrong in one way.",
        "make chaos ARGS=malformed",
        lambda f: f"{f['kinds']} kinds, {f['estimators']} estimators, {_count(f['inputs'])} inputs",
        lambda f: f"{f['crashes']} crashes, {len(f['wrong'])} estimators that accepted one",
    ),
    Measurement(
        "faults", "Seeded faults",
        "One wrong line is put into the sources at a time; the tests that should notice are run.",
        "make faults",
        lambda f: f"{f['seeded']} faults",
        lambda f: f"{f['caught']} caught",
    ),
    Measurement(
        "slurm", "Slurm",
        "The quick workflow on a one-machine Slurm cluster; a job is cancelled on the way.",
        "make slurm",
        lambda f: f"{f['jobs']} jobs, {f['cancelled']} cancelled",
        lambda f: f"{_some(f['retried'], 'job')} run again by itself; {f['files alike']} of "
        f"{f['files compared']} files as in a local run",
    ),
    Measurement(
        "public", "No mirror",
        "The whole quick workflow in a copy without a mirror, on a server of this machine that "
        "answers at the addresses of the public hosts; the views of a full run too. The same views "
        "are built from the mirror.",
        "make public",
        lambda f: f"{f['real data sets']} real data sets; {f['quick views compared']} view files "
        f"of the quick run, {f['full views compared']} of the full one",
        lambda f: f"{f['quick views alike']} and {f['full views alike']} view files have the same "
        f"bytes as from the mirror{_editions(f['another edition'])}; {len(f['wrong'])} differ",
    ),
)  # fmt: skip


def summary_frame(folder: Path = EVIDENCE) -> pd.DataFrame:
    """Return a row for every measurement; those without a file are "not measured"."""
    rows = []
    for entry in MEASUREMENTS:
        found = read_evidence(entry.name, folder)
        figures = found.get("figures")
        rows.append(
            {
                "what": entry.title,
                "tried": entry.tried(figures) if figures else NOT_MEASURED,
                "outcome": entry.outcome(figures) if figures else NOT_MEASURED,
                "command": entry.command,
                "commit": found.get("commit", ""),
            }
        )
    return pd.DataFrame(rows)


def descriptions() -> str:
    """Return what each measurement does, as a Markdown list."""
    return "\n".join(f"* **{entry.title}.** {entry.what}" for entry in MEASUREMENTS)


def faults_frame(folder: Path = EVIDENCE) -> pd.DataFrame:
    """Return seeded and caught faults of every area of the sources; empty when not measured."""
    figures = read_evidence("faults", folder).get("figures", {})
    return pd.DataFrame(
        [
            {"area": area, "seeded": counts["seeded"], "caught": counts["caught"]}
            for area, counts in figures.get("areas", {}).items()
        ],
        columns=["area", "seeded", "caught"],
    )


def shortcomings(folder: Path = EVIDENCE) -> str:
    """Return everything that did not go as it should, as Markdown: missed faults first."""
    lines = []
    for entry in MEASUREMENTS:
        figures = read_evidence(entry.name, folder).get("figures", {})
        for word in ("missed", "wrong"):
            lines += [f"* {entry.title}: {text}" for text in figures.get(word, [])]
    return "\n".join(lines) or "Nothing that was measured went wrong."
