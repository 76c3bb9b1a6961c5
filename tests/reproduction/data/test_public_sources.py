"""Every public path of every real data set, on a server that answers as the public hosts do.

The server's files come from a mirror; without one these tests are skipped. Inputs of files that
are made here are in no mirror: ``MANYVIEWS_UPSTREAM`` may name a folder that has them under their
git ids, else those data sets are skipped.
"""

import os
from pathlib import Path

import public_server
import pytest
from public_layout import serve
from public_server import MIRRORS, answer_for
from toys import git_id

from reproduction.data.content import Contents, difference
from reproduction.data.fetch import fetch
from reproduction.data.origin import Blob, Made, Mirror, Package, Public
from reproduction.data.places import Places, Store
from reproduction.data.provenance import without_source
from reproduction.data.registry import load_registry
from reproduction.data.sources import HERITAGE, gather
from reproduction.data.web import Web

REGISTRY = load_registry()
UPSTREAM = Path(folder) if (folder := os.environ.get(public_server.UPSTREAM)) else None
MIRRORED = [d.key for d in REGISTRY.values() if any(isinstance(s, Mirror) for s in d.sources)]
SMALL = ("cora", "opinion_spam", "breast_tcga", "leaves", "ads", "cornell")


@pytest.fixture
def online(server, tmp_path):
    web = Web(addresses=server.addresses, backoff=0.001, timeout=(5.0, 60.0))
    return Places(web=web, store=Store(tmp_path / "cache"))


def mirrored(key: str) -> Contents:
    contents = public_server.mirrored(REGISTRY[key])
    if len(contents) < len(REGISTRY[key].files):
        pytest.skip(f"no mirror on this machine has {key}")
    return contents


@pytest.mark.parametrize("key", MIRRORED)
def test_the_public_path_gives_the_mirrors_files_byte_for_byte(key, server, online, tmp_path):
    """Views are made of these files and of the provenance without its source, and of no more."""
    dataset = REGISTRY[key]
    contents = mirrored(key)
    first = fetch(key, registry=REGISTRY, raw_dir=tmp_path / "m", places=Places(MIRRORS))
    assert first["source"] == "mirror"
    answer_for(server, dataset.sources, dataset.files, contents, UPSTREAM)
    second = fetch(key, registry=REGISTRY, raw_dir=tmp_path / "p", places=online)
    if second["source"] == "surrogate":
        pytest.skip(f"{key}: needs its real host, or inputs in MANYVIEWS_UPSTREAM")
    assert "mirror" not in second["source"]
    for path in (tmp_path / "m" / key).rglob("*"):
        if path.is_file() and path.name != "PROVENANCE.json":
            other = tmp_path / "p" / path.relative_to(tmp_path / "m")
            assert path.read_bytes() == other.read_bytes(), path
    assert without_source(first) == without_source(second)


@pytest.mark.parametrize("key", SMALL)
def test_every_single_address_serves_alone(key, server, online):
    """Each public address is enough for the files it names; so is Software Heritage."""
    dataset, contents = REGISTRY[key], mirrored(key)
    for source in [s for s in dataset.sources if s.kind in ("public", "publisher")]:
        server.answers.clear()
        server.archives.clear()
        serve(server, source, dataset.files, contents)
        found = gather(dataset.files, [source], Places(web=online.web), key)
        wanted = source.gives or list(dataset.files)
        assert found.contents == {name: contents[name] for name in wanted}, found.tried
    server.answers.clear()
    blobs = {name: item for name, item in dataset.files.items() if isinstance(item, Blob)}
    for name, item in blobs.items():
        assert item.git == git_id(contents[name])  # type: ignore[arg-type]
        server.put(f"{HERITAGE}/sha1_git:{item.git}/raw/", contents[name])  # type: ignore[arg-type]
    found = gather(blobs, [], Places(web=online.web), key)
    assert found.contents == {name: contents[name] for name in blobs}


@pytest.mark.parametrize(
    "key", [key for key in MIRRORED if any(isinstance(s, Made) for s in REGISTRY[key].sources)]
)
def test_what_is_made_here_is_the_mirrors_files(key, server, online):
    dataset, contents = REGISTRY[key], mirrored(key)
    (source,) = [source for source in dataset.sources if isinstance(source, Made)]
    known = {**contents, **public_server.upstream(source.files, UPSTREAM)}
    if any(n not in known or difference(item, known[n]) for n, item in source.files.items()):
        pytest.skip(f"{key}: name a folder with the inputs of {source.by} in MANYVIEWS_UPSTREAM")
    answer_for(server, source.sources, source.files, known, UPSTREAM)
    wanted = {name: dataset.files[name] for name in source.gives}
    found = gather(wanted, [source], Places(web=online.web), key)
    assert list(found.served) == [("made", f"made here by {source.by}")]
    assert found.contents == {name: contents[name] for name in source.gives}


@pytest.mark.parametrize("key", MIRRORED)
def test_every_real_file_has_a_public_address(key):
    dataset = REGISTRY[key]
    public = [s for s in dataset.sources if not isinstance(s, Mirror) and s.kind != "user"]
    for name in dataset.files:
        if not any(not s.gives or name in s.gives for s in public):  # then another edition must do
            assert any(
                isinstance(s, Public | Package) for e in dataset.editions for s in e.sources
            ), name
