"""Fetching: sources in order, content compared, all or nothing."""

import gzip
import json
import os
import shutil
from pathlib import Path

import pytest
import toys
from toys import ALL, CONTENT, FILES, MANY, MIRROR, PUBLIC, TREE, USER, everything, fill

from reproduction.data.content import read_content, sha256
from reproduction.data.errors import ChecksumError, FetchError
from reproduction.data.fetch import fetch
from reproduction.data.places import Places, Store
from reproduction.data.web import Web

#: The one form in which the folder is kept, on every system.
MANY_ZIP = "ba61fb52ad590cd8d3ab115d8a2ceebd78b66db07a4cfdd896037a8a70250a5e"


@pytest.fixture
def mirror(tmp_path):
    fill(tmp_path / "mirror" / "toyset")
    return tmp_path / "mirror"


@pytest.fixture
def raw(tmp_path):
    return tmp_path / "data" / "raw"


@pytest.fixture
def get(raw):
    """Fetch the toy from some sources."""

    def go(*sources, places=None, key="toy", raw_dir=raw, mode="auto", scale=1.0, **entry):
        registry = toys.registry_of(*sources, **entry)
        return fetch(
            key, registry=registry, raw_dir=raw_dir, places=places, mode=mode, surrogate_scale=scale
        )

    return go


def test_the_mirror_serves_and_the_provenance_says_no_more_than_content(mirror, raw, get, tmp_path):
    provenance = get(MIRROR, places=Places([mirror]))
    written = everything(raw / "toy")
    assert json.loads(written["PROVENANCE.json"]) == provenance
    assert written == {**CONTENT, "PROVENANCE.json": written["PROVENANCE.json"]}
    assert (provenance["source"], provenance["where"]) == ("mirror", "mirror folder toyset")
    digests = [(record["path"], record["sha256"]) for record in provenance["files"]]
    assert digests == [(name, sha256(CONTENT[name])) for name in sorted(CONTENT)]
    shutil.copytree(mirror, tmp_path / "other" / "m")
    get(MIRROR, places=Places([tmp_path / "other" / "m"]), raw_dir=tmp_path / "other")
    assert everything(tmp_path / "other" / "toy") == written
    assert str(tmp_path) not in written["PROVENANCE.json"].decode()


@pytest.mark.parametrize("packed", ["loose", "tar", "zip", "gz", "reversed"])
def test_however_it_is_packed_the_raw_folder_is_the_same(tmp_path, raw, get, packed):
    folder = tmp_path / "mirror" / "toyset"
    folder.mkdir(parents=True)
    if packed == "loose":
        fill(folder, ALL)
    elif packed == "gz":
        fill(folder, {name: c for name, c in ALL.items() if name != "a.txt"})
        (folder / "a.txt.gz").write_bytes(gzip.compress(CONTENT["a.txt"]))
    elif packed == "zip":
        (folder / "all.zip").write_bytes(toys.zipped({f"top/{name}": c for name, c in ALL.items()}))
    else:
        members = {f"top/{name}": c for name, c in ALL.items()} | {"z": b"other"}
        (folder / "all.tar.gz").write_bytes(toys.tar_gz(members, backwards=packed == "reversed"))
    get(MIRROR, files={**FILES, **TREE}, places=Places([tmp_path / "mirror"]))
    found = everything(raw / "toy")
    assert sorted(found) == ["PROVENANCE.json", "a.txt", "many.zip", "sub/b.bin"]
    assert read_content(raw / "toy", "many/") == MANY
    assert sha256(found["many.zip"]) == MANY_ZIP
    (raw / "toy" / "many.zip").write_bytes(found["many.zip"][:-30])
    assert read_content(raw / "toy", "many/") is None


def test_sources_are_tried_in_order_and_complete_one_another(mirror, raw, get, tmp_path):
    (tmp_path / "half" / "toyset").mkdir(parents=True)
    mirrors = [tmp_path / "none", tmp_path / "half", mirror]
    user = fill(tmp_path / "user")
    assert get(USER, MIRROR, places=Places(mirrors))["source"] == "mirror"
    places = Places(mirrors, user=user)
    assert get(USER, MIRROR, places=places)["source"] == "user"
    (mirror / "toyset" / "a.txt").unlink()
    (user / "sub" / "b.bin").unlink()
    found = get(MIRROR, USER, places=places)
    assert found["source"] == "mirror + user"
    assert found["where"] == "mirror folder toyset; user folder toy"
    assert everything(raw / "toy").items() >= CONTENT.items()


EDITION = {"name": "other", "comparable": "subset", "differences": "Fewer.",
           "options": {"layout": "other"}, "files": TREE, "sources": [MIRROR]}  # fmt: skip


def test_an_edition_serves_when_the_files_are_lacking(raw, get, tmp_path):
    fill(tmp_path / "mirror" / "toyset" / "many", MANY)
    found = get(MIRROR, editions=[EDITION], places=Places([tmp_path / "mirror"]))
    assert (found["edition"], found["comparable"]) == ("other", "subset")
    assert found["options"] == {"layout": "other"}
    assert sorted(everything(raw)) == ["toy/PROVENANCE.json", "toy/many.zip"]


