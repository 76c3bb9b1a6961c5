"""Every public path of every real data set, on a server that answers as the public hosts do.

The server's files come from a mirror; without one these tests are skipped. Inputs of files that
are made here are in no mirror: ``MANYVIEWS_UPSTREAM`` may name a folder that has them under their
git ids, else those data sets are skipped. ``MANYVIEWS_PUBLIC=all`` builds the views of large data
sets too (minutes).
"""

import os
import sys
from functools import cache
from pathlib import Path

import pytest

from reproduction.data import archives
from reproduction.data.addresses import independent_addresses
from reproduction.data.build import build_views
from reproduction.data.content import Contents, difference, git_id
from reproduction.data.fetch import fetch
from reproduction.data.fetch_all import weight
from reproduction.data.format import MultiViewData
from reproduction.data.gather import Places, gather
from reproduction.data.origin import Blob, Made, Mirror, Package, Public
from reproduction.data.provenance import without_source
from reproduction.data.registry import load_registry
from reproduction.data.sources.web import Web
from reproduction.data.store import Store

sys.path.insert(0, str(Path(__file__).parent))
import public_server
from public_layout import serve
from public_server import MIRRORS, answer_for
from web_server import Server

REGISTRY = load_registry()
UPSTREAM = Path(folder) if (folder := os.environ.get(public_server.UPSTREAM)) else None
MIRRORED = [
    dataset.key
    for dataset in REGISTRY.values()
    if any(isinstance(source, Mirror) for source in dataset.sources)
]
#: Views of larger data sets take longer to build than the gate has time for.
QUICK_BYTES = 1_000_000
ALL_VIEWS = os.environ.get("MANYVIEWS_PUBLIC") == "all"


def first_of_its_files(key: str) -> bool:
    """Whether no data set before this one is made of the same files from the same sources."""
    own = REGISTRY[key]
    before = [REGISTRY[other] for other in MIRRORED[: MIRRORED.index(key)]]
    return all((own.files, own.sources) != (other.files, other.sources) for other in before)


#: Where views are not built, files that several data sets share are looked at once.
LOOKED_AT = [
    key
    for key in MIRRORED
    if ALL_VIEWS or weight(REGISTRY[key]) < QUICK_BYTES or first_of_its_files(key)
]
#: Options that make building quick, where a builder has them.
QUICK = {"corel5k": {"photographs": 2}}


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as running:
        yield running


@pytest.fixture
def online(server, tmp_path):
    cache = tmp_path / "cache"
    web = Web(cache / "parts", addresses=server.addresses, backoff=0.001, timeout=(5.0, 20.0))
    return Places(web=web, store=Store(cache))


@pytest.fixture
def opened_once(monkeypatch):
    """Open an archive once for all variants of a data set; a test has folders of its own."""
    monkeypatch.setattr(archives, "read_members", cache(archives.read_members))


def mirrored(key: str) -> Contents:
    contents = public_server.mirrored(REGISTRY[key])
    if len(contents) < len(REGISTRY[key].files):
        pytest.skip(f"no mirror on this machine has {key}")
    return contents


def built(key: str, folder: Path, provenance) -> bytes:
    """Return the bytes of all view files of a data set."""
    dataset = REGISTRY[key]
    content = b""
    for view_key in dataset.view_keys:
        data = build_views(
            key,
            raw_dir=folder / key,
            registry_entry=dataset,
            variant=REGISTRY.resolve(view_key)[1],
            provenance=provenance,
            options=QUICK.get(key),
        )
        data.save(folder / f"{view_key}.npz")
        content += (folder / f"{view_key}.npz").read_bytes()
    return content


@pytest.mark.usefixtures("opened_once")
@pytest.mark.parametrize("key", LOOKED_AT)
def test_the_public_path_gives_the_mirrors_views_byte_for_byte(key, server, online, tmp_path):
    dataset = REGISTRY[key]
    contents = mirrored(key)
    first = fetch(key, registry=REGISTRY, raw_dir=tmp_path / "m", places=Places(MIRRORS))
    assert first["source"] == "mirror"
    answer_for(server, dataset.sources, dataset.files, contents, UPSTREAM)
    second = fetch(key, registry=REGISTRY, raw_dir=tmp_path / "p", places=online)
    if second["source"] == "surrogate":
        made = [s for s in dataset.sources if isinstance(s, Made)]
        pytest.skip(
            f"{key}: inputs of {made[0].by} are in no mirror; name a folder in MANYVIEWS_UPSTREAM"
            if made
            else f"{key}: some files are in mirrors alone; its edition needs the real host"
        )
    assert "mirror" not in second["source"]
    for path in (tmp_path / "m" / key).rglob("*"):
        if path.is_file() and path.name != "PROVENANCE.json":
            other = tmp_path / "p" / path.relative_to(tmp_path / "m")
            assert path.read_bytes() == other.read_bytes(), path
    # Views are made of these two alone, so this decides; the large ones are built when asked for.
    assert without_source(first) == without_source(second)
    if weight(dataset) < QUICK_BYTES or ALL_VIEWS:
        assert built(key, tmp_path / "m", first) == built(key, tmp_path / "p", second)


