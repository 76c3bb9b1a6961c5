"""Fetching: sources in order, content compared, all or nothing; addresses that misbehave."""

import json
import shutil
from pathlib import Path

import pytest
import toys
from toys import ALL, COMMIT, CONTENT, FILES, MIRROR, PUBLIC, RAW, TREE, USER, everything, fill

from reproduction.data.content import read_content, sha256
from reproduction.data.errors import FetchError
from reproduction.data.fetch import fetch
from reproduction.data.places import Places
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

    def go(*sources, raw_dir=raw, places=None, mode="auto", scale=1.0, **entry):
        given = {"registry": toys.registry_of(*sources, **entry), "raw_dir": raw_dir}
        return fetch("toy", places=places, mode=mode, surrogate_scale=scale, **given)

    return go


@pytest.fixture
def ask(get, server, tmp_path):
    """Fetch the toy from public addresses alone."""
    web = Web(addresses=server.addresses, backoff=0.001, timeout=(5.0, 5.0), attempts=2)
    places = Places(web=web, cache=tmp_path / "cache")
    return lambda *sources, **more: get(*sources, places=places, mode="real", **more)


def test_the_mirror_serves_and_the_provenance_says_no_more_than_content(mirror, raw, get, tmp_path):
    provenance = get(MIRROR, places=Places([mirror]))
    written = everything(raw / "toy")
    assert json.loads(written["PROVENANCE.json"]) == provenance
    assert written == {**CONTENT, "PROVENANCE.json": written["PROVENANCE.json"]}
    assert (provenance["source"], provenance["where"]) == ("mirror", "mirror folder toyset")
    digests = [(record["path"], record["sha256"]) for record in provenance["files"]]
    assert digests == [(name, sha256(CONTENT[name])) for name in sorted(CONTENT)]
    assert str(tmp_path) not in written["PROVENANCE.json"].decode()


@pytest.mark.parametrize("packed", ["loose", "tar", "zip", "gz", "reversed"])
def test_however_it_is_packed_the_raw_folder_is_the_same(tmp_path, raw, get, packed):
    top = {f"top/{name}": content for name, content in ALL.items()}
    files = {
        "loose": ALL,
        "gz": {**ALL, "a.txt.gz": ALL["a.txt"]},
        "zip": {"all.zip": top},
        "tar": {"all.tar.gz": {**top, "z": b"other"}},
        "reversed": {"all.tgz": toys.tar_gz(top, backwards=True)},
    }[packed]
    folder = fill(tmp_path / "mirror" / "toyset", files)
    if packed == "gz":
        (folder / "a.txt").unlink()
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
    user = fill(tmp_path / "user" / "toy")
    assert get(USER, MIRROR, places=Places(mirrors))["source"] == "mirror"
    places = Places(mirrors, user=tmp_path / "user")
    assert get(USER, MIRROR, places=places)["source"] == "user"
    (mirror / "toyset" / "a.txt").unlink()
    (user / "sub" / "b.bin").unlink()
    found = get(MIRROR, USER, places=places)
    assert found["source"] == "mirror + user"
    assert found["where"] == "mirror folder toyset; user folder toy"
    assert everything(raw / "toy").items() >= CONTENT.items()


def test_an_edition_serves_when_the_files_are_lacking(raw, get, tmp_path):
    edition = {"name": "other", "comparable": "subset", "differences": "Fewer.",
               "options": {"layout": "other"}, "files": TREE, "sources": [MIRROR]}  # fmt: skip
    fill(tmp_path / "mirror" / "toyset" / "many", toys.MANY)
    found = get(MIRROR, editions=[edition], places=Places([tmp_path / "mirror"]))
    assert (found["edition"], found["comparable"]) == ("other", "subset")
    assert found["options"] == {"layout": "other"}
    assert sorted(everything(raw)) == ["toy/PROVENANCE.json", "toy/many.zip"]


def test_a_users_files_are_recorded_not_pinned(raw, get, tmp_path):
    loose = {"name": "mine", "comparable": "own_draw", "differences": "Mine.",
             "unpinned": ["data.csv"], "sources": [USER]}  # fmt: skip
    asked = {"editions": [loose], "user_extras": ["images/**/*.jpg"],
             "places": Places(user=tmp_path / "user")}  # fmt: skip
    assert get(MIRROR, **asked)["source"] == "surrogate"
    mine = {"data.csv": b"1,2", "images/x/1.jpg": b"jpeg", "notes.txt": b"no"}
    fill(tmp_path / "user" / "toy", mine)
    found = get(MIRROR, **asked)
    assert (found["edition"], found["source"], found["extras"]) == ("mine", "user", 1)
    assert found["files"][0]["sha256"] == sha256(b"1,2")
    assert sorted(everything(raw / "toy")) == ["PROVENANCE.json", "data.csv", "images/x/1.jpg"]


@pytest.mark.parametrize("packed", [False, True])
def test_a_wrong_checksum_is_an_error_and_leaves_the_old_files(mirror, raw, get, packed):
    fill(raw / "toy", {"old.txt": b"old"})
    if packed:
        shutil.rmtree(mirror / "toyset")
        fill(mirror / "toyset", {"all.zip": {**CONTENT, "a.txt": b"beta"}})
    else:
        (mirror / "toyset" / "a.txt").write_bytes(b"beta")
    with pytest.raises(FetchError) as caught:
        get(MIRROR, USER, places=Places([mirror]))
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
    assert lines[1].endswith(f"{tmp_path / 'user' / 'toy'} lacks a.txt, sub/b.bin")
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


