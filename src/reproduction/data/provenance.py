"""Which source served a data set, and proof that its files are the expected ones.

A provenance is a plain dictionary that travels with every view file and every number:

``dataset``, ``source`` (mirror, publisher, wheel, user, own or surrogate), ``where`` (never a path
of this machine), ``files`` (path, bytes, sha256), ``comparable`` and ``differences`` (against the
paper's data), ``served_by`` (what the source says to the builder), ``entry`` (hash of what the
registry says about fetching). No date and no absolute path, so the same files give the same
provenance everywhere.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reproduction.data.entry import Dataset, File, Source
from reproduction.data.registry import fetch_hash

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


def verify_file(path: Path, expected: File, *, dataset: str, source: str) -> None:
    """Check size and sha256 of a file against the registry.

    Parameters
    ----------
    path
        The file.
    expected
        What the registry says of it; without ``sha256`` nothing is checked.
    dataset, source
        For the error text.

    Raises
    ------
    ChecksumError
        Naming file, source, what was expected and what was found, and what to do.
    """
    if expected.sha256 is None:
        return
    found = sha256_of(path)
    if found == expected.sha256:
        return
    size = path.stat().st_size
    known = f" ({expected.bytes} bytes)" if expected.bytes is not None else ""
    raise ChecksumError(
        f"checksum mismatch in data set {dataset!r}\n"
        f"  file:     {expected.path}\n"
        f"  source:   {source}\n"
        f"  expected: sha256 {expected.sha256}{known}\n"
        f"  found:    sha256 {found} ({size} bytes)\n"
        "The file is damaged or another version. Replace it by the right one, or remove it so that "
        "the next source is tried; if the publisher has issued a new version, check it and correct "
        "the registry. Nothing was written."
    )


def is_surrogate(folder: Path) -> bool:
    """Return whether a raw folder ``data/raw/<key>`` stands for a surrogate; False if empty."""
    path = folder / PROVENANCE_FILE
    if not path.is_file():
        return False
    return bool(json.loads(path.read_text(encoding="utf-8")).get("source") == "surrogate")


#: What a provenance says in place of ``differences`` when the data are synthetic.
SYNTHETIC = (
    "Synthetic: drawn from a seeded model that knows only published statistics "
    "(size, classes, dimensions, non-zeros). No result on it is a reproduction."
)


def make_provenance(
    dataset: Dataset,
    kind: str,
    where: str,
    files: Sequence[Mapping[str, Any]] = (),
    *,
    source: Source | None = None,
    **further: Any,
) -> dict[str, Any]:
    """Return the provenance of a data set.

    Parameters
    ----------
    dataset
        Its registry entry.
    kind
        Kind of source that served; ``surrogate`` and ``own`` are no sources of the registry.
    where
        For readers; never a path of this machine.
    files
        Path, bytes and sha256 of what was fetched.
    source
        The source of the registry that served: what it says of itself goes before the entry's.
    """
    surrogate = kind == "surrogate"
    comparable = (source and source.comparable) or dataset.comparable
    differences = (source and source.differences) or dataset.differences
    return {
        "dataset": dataset.key,
        "source": kind,
        "where": where,
        "files": sorted((dict(record) for record in files), key=lambda r: str(r["path"])),
        "role": dataset.role,
        "stands_in_for": dataset.stands_in_for,
        "comparable": "no" if surrogate else comparable,
        "differences": SYNTHETIC if surrogate else differences,
        "served_by": {"kind": kind, "options": dict(source.options) if source else {}},
        "entry": fetch_hash(dataset),
        **further,
    }
