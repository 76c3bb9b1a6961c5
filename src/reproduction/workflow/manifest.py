"""The manifest of a run: digests of everything it was made from and of everything it made."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from reproduction.data.provenance import PROVENANCE_FILE, sha256_of
from reproduction.data.registry import Registry, fetch_hash, views_hash
from reproduction.files import ROOT, shown_path, write_json
from reproduction.pages.page import BESIDE
from reproduction.pages.stamp import code_stamp, page_stamp
from reproduction.pages.times import MEASURED
from reproduction.results.custody import settings_digest
from reproduction.rooms import room
from reproduction.verdicts.ledger import rule_files
from reproduction.verdicts.margins import MARGINS
from reproduction.verdicts.readings import READINGS_FILE
from reproduction.verdicts.score import SCORED
from reproduction.workflow.config import Config

MANIFEST = "MANIFEST.json"


def file_digests(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the sha256 of files of a folder, by their names in it."""
    return {name: sha256_of(folder / name) for name in sorted(names)}


def report_files(reports: Path) -> list[str]:
    """Return the names of all files of a report: the manifest itself and times are left out.

    Times are those of one machine and differ from run to run; pages beside the report have targets
    of their own and may be older or newer than the run.
    """
    names = (path.relative_to(reports) for path in reports.rglob("*") if path.is_file())
    return sorted(
        name.as_posix()
        for name in names
        if name.parts[0] not in {MANIFEST, *MEASURED} and name.stem not in BESIDE
    )


def rule_commit() -> str:
    """Return the commit that last changed the rule of verdicts; empty outside of git."""
    command = ["git", "log", "-1", "--format=%H", "--", *map(str, rule_files())]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def environment_here() -> dict[str, str]:
    """Return what the last bits of a result may depend on beside the sources."""
    names = ("numpy", "scipy", "scikit-learn", "numba", "pandas")
    return {
        "Python": platform.python_version(),
        "processor": platform.machine(),
        **{name: version(name) for name in names},
    }


def inputs_here(config: Config, papers: Iterable[str], registry: Registry) -> dict[str, Any]:
    """Return digests of what people wrote and reports follow from, by what they are called."""
    keys = list(papers)
    written = {
        f"{paper}/{name}": sha256_of(room(paper) / name)
        for paper in keys
        for name in ("published.csv", "claims.yaml", "paper.yaml", READINGS_FILE)
    }
    return {
        **written,
        MARGINS.name: sha256_of(MARGINS),
        **{
            f"settings of {paper}": settings_digest(paper, config.settings(paper).model_dump())
            for paper in keys
        },
        **{
            f"registry of {key}": fetch_hash(registry[key]) + views_hash(registry[key])
            for key in registry
        },
    }


def result_files(results: Path, papers: Iterable[str]) -> list[str]:
    """Return the names of all results that were scored, and of what scoring wrote."""
    names = []
    for paper in papers:
        path = results / paper / "scored.json"
        if not path.is_file():
            raise ValueError(f"{shown_path(path)} is missing; run the workflow to its end first")
        scored = json.loads(path.read_text(encoding="utf-8"))
        names += [f"{paper}/{job}{end}" for job in scored["jobs"] for end in (".csv", ".json")]
        ends = (*(f"{table}.csv" for table in SCORED), "provenance.json", "scored.json")
        names += [f"{paper}/{name}" for name in ends]
    return names


def write_manifest(
    target: Path,
    config: Config,
    *,
    papers: Iterable[str],
    registry: Registry,
    raw: Path,
    results: Path,
) -> dict[str, Any]:
    """Write the manifest of the reports in the target's folder; return it.

    Parameters
    ----------
    target
        ``<reports>/MANIFEST.json``.
    config
        The configuration of the run.
    papers
        Keys of the papers.
    registry
        All data sets.
    raw, results
        Folders of the fetched files and of the results.
    """
    keys = list(papers)
    fetched = {}
    for path in sorted(raw.glob(f"*/{PROVENANCE_FILE}")):
        provenance = json.loads(path.read_text(encoding="utf-8"))
        files = {r["path"]: r.get("sha256") or r["listing"] for r in provenance["files"]}
        fetched[path.parent.name] = {"source": provenance["source"], "files": files}
    manifest = {
        "stamp": {"Code": code_stamp(), **page_stamp(config.name)},
        "environment": environment_here(),
        "rule_commit": rule_commit(),
        "inputs": inputs_here(config, keys, registry),
        "data": fetched,
        "results": file_digests(results, result_files(results, keys)),
        "reports": file_digests(target.parent, report_files(target.parent)),
    }
    write_json(target, manifest)
    return manifest
