"""Fetching: sources in order, content compared, all or nothing."""

import gzip
import hashlib
import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest
from public_layout import tar_gz, zipped
from toys import (
    ALL,
    COMMIT,
    CONTENT,
    FILES,
    MANY,
    MIRROR,
    PUBLIC,
    PUBLISHER,
    RAW,
    TREE,
    USER,
    everything,
    fill,
    registry_of,
)
from web_server import Server

from reproduction.data.content import read_content
from reproduction.data.errors import ChecksumError, FetchError
from reproduction.data.fetch import fetch
from reproduction.data.places import Places
from reproduction.data.registry import RegistryError
from reproduction.data.sources.web import Web
from reproduction.data.store import Store

#: The one form in which the folder is kept, on every system.
MANY_ZIP = "ba61fb52ad590cd8d3ab115d8a2ceebd78b66db07a4cfdd896037a8a70250a5e"


@pytest.fixture
def mirror(tmp_path):
    fill(tmp_path / "mirror" / "toyset")
    return tmp_path / "mirror"


@pytest.fixture
def raw(tmp_path):
    return tmp_path / "data" / "raw"


def test_the_mirror_serves_and_the_provenance_says_no_more_than_content(mirror, raw, tmp_path):
    registry = registry_of(MIRROR)
    provenance = fetch("toy", registry=registry, raw_dir=raw, places=Places([mirror]))
    assert everything(raw) == ["toy/PROVENANCE.json", "toy/a.txt", "toy/sub/b.bin"]
    assert {n: (raw / "toy" / n).read_bytes() for n in CONTENT} == CONTENT
    written = (raw / "toy" / "PROVENANCE.json").read_text()
    assert json.loads(written) == provenance
    assert (provenance["source"], provenance["where"]) == ("mirror", "mirror folder toyset")
    assert [(r["path"], r["sha256"]) for r in provenance["files"]] == [
        (name, hashlib.sha256(CONTENT[name]).hexdigest()) for name in sorted(CONTENT)
    ]
    other = tmp_path / "other"
    shutil.copytree(mirror, other / "m")
    fetch("toy", registry=registry, raw_dir=other / "raw", places=Places([other / "m"]))
    assert (other / "raw" / "toy" / "PROVENANCE.json").read_text() == written
    assert str(tmp_path) not in written


@pytest.mark.parametrize("packed", ["loose", "tar", "zip", "gz", "reversed"])
def test_however_it_is_packed_the_raw_folder_is_the_same(tmp_path, raw, packed):
    folder = tmp_path / "mirror" / "toyset"
    folder.mkdir(parents=True)
    if packed == "loose":
        fill(folder, ALL)
    elif packed == "gz":
        fill(folder, {name: c for name, c in ALL.items() if name != "a.txt"})
        (folder / "a.txt.gz").write_bytes(gzip.compress(CONTENT["a.txt"]))
    elif packed == "zip":
        (folder / "all.zip").write_bytes(zipped({f"top/{name}": c for name, c in ALL.items()}))
    else:
        members = {f"top/{name}": c for name, c in ALL.items()} | {"z": b"other"}
        (folder / "all.tar.gz").write_bytes(tar_gz(members, backwards=packed == "reversed"))
    registry = registry_of(MIRROR, files={**FILES, **TREE})
    fetch("toy", registry=registry, raw_dir=raw, places=Places([tmp_path / "mirror"]))
    assert everything(raw) == ["toy/PROVENANCE.json", "toy/a.txt", "toy/many.zip", "toy/sub/b.bin"]
    assert read_content(raw / "toy", "many/") == MANY
    stored = raw / "toy" / "many.zip"
    assert zipfile.ZipFile(stored).namelist() == [f"many/{name}" for name in sorted(MANY)]
    assert hashlib.sha256(stored.read_bytes()).hexdigest() == MANY_ZIP
    stored.write_bytes(stored.read_bytes()[:-30])
    assert read_content(raw / "toy", "many/") is None


def test_sources_are_tried_in_order_and_complete_one_another(mirror, raw, tmp_path):
    (tmp_path / "half" / "toyset").mkdir(parents=True)
    mirrors = [tmp_path / "none", tmp_path / "half", mirror]
    registry, user = registry_of(USER, MIRROR), fill(tmp_path / "user")
    assert (
        fetch("toy", registry=registry, raw_dir=raw, places=Places(mirrors))["source"] == "mirror"
    )
    places = Places(mirrors, user=user)
    assert fetch("toy", registry=registry, raw_dir=raw, places=places)["source"] == "user"
    (mirror / "toyset" / "a.txt").unlink()
    (user / "sub" / "b.bin").unlink()
    found = fetch("toy", registry=registry_of(MIRROR, USER), raw_dir=raw, places=places)
    assert found["source"] == "mirror + user"
    assert found["where"] == "mirror folder toyset; user folder toy"
    assert {n: (raw / "toy" / n).read_bytes() for n in CONTENT} == CONTENT


EDITION = {"name": "other", "comparable": "subset", "differences": "Fewer.",
           "options": {"layout": "other"}, "files": TREE, "sources": [MIRROR]}  # fmt: skip


def test_an_edition_serves_when_the_files_are_lacking(raw, tmp_path):
    fill(tmp_path / "mirror" / "toyset" / "many", MANY)
    registry = registry_of(MIRROR, editions=[EDITION])
    found = fetch("toy", registry=registry, raw_dir=raw, places=Places([tmp_path / "mirror"]))
    assert (found["edition"], found["comparable"]) == ("other", "subset")
    assert found["options"] == {"layout": "other"}
    assert everything(raw) == ["toy/PROVENANCE.json", "toy/many.zip"]