def test_a_users_files_are_recorded_not_pinned(raw, get, tmp_path):
    loose = {"name": "mine", "comparable": "own_draw", "differences": "Mine.",
             "unpinned": ["data.csv"], "sources": [USER]}  # fmt: skip
    asked = {"editions": [loose], "user_extras": ["images/**/*.jpg"],
             "places": Places(user=tmp_path / "user")}  # fmt: skip
    assert get(MIRROR, **asked)["source"] == "surrogate"
    fill(tmp_path / "user", {"data.csv": b"1,2", "images/x/1.jpg": b"jpeg", "notes.txt": b"no"})
    found = get(MIRROR, **asked)
    assert (found["edition"], found["source"], found["extras"]) == ("mine", "user", 1)
    assert found["files"][0]["sha256"] == sha256(b"1,2")
    assert sorted(everything(raw / "toy")) == ["PROVENANCE.json", "data.csv", "images/x/1.jpg"]


@pytest.mark.parametrize("mode", ["auto", "real"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_wrong_checksum_is_an_error_and_leaves_the_old_files(mirror, raw, get, mode, packed):
    fill(raw / "toy", {"old.txt": b"old"})
    if packed:
        shutil.rmtree(mirror / "toyset")
        fill(mirror / "toyset", {"all.zip": toys.zipped({**CONTENT, "a.txt": b"beta"})})
    else:
        (mirror / "toyset" / "a.txt").write_bytes(b"beta")
    with pytest.raises(ChecksumError) as caught:
        get(MIRROR, USER, places=Places([mirror]), mode=mode)
    for part in (str(mirror / "toyset"), FILES["a.txt"]["sha256"], sha256(b"beta"), "replace it"):
        assert part in str(caught.value)
    assert list(everything(raw)) == ["toy/old.txt"]


def test_real_with_no_source_lists_what_was_tried(raw, get, tmp_path):
    places = Places([tmp_path / "empty"], user=tmp_path / "user")
    with pytest.raises(FetchError) as caught:
        get(MIRROR, USER, PUBLIC, toys.PUBLISHER, places=places, mode="real")
    first, *lines = str(caught.value).splitlines()
    assert "data set 'toy' is not available" in first
    assert lines[0].endswith(f"{tmp_path / 'empty' / 'toyset'} lacks a.txt, sub/b.bin")
    assert lines[1].endswith(f"{tmp_path / 'user'} lacks a.txt, sub/b.bin")
    assert sum("the network is switched off" in line for line in lines) == 2
    assert not raw.exists()


def test_auto_ends_in_a_surrogate_that_is_marked_for_another_try(mirror, raw, get):
    found = get(MIRROR, scale=0.25)
    assert (found["source"], found["comparable"], found["files"]) == ("surrogate", "no", [])
    assert (found["scale"], found["fallback"]) == (0.25, True)
    assert list(everything(raw)) == ["toy/PROVENANCE.json"]
    assert get(files={})["fallback"] is False
    (mirror / "toyset" / "a.txt").write_bytes(b"wrong")  # which this mode does not look at
    assert get(MIRROR, places=Places([mirror]), mode="surrogate")["fallback"] is False


def test_a_folder_that_cannot_be_written_keeps_what_it_has(mirror, raw, get, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(FetchError, match=r"cannot be written.*Nothing was written"):
        get(MIRROR, raw_dir=tmp_path / "file", places=Places([mirror]))
    fill(raw / "toy", {"old.txt": b"old"})
    rename = Path.rename

    def refuse(self, target):
        if Path(target).name == "toy" and not self.name.endswith(".old"):
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(FetchError, match=r"cannot be written \(Permission denied\)"):
        get(MIRROR, places=Places([mirror]))
    assert list(everything(raw)) == ["toy/old.txt"]
    assert os.listdir(raw) == ["toy"]


def test_downloads_are_kept_for_other_clones_and_a_damaged_cache_costs_one(
    raw, get, server, tmp_path
):
    for name, content in CONTENT.items():
        server.put(f"{toys.RAW}/one/toys/{toys.COMMIT}/{name}", content)
    web = Web(addresses=server.addresses, backoff=0.001)
    online = Places(web=web, store=Store(tmp_path / "cache"))
    first = get(PUBLIC, places=online)
    assert first["where"] == f"github.com/one/toys at {toys.COMMIT[:10]}"
    asked = len(server.requests)
    again = get(PUBLIC, places=online, raw_dir=tmp_path / "other")
    assert (again, len(server.requests)) == (first, asked)
    for path in (tmp_path / "cache" / "content").rglob("*"):
        if path.is_file() and path.suffix != ".json":
            path.write_bytes(b"damaged")
    get(PUBLIC, places=online)
    assert len(server.requests) == asked + 2
    assert everything(raw / "toy").items() >= CONTENT.items()
