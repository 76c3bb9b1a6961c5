"""Fetching: sources in order, content compared, all or nothing; addresses that misbehave."""

import gzip
import hashlib
import json
import os
import shutil
from functools import partial
from pathlib import Path

import pytest
import toys
from toys import ALL, COMMIT, CONTENT, FILES, MIRROR, PUBLIC, RAW, TREE, USER, everything, fill

from reproduction.data import sources
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


@pytest.fixture
def online(server, tmp_path):
    web = Web(addresses=server.addresses, backoff=0.001, timeout=(5.0, 0.5), attempts=2)
    return Places(web=web, store=Store(tmp_path / "cache"))


@pytest.fixture
def ask(get, online):
    """Fetch the toy from public addresses alone."""
    return partial(get, places=online, mode="real")


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
    assert read_content(raw / "toy", "many/") == toys.MANY
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
    fill(tmp_path / "mirror" / "toyset" / "many", toys.MANY)
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


FIRST = {**PUBLIC, "paths": {"": "data/"}}
HOME = {"kind": "publisher", "url": "https://publisher.example/files/"}


def answer(server, base, **how):
    for name, content in CONTENT.items():
        server.put(f"{base}{name}", content, **how)


def test_downloads_are_kept_and_a_damaged_cache_costs_one(raw, ask, server, tmp_path):
    answer(server, f"{RAW}/one/toys/{COMMIT}/")
    first = ask(PUBLIC)
    assert first["where"] == f"github.com/one/toys at {COMMIT[:10]}"
    asked = len(server.requests)
    again = ask(PUBLIC, raw_dir=tmp_path / "other")
    assert (again, len(server.requests)) == (first, asked)
    for path in (tmp_path / "cache" / "content").rglob("*"):
        if path.is_file() and path.suffix != ".json":
            path.write_bytes(b"damaged")
    ask(PUBLIC)
    assert len(server.requests) == asked + 2
    assert everything(raw / "toy").items() >= CONTENT.items()


def test_a_fault_is_said_in_one_line_and_sends_to_the_next_address(server, ask, raw):
    answer(server, f"{RAW}/one/toys/{COMMIT}/data/", status=302, headers={"Location": "/nowhere"})
    with pytest.raises(ValueError, match="is not available") as caught:
        ask(FIRST)
    (line,) = [line for line in str(caught.value).splitlines() if "public" in line]
    assert "one/toys" in line
    assert not raw.exists()
    answer(server, f"{RAW}/two/toys/{COMMIT}/")
    assert ask(FIRST, toys.SECOND)["where"].startswith("github.com/two/toys")
    assert everything(raw / "toy").items() >= CONTENT.items()


def test_other_bytes_at_a_commit_are_an_error(server, ask, raw):
    answer(server, f"{RAW}/one/toys/{COMMIT}/data/")
    server.put(f"{RAW}/one/toys/{COMMIT}/data/a.txt", b"beta!!")
    answer(server, f"{RAW}/two/toys/{COMMIT}/")
    with pytest.raises(ChecksumError, match=r"one/toys.*a\.txt: expected sha256.*proxy"):
        ask(FIRST, toys.SECOND)
    assert not raw.exists()


def test_a_publisher_with_another_file_is_named_and_the_next_tried(server, ask):
    server.put(HOME["url"] + "a.txt", b"corrected")
    server.put(HOME["url"] + "sub/b.bin", CONTENT["sub/b.bin"])
    with pytest.raises(ValueError, match="is not available"):
        ask(HOME)
    answer(server, f"{RAW}/two/toys/{COMMIT}/")
    assert ask(HOME, toys.SECOND)["source"] == "publisher + public"


def test_a_repacked_archive_serves(server, ask):
    source = {**toys.PUBLISHER, "url": "https://publisher.example/toys.tar.gz"}
    members = {f"toys v2/{name}": content for name, content in ALL.items()} | {"README": b"new"}
    server.put(source["url"], toys.tar_gz(members, date=1_700_000_000, backwards=True))
    assert ask(source, files={**FILES, **TREE})["source"] == "publisher"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"many/y": b"another"}, r"differs \(many/: expected"),
     ({"many/y": None}, "expected 3 files, found 2"),
     ({"../evil": b"x"}, r"toys\.zip is damaged or refused")],
)  # fmt: skip
def test_a_damaged_or_changed_archive_is_passed_over(server, ask, changes, reason):
    members = {name: content for name, content in {**ALL, **changes}.items() if content is not None}
    server.put(toys.PUBLISHER["url"], toys.zipped(members))
    with pytest.raises(ValueError, match=f"publisher.*{reason}"):
        ask(toys.PUBLISHER, files=TREE)


def test_folders_come_in_the_repositorys_archive(server, ask):
    members = {f"toys-{COMMIT}/data/{name}": content for name, content in ALL.items()}
    server.put(f"https://codeload.github.com/one/toys/tar.gz/{COMMIT}", toys.tar_gz(members))
    assert ask(FIRST, files={**FILES, **TREE})["source"] == "public"
    assert len(server.requests) == 1


@pytest.fixture
def index(server, monkeypatch):
    monkeypatch.setattr(sources, "package_index", lambda: sources.PACKAGE_INDEX)

    def make(file, content, **changes):
        link = f"https://files.example/{file}#sha256=x"
        page = f'<html><a href="{link}">{file}</a><br/></html>'
        server.put("https://pypi.org/simple/toy-data/", page.encode(), content_type="text/html")
        server.put(link.partition("#")[0], content)
        facts = {"kind": "package", "name": "Toy_Data", "file": file, "bytes": len(content),
                 "sha256": hashlib.sha256(content).hexdigest(), "paths": {"": "toy/"}}  # fmt: skip
        return {**facts, **changes}

    return make


@pytest.mark.parametrize("file", ["toy_data-1-py3-none-any.whl", "toy_data-1.tar.gz"])
def test_members_of_a_package_serve(index, ask, file):
    pack = toys.zipped if file.endswith("whl") else toys.tar_gz
    content = pack({f"top/toy/{name}": data for name, data in CONTENT.items()})
    assert ask(index(file, content))["where"] == f"package index, {file}"


def test_packages_that_differ(index, ask):
    file = "toy_data-1.tar.gz"
    content = toys.tar_gz({f"toy/{name}": data for name, data in CONTENT.items()})
    with pytest.raises(ChecksumError, match=rf"{file} of the package index: expected sha256"):
        ask(index(file, content, sha256="0" * 64))
    changed = toys.tar_gz({"toy/a.txt": b"beta", "toy/sub/b.bin": CONTENT["sub/b.bin"]})
    with pytest.raises(ChecksumError, match=r"a\.txt: expected sha256"):
        ask(index(file, changed))
    with pytest.raises(ValueError, match=r"the package index has no toy_data-2\.tar\.gz"):
        ask({**index(file, content), "file": "toy_data-2.tar.gz"})
