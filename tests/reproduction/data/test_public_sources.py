"""Every public path of every real data set, on a server that answers as the public hosts do.

The server's files come from a mirror; without one these tests are skipped. Inputs of files that
are made here are in no mirror: ``MANYVIEWS_UPSTREAM`` may name a folder that has them under their
git ids, else those data sets are skipped.
"""

import os
from pathlib import Path

import public_server
import pytest
from public_server import MIRRORS, answer_for

from reproduction.data.content import Contents
from reproduction.data.fetch import fetch
from reproduction.data.origin import Mirror, Package, Public
from reproduction.data.places import Places, Store
from reproduction.data.provenance import without_source
from reproduction.data.registry import load_registry
from reproduction.data.web import Web

REGISTRY = load_registry()
UPSTREAM = Path(folder) if (folder := os.environ.get(public_server.UPSTREAM)) else None
MIRRORED = [d.key for d in REGISTRY.values() if any(isinstance(s, Mirror) for s in d.sources)]


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


@pytest.mark.parametrize("key", MIRRORED)
def test_every_real_file_has_a_public_address(key):
    dataset = REGISTRY[key]
    public = [s for s in dataset.sources if not isinstance(s, Mirror) and s.kind != "user"]
    for name in dataset.files:
        if not any(not s.gives or name in s.gives for s in public):  # then another edition must do
            assert any(
                isinstance(s, Public | Package) for e in dataset.editions for s in e.sources
            ), name
