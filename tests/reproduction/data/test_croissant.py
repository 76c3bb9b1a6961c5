"""Croissant metadata: valid, and every checksum beside the address that gives those bytes."""

import json

import pytest

from reproduction.data.croissant import croissant
from reproduction.data.origin import Blob, Tree
from reproduction.data.registry import load_registry

REGISTRY = load_registry()


def parts(key):
    return {part["name"]: part for part in croissant(REGISTRY[key])["distribution"]}


@pytest.mark.parametrize("key", list(REGISTRY))
def test_every_file_is_described(key):
    dataset = REGISTRY[key]
    document = croissant(dataset)
    assert document["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert document["@type"] == "sc:Dataset"
    assert document["description"]
    found = parts(key)
    ids = [part["@id"] for part in document["distribution"]]
    assert len(ids) == len(set(ids))
    for name, item in dataset.files.items():
        part = found[name] if name in found else found[f"{name.rstrip('/')}.zip"]
        if isinstance(item, Blob):
            assert part["sha256"] == item.sha256
        if "containedIn" in part:
            assert part["containedIn"]["@id"] in ids
        elif isinstance(item, Tree):
            assert "sha256" not in part  # a listing's digest is that of no file


@pytest.mark.parametrize("key", list(REGISTRY))
def test_what_stands_alone_is_an_address_of_the_bytes(key):
    """Beside the files themselves only packages (pinned) and commits (their ids) have a digest."""
    dataset = REGISTRY[key]
    pinned = {item.sha256 for item in dataset.files.values() if isinstance(item, Blob)}
    packages = {source.sha256 for source in dataset.sources if source.kind == "package"}
    for part in croissant(dataset)["distribution"]:
        if "containedIn" in part or part["@type"] == "cr:FileSet":
            continue
        if part["encodingFormat"] == "git+https":
            assert part["contentUrl"].endswith(part["sha256"])
        elif part["contentUrl"].startswith("http"):
            assert part["sha256"] in pinned | packages
        else:
            assert part["description"].startswith(("made of", "no public copy"))


def test_the_validator_accepts_all_and_refuses_a_spoilt_one(tmp_path):
    mlcroissant = pytest.importorskip(
        "mlcroissant", reason="mlcroissant is not installed; run `pip install -e .[dev]`"
    )
    for key in REGISTRY:
        path = tmp_path / f"{key}.json"
        path.write_text(json.dumps(croissant(REGISTRY[key])), encoding="utf-8")
        mlcroissant.Dataset(jsonld=str(path))
    spoilt = croissant(REGISTRY["cora"])
    del spoilt["distribution"][0]["contentUrl"]
    path.write_text(json.dumps(spoilt), encoding="utf-8")
    with pytest.raises(mlcroissant.ValidationError):
        mlcroissant.Dataset(jsonld=str(path))