def test_a_users_files_are_recorded_not_pinned(raw, tmp_path, mirror):
    loose = {"name": "mine", "comparable": "own_draw", "differences": "Mine.", "first": True,
             "unpinned": ["data.csv"], "sources": [USER]}  # fmt: skip
    registry = registry_of(MIRROR, editions=[loose], user_extras=["images/**/*.jpg"])
    places = Places([mirror], user=tmp_path / "user")
    assert fetch("toy", registry=registry, raw_dir=raw, places=places)["edition"] == ""
    fill(tmp_path / "user", {"data.csv": b"1,2", "images/x/1.jpg": b"jpeg", "notes.txt": b"no"})
    found = fetch("toy", registry=registry, raw_dir=raw, places=places)
    assert (found["edition"], found["source"], found["extras"]) == ("mine", "user", 1)
    assert found["files"][0]["sha256"] == hashlib.sha256(b"1,2").hexdigest()
    assert everything(raw) == ["toy/PROVENANCE.json", "toy/data.csv", "toy/images/x/1.jpg"]


@pytest.mark.parametrize("mode", ["auto", "real"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_wrong_checksum_is_an_error_and_leaves_the_old_files(mirror, raw, mode, packed):
    fill(raw / "toy", {"old.txt": b"old"})
    if packed:
        shutil.rmtree(mirror / "toyset")
        fill(mirror / "toyset", {"all.zip": zipped({**CONTENT, "a.txt": b"beta"})})
    else:
        (mirror / "toyset" / "a.txt").write_bytes(b"beta")
    registry = registry_of(MIRROR, USER)
    with pytest.raises(ChecksumError) as caught:
        fetch("toy", registry=registry, raw_dir=raw, places=Places([mirror]), mode=mode)
    found = hashlib.sha256(b"beta").hexdigest()
    for part in (str(mirror / "toyset"), FILES["a.txt"]["sha256"], found, "replace it"):
        assert part in str(caught.value)
    assert everything(raw) == ["toy/old.txt"]


def test_real_with_no_source_lists_what_was_tried(raw, tmp_path):
    registry = registry_of(MIRROR, USER, PUBLIC, PUBLISHER)
    places = Places([tmp_path / "empty"], user=tmp_path / "user")
    with pytest.raises(FetchError) as caught:
        fetch("toy", registry=registry, raw_dir=raw, places=places, mode="real")
    first, *lines = str(caught.value).splitlines()
    assert "data set 'toy' is not available" in first
    assert lines[0].endswith(f"{tmp_path / 'empty' / 'toyset'} does not exist")
    assert lines[1].endswith(f"{tmp_path / 'user'} lacks a.txt, sub/b.bin")
    assert sum("the network is switched off" in line for line in lines) == 2
    assert not raw.exists()


def test_auto_ends_in_a_surrogate_that_is_marked_for_another_try(mirror, raw):
    found = fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, surrogate_scale=0.25)
    assert (found["source"], found["comparable"], found["files"]) == ("surrogate", "no", [])
    assert (found["scale"], found["fallback"]) == (0.25, True)
    assert everything(raw) == ["toy/PROVENANCE.json"]
    assert fetch("toy", registry=registry_of(files={}), raw_dir=raw)["fallback"] is False
    (mirror / "toyset" / "a.txt").write_bytes(b"wrong")  # which this mode does not look at
    asked = {"registry": registry_of(MIRROR), "raw_dir": raw, "places": Places([mirror])}
    assert fetch("toy", **asked, mode="surrogate")["fallback"] is False


def test_unknown_data_set_and_mode(raw):
    with pytest.raises(RegistryError, match=r"unknown data set 'toys'.*did you mean toy"):
        fetch("toys", registry=registry_of(MIRROR), raw_dir=raw)
    with pytest.raises(ValueError, match=r"data\.source must be one of 'auto', 'real'"):
        fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, mode="reel")


def test_a_folder_that_cannot_be_written_keeps_what_it_has(mirror, raw, tmp_path, monkeypatch):
    registry = registry_of(MIRROR)
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(FetchError, match=r"cannot be written.*Nothing was written"):
        fetch("toy", registry=registry, raw_dir=tmp_path / "file", places=Places([mirror]))
    fill(raw / "toy", {"old.txt": b"old"})
    rename = Path.rename

    def refuse(self, target):
        if Path(target).name == "toy" and not self.name.endswith(".old"):
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(FetchError, match=r"cannot be written \(Permission denied\)"):
        fetch("toy", registry=registry, raw_dir=raw, places=Places([mirror]))
    assert everything(raw) == ["toy/old.txt"]
    assert os.listdir(raw) == ["toy"]


def test_downloads_are_kept_for_other_clones_and_a_damaged_cache_costs_one(
    raw, tmp_path, monkeypatch
):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    registry = registry_of(PUBLIC)
    with Server() as server:
        for name, content in CONTENT.items():
            server.put(f"{RAW}/one/toys/{COMMIT}/{name}", content)
        web = Web(addresses=server.addresses, backoff=0.001)
        online = Places(web=web, store=Store(tmp_path / "cache"))
        first = fetch("toy", registry=registry, raw_dir=raw, places=online)
        assert first["where"] == f"github.com/one/toys at {COMMIT[:10]}"
        asked = len(server.requests)
        again = fetch("toy", registry=registry, raw_dir=tmp_path / "other", places=online)
        assert (again, len(server.requests)) == (first, asked)
        for path in (tmp_path / "cache" / "content").rglob("*"):
            if path.is_file():
                path.write_bytes(b"damaged")
        fetch("toy", registry=registry, raw_dir=raw, places=online)
        assert len(server.requests) == asked + 2
    assert {n: (raw / "toy" / n).read_bytes() for n in CONTENT} == CONTENT