SMALL = ("cora", "opinion_spam", "breast_tcga", "leaves", "ads", "cornell")


@pytest.mark.parametrize("key", SMALL)
def test_every_single_address_serves_alone(key, server, online, tmp_path):
    """Each public address is enough for the files it names."""
    dataset = REGISTRY[key]
    contents = mirrored(key)
    served = [s for s in dataset.sources if s.kind in ("public", "publisher")]
    assert served
    for number, source in enumerate(served):
        server.answers.clear()
        server.archives.clear()
        serve(server, source, dataset.files, contents)
        places = Places(web=online.web)
        found = gather(dataset.files, [source], places, key)
        wanted = source.gives or list(dataset.files)
        assert sorted(found.contents) == sorted(wanted), (number, found.tried)
        assert {name: contents[name] for name in wanted} == found.contents


MADE = [key for key in MIRRORED if any(isinstance(s, Made) for s in REGISTRY[key].sources)]


@pytest.mark.parametrize("key", MADE)
def test_what_is_made_here_is_the_mirrors_files(key, server, online):
    dataset = REGISTRY[key]
    contents = mirrored(key)
    (source,) = [source for source in dataset.sources if isinstance(source, Made)]
    known = {**contents, **public_server.upstream(source.files, UPSTREAM)}
    if any(
        name not in known or difference(item, known[name]) for name, item in source.files.items()
    ):
        pytest.skip(f"{key}: name a folder with the inputs of {source.by} in MANYVIEWS_UPSTREAM")
    answer_for(server, source.sources, source.files, known, UPSTREAM)
    wanted = {name: dataset.files[name] for name in source.gives}
    found = gather(wanted, [source], Places(web=online.web), key)
    assert list(found.served) == [("made", f"made here by {source.by}")]
    assert found.contents == {name: contents[name] for name in source.gives}


@pytest.mark.skipif(UPSTREAM is None, reason="MANYVIEWS_UPSTREAM names no folder of other files")
def test_reuters_packed_anew_gives_the_same_views(server, online, tmp_path):
    mirrored("reuters")
    (edition,) = [e for e in REGISTRY["reuters"].editions if e.name == "cells"]
    known = public_server.upstream(edition.files, UPSTREAM)
    answer_for(server, edition.sources, edition.files, known, UPSTREAM)
    first = fetch("reuters", registry=REGISTRY, raw_dir=tmp_path / "m", places=Places(MIRRORS))
    second = fetch("reuters", registry=REGISTRY, raw_dir=tmp_path / "p", places=online)
    assert (first["edition"], second["edition"]) == ("", "cells")
    built("reuters", tmp_path / "m", first)
    built("reuters", tmp_path / "p", second)
    one, other = (MultiViewData.load(tmp_path / part / "reuters.npz") for part in ("m", "p"))
    assert one.labels.tolist() == other.labels.tolist()
    for name, view in one.views.items():
        assert (view != other.views[name]).nnz == 0


#: Where one repository is lost, only Software Heritage may be left.
SINGLE = [
    key
    for key in MIRRORED
    if independent_addresses(REGISTRY[key]) == 1
    and all(isinstance(item, Blob) for item in REGISTRY[key].files.values())
    and not any(isinstance(source, Made) for source in REGISTRY[key].sources)
]


@pytest.mark.parametrize("key", [*SINGLE, "breast_tcga"])
def test_software_heritage_is_the_last_resort(key, server, online, tmp_path):
    for name, content in mirrored(key).items():
        item = REGISTRY[key].files[name]
        assert isinstance(item, Blob)
        assert isinstance(content, bytes)
        assert item.git == git_id(content)
        host = "https://archive.softwareheritage.org/api/1/content"
        server.put(f"{host}/sha1_git:{item.git}/raw/", content)
    found = fetch(key, registry=REGISTRY, raw_dir=tmp_path / "raw", places=online)
    assert found["source"] == "heritage"
    assert found["edition"] == ""


def test_some_data_sets_have_a_single_public_copy():
    assert SINGLE


def test_registry_ids_are_those_of_the_mirrors_files():
    """The git ids the addresses rest on belong to the pinned bytes."""
    checked = 0
    for key in SMALL:
        for name, content in mirrored(key).items():
            item = REGISTRY[key].files[name]
            if isinstance(item, Blob) and isinstance(content, bytes):
                assert item.git == git_id(content), (key, name)
                checked += 1
    assert checked


@pytest.mark.parametrize("key", MIRRORED)
def test_every_real_file_has_a_public_address(key):
    dataset = REGISTRY[key]
    public = [s for s in dataset.sources if not isinstance(s, Mirror) and s.kind != "user"]
    for name in dataset.files:
        having = [s for s in public if not s.gives or name in s.gives]
        if not having:  # then another edition of the data set must do
            assert any(
                isinstance(s, Public | Package) for e in dataset.editions for s in e.sources
            ), name
