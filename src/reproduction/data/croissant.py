"""Metadata of a data set in Croissant, the format data set search engines read."""

import re
from typing import Any

from reproduction.data.addresses import addresses
from reproduction.data.content import stored_name
from reproduction.data.entry import Dataset
from reproduction.data.origin import Blob, Public
from reproduction.data.sources.remote import raw_address

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
    """Return a data set's metadata as a Croissant document."""
    described = f"{dataset.title}. {dataset.differences} {dataset.note}".strip()
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
        "distribution": [_file(dataset, name) for name in dataset.files],
    }
    further = [where for where, _ in addresses(dataset)]
    if further:
        document["sameAs"] = further
    return document


def _file(dataset: Dataset, name: str) -> dict[str, Any]:
    item = dataset.files[name]
    stored = stored_name(name)
    ending = stored.rsplit(".", 1)[-1].lower() if "." in stored else ""
    record = {
        "@type": "cr:FileObject",
        "@id": re.sub(r"[^A-Za-z0-9_.-]", "_", stored),
        "name": stored,
        "contentUrl": _address(dataset, name),
        "contentSize": f"{item.bytes} B",
        "encodingFormat": _FORMATS.get(ending, "application/octet-stream"),
    }
    if isinstance(item, Blob):
        return {**record, "sha256": item.sha256}
    text = f"{item.files} files; sha256 of their listing (`sha256  path` lines): {item.listing}"
    return {**record, "description": text, "sha256": item.listing}


def _address(dataset: Dataset, name: str) -> str:
    """Return one address of a file: of itself where a repository has it, else of its folder."""
    for source in dataset.sources:
        offered = not getattr(source, "gives", None) or name in source.gives
        if isinstance(source, Public) and offered:
            return raw_address(source, source.archive or source.place(name))
    known = [where for where, names in addresses(dataset) if name in names]
    return known[0] if known else name
