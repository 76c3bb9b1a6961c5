"""Fetching: sources in order, content compared, all or nothing."""

import gzip
import hashlib
import io
import json
import os
import shutil
import sys
import tarfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from reproduction.data import fetch as module
from reproduction.data.content import describe
from reproduction.data.entry import Dataset
from reproduction.data.errors import ChecksumError, FetchError
from reproduction.data.fetch import fetch
from reproduction.data.gather import Places
from reproduction.data.registry import Registry, RegistryError, load_registry
from reproduction.data.sources.web import Web
from reproduction.data.store import Store

sys.path.insert(0, str(Path(__file__).parent))
from web_server import Server

CONTENT = {"a.txt": b"alpha\n", "sub/b.bin": bytes(range(99))}
FILES = {name: describe(content).model_dump(exclude_none=True) for name, content in CONTENT.items()}
MANY = {"x/1": b"one", "x/2:3": b"two", "y": b"three"}
TREE = {"many/": describe(MANY).model_dump(exclude_none=True)}
CORA = load_registry()["cora"].model_dump(exclude_unset=True)
COMMIT = "0123456789" * 4
#: The one form in which the folder is kept, on every system.
MANY_ZIP = "ba61fb52ad590cd8d3ab115d8a2ceebd78b66db07a4cfdd896037a8a70250a5e"


def registry_of(*sources, files=FILES, **changes):
    entry = {**CORA, "key": "toy", "files": files, "sources": list(sources), "editions": []}
    return Registry({"toy": Dataset.model_validate({**entry, **changes})})


MIRROR = {"kind": "mirror", "folder": "toyset"}
USER = {"kind": "user"}
PUBLIC = {"kind": "public", "repository": "owner/toys", "commit": COMMIT, "paths": {"": "data/"}}
PUBLISHER = {"kind": "publisher", "url": "https://publisher.example/toys.zip"}


def fill(folder, content=CONTENT):
    for path, data in content.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder


@pytest.fixture
def mirror(tmp_path):
    fill(tmp_path / "mirror" / "toyset")
    return tmp_path / "mirror"


@pytest.fixture
def raw(tmp_path):
    return tmp_path / "data" / "raw"


def everything(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_the_mirror_serves(mirror, raw):
    provenance = fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, places=Places([mirror]))
    assert everything(raw) == ["toy/PROVENANCE.json", "toy/a.txt", "toy/sub/b.bin"]
    assert {n: (raw / "toy" / n).read_bytes() for n in CONTENT} == CONTENT
    assert json.loads((raw / "toy" / "PROVENANCE.json").read_text()) == provenance
    assert provenance["source"] == "mirror"
    assert provenance["where"] == "mirror folder toyset"
    assert [record["path"] for record in provenance["files"]] == sorted(CONTENT)
    assert [r["sha256"] for r in provenance["files"]] == [
        hashlib.sha256(CONTENT[name]).hexdigest() for name in sorted(CONTENT)
    ]
    assert os.listdir(raw) == ["toy"]


def test_provenance_depends_on_nothing_but_content(mirror, raw, tmp_path):
    elsewhere = tmp_path / "other"
    shutil.copytree(mirror, elsewhere / "m")
    registry = registry_of(MIRROR)
    fetch("toy", registry=registry, raw_dir=raw, places=Places([mirror]))
    fetch("toy", registry=registry, raw_dir=elsewhere / "raw", places=Places([elsewhere / "m"]))
    first, second = (d / "toy" / "PROVENANCE.json" for d in (raw, elsewhere / "raw"))
    assert first.read_bytes() == second.read_bytes()
    assert str(tmp_path) not in first.read_text()


def pack_tar(path, members):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))


