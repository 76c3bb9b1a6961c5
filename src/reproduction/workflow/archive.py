"""Bundle a run for a repository with DOIs: ``python -m reproduction.workflow.archive``.

The archive is a Workflow Run RO-Crate (https://w3id.org/ro/wfrun/workflow/0.5) with the reports and
the sources that made them. Data sets are named by the sha256 of their files and not packed: their
owners' terms forbid it for some. No time is stated, so the same run gives the same bytes.
"""

import argparse
import base64
import io
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rocrate.model.contextentity import ContextEntity
from rocrate.model.data_entity import DataEntity
from rocrate.rocrate import ROCrate

from manyviews import __version__
from reproduction.data.provenance import PROVENANCE_FILE, read_provenance, sha256_of
from reproduction.files import ROOT, atomic_path, read_yaml, shown_path
from reproduction.rooms import paper_keys
from reproduction.workflow.config import Config, ConfigError, load_config

METADATA = "ro-crate-metadata.json"
WORKFLOW = "Snakefile"
#: What is packed beside the reports: files and folders of the repository.
PARTS = (
    "CHANGELOG.md", "CITATION.cff", "LICENSE", "Makefile", "README.md", WORKFLOW, "config",
    "data/registry", "docs/licences.md", "environment.yml", "notebooks", "pyproject.toml",
    "requirements.lock", "src", "workflow",
)  # fmt: skip
#: Without these there is no whole run.
NEEDED = ("index.html", "tables/ledger.csv", "tables/ledger.json", "tables/claims.csv")
PROFILES = (
    "https://w3id.org/ro/wfrun/process/0.5",
    "https://w3id.org/ro/wfrun/workflow/0.5",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
)
#: What RO-Crate 1.1 has no term for.
TERMS = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}
LICENCE = "https://spdx.org/licenses/MIT"
#: The earliest time that a zip can state.
_TIME = (1980, 1, 1, 0, 0, 0)
_LEFT_OUT = {"__pycache__", ".ipynb_checkpoints"}


class ArchiveError(ValueError):
    """There is no whole run to archive; the text says what to do."""


def packed_files(reports: Path, root: Path = ROOT) -> dict[str, Path]:
    """Return what goes into the archive: name there -> file, sorted by name."""
    lacking = [name for name in NEEDED if not (reports / name).is_file()]
    if lacking:
        raise ArchiveError(f"{shown_path(reports / lacking[0])} is missing; run `make` to its end")
    found = {}
    for part in PARTS:
        place = root / part
        for path in [place] if place.is_file() else place.rglob("*"):
            if path.is_file() and not _LEFT_OUT & set(path.parts):
                found[path.relative_to(root).as_posix()] = path
    for path in reports.rglob("*"):
        if path.is_file():
            found[f"reports/{path.relative_to(reports).as_posix()}"] = path
    return dict(sorted(found.items()))


def _add(crate: ROCrate, place: str, kind: str, **properties: Any) -> ContextEntity:
    return crate.add(ContextEntity(crate, place, properties={"@type": kind, **properties}))


def _data(crate: ROCrate, raw: Path) -> Iterator[DataEntity]:
    """Add the files of all data sets, named by their content (RFC 6920); a surrogate has none."""
    folders = sorted(path.parent for path in raw.glob(f"*/{PROVENANCE_FILE}"))
    if not folders:
        raise ArchiveError(f"no data set lies in {raw}; run `make` first")
    for folder in folders:
        facts = read_provenance(folder)
        text = f"Data set {folder.name}, served by: {facts['source']}"
        if not facts.get("files"):
            yield _add(crate, f"#data/{folder.name}", "PropertyValue", name=folder.name, value=text)
        for record in facts.get("files", ()):
            # a folder is named by the listing of its files
            sha256 = record.get("sha256") or record["listing"]
            name = base64.urlsafe_b64encode(bytes.fromhex(sha256)).decode().rstrip("=")
            properties = {
                "@type": "File",
                "name": f"{folder.name}/{record['path']}",
                "description": text,
                "contentSize": str(record["bytes"]),
                "encodingFormat": "application/octet-stream",
                "sha256": sha256,
            }
            yield crate.add(DataEntity(crate, f"ni:///sha-256;{name}", properties=properties))


