"""Describe a run as a Workflow Run RO-Crate: workflow, inputs with digests, parameters, outputs.

The profile is https://w3id.org/ro/wfrun/workflow/0.5. Data sets are named by the sha256 of their
files and not packed: their owners' terms forbid it for some. No time of the run is stated, so that
the same run gives the same bytes.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rocrate.model.contextentity import ContextEntity
from rocrate.model.data_entity import DataEntity
from rocrate.rocrate import ROCrate

from reproduction.closure import package_hash
from reproduction.data.provenance import PROVENANCE_FILE, sha256_of
from reproduction.files import ROOT, read_yaml
from reproduction.rooms import paper_keys
from reproduction.workflow.config import Config
from reproduction.workflow.packaging import direct_requirements, locked_versions

PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
#: What RO-Crate 1.1 has no term for.
TERMS = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}
BIOSCHEMAS = "https://bioschemas.org/profiles/{}/1.0-RELEASE"
WORKFLOW = "Snakefile"
LICENCE = "https://spdx.org/licenses/MIT"
_MEDIA = {
    ".csv": "text/csv", ".html": "text/html", ".json": "application/json", ".md": "text/markdown",
    ".svg": "image/svg+xml", ".yaml": "application/yaml", ".ipynb": "application/x-ipynb+json",
}  # fmt: skip


class CrateError(ValueError):
    """There is no whole run to describe; the text says what to do."""


def _add(crate: ROCrate, place: str, kind: str, /, **properties: Any) -> ContextEntity:
    return crate.add(ContextEntity(crate, place, properties={"@type": kind, **properties}))


def _digest_name(sha256: str) -> str:
    """Name a file by its content (RFC 6920): ``ni:///sha-256;...``."""
    text = base64.urlsafe_b64encode(bytes.fromhex(sha256)).decode().rstrip("=")
    return f"ni:///sha-256;{text}"


def provenances(raw: Path) -> dict[str, dict[str, Any]]:
    """Return what served each data set, by its key.

    Raises
    ------
    CrateError
        Nothing was fetched into this folder.
    """
    files = sorted(raw.glob(f"*/{PROVENANCE_FILE}"))
    if not files:
        raise CrateError(f"no data set lies in {raw}; run `make` first")
    return {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in files}


def _named(key: str, record: Mapping[str, Any]) -> dict[str, str]:
    """Name a file of a data set; a folder by the listing of its files, which has the digest."""
    if "listing" not in record:
        size = str(record["bytes"])
        name = f"{key}/{record['path']}"
        return {"name": name, "contentSize": size, "sha256": record["sha256"]}
    files, size = record["files"], record["bytes"]
    return {
        "name": f"{key}/{record['path']} (listing of {files} files, {size} bytes)",
        "sha256": record["listing"],
        "description": "Lines `<sha256>  <path>` of the files of a folder, paths in byte order",
    }


def _add_data(crate: ROCrate, key: str, facts: Mapping[str, Any]) -> list[DataEntity]:
    """Add the files of a data set; a surrogate has none and is told by what it is."""
    text = f"Data set {key}, served by: {facts['source']}"
    if facts.get("differences"):
        text += f". Against the paper's data: {facts['differences']}"
    entities = []
    for record in facts.get("files", []):
        properties: dict[str, Any] = {
            "@type": "File",
            "description": text,
            "encodingFormat": "application/octet-stream",
            "exampleOfWork": {"@id": "#input/data"},
            **_named(key, record),
        }
        entity = DataEntity(crate, _digest_name(properties["sha256"]), properties=properties)
        entities.append(crate.add(entity))
    if not entities:  # a surrogate
        value = {"name": key, "value": facts["source"], "description": text}
        work = {"@id": "#input/surrogates"}
        entities.append(_add(crate, f"#data/{key}", "PropertyValue", exampleOfWork=work, **value))
    return entities


