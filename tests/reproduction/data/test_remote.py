"""Public addresses that misbehave: the right next step, one clear line, no wrong byte."""

import hashlib

import pytest
import toys
from toys import ALL, COMMIT, CONTENT, FILES, PUBLIC, PUBLISHER, RAW, SECOND, TREE, registry_of

from reproduction.data import sources
from reproduction.data.errors import ChecksumError
from reproduction.data.fetch import fetch
from reproduction.data.places import Places, Store
from reproduction.data.web import Web

FIRST = {**PUBLIC, "paths": {"": "data/"}}
HOME = {"kind": "publisher", "url": "https://publisher.example/files/"}


@pytest.fixture
def get(server, tmp_path):
    web = Web(addresses=server.addresses, backoff=0.001, timeout=(5.0, 0.5), attempts=2)
    places = Places(web=web, store=Store(tmp_path / "cache"))

    def go(*sources, files=FILES, mode="real"):
        registry = registry_of(*sources, files=files)
        return fetch("toy", registry=registry, raw_dir=tmp_path / "raw", places=places, mode=mode)

    return go


def answer(server, base, **how):
    for name, content in CONTENT.items():
        server.put(f"{base}{name}", content, **how)


def test_a_fault_is_said_in_one_line_and_sends_to_the_next_address(server, get, tmp_path):
    answer(server, f"{RAW}/one/toys/{COMMIT}/data/", status=302, headers={"Location": "/nowhere"})
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


def test_a_publisher_with_another_file_is_named_and_the_next_tried(server, get):
    server.put(HOME["url"] + "a.txt", b"corrected")
    server.put(HOME["url"] + "sub/b.bin", CONTENT["sub/b.bin"])
    with pytest.raises(ValueError, match="is not available"):
        get(HOME)
    answer(server, f"{RAW}/two/toys/{COMMIT}/")
    assert get(HOME, SECOND)["source"] == "publisher + public"


def test_a_repacked_archive_serves(server, get):
    source = {**PUBLISHER, "url": "https://publisher.example/toys.tar.gz"}
    members = {f"toys v2/{name}": content for name, content in ALL.items()} | {"README": b"new"}
    server.put(source["url"], toys.tar_gz(members, date=1_700_000_000, backwards=True))
    assert get(source, files={**FILES, **TREE})["source"] == "publisher"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"many/y": b"another"}, r"differs \(many/: expected"),
     ({"many/y": None}, "expected 3 files, found 2"),
     ({"../evil": b"x"}, r"toys\.zip is damaged or refused")],
)  # fmt: skip
def test_a_damaged_or_changed_archive_is_passed_over(server, get, changes, reason):
    members = {name: content for name, content in {**ALL, **changes}.items() if content is not None}
    server.put(PUBLISHER["url"], toys.zipped(members))
    with pytest.raises(ValueError, match=f"publisher.*{reason}"):
        get(PUBLISHER, files=TREE)


def test_folders_come_in_the_repositorys_archive(server, get):
    members = {f"toys-{COMMIT}/data/{name}": content for name, content in ALL.items()}
    server.put(f"https://codeload.github.com/one/toys/tar.gz/{COMMIT}", toys.tar_gz(members))
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
    pack = toys.zipped if file.endswith("whl") else toys.tar_gz
    content = pack({f"top/toy/{name}": data for name, data in CONTENT.items()})
    assert get(index(file, content))["where"] == f"package index, {file}"


def test_packages_that_differ(index, get):
    file = "toy_data-1.tar.gz"
    content = toys.tar_gz({f"toy/{name}": data for name, data in CONTENT.items()})
    with pytest.raises(ChecksumError, match=rf"{file} of the package index: expected sha256"):
        get(index(file, content, sha256="0" * 64))
    changed = toys.tar_gz({"toy/a.txt": b"beta", "toy/sub/b.bin": CONTENT["sub/b.bin"]})
    with pytest.raises(ChecksumError, match=r"a\.txt: expected sha256"):
        get(index(file, changed))
    with pytest.raises(ValueError, match=r"the package index has no toy_data-2\.tar\.gz"):
        get(index(file, content, file="toy_data-2.tar.gz"))