def pack_zip(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("packed", ["loose", "tar", "zip", "gz", "reversed"])
def test_however_it_is_packed_the_raw_folder_is_the_same(tmp_path, raw, packed):
    wanted = {**CONTENT, **{f"many/{name}": content for name, content in MANY.items()}}
    folder = tmp_path / "mirror" / "toyset"
    folder.mkdir(parents=True)
    if packed == "loose":
        fill(folder, wanted)
    elif packed == "gz":
        fill(folder, {name: c for name, c in wanted.items() if name != "a.txt"})
        (folder / "a.txt.gz").write_bytes(gzip.compress(CONTENT["a.txt"]))
    elif packed == "zip":
        pack_zip(folder / "all.zip", {f"top/{name}": c for name, c in wanted.items()})
    else:
        order = reversed(wanted.items()) if packed == "reversed" else wanted.items()
        pack_tar(folder / "all.tar.gz", {f"top/{name}": c for name, c in order} | {"z": b"other"})
    registry = registry_of(MIRROR, files={**FILES, **TREE})
    fetch("toy", registry=registry, raw_dir=raw, places=Places([tmp_path / "mirror"]))
    assert everything(raw) == ["toy/PROVENANCE.json", "toy/a.txt", "toy/many.zip", "toy/sub/b.bin"]
    with zipfile.ZipFile(raw / "toy" / "many.zip") as archive:
        stored = {name: archive.read(name) for name in archive.namelist()}
    assert stored == {f"many/{name}": content for name, content in MANY.items()}
    assert hashlib.sha256((raw / "toy" / "many.zip").read_bytes()).hexdigest() == MANY_ZIP


def test_mirrors_and_sources_are_tried_in_order(mirror, raw, tmp_path):
    (tmp_path / "half" / "toyset").mkdir(parents=True)
    mirrors = [tmp_path / "none", tmp_path / "half", mirror]
    registry = registry_of(USER, MIRROR)
    found = fetch("toy", registry=registry, raw_dir=raw, places=Places(mirrors))
    assert found["source"] == "mirror"
    user = fill(tmp_path / "user")
    found = fetch("toy", registry=registry, raw_dir=raw, places=Places(mirrors, user=user))
    assert found["source"] == "user"


def test_sources_complete_one_another(mirror, raw, tmp_path):
    (mirror / "toyset" / "a.txt").unlink()
    user = fill(tmp_path / "user", {"a.txt": CONTENT["a.txt"]})
    places = Places([mirror], user=user)
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


def test_files_nobody_has_pinned_come_from_their_user_alone(raw, tmp_path, mirror):
    loose = {"name": "mine", "comparable": "own_draw", "differences": "Mine.", "first": True,
             "unpinned": ["data.csv"], "sources": [USER]}  # fmt: skip
    registry = registry_of(MIRROR, editions=[loose])
    places = Places([mirror], user=tmp_path / "user")
    assert fetch("toy", registry=registry, raw_dir=raw, places=places)["edition"] == ""
    fill(tmp_path / "user", {"data.csv": b"1,2"})
    found = fetch("toy", registry=registry, raw_dir=raw, places=places)
    assert (found["edition"], found["source"]) == ("mine", "user")
    assert found["files"][0]["sha256"] == hashlib.sha256(b"1,2").hexdigest()


def test_a_users_unpinned_archive_is_read_through(raw, tmp_path):
    loose = {"name": "mine", "comparable": "no", "differences": "Mine.",
             "unpinned": ["data.tgz"], "sources": [USER]}  # fmt: skip
    user = fill(tmp_path / "user", {"data.tgz": b"\x1f\x8b\x08 not really"})
    registry = registry_of(files={}, editions=[loose])
    with pytest.raises(ValueError, match=r"data\.tgz is truncated or"):
        fetch("toy", registry=registry, raw_dir=raw, places=Places(user=user))
    assert os.listdir(tmp_path) == ["user"]


def test_fetching_again_replaces_all_files(mirror, raw):
    fill(raw / "toy", {"old.txt": b"old", "PROVENANCE.json": b"{}"})
    fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, places=Places([mirror]))
    assert everything(raw) == ["toy/PROVENANCE.json", "toy/a.txt", "toy/sub/b.bin"]


@pytest.mark.parametrize("mode", ["auto", "real"])
@pytest.mark.parametrize("damage", [b"alphb\n", b"alpha", b""])
def test_a_wrong_checksum_is_an_error_and_leaves_the_old_files(mirror, raw, mode, damage):
    fill(raw / "toy", {"old.txt": b"old"})
    (mirror / "toyset" / "a.txt").write_bytes(damage)
    registry = registry_of(MIRROR, USER)
    with pytest.raises(ChecksumError) as caught:
        fetch("toy", registry=registry, raw_dir=raw, places=Places([mirror]), mode=mode)
    text = str(caught.value)
    wanted = FILES["a.txt"]["sha256"]
    for part in (str(mirror / "toyset" / "a.txt"), wanted, hashlib.sha256(damage).hexdigest(),
                 "replace it"):  # fmt: skip
        assert part in text
    assert "\n" not in text
    assert everything(raw) == ["toy/old.txt"]


