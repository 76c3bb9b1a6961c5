"""Bundle a run for a repository with DOIs: ``python -m reproduction.workflow.archive``.

The archive is a Workflow Run RO-Crate (https://w3id.org/ro/wfrun/workflow/0.5) with the reports and
the sources that made them. Data sets are named by the sha256 of their files and not packed: their
owners' terms forbid it for some. No time is stated, so the same run gives the same bytes.
"""

import argparse
import base64
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rocrate.model.contextentity import ContextEntity
from rocrate.model.data_entity import DataEntity
from rocrate.rocrate import ROCrate

from manyviews import __version__
from reproduction.data.provenance import PROVENANCE_FILE, read_provenance
from reproduction.files import ROOT, atomic_path, read_yaml, shown_path
from reproduction.workflow.manifest import MANIFEST

METADATA = "ro-crate-metadata.json"
WORKFLOW = "Snakefile"
#: What is packed beside the reports: files and folders of the repository.
PARTS = (
    "CHANGELOG.md", "CITATION.cff", "LICENSE", "Makefile", "README.md", WORKFLOW, "config",
    "data/registry", "docs/licences.md", "environment.yml", "notebooks", "pyproject.toml",
    "requirements.lock", "src", "workflow",
)  # fmt: skip
PROFILES = (
    "https://w3id.org/ro/wfrun/process/0.5",
    "https://w3id.org/ro/wfrun/workflow/0.5",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
)


def packed_files(reports: Path) -> dict[str, Path]:
    """Return what goes into the archive: name there -> file, sorted by name."""
    if not (reports / MANIFEST).is_file():  # the last file of a whole run
        raise ValueError(f"{shown_path(reports / MANIFEST)} is missing; run `make` to its end")
    found = {f"reports/{path.relative_to(reports).as_posix()}": path for path in reports.rglob("*")}
    for part in PARTS:
        for path in (ROOT / part, *(ROOT / part).rglob("*")):
            if not {"__pycache__", ".ipynb_checkpoints"} & set(path.parts):
                found[path.relative_to(ROOT).as_posix()] = path
    return {name: path for name, path in sorted(found.items()) if path.is_file()}


def _data(crate: ROCrate, raw: Path) -> Iterator[DataEntity]:
    """Add the files of all data sets, named by their content (RFC 6920); a surrogate has none."""
    folders = sorted(path.parent for path in raw.glob(f"*/{PROVENANCE_FILE}"))
    if not folders:
        raise ValueError(f"no data set lies in {raw}; run `make` first")
    for folder in folders:
        for record in read_provenance(folder).get("files", ()):
            sha256 = record.get("sha256") or record["listing"]  # a folder: of the list of its files
            name = base64.urlsafe_b64encode(bytes.fromhex(sha256)).decode().rstrip("=")
            about = {
                "@type": "File",
                "name": f"{folder.name}/{record['path']}",
                "contentSize": str(record["bytes"]),
                "encodingFormat": "application/octet-stream",
            }
            yield crate.add(DataEntity(crate, f"ni:///sha-256;{name}", properties=about))


def describe(names: dict[str, Path], raw: Path) -> ROCrate:
    """Return the crate of a run: workflow, data sets, outputs; the manifest has all digests."""
    citation = read_yaml(ROOT / "CITATION.cff")
    crate = ROCrate(version="1.1")

    def add(place: str, kind: str, **properties: Any) -> ContextEntity:
        return crate.add(ContextEntity(crate, place, properties={"@type": kind, **properties}))

    people = add("#contributors", "Organization", name=citation["authors"][0]["name"])
    crate.root_dataset["author"] = crate.publisher = people
    crate.name = f"Run of {citation['title']}"
    crate.description = " ".join(citation["abstract"].split())
    crate.datePublished = str(citation["date-released"])
    crate.license = licence = add(
        "https://spdx.org/licenses/MIT", "CreativeWork", name="MIT License"
    )
    for address in PROFILES:
        name, _, version = address.rpartition("/")
        profile = add(address, "CreativeWork", name=name, version=version)
        crate.root_dataset.append_to("conformsTo", profile)
    about = {"name": crate.name, "encodingFormat": "text/plain", "version": __version__}
    workflow = crate.add_workflow(
        names[WORKFLOW], WORKFLOW, main=True, lang="snakemake", properties=about
    )
    workflow["license"] = licence
    files = {
        name: crate.add_file(path, dest_path=name, properties={"name": name})
        for name, path in names.items()
        if name != WORKFLOW
    }
    crate.root_dataset["mentions"] = crate.add_action(
        workflow,
        identifier="#run",
        object=[*_data(crate, raw), files["config/config.yaml"]],
        result=[file for name, file in files.items() if name.startswith("reports/")],
        properties={
            "name": crate.name,
            "actionStatus": "http://schema.org/CompletedActionStatus",
            "agent": {"@id": "#contributors"},
        },
    )
    return crate


def write_archive(target: Path, *, reports: Path, raw: Path) -> Path:
    """Write the archive of a run, atomically."""
    names = packed_files(reports)
    crate = describe(names, raw).metadata.generate()
    metadata = json.dumps(crate, indent=1, sort_keys=True, ensure_ascii=False)
    contents = {METADATA: metadata.encode()} | {n: path.read_bytes() for n, path in names.items()}
    with atomic_path(target) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name in sorted(contents):
            earliest = zipfile.ZipInfo(name)  # its time is the earliest that a zip can state
            archive.writestr(earliest, contents[name], zipfile.ZIP_DEFLATED)
    return target


def main(arguments: list[str] | None = None) -> int:
    """Write the archive of a run that is there; an error is one line and exit code 2."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=Path, default=Path("reports"))
    parser.add_argument("--raw", type=Path, default=Path("data/raw"))
    target = Path(f"dist/manyviews-{__version__}-run.zip")
    parser.add_argument("--output", type=Path, default=target)
    given = vars(parser.parse_args(arguments))
    try:
        print(write_archive(given.pop("output"), **given))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
