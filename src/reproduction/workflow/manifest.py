"""The manifest of a run: digests of everything it was made from and of everything it made."""

import json
import platform
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from asprinted.margins import MARGINS
from reproduction.data.provenance import PROVENANCE_FILE, sha256_of
from reproduction.data.registry import Registry, fetch_hash, views_hash
from reproduction.files import shown_path, write_json
from reproduction.pages.page import BESIDE
from reproduction.pages.stamp import code_stamp, page_stamp
from reproduction.pages.times import MEASURED
from reproduction.results.custody import digest_of
from reproduction.rooms import room
from reproduction.verdicts.chain import BY_SCORING, WRITTEN
from reproduction.workflow.config import Config
from reproduction.workflow.rows import ROWS, pack

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


def environment_here() -> dict[str, str]:
    """Return what the last bits of a result may depend on beside the sources."""
    names = ("numpy", "scipy", "scikit-learn", "numba", "pandas")
    here = {"Python": platform.python_version(), "processor": platform.machine()}
    return here | {name: version(name) for name in names}


def inputs_here(config: Config, papers: Iterable[str], registry: Registry) -> dict[str, str]:
    """Return digests of what people wrote and reports follow from, by what they are called."""
    found = {MARGINS.name: sha256_of(MARGINS)}
    for paper in papers:
        for name in WRITTEN:
            found[f"{paper}/{name}"] = sha256_of(room(paper) / name)
        found[f"settings of {paper}"] = digest_of(config.settings(paper).model_dump(mode="json"))
    for key in registry:
        found[f"registry of {key}"] = fetch_hash(registry[key]) + views_hash(registry[key])
    return found


def result_files(results: Path, papers: Iterable[str]) -> list[str]:
    """Return the names of all results that were scored, and of what scoring wrote."""
    names = []
    for paper in papers:
        path = results / paper / "scored.json"
        if not path.is_file():
            raise ValueError(f"{shown_path(path)} is missing; run the workflow to its end first")
        scored = json.loads(path.read_text(encoding="utf-8"))
        names += [f"{paper}/{job}{end}" for job in scored["jobs"] for end in (".csv", ".json")]
        names += [f"{paper}/{name}" for name in BY_SCORING]
    return names


def write_manifest(
    target: Path,
    config: Config,
    *,
    papers: tuple[str, ...],
    registry: Registry,
    raw: Path,
    results: Path,
    environment: dict[str, str] | None = None,
) -> None:
    """Write the manifest of the reports in the target's folder, and the run's rows beside it.

    ``environment`` is what the rows were measured with, where that was not here.
    """
    names = result_files(results, papers)
    pack(target.with_name(ROWS), raw, results, names)
    fetched = {}
    for path in sorted(raw.glob(f"*/{PROVENANCE_FILE}")):
        provenance = json.loads(path.read_text(encoding="utf-8"))
        files = {r["path"]: r.get("sha256") or r["listing"] for r in provenance["files"]}
        fetched[path.parent.name] = {"source": provenance["source"], "files": files}
    manifest = {
        "stamp": {"Code": code_stamp(), **page_stamp(config.title)},
        "environment": environment or environment_here(),
        "inputs": inputs_here(config, papers, registry),
        "data": fetched,
        "results": file_digests(results, names),
        "reports": file_digests(target.parent, report_files(target.parent)),
    }
    write_json(target, manifest)