def test_a_wrong_member_of_a_mirrors_archive_is_an_error(raw, tmp_path):
    folder = tmp_path / "mirror" / "toyset"
    folder.mkdir(parents=True)
    pack_zip(folder / "all.zip", {"a.txt": b"beta", "sub/b.bin": CONTENT["sub/b.bin"]})
    with pytest.raises(ChecksumError, match=r"all\.zip: a\.txt: expected sha256"):
        fetch(
            "toy", registry=registry_of(MIRROR), raw_dir=raw, places=Places([tmp_path / "mirror"])
        )
    assert os.listdir(tmp_path) == ["mirror"]


def test_a_failure_removes_the_folders_it_made(mirror, raw, tmp_path):
    (mirror / "toyset" / "a.txt").write_bytes(b"wrong")
    with pytest.raises(ChecksumError):
        fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, places=Places([mirror]))
    assert os.listdir(tmp_path) == ["mirror"]


def test_many_fetches_make_and_remove_the_same_folders(mirror, rng, tmp_path):
    """Some fail and take their empty folders away; none may fail for the folder."""
    (tmp_path / "wrong" / "toyset").mkdir(parents=True)
    (tmp_path / "wrong" / "toyset" / "a.txt").write_bytes(b"wrong")
    toy = registry_of(MIRROR)["toy"]
    raw = tmp_path / "a" / "b" / "c" / "raw"
    fails = rng.random(200) < 0.7
    fails[:2] = True, False

    def one(number):
        key = f"toy{number}"
        registry = Registry({key: toy.model_copy(update={"key": key})})
        places = Places([tmp_path / "wrong" if fails[number] else mirror])
        try:
            fetch(key, registry=registry, raw_dir=raw, places=places)
        except FetchError as error:
            return error
        return None

    with ThreadPoolExecutor(16) as pool:
        errors = list(pool.map(one, range(len(fails))))
    for failing, error in zip(fails, errors, strict=True):
        assert isinstance(error, ChecksumError) == failing, error
        assert (error is None) != failing, error
    wanted = [f"toy{number}" for number in np.flatnonzero(~fails)]
    assert sorted(os.listdir(raw)) == sorted(wanted)


def test_folders_that_others_remove_are_made_again(tmp_path, monkeypatch):
    raw = tmp_path / "a" / "raw"
    make, left = Path.mkdir, [2, 1]

    def removed(self, *arguments, **options):
        make(self, *arguments, **options)
        if self.name in ("a", "raw") and left[self.name == "raw"] > 0:
            left[self.name == "raw"] -= 1
            self.rmdir()

    monkeypatch.setattr(Path, "mkdir", removed)
    assert fetch("toy", registry=registry_of(files={}), raw_dir=raw)["source"] == "surrogate"
    left[0] = 1 << 30
    with pytest.raises(FetchError, match="cannot be written"):
        fetch("toy", registry=registry_of(files={}), raw_dir=tmp_path / "b" / "a" / "raw")
    assert not (tmp_path / "b").exists()


def test_real_with_no_source_lists_what_was_tried(raw, tmp_path):
    (tmp_path / "empty").mkdir()
    registry = registry_of(MIRROR, USER, PUBLIC, PUBLISHER)
    places = Places([tmp_path / "empty"], user=tmp_path / "user")
    with pytest.raises(FetchError) as caught:
        fetch("toy", registry=registry, raw_dir=raw, places=places, mode="real")
    text = str(caught.value)
    assert "data set 'toy' is not available" in text
    assert f"{tmp_path / 'empty' / 'toyset'} does not exist" in text
    assert f"{tmp_path / 'user'} lacks a.txt, sub/b.bin" in text
    assert text.count("the network is switched off") == 2
    assert "surrogate: refused" in text
    assert os.listdir(tmp_path) == ["empty"]


def test_auto_ends_in_a_surrogate_that_is_marked_for_another_try(raw):
    found = fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, surrogate_scale=0.25)
    assert found["source"] == "surrogate"
    assert found["comparable"] == "no"
    assert found["files"] == []
    assert found["scale"] == 0.25
    assert found["fallback"] is True
    assert everything(raw) == ["toy/PROVENANCE.json"]
    never = registry_of(files={})
    assert fetch("toy", registry=never, raw_dir=raw)["fallback"] is False


