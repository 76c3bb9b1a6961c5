"""Public addresses that misbehave: the right next step, one clear line, no wrong byte."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reproduction.data.content import describe
from reproduction.data.errors import ChecksumError, SourceUnavailableError
from reproduction.data.fetch import fetch
from reproduction.data.gather import Places, gather
from reproduction.data.origin import Package, Public, Publisher
from reproduction.data.sources import remote
from reproduction.data.sources.web import Web
from reproduction.data.store import Store

sys.path.insert(0, str(Path(__file__).parent))
from public_layout import tar_gz, zipped
from test_fetch import CONTENT, FILES, MANY, TREE, registry_of
from web_server import Server

COMMIT = "0123456789" * 4
FIRST = {"kind": "public", "repository": "one/toys", "commit": COMMIT, "paths": {"": "data/"}}
SECOND = {"kind": "public", "repository": "two/toys", "commit": COMMIT}
PUBLISHER = {"kind": "publisher", "url": "https://publisher.example/toys.zip"}
HOME = {"kind": "publisher", "url": "https://publisher.example/files/"}
RAW = "https://raw.githubusercontent.com"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as running:
        yield running


@pytest.fixture
def places(server, tmp_path):
    web = Web(
        tmp_path / "cache" / "parts",
        addresses=server.addresses,
        backoff=0.001,
        timeout=(5.0, 0.5),
        attempts=2,
    )
    return Places(web=web, store=Store(tmp_path / "cache"))


@pytest.fixture
def get(places, tmp_path):
    def go(*sources, files=FILES, mode="real"):
        registry = registry_of(*sources, files=files)
        return fetch("toy", registry=registry, raw_dir=tmp_path / "raw", places=places, mode=mode)

    return go


def fill_second(server):
    for name, content in CONTENT.items():
        server.put(f"{RAW}/two/toys/{COMMIT}/{name}", content)


def fill_first(server, **how):
    for name, content in CONTENT.items():
        server.put(f"{RAW}/one/toys/{COMMIT}/data/{name}", content, **how)


FAULTS = {
    "404": {"status": 404},
    "403": {"status": 403},
    "429": {"status": 429, "headers": {"Retry-After": "9999"}},
    "page": {"content_type": "text/html"},
    "hang": {"hang": 2.0},
    "redirect to nothing": {"status": 302, "headers": {"Location": "/nowhere"}},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_sends_to_the_next_address(server, get, tmp_path, fault):
    fill_first(server, **FAULTS[fault])
    fill_second(server)
    assert get(FIRST, SECOND)["where"].startswith("github.com/two/toys")
    assert {n: (tmp_path / "raw" / "toy" / n).read_bytes() for n in CONTENT} == CONTENT


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_only_address_is_said_in_one_line(server, get, tmp_path, fault):
    fill_first(server, **FAULTS[fault])
    with pytest.raises(ValueError, match="is not available") as caught:
        get(FIRST)
    (line,) = [line for line in str(caught.value).splitlines() if "public" in line]
    assert "one/toys" in line
    assert not (tmp_path / "raw").exists()


def test_a_cut_and_a_reset_are_continued(server, get):
    fill_first(server)
    path = f"{RAW}/one/toys/{COMMIT}/data/sub/b.bin"
    server.put(path, CONTENT["sub/b.bin"], break_after=[50])
    assert get(FIRST)["source"] == "public"


@pytest.mark.parametrize("wrong", [b"beta!!", b"alpha\r"])
def test_other_bytes_at_a_commit_are_an_error(server, get, tmp_path, wrong):
    fill_first(server)
    server.put(f"{RAW}/one/toys/{COMMIT}/data/a.txt", wrong)
    fill_second(server)
    with pytest.raises(ChecksumError, match=r"one/toys.*a\.txt: expected sha256.*proxy") as caught:
        get(FIRST, SECOND)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "raw").exists()


def test_a_publisher_with_another_file_is_named_and_the_next_tried(server, get, places):
    server.put(HOME["url"] + "a.txt", b"corrected")
    server.put(HOME["url"] + "sub/b.bin", CONTENT["sub/b.bin"])
    fill_second(server)
    found = get(HOME, SECOND)
    assert found["source"] == "publisher + public"
    alone = gather(registry_of(HOME)["toy"].files, [Publisher(**HOME)], Places(web=places.web), "t")
    assert list(alone.contents) == ["sub/b.bin"]
    with pytest.raises(ValueError, match=r"publisher.*a\.txt differs: expected sha256"):
        remote.from_publisher(Publisher(**HOME), {"a.txt": describe(CONTENT["a.txt"])}, places.web)


ALL = {**CONTENT, **{f"many/{name}": content for name, content in MANY.items()}}


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("date", [0, 1_700_000_000])
def test_a_repacked_archive_serves(server, get, backwards, date):
    source = {**PUBLISHER, "url": "https://publisher.example/toys.tar.gz"}
    members = {f"toys v2/{name}": content for name, content in ALL.items()} | {"README": b"new"}
    server.put(source["url"], tar_gz(members, date=date, backwards=backwards))
    assert get(source, files={**FILES, **TREE})["source"] == "publisher"


@pytest.mark.parametrize("damage", ["cut", "noise", "member", "missing"])
def test_a_damaged_or_changed_archive_is_passed_over(server, get, rng, damage):
    members = dict(ALL)
    if damage == "member":
        members["many/y"] = b"another"
    if damage == "missing":
        del members["many/y"]
    content = zipped(members)
    if damage == "cut":
        content = content[: len(content) // 2]
    if damage == "noise":
        content = b"PK" + rng.bytes(300)
    server.put(PUBLISHER["url"], content)
    with pytest.raises(ValueError, match="is not available") as caught:
        get(PUBLISHER, files=TREE)
    (line,) = [line for line in str(caught.value).splitlines() if "publisher" in line]
    reason = {"cut": "truncated or", "noise": "truncated or", "member": "differs (many/: expected",
              "missing": "expected 3 files, found 2"}[damage]  # fmt: skip
    assert reason in line


def test_folders_come_in_the_repositorys_archive(server, get):
    members = {f"toys-{COMMIT}/data/{name}": content for name, content in ALL.items()}
    server.put(f"https://codeload.github.com/one/toys/tar.gz/{COMMIT}", tar_gz(members))
    found = get(FIRST, files={**FILES, **TREE})
    assert found["source"] == "public"
    assert len([path for path, _ in server.requests if "codeload" in path]) == 1


def repository(folder: Path) -> str:
    """Make a repository that holds the toys; return its commit."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}

    def git(*command):
        identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=m"]
        done = subprocess.run(["git", *identity, "-C", str(folder), *command], check=True,
                              capture_output=True, text=True, env=environment)  # fmt: skip
        return done.stdout.strip()

    folder.mkdir(parents=True)
    git("init", "--quiet")
    for name, content in ALL.items():
        (folder / "data" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "data" / name).write_bytes(content)
    git("add", "--all")
    git("commit", "--quiet", "-m", "toys")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    return git("rev-parse", "HEAD")