def _settings(crate: ROCrate, config: Config) -> Iterator[ContextEntity]:
    """Add the papers' settings, complete with their defaults."""
    for paper in paper_keys():
        text = json.dumps(config.settings(paper).model_dump(mode="json"))
        yield _add(crate, f"#settings/{paper}", "PropertyValue", name=paper, value=text)


def describe(names: Mapping[str, Path], config: Config, raw: Path, root: Path = ROOT) -> ROCrate:
    """Return the crate of a run: workflow, inputs with digests, settings, outputs.

    Parameters
    ----------
    names
        What is packed: name in the crate -> file. Everything below ``reports/`` is an output.
    config
        The configuration the run was made with.
    raw
        Folder of the fetched data sets.
    root
        The repository.
    """
    citation = read_yaml(root / "CITATION.cff")
    crate = ROCrate(version="1.1")
    crate.metadata.extra_terms.update(TERMS)
    people = _add(crate, "#contributors", "Organization", name=citation["authors"][0]["name"])
    crate.root_dataset["author"] = crate.publisher = people
    crate.name = f"Run of {citation['title']}"
    crate.description = " ".join(citation["abstract"].split())
    crate.datePublished = str(citation["date-released"])
    crate.license = _add(crate, LICENCE, "CreativeWork", name="MIT License")
    for address in PROFILES:
        name, _, version = address.rpartition("/")
        profile = _add(crate, address, "CreativeWork", name=name, version=version)
        crate.root_dataset.append_to("conformsTo", profile)
    about = {"name": crate.name, "encodingFormat": "text/plain"}
    workflow = crate.add_workflow(
        names[WORKFLOW], WORKFLOW, main=True, lang="snakemake", properties=about
    )
    workflow["license"] = crate.license
    workflow["version"] = __version__
    results = []
    for name, path in names.items():
        if name == WORKFLOW:
            continue
        facts = {"name": name, "sha256": sha256_of(path), "contentSize": str(path.stat().st_size)}
        entity = crate.add_file(path, dest_path=name, properties=facts)
        results += [entity] if name.startswith("reports/") else []
    action = crate.add_action(
        workflow,
        identifier="#run",
        object=[*_data(crate, raw), *_settings(crate, config)],
        result=results,
        properties={
            "name": f"Run with the configuration {config.name}",
            "actionStatus": "http://schema.org/CompletedActionStatus",
            "agent": {"@id": "#contributors"},
        },
    )
    crate.root_dataset["mentions"] = action
    return crate


def write_archive(target: Path, *, reports: Path, raw: Path, config: Path | None = None) -> Path:
    """Write the archive of a run, atomically."""
    names = packed_files(reports)
    crate = describe(names, load_config(config), raw)
    metadata = json.dumps(crate.metadata.generate(), indent=1, sort_keys=True, ensure_ascii=False)
    contents = {METADATA: metadata.encode()}
    contents |= {name: path.read_bytes() for name, path in names.items()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            archive.writestr(zipfile.ZipInfo(name, _TIME), contents[name], zipfile.ZIP_DEFLATED)
    with atomic_path(target) as temporary:
        temporary.write_bytes(stream.getvalue())
    return target


def main(arguments: list[str] | None = None) -> int:
    """Write the archive of a run that is there; an error is one line and exit code 2."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=Path, default=Path("reports"))
    parser.add_argument("--raw", type=Path, default=Path("data/raw"))
    parser.add_argument("--config", type=Path, help="file that the run laid over config.yaml")
    parser.add_argument(
        "--output", type=Path, default=Path(f"dist/manyviews-{__version__}-run.zip")
    )
    given = parser.parse_args(arguments)
    try:
        print(
            write_archive(given.output, reports=given.reports, raw=given.raw, config=given.config)
        )
    except (ArchiveError, ConfigError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