def test_a_folder_that_cannot_be_written_keeps_what_it_has(mirror, raw, get, monkeypatch):
    fill(raw / "toy", {"old.txt": b"old"})

    def full(self, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(FetchError, match=r"raw cannot be written \(No space left on device\)"):
        get(MIRROR, places=Places([mirror]))
    assert list(everything(raw)) == ["toy/old.txt"]


FIRST = {**PUBLIC, "paths": {"": "data/"}}
ONE, TWO = (f"{RAW}/{name}/toys/{COMMIT}/" for name in ("one", "two"))
HOME = {"kind": "publisher", "url": "https://publisher.example/files/"}
ARCHIVED = {**toys.PUBLISHER, "url": "https://publisher.example/toys.tar.gz"}
WHEEL = {"kind": "package", "name": "Toy_Data", "file": "toy_data-1-py3-none-any.whl", "bytes": 1,
         "sha256": "0" * 64, "paths": {"": "toy/"}}  # fmt: skip


def answer(server, base, content=CONTENT, **how):
    for name, data in content.items():
        server.put(f"{base}{name}", data, **how)


def test_downloads_are_kept_and_a_damaged_cache_costs_one(raw, ask, server, tmp_path):
    answer(server, ONE)
    first = ask(PUBLIC)
    assert first["where"] == f"github.com/one/toys at {COMMIT[:10]}"
    asked = len(server.requests)
    again = ask(PUBLIC, raw_dir=tmp_path / "other")
    assert (again, len(server.requests)) == (first, asked)
    for number, damage in enumerate((b"damaged", b"{}"), start=1):  # of the files, of their origin
        for path in (tmp_path / "cache" / "content").rglob("*"):
            if path.is_file() and (path.suffix == ".json") == (damage == b"{}"):
                path.write_bytes(damage)
        ask(PUBLIC)
        assert len(server.requests) == asked + 2 * number
    assert everything(raw / "toy").items() >= CONTENT.items()


@pytest.mark.parametrize(
    ("source", "reason"),
    [(FIRST, rf"public \(github\.com/one/toys at .*{ONE}data/a\.txt differs: expected sha256"),
     ({**PUBLIC, "repository": "no/toys"}, r"public .*no/toys.*/a\.txt: HTTP 404"),
     (HOME, r"publisher .*files/a\.txt differs: expected sha256"),
     (toys.PUBLISHER, r"publisher .*toys\.zip is damaged or refused"),
     (ARCHIVED, r"publisher .*toys\.tar\.gz: top/a\.txt: expected sha256"),
     (WHEEL, r"package .*toy-data/: the package index has no toy_data-1")],
)  # fmt: skip
def test_a_fault_is_said_in_one_line_and_sends_to_the_next_address(
    server, ask, raw, source, reason
):
    for base in (f"{ONE}data/", HOME["url"]):
        answer(server, base, dict.fromkeys(CONTENT, b"other"))
    server.put(toys.PUBLISHER["url"], b"<html>Please log in</html>")
    server.put(ARCHIVED["url"], toys.tar_gz({"top/a.txt": b"other"}))
    server.put("https://pypi.org/simple/toy-data/", b"<html></html>")
    with pytest.raises(FetchError, match=rf"not available[^\n]*\n  - {reason}[^\n]*$"):
        ask(source)
    assert not raw.exists()
    answer(server, TWO)
    assert ask(source, toys.SECOND)["where"].startswith("github.com/two/toys")
    assert everything(raw / "toy").items() >= CONTENT.items()


@pytest.mark.parametrize("changes", [{"many/y": b"another"}, {"many/y": None}])
def test_a_folder_that_changed_is_passed_over(server, ask, changes):
    members = {name: content for name, content in {**ALL, **changes}.items() if content is not None}
    server.put(toys.PUBLISHER["url"], toys.zipped(members))
    with pytest.raises(FetchError, match=r"publisher.*many/: expected"):
        ask(toys.PUBLISHER, files=TREE)


def test_archives_serve_however_they_are_packed(server, ask, tmp_path):
    both = {"files": {**FILES, **TREE}}
    top = {f"toys v2/data/{name}": data for name, data in ALL.items()} | {"README": b"new"}
    server.put(ARCHIVED["url"], toys.tar_gz(top, date=1_700_000_000, backwards=True))
    assert ask(ARCHIVED, **both)["source"] == "publisher"
    shutil.rmtree(tmp_path / "cache")
    server.put(f"https://codeload.github.com/one/toys/tar.gz/{COMMIT}", toys.tar_gz(top))
    assert ask(FIRST, **both)["source"] == "public"  # folders come in the repository's archive
    assert len(server.requests) == 2
    shutil.rmtree(tmp_path / "cache")
    link = f"https://files.example/{WHEEL['file']}"
    page = f'<html><a href="{link}#sha256=x">{WHEEL["file"]}</a><br/></html>'
    server.put("https://pypi.org/simple/toy-data/", page.encode())
    wheel = toys.zipped({f"toy/{name}": data for name, data in CONTENT.items()})
    server.put(link, wheel)
    with pytest.raises(FetchError, match=f"{link}: expected sha256 {WHEEL['sha256']}"):
        ask(WHEEL)
    assert ask(WHEEL | {"sha256": sha256(wheel)})["where"] == f"package index, {WHEEL['file']}"
