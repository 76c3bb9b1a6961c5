"""A provenance is believed only if registry and files say the same."""

import hashlib
import json

import pytest

from reproduction.data.custody import RawDataError, read_provenance
from reproduction.data.entry import Dataset
from reproduction.data.fetch import fetch
from reproduction.data.registry import Registry, load_registry

CONTENT = {"a.txt": b"alpha\n", "b.txt": b"beta\n"}
FILES = [
    {"path": name, "bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
    for name, text in CONTENT.items()
]
CORA = load_registry()["cora"].model_dump(exclude_unset=True)
SOURCES = [
    {"kind": "mirror", "folder": "toyset", "files": FILES},
    {"kind": "user", "files": [{"path": "a.txt"}], "comparable": "subset"},
]
DATASET = Dataset.model_validate({**CORA, "key": "toy", "sources": SOURCES})


@pytest.fixture
def path(tmp_path, request):
    """A provenance, fetched from the mirror (or as the parameter says)."""
    mode = getattr(request, "param", "auto")
    for name, text in CONTENT.items():
        place = tmp_path / "mirror" / "toyset" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)
    places = {"mirrors": [tmp_path / "mirror"], "allow_network": False, "mode": mode}
    fetch("toy", registry=Registry({"toy": DATASET}), raw_dir=tmp_path / "raw", **places)
    return tmp_path / "raw" / "toy" / "PROVENANCE.json"


def change(path, **values):
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


@pytest.mark.parametrize("path", ["auto", "surrogate"], indirect=True)
def test_what_was_fetched_is_believed(path):
    assert read_provenance(path, DATASET) == json.loads(path.read_text())


@pytest.mark.parametrize("path", ["surrogate"], indirect=True)
def test_a_surrogate_cannot_pose_as_the_papers_data(path):
    change(path, source="mirror", comparable="same")
    with pytest.raises(RawDataError, match="'mirror', which the registry does not know with these"):
        read_provenance(path, DATASET)
    for name, text in CONTENT.items():  # other files under the same names do not help
        (path.parent / name).write_bytes(text.upper())
    records = [
        {"path": n, "bytes": len(t), "sha256": hashlib.sha256(t.upper()).hexdigest()}
        for n, t in CONTENT.items()
    ]
    change(path, files=records)
    with pytest.raises(RawDataError, match="'mirror', which the registry does not know with these"):
        read_provenance(path, DATASET)


def test_another_source_brings_its_own_comparability(path):
    change(path, source="user", served_by={"kind": "user", "options": {}})
    with pytest.raises(RawDataError, match="'comparable'"):
        read_provenance(path, DATASET)


def test_an_edited_file_is_named_with_what_to_do(path):
    (path.parent / "a.txt").write_bytes(b"alphA\n")
    with pytest.raises(
        RawDataError, match=r"a\.txt is not the file that was fetched; remove .*toy"
    ):
        read_provenance(path, DATASET)


def test_a_changed_registry_is_seen(path):
    changed = Dataset.model_validate({**CORA, "key": "toy", "sources": SOURCES, "comparable": "no"})
    with pytest.raises(RawDataError, match="'comparable'"):
        read_provenance(path, changed)
