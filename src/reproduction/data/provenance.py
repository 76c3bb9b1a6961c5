"""Which source served a data set, and proof that its files are the expected ones.

A provenance is a plain dictionary that travels with every view file and every number:

``dataset``, ``source`` (mirror, publisher, wheel, user or surrogate), ``where`` (never a path of
this machine), ``files`` (path, bytes, sha256), ``comparable`` and ``differences`` (against the
paper's data), ``served_by`` (what the source says to the builder), ``registry`` (version and sha256
of the entry). No date and no absolute path, so the same files give the same provenance everywhere.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reproduction.data.registry import Dataset

#: Name of the file that marks a complete raw folder; it is written last.
PROVENANCE_FILE = "PROVENANCE.json"
_CHUNK = 1 << 20


class FetchError(ValueError):
    """A data set cannot be had; the text says what was tried and what to do."""


class SourceUnavailableError(FetchError):
    """A source does not have the files; the next one is tried."""


class ChecksumError(FetchError):
    """A file is there but is not the one the registry names; never passed over."""


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file's content."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def file_record(path: Path, name: str) -> dict[str, Any]:
    """Return what the provenance says about one file."""
    return {"path": name, "bytes": path.stat().st_size, "sha256": sha256_of(path)}


def verify_file(path: Path, expected: Mapping[str, Any], *, dataset: str, source: str) -> None:
    """Check size and sha256 of a file against the registry.

    Parameters
    ----------
    path
        The file.
    expected
        The registry's ``path``, ``sha256`` and (where known) ``bytes``; without ``sha256``
        nothing is checked.
    dataset, source
        For the error text.

    Raises
    ------
    ChecksumError
        Naming file, source, what was expected and what was found, and what to do.
    """
    wanted = expected.get("sha256")
    if wanted is None:
        return
    found = sha256_of(path)
    if found == wanted:
        return
    size = path.stat().st_size
    known = f" ({expected['bytes']} bytes)" if "bytes" in expected else ""
    raise ChecksumError(
        f"checksum mismatch in data set {dataset!r}\n"
        f"  file:     {expected['path']}\n"
        f"  source:   {source}\n"
        f"  expected: sha256 {wanted}{known}\n"
        f"  found:    sha256 {found} ({size} bytes)\n"
        "The file is damaged or another version. Replace it by the right one, or remove it so that "
        "the next source is tried; if the publisher has issued a new version, check it and correct "
        "the registry. Nothing was written."
    )


def entry_digest(dataset: Dataset) -> str:
    """Return the sha256 of a registry entry, independent of all other entries."""
    text = json.dumps(dataset.entry, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def make_provenance(
    dataset: Dataset,
    source: Mapping[str, Any],
    where: str,
    files: Sequence[Mapping[str, Any]],
    **further: Any,
) -> dict[str, Any]:
    """Return the provenance of a data set that ``source`` has served."""
    surrogate = source["kind"] == "surrogate"
    differences = source.get("differences", dataset["differences"])
    if surrogate:
        differences = (
            "Synthetic: drawn from a seeded model that knows only published statistics "
            "(size, classes, dimensions, non-zeros). No result on it is a reproduction."
        )
    return {
        "dataset": dataset.key,
        "source": source["kind"],
        "where": where,
        "files": sorted((dict(record) for record in files), key=lambda r: str(r["path"])),
        "role": dataset["role"],
        "stands_in_for": dataset["stands_in_for"],
        "comparable": "no" if surrogate else source.get("comparable", dataset["comparable"]),
        "differences": differences,
        "served_by": {"kind": source["kind"], "options": dict(source.get("options", {}))},
        "registry": {"version": 1, "entry_sha256": entry_digest(dataset)},
        **further,
    }
