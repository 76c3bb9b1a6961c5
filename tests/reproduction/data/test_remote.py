"""Public addresses that misbehave: the right next step, one clear line, no wrong byte."""

import hashlib

import pytest
import toys
from public_layout import tar_gz, zipped
from toys import ALL, COMMIT, CONTENT, FILES, PUBLIC, PUBLISHER, RAW, SECOND, TREE, registry_of

from reproduction.data import sources
from reproduction.data.errors import ChecksumError, SourceUnavailableError
from reproduction.data.fetch import fetch
from reproduction.data.origin import Package
from reproduction.data.places import Places, Store
from reproduction.data.web import Web

FIRST = {**PUBLIC, "paths": {"": "data/"}}
HOME = {"kind": "publisher", "url": "https://publisher.example/files/"}


@pytest.fixture
def places(server, tmp_path):
    timeout = (5.0, 0.5)
    web = Web(addresses=server.addresses, backoff=0.001, timeout=timeout, attempts=2)
    return Places(web=web, store=Store(tmp_path / "cache"))


@pytest.fixture
def get(places, tmp_path):
    def go(*sources, files=FILES, mode="real"):
        registry = registry_of(*sources, files=files)
        return fetch("toy", registry=registry, raw_dir=tmp_path / "raw", places=places, mode=mode)

    return go


def answer(server, base, **how):
    for name, content in CONTENT.items():
        server.put(f"{base}{name}", content, **how)


FAULTS = {
    "404": {"status": 404},
    "429": {"status": 429, "headers": {"Retry-After": "9999"}},
    "page": {"content_type": "text/html"},
    "redirect to nothing": {"status": 302, "headers": {"Location": "/nowhere"}},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_said_in_one_line_and_sends_to_the_next_address(server, get, tmp_path, fault):
    answer(server, f"{RAW}/one/toys/{COMMIT}/data/", **FAULTS[fault])
    with pytest.raises(ValueError, match="is not available") as caught:
        get(FIRST)
    (line,) = [line for line in str(caught.value).splitlines() if "public" in line]
    assert "one/toys" in line
    assert not (tmp_path / "raw").exists()
    answer(server, f"{RAW}/two/toys/{COMMIT}/")
    assert get(FIRST, SECOND)["where"].startswith("github.com/two/toys")
    assert toys.everything(tmp_path / "raw" / "toy").items() >= CONTENT.items()


def test_other_bytes_at_a_commit_are_an_error(server, get, tmp_path):
    answer(server, f"{RAW}/one/toys/{COMMIT}/data/")
    server.put(f"{RAW}/one/toys/{COMMIT}/data/a.txt", b"beta!!")
    answer(server, f"{RAW}/two/toys/{COMMIT}/")
    with pytest.raises(ChecksumError, match=r"one/toys.*a\.txt: expected sha256.*proxy"):
        get(FIRST, SECOND)
    assert not (tmp_path / "raw").exists()


def test_a_publisher_with_another_file_is_named_and_the_next_tried(server, get, places):
    server.put(HOME["url"] + "a.txt", b"corrected")
    server.put(HOME["url"] + "sub/b.bin", CONTENT["sub/b.bin"])
    with pytest.raises(ValueError, match="is not available"):
        get(HOME)
    answer(server, f"{RAW}/two/toys/{COMMIT}/")
    assert get(HOME, SECOND)["source"] == "publisher + public"


@pytest.mark.parametrize("date", [0, 1_700_000_000])
def test_a_repacked_archive_serves(server, get, date):
    source = {**PUBLISHER, "url": "https://publisher.example/toys.tar.gz"}
    members = {f"toys v2/{name}": content for name, content in ALL.items()} | {"README": b"new"}
    server.put(source["url"], tar_gz(members, date=date, backwards=bool(date)))
    assert get(source, files={**FILES, **TREE})["source"] == "publisher"


@pytest.mark.parametrize("damage", ["cut", "noise", "member", "missing", "hostile"])
def test_a_damaged_or_changed_archive_is_passed_over(server, get, rng, damage):
    members = dict(ALL)
    if damage == "member":
        members["many/y"] = b"another"
    if damage == "missing":
        del members["many/y"]
    if damage == "hostile":
        members["../evil"] = b"x"
    content = zipped(members)
    if damage == "cut":
        content = content[: len(content) // 2]
    if damage == "noise":
        content = b"PK" + rng.bytes(300)
    server.put(PUBLISHER["url"], content)
    with pytest.raises(ValueError, match="is not available") as caught:
        get(PUBLISHER, files=TREE)
    (line,) = [line for line in str(caught.value).splitlines() if "publisher" in line]
    reasons = {"member": "differs (many/: expected", "missing": "expected 3 files, found 2"}
    assert reasons.get(damage, "toys.zip is damaged or refused") in line


def test_folders_come_in_the_repositorys_archive(server, get):
    members = {f"toys-{COMMIT}/data/{name}": content for name, content in ALL.items()}
    server.put(f"https://codeload.github.com/one/toys/tar.gz/{COMMIT}", tar_gz(members))
    assert get(FIRST, files={**FILES, **TREE})["source"] == "public"
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
def test_members_of_a_package_serve(index, get, file):
    pack = zipped if file.endswith("whl") else tar_gz
    content = pack({f"top/toy/{name}": data for name, data in CONTENT.items()})
    assert get(index(file, content))["where"] == f"package index, {file}"


def test_packages_that_differ(index, get, places):
    file = "toy_data-1.tar.gz"
    content = tar_gz({f"toy/{name}": data for name, data in CONTENT.items()})
    with pytest.raises(ChecksumError, match=rf"{file} of the package index: expected sha256"):
        get(index(file, content, sha256="0" * 64))
    changed = tar_gz({"toy/a.txt": b"beta", "toy/sub/b.bin": CONTENT["sub/b.bin"]})
    with pytest.raises(ChecksumError, match=r"a\.txt: expected sha256"):
        get(index(file, changed))
    source = Package(**{**index(file, content), "file": "toy_data-2.tar.gz"})
    with pytest.raises(SourceUnavailableError, match=r"has no toy_data-2\.tar\.gz"):
        sources.from_package(source, {"a.txt": toys.describe(CONTENT["a.txt"])}, places.web)
