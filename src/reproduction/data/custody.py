"""The chain of custody of the data: raw files and view files are still what they were made as.

A provenance is rebuilt from the registry and from the files that are there. It must say the same
as ``PROVENANCE.json``: then neither that file was edited nor those it speaks of.
"""

import hashlib
import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from reproduction.data.content import difference, read_content, records
from reproduction.data.entry import Dataset
from reproduction.data.errors import FetchError
from reproduction.data.format import MultiViewData
from reproduction.data.origin import Blob, Edition, Tree
from reproduction.data.provenance import (
    PROVENANCE_FILE,
    make_provenance,
    read_provenance,
    without_source,
)
from reproduction.files import shown_path

#: What a provenance says of one run of fetching and the registry does not know.
_OF_THE_RUN = {"where", "scale", "extras", "fallback"}


def check_raw(provenance: Mapping[str, Any], folder: Path) -> None:
    """Refuse raw files that are gone, or have other content than when they were fetched."""
    for record in provenance.get("files", ()):
        facts = {name: value for name, value in record.items() if name != "path"}
        wanted = Tree(**facts) if "listing" in facts else Blob(**facts)
        content = read_content(folder, record["path"])
        if content is None or difference(wanted, content):
            raise FetchError(
                f"{folder / record['path']} is not the file that was fetched (its content changed, "
                f"or it is gone); remove {folder} and run again"
            )


def checked_provenance(folder: Path, dataset: Dataset) -> dict[str, Any]:
    """Return a raw folder's provenance if it follows from the registry and from the files."""
    found = read_provenance(folder)
    try:
        check_raw(found, folder)
        editions = {edition.name: edition for edition in dataset.editions}
        edition = editions[found["edition"]] if found["edition"] else None
        kind, files = str(found["source"]), list(found["files"])
        _check_names(dataset, edition, kind, files)
        expected = make_provenance(dataset, kind, "", files, edition=edition)
        for key in sorted({*expected, *found} - _OF_THE_RUN):
            if expected.get(key) != found.get(key):
                text = f"it says {found.get(key)!r} of its {key}, not what registry and files say"
                raise ValueError(text)
    except FetchError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        path, place = shown_path(folder / PROVENANCE_FILE), shown_path(folder)
        text = f"{path} is no provenance of {dataset.key} ({' '.join(str(error).split())})"
        raise FetchError(f"{text}; remove {place} and fetch it again") from None
    return found


def _check_names(
    dataset: Dataset, edition: Edition | None, kind: str, files: list[dict[str, Any]]
) -> None:
    """Compare the files of a provenance with those the registry pins for its source."""
    names = {record["path"] for record in files}
    pinned: list[dict[str, Any]] = []
    further: set[str] = set()
    if kind == "own":
        further = {file.path for file in dataset.own_files}
    elif kind != "surrogate":
        pinned = records((dataset if edition is None else edition).files)
        further = set(edition.unpinned if edition is not None else ())
    if kind != "surrogate" and not pinned and not further:
        raise ValueError(f"the registry knows no files of the source {kind!r}")
    wrong = [record["path"] for record in pinned if record not in files] + sorted(further - names)
    extra = names - further - {record["path"] for record in pinned}
    wrong += [n for n in extra if not any(fnmatchcase(n, p) for p in dataset.user_extras)]
    if wrong:
        raise ValueError(f"{wrong[0]} is not as the registry has it for {kind!r}")


def view_stamp(
    provenance: Mapping[str, Any], code: str, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a view file was made from; whatever address served, the views are the same."""
    text = json.dumps(without_source(provenance), sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    return {"provenance": digest, "code": code, "options": dict(options)}


def check_views(
    path: Path, provenance: Mapping[str, Any], code: str, options: Mapping[str, Any]
) -> None:
    """Refuse a view file that was made from other files, code or options than those here."""
    made = MultiViewData.load(path).provenance.get("made_from") or {}
    words = {"provenance": "other fetched files", "code": "another version of the code"}
    for key, value in view_stamp(provenance, code, options).items():
        if made.get(key) != value:
            raise FetchError(
                f"{shown_path(path)} was made from {words.get(key, 'other options')}; remove it "
                f"and run `snakemake --cores all {shown_path(path)}`"
            )
