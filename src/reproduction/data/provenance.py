"""Which source served a data set, and proof that its files are the expected ones.

A provenance is a plain dictionary that travels with every view file and every number:

``dataset``, ``source`` (the kind: mirror, user, package, public, publisher, made, own or
surrogate), ``where`` (never a path of this machine), ``files`` (path, size, digest), ``licence``,
``comparable`` and ``differences`` (against the paper's data), ``edition`` and its ``options`` for
the builder, ``entry`` (hash of what the registry says about the files). No date and no absolute
path, so the same files give the same provenance everywhere.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reproduction.data.entry import Dataset
from reproduction.data.errors import FetchError
from reproduction.data.origin import Edition
from reproduction.data.registry import fetch_hash

#: Name of the file that marks a complete raw folder; it is written last.
PROVENANCE_FILE = "PROVENANCE.json"


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file's content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def file_record(path: Path, name: str) -> dict[str, Any]:
    """Return what the provenance says about one file."""
    return {"path": name, "bytes": path.stat().st_size, "sha256": sha256_of(path)}


def read_provenance(folder: Path) -> dict[str, Any]:
    """Return what the fetch step wrote into a raw folder ``data/raw/<key>``."""
    path = folder / PROVENANCE_FILE
    try:
        loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FetchError(f"{path} cannot be read ({error}); remove {folder}, fetch again") from None
    return loaded


def is_surrogate(folder: Path) -> bool:
    """Return whether a raw folder stands for a surrogate; False if nothing was fetched."""
    there = (folder / PROVENANCE_FILE).is_file()
    return there and read_provenance(folder).get("source") == "surrogate"


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
    edition: Edition | None = None,
    **further: Any,
) -> dict[str, Any]:
    """Return a data set's provenance; what an edition says of itself goes before the entry's."""
    surrogate = kind == "surrogate"
    given = dataset if edition is None else edition
    return {
        "dataset": dataset.key,
        "source": kind,
        "where": where,
        "files": sorted((dict(record) for record in files), key=lambda r: str(r["path"])),
        "role": dataset.role,
        "stands_in_for": dataset.stands_in_for,
        "licence": dataset.licence,
        "comparable": "no" if surrogate else given.comparable,
        "differences": SYNTHETIC if surrogate else given.differences,
        "edition": edition.name if edition is not None else "",
        "options": dict(edition.options) if edition is not None else {},
        "entry": fetch_hash(dataset),
        **further,
    }


#: What only the fetch step knows: view files are the same whatever address served.
_SERVED = ("source", "where", "entry", "licence", "fallback")


def without_source(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a view file keeps: the content and what it is, not the address it came from."""
    kept = {name: value for name, value in provenance.items() if name not in _SERVED}
    made = provenance.get("source")
    return {**kept, "source": made if made in ("surrogate", "own") else "files"}