def test_git_serves_where_the_archive_does_not(server, places, tmp_path):
    commit = repository(tmp_path / "github" / "one" / "toys")
    places.web.addresses = {**server.addresses, "https://github.com/": f"{tmp_path}/github/"}
    source = {**FIRST, "commit": commit}
    registry = registry_of(source, files={**FILES, **TREE})
    found = fetch("toy", registry=registry, raw_dir=tmp_path / "raw", places=places, mode="real")
    assert found["source"] == "public"


def test_neither_archive_nor_git(server, places, tmp_path, monkeypatch):
    places.web.addresses = {**server.addresses, "https://github.com/": f"{tmp_path}/none/"}
    wanted = registry_of(FIRST, files=TREE)["toy"].files
    with pytest.raises(SourceUnavailableError, match=r"HTTP 404.*; git"):
        remote.from_public(Public(**FIRST), wanted, places.web)
    monkeypatch.setattr(remote.shutil, "which", lambda name: None)
    with pytest.raises(SourceUnavailableError, match="git is not installed"):
        remote.from_public(Public(**FIRST), wanted, places.web)


@pytest.fixture
def index(server, monkeypatch):
    monkeypatch.setattr(remote, "package_index", lambda: remote.PACKAGE_INDEX)

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
    found = get(index(file, content))
    assert found["where"] == f"package index, {file}"


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
        remote.from_package(source, {"a.txt": describe(CONTENT["a.txt"])}, places.web)


def test_a_killed_download_goes_on_where_it_was(server, places, tmp_path, rng):
    content = rng.bytes(300_000)
    files = {"big": describe(content).model_dump(exclude_none=True)}
    address = f"{RAW}/two/toys/{COMMIT}/big"
    server.put(address, content, break_after=[200_000, 0])
    registry = registry_of(SECOND, files=files)
    first = fetch("toy", registry=registry, raw_dir=tmp_path / "raw", places=places)
    assert first["source"] == "surrogate"
    assert first["fallback"] is True
    found = fetch("toy", registry=registry, raw_dir=tmp_path / "raw", places=places)
    assert found["source"] == "public"
    assert int(server.requests[-1][1].removeprefix("bytes=").rstrip("-")) > 100_000
