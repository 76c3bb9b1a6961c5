"""The chain of custody of the data: fetched files are still those that the provenance names.

A provenance is rebuilt from the registry and from the files that are there. It must say the same
as ``PROVENANCE.json``: then the file was not edited, and neither were the files it speaks of.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reproduction.data.entry import Dataset, Source
from reproduction.data.format import MultiViewData
from reproduction.data.provenance import file_record, make_provenance
from reproduction.files import shown_path

#: What a provenance says of one run of fetching and the registry does not know.
_OF_THE_RUN = {"where", "tried", "scale", "extras"}


class RawDataError(ValueError):
    """Fetched files are not what they were when they were fetched; the text names the file."""


def read_provenance(path: Path, dataset: Dataset) -> dict[str, Any]:
    """Return a checked provenance: what it says follows from the registry and the files there.

    Parameters
    ----------
    path
        ``data/raw/<key>/PROVENANCE.json``; the fetched files lie beside it.
    dataset
        The registry's entry.

    Raises
    ------
    RawDataError
        Naming the file that was changed, and what to do.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("files", []), list):
        raise _broken(path, f"{shown_path(path)} is missing or is no provenance")
    for record in found.get("files", []):
        _check_file(path, record)
    source = _source_of(path, dataset, found)
    kind = str(found.get("source"))
    expected = make_provenance(dataset, kind, "", found.get("files", []), source=source)
    for key in sorted({*expected, *found} - _OF_THE_RUN):
        if expected.get(key) != found.get(key):
            raise _broken(
                path, f"{shown_path(path)} says {found.get(key)!r} under {key!r}, not what the "
                "registry and the files say",
            )  # fmt: skip
    return found


def _check_file(path: Path, record: Any) -> None:
    """Compare one fetched file with what the provenance says of it."""
    name = record.get("path") if isinstance(record, dict) else None
    if not isinstance(name, str) or ".." in name.split("/") or name.startswith("/"):
        raise _broken(path, f"{shown_path(path)} names no file in {record!r}")
    file = path.parent / name
    if not file.is_file():
        raise _broken(path, f"{shown_path(file)} is missing")
    if file_record(file, name) != record:
        raise _broken(path, f"{shown_path(file)} is not the file that was fetched")


def _source_of(path: Path, dataset: Dataset, found: Mapping[str, Any]) -> Source | None:
    """Return the registry's source that has the files; None for surrogates and own files."""
    kind = found.get("source")
    if kind == "surrogate" or (kind == "own" and dataset.role == "own"):
        return None
    digests = {record["path"]: record["sha256"] for record in found.get("files", [])}
    for source in dataset.sources:
        if source.kind == kind and all(
            file.path in digests and file.sha256 in (None, digests[file.path])
            for file in source.files
        ):
            return source
    raise _broken(
        path,
        f"{shown_path(path)} names the source {kind!r}, which the registry does not know with "
        "these files",
    )


def _broken(path: Path, what: str) -> RawDataError:
    return RawDataError(f"{what}; remove {shown_path(path.parent)} and fetch it again")


def provenance_digest(provenance: Mapping[str, Any]) -> str:
    """Return the digest by which a view file names the provenance it was built from."""
    text = json.dumps(provenance, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def stamp_views(
    data: MultiViewData, provenance: Mapping[str, Any], code: str, options: Mapping[str, Any]
) -> None:
    """Write into a view file what it was made from: raw files, code and options."""
    stamp = {"provenance": provenance_digest(provenance), "code": code, "options": dict(options)}
    data.provenance = {**data.provenance, "made_from": stamp}


def check_views(path: Path, provenance: Mapping[str, Any], code: str, options: Any) -> None:
    """Refuse a view file that was made from other files, code or options than those here."""
    stamp = MultiViewData.load(path).provenance.get("made_from")
    expected = {"provenance": provenance_digest(provenance), "code": code, "options": dict(options)}
    made: Mapping[str, Any] = stamp if isinstance(stamp, dict) else {}
    for key, value in expected.items():
        if made.get(key) != value:
            what = {"provenance": "other fetched files", "code": "another version of the code"}
            raise RawDataError(
                f"{shown_path(path)} was made from {what.get(key, 'other options')}; remove it and "
                f"run `snakemake --cores all {shown_path(path)}`"
            )
