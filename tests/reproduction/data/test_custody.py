"""A provenance is believed only if registry and files say the same."""

import json

import pytest
from toys import CONTENT, MIRROR, fill, registry_of

from reproduction.data.content import sha256
from reproduction.data.custody import checked_provenance
from reproduction.data.errors import FetchError
from reproduction.data.fetch import fetch
from reproduction.data.places import Places

EDITION = {
    "name": "other", "comparable": "subset", "differences": "Half of it.", "unpinned": ["a.txt"],
    "sources": [{"kind": "user"}],
}  # fmt: skip
REGISTRY = registry_of(MIRROR, editions=[EDITION])
DATASET = REGISTRY["toy"]


def fetched(tmp_path, mode):
    fill(tmp_path / "mirror" / "toyset")
    places = Places([tmp_path / "mirror"])
    fetch("toy", registry=REGISTRY, raw_dir=tmp_path, places=places, mode=mode)
    return tmp_path / "toy"


def change(raw, **values):
    path = raw / "PROVENANCE.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def test_a_surrogate_cannot_pose_as_the_papers_data(tmp_path):
    raw = fetched(tmp_path, "surrogate")
    other = {name: bytes(reversed(content)) for name, content in CONTENT.items()}
    fill(raw, other)  # other files under the same names do not help
    records = [{"path": n, "bytes": len(c), "sha256": sha256(c)} for n, c in other.items()]
    for files in ([], records):
        change(raw, source="mirror", comparable="same", files=files)
        with pytest.raises(FetchError, match=r"a\.txt is not as the registry has it for 'mirror'"):
            checked_provenance(raw, DATASET)
    change(raw, source="own", files=[])
    with pytest.raises(FetchError, match="the registry knows no files of the source 'own'"):
        checked_provenance(raw, DATASET)


def test_another_edition_brings_its_own_comparability(tmp_path):
    raw = fetched(tmp_path, "real")
    change(raw, source="user", edition="other")
    with pytest.raises(FetchError, match=r"sub/b\.bin is not as the registry has it"):
        checked_provenance(raw, DATASET)
    only = json.loads((raw / "PROVENANCE.json").read_text())["files"][:1]
    change(raw, files=only)
    with pytest.raises(FetchError, match="of its comparable"):
        checked_provenance(raw, DATASET)