def _leaves(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Yield the single values of nested settings with their dotted places."""
    if isinstance(value, Mapping):
        for key in value:
            yield from _leaves(value[key], f"{place}.{key}" if place else str(key))
    else:
        yield place, value


def _add_settings(crate: ROCrate, config: Config) -> list[ContextEntity]:
    """Add every setting of the run, those of the papers complete with their defaults."""
    sections: dict[str, Any] = {"name": config.name, "size": config.size}
    sections |= {paper: config.settings(paper).model_dump(mode="json") for paper in paper_keys()}
    return [
        _add(
            crate,
            f"#setting/{place}",
            "PropertyValue",
            name=place,
            value=value if isinstance(value, str) else json.dumps(value),
            exampleOfWork={"@id": "#input/settings"},
        )
        for place, value in _leaves(sections, "")
    ]


def _add_parameters(crate: ROCrate) -> tuple[list[ContextEntity], ContextEntity]:
    """Add what the workflow takes and gives, as the action refers to it."""

    def formal(name: str, kind: str, text: str) -> ContextEntity:
        profile = {"@id": BIOSCHEMAS.format("FormalParameter")}
        words = {"name": name.rpartition("/")[2], "description": text, "additionalType": kind}
        return _add(crate, f"#{name}", "FormalParameter", conformsTo=profile, **words)

    inputs = [
        formal("input/data", "File", "Files of the data sets, named by their sha256"),
        formal("input/surrogates", "PropertyValue", "Data sets that no source had: synthetic"),
        formal("input/settings", "PropertyValue", "Settings of the run, see config/README.md"),
    ]
    return inputs, formal("output/reports", "File", "Pages, ledger and tables of the run")


def _add_software(crate: ROCrate, root: Path) -> list[ContextEntity]:
    """Add the direct requirements with their locked versions; the lock file names the rest."""
    pins = locked_versions(root)
    names = dict.fromkeys(requirement.name.lower() for requirement in direct_requirements(root))
    return [
        _add(
            crate,
            f"https://pypi.org/project/{name}/{pins[name]}/",
            "SoftwareApplication",
            name=name,
            version=pins[name],
            url=f"https://pypi.org/project/{name}/{pins[name]}/",
        )
        for name in names
    ]


def _add_files(crate: ROCrate, names: Mapping[str, Path]) -> dict[str, DataEntity]:
    """Add every packed file with digest and size; return them by their names in the crate."""
    found = {}
    for name, path in names.items():
        if name == WORKFLOW:
            continue
        properties: dict[str, Any] = {
            "name": name,
            "sha256": sha256_of(path),
            "contentSize": str(path.stat().st_size),
            "encodingFormat": _MEDIA.get(path.suffix, "text/plain"),
        }
        if name.startswith("reports/"):
            properties["exampleOfWork"] = {"@id": "#output/reports"}
        found[name] = crate.add_file(path, dest_path=name, properties=properties)
    return found


def _describe_root(crate: ROCrate, root: Path) -> None:
    citation = read_yaml(root / "CITATION.cff")
    people = _add(crate, "#contributors", "Organization", name=citation["authors"][0]["name"])
    crate.root_dataset["author"] = crate.publisher = people
    crate.name = f"Run of {citation['title']}"
    crate.description = " ".join(citation["abstract"].split())
    crate.datePublished = str(citation["date-released"])
    crate.license = _add(crate, LICENCE, "CreativeWork", name="MIT License")
    for address, (name, version) in PROFILES.items():
        profile = _add(crate, address, "CreativeWork", name=name, version=version)
        crate.root_dataset.append_to("conformsTo", profile)


def describe_run(
    names: Mapping[str, Path], *, config: Config, raw: Path, root: Path = ROOT
) -> ROCrate:
    """Return the crate of a run.

    Parameters
    ----------
    names
        What is packed: name in the crate -> file. Everything below ``reports/`` is an output.
    config
        The configuration the run was made with.
    raw
        Folder of the fetched data sets; their provenances are the inputs.
    root
        The repository.
    """
    crate = ROCrate(version="1.1")
    crate.metadata.extra_terms.update(TERMS)
    _describe_root(crate, root)
    inputs, reports = _add_parameters(crate)
    workflow = crate.add_workflow(
        names[WORKFLOW], WORKFLOW, main=True, lang="snakemake",
        properties={
            "name": "Reproduction of papers on multi-view learning",
            "conformsTo": {"@id": BIOSCHEMAS.format("ComputationalWorkflow")},
            "encodingFormat": "text/plain",
        },
    )  # fmt: skip
    workflow["license"] = crate.get(LICENCE)
    workflow["input"], workflow["output"] = inputs, reports
    workflow["softwareRequirements"] = _add_software(crate, root)
    workflow["version"] = f"sources {package_hash()}"
    data = [
        entity for key, facts in provenances(raw).items() for entity in _add_data(crate, key, facts)
    ]
    settings = _add_settings(crate, config)
    files = _add_files(crate, names)
    files["README.md"]["about"] = crate.root_dataset
    action = crate.add_action(
        workflow,
        identifier="#run",
        object=[*data, *settings],
        result=[entity for name, entity in files.items() if name.startswith("reports/")],
        properties={
            "name": f"Run with the configuration {config.name}",
            "actionStatus": "http://schema.org/CompletedActionStatus",
            "description": "Fetched the data, fitted the models, scored them and wrote the reports",
            "agent": {"@id": "#contributors"},
        },
    )
    crate.root_dataset["mentions"] = action
    return crate