def test_mode_surrogate_looks_at_nothing_else(mirror, raw):
    (mirror / "toyset" / "a.txt").write_bytes(b"wrong")
    found = fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, places=Places([mirror]),
                  mode="surrogate")  # fmt: skip
    assert found["source"] == "surrogate"
    assert found["fallback"] is False


def test_unknown_data_set_and_mode(raw, tmp_path):
    with pytest.raises(RegistryError, match=r"unknown data set 'toys'.*did you mean toy"):
        fetch("toys", registry=registry_of(MIRROR), raw_dir=raw)
    with pytest.raises(
        ValueError, match=r"data\.source must be one of 'auto', 'real', 'surrogate'"
    ):
        fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, mode="reel")
    assert os.listdir(tmp_path) == []


def test_a_data_folder_that_is_a_file(mirror, tmp_path):
    (tmp_path / "data").write_text("not a folder")
    with pytest.raises(FetchError, match=r"cannot be written.*Nothing was written"):
        fetch("toy", registry=registry_of(MIRROR), raw_dir=tmp_path / "data" / "raw",
              places=Places([mirror]))  # fmt: skip
    assert (tmp_path / "data").read_text() == "not a folder"


def test_a_read_only_data_folder(mirror, raw, tmp_path, monkeypatch):
    # The tests may run as root, for whom permissions do not hold: let the system call fail.
    def refuse(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(module.tempfile, "mkdtemp", refuse)
    with pytest.raises(
        FetchError, match=r"raw cannot be written \(Permission denied\); give write"
    ):
        fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, places=Places([mirror]))
    assert os.listdir(tmp_path) == ["mirror"]


def test_a_target_that_cannot_be_replaced_stays(mirror, raw, monkeypatch):
    fill(raw / "toy", {"old.txt": b"old"})
    rename = Path.rename

    def refuse(self, target):
        if Path(target).name == "toy" and not self.name.endswith(".old"):
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(FetchError, match="cannot be replaced"):
        fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, places=Places([mirror]))
    assert everything(raw) == ["toy/old.txt"]


def test_an_interrupt_leaves_nothing(mirror, raw, tmp_path, monkeypatch):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "make_provenance", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, places=Places([mirror]))
    assert os.listdir(tmp_path) == ["mirror"]


def test_a_users_photographs_come_along(mirror, raw, tmp_path):
    user = fill(tmp_path / "user", {"images/x/1.jpg": b"jpeg", "notes.txt": b"no"})
    registry = registry_of(MIRROR, user_extras=["images/**/*.jpg"])
    places = Places([mirror], user=user)
    found = fetch("toy", registry=registry, raw_dir=raw, places=places)
    assert found["extras"] == 1
    assert (raw / "toy" / "images" / "x" / "1.jpg").read_bytes() == b"jpeg"
    assert not (raw / "toy" / "notes.txt").exists()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as running:
        yield running


@pytest.fixture
def online(server, tmp_path):
    cache = tmp_path / "cache"
    web = Web(cache / "parts", addresses=server.addresses, backoff=0.001, timeout=(5.0, 5.0))
    return Places(web=web, store=Store(cache))


RAW = f"https://raw.githubusercontent.com/owner/toys/{COMMIT}/data"


def test_downloads_are_kept_for_other_clones(server, online, raw, tmp_path):
    for name, content in CONTENT.items():
        server.put(f"{RAW}/{name}", content)
    first = fetch("toy", registry=registry_of(PUBLIC), raw_dir=raw, places=online)
    assert first["source"] == "public"
    assert first["where"] == f"github.com/owner/toys at {COMMIT[:10]}"
    server.answers.clear()
    again = fetch("toy", registry=registry_of(PUBLIC), raw_dir=tmp_path / "other", places=online)
    assert again == first
    assert everything(tmp_path / "other") == everything(raw)


def test_a_damaged_cache_costs_a_download(server, online, raw, tmp_path):
    for name, content in CONTENT.items():
        server.put(f"{RAW}/{name}", content)
    fetch("toy", registry=registry_of(PUBLIC), raw_dir=raw, places=online)
    for path in (tmp_path / "cache" / "content").rglob("*"):
        if path.is_file():
            path.write_bytes(b"damaged")
    asked = len(server.requests)
    fetch("toy", registry=registry_of(PUBLIC), raw_dir=raw, places=online)
    assert len(server.requests) == asked + 2
    assert {n: (raw / "toy" / n).read_bytes() for n in CONTENT} == CONTENT
