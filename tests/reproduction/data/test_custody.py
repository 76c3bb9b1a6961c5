"""A provenance is believed only if registry and files say the same."""

import hashlib
import json

import pytest

from reproduction.data.custody import checked_provenance
from reproduction.data.entry import Dataset
from reproduction.data.errors import FetchError
from reproduction.data.fetch import fetch
from reproduction.data.places import Places
from reproduction.data.registry import Registry, load_registry

CONTENT = {"a.txt": b"alpha\n", "b.txt": b"beta\n"}
EDITION = {
    "name": "other", "comparable": "subset", "differences": "Half of it.", "unpinned": ["a.txt"],
    "sources": [{"kind": "user"}],
}  # fmt: skip
CORA = load_registry()["cora"].model_dump(exclude_unset=True)


def entry(**changes):
    files = {
        name: {"bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
        for name, text in CONTENT.items()
    }
    sources = [{"kind": "mirror", "folder": "toyset"}]
    facts = {**CORA, "key": "toy", "files": files, "sources": sources, "editions": [EDITION]}
    return Dataset.model_validate({**facts, **changes})


DATASET = entry()


@pytest.fixture
def raw(tmp_path, request):
    """A raw folder, fetched from the mirror (or as the parameter says)."""
    mode = getattr(request, "param", "auto")
    for name, text in CONTENT.items():
        place = tmp_path / "mirror" / "toyset" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)
    places = Places(mirrors=[tmp_path / "mirror"])
    registry = Registry({"toy": DATASET})
    fetch("toy", registry=registry, raw_dir=tmp_path / "raw", places=places, mode=mode)
    return tmp_path / "raw" / "toy"


def change(raw, **values):
    path = raw / "PROVENANCE.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


@pytest.mark.parametrize("raw", ["auto", "surrogate"], indirect=True)
def test_what_was_fetched_is_believed(raw):
    found = checked_provenance(raw, DATASET)
    assert found == json.loads((raw / "PROVENANCE.json").read_text())


@pytest.mark.parametrize("raw", ["surrogate"], indirect=True)
def test_a_surrogate_cannot_pose_as_the_papers_data(raw):
    change(raw, source="mirror", comparable="same")
    with pytest.raises(FetchError, match=r"a\.txt is not as the registry has it for 'mirror'"):
        checked_provenance(raw, DATASET)
    records = []
    for name, text in CONTENT.items():  # other files under the same names do not help
        (raw / name).write_bytes(text.upper())
        digest = hashlib.sha256(text.upper()).hexdigest()
        records.append({"path": name, "bytes": len(text), "sha256": digest})
    change(raw, files=records)
    with pytest.raises(FetchError, match=r"a\.txt is not as the registry has it for 'mirror'"):
        checked_provenance(raw, DATASET)


def test_another_edition_brings_its_own_comparability(raw):
    change(raw, source="user", edition="other")
    with pytest.raises(FetchError, match=r"b\.txt is not as the registry has it"):
        checked_provenance(raw, DATASET)
    only = json.loads((raw / "PROVENANCE.json").read_text())["files"][:1]
    change(raw, files=only)
    with pytest.raises(FetchError, match="of its comparable"):
        checked_provenance(raw, DATASET)


def test_an_edited_file_is_named_with_what_to_do(raw):
    (raw / "a.txt").write_bytes(b"alphA\n")
    with pytest.raises(
        FetchError, match=r"a\.txt is not the file that was fetched.*; remove .*toy"
    ):
        checked_provenance(raw, DATASET)


def test_a_changed_registry_is_seen(raw):
    with pytest.raises(FetchError, match="of its comparable"):
        checked_provenance(raw, entry(comparable="no"))
