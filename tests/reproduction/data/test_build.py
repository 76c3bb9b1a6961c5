"""The dispatch, and the real files where a mirror is at hand."""

import importlib

import numpy as np
import pytest

from reproduction.data.build import build_views, builder_module
from reproduction.data.builders import linqs, wikipedia
from reproduction.data.builders.raw import RawFiles
from reproduction.data.errors import FetchError
from reproduction.data.fetch import fetch
from reproduction.data.places import Places
from reproduction.data.registry import load_registry
from reproduction.data.surrogates import build_surrogate
from reproduction.files import ROOT

REGISTRY = load_registry()
MIRRORS = [ROOT / "data" / "mirror", ROOT.parent / "shared" / "data"]


def built(tmp_path, key="cora", source="mirror", scale=1.0, served=None, changes=None, **more):
    """Build a data set of two documents, or a surrogate."""
    (tmp_path / "cora.content").write_bytes(b"d1\t1\t0\tA\nd2\t0\t1\tB\n")
    (tmp_path / "cora.cites").write_bytes(b"d1 d2\nd1 d1\n")
    provenance = {"source": source, "scale": scale, "options": served or {}}
    entry = REGISTRY[key].model_copy(update=changes or {})
    return build_views(key, raw_dir=tmp_path, registry_entry=entry, provenance=provenance, **more)


def test_every_builder_of_the_registry_exists():
    for dataset in REGISTRY.values():
        if dataset.builder is not None:
            loaded = importlib.import_module(builder_module(dataset.builder))
            assert callable(getattr(loaded, dataset.builder.partition(":")[2])), dataset.key


def test_options_come_from_the_registry_and_the_source(tmp_path):
    assert built(tmp_path, served={"self_links": False}).views["cited"].nnz == 1
    kept = built(tmp_path)
    assert kept.views["cited"].nnz == 2
    assert kept.provenance["source"] == "files"  # whichever address served


@pytest.mark.parametrize(("can", "may", "gets"), [(1, 4, None), (2, 4, 2), (8, 2, 2)])
def test_builders_get_the_threads_they_can_use(tmp_path, monkeypatch, can, may, gets):
    seen, real_one = [], linqs.build_content_cites

    def build(files, *, threads=None, **rest):
        seen.append(threads)
        return real_one(files, **rest)

    monkeypatch.setattr(linqs, "build_content_cites", build)
    built(tmp_path, changes={"threads": can}, threads=may)
    assert seen == [gets]


def test_a_configuration_draws_a_smaller_surrogate(tmp_path):
    data = built(tmp_path, "nell_mv", "surrogate", 0.5, options={"scale": 0.02})
    assert data.n_rows == build_surrogate(REGISTRY["nell_mv"], scale=0.02).n_rows < 100
    assert data.provenance["surrogate"]["scale"] == 0.02


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"builder": None}, "has no builder"),
        ({"builder": "nowhere:build"}, "'nowhere:build' of data set 'cora' does not exist"),
        ({"views": ["content"]}, "the registry promises content"),
    ],
)
def test_wrong_entries_are_explained(tmp_path, parts, message):
    with pytest.raises(ValueError, match=message):
        built(tmp_path, changes=parts)


#: Rows, and (columns, non-zeros) of views, of real sets that are quick to build.
MEASURED = {
    "cornell": (195, {"content": (1703, 18496), "links": (195, 569)}),
    "webkb": (877, {"content": (1703, 79365), "cited": (735, 1608)}),
    "cora": (2708, {"content": (1433, 49216), "cited": (2222, 5429)}),
    "reuters": (600, {"EN": (21531, 48101), "FR": (24893, 52978), "SP": (11547, 49889)}),
    "leaves": (1600, {"margin": (64, 77374), "shape": (64, 102400), "texture": (64, 64569)}),
    "pubmed": (19717, {"content": (500, 988031), "cited": (3877, 44338)}),
    "cora_tree": (11581, {"content": (9377, 80013), "authors": (15929, 26625)}),
    "nell_entities": (9891, {"text": (5414, 370800), "relations": (552, 21326)}),
    "breast_tcga": (220, {"mrna": (200, 44000), "mirna": (184, 40480), "protein": (142, 21300)}),
    "coauthor": (18333, {"content": (6805, 1092079), "links": (18333, 163788)}),
    "web_news": (2200, {"text": (4314, 97892), "image": (1024, 647372)}),
}


def real(key, tmp_path):
    """Fetch a data set from a mirror of this machine, or skip."""
    mirrors = [folder for folder in MIRRORS if folder.is_dir()]
    provenance = fetch(key, registry=REGISTRY, raw_dir=tmp_path, places=Places(mirrors))
    if provenance["source"] == "surrogate":
        pytest.skip(f"no mirror on this machine has {key}")
    return provenance


@pytest.mark.parametrize("key", MEASURED)
def test_real_files_give_the_known_sizes(tmp_path, key):
    rows, views = MEASURED[key]
    provenance = real(key, tmp_path)
    data = build_views(
        key, raw_dir=tmp_path / key, registry_entry=REGISTRY[key], provenance=provenance
    )
    assert data.n_rows == rows
    found = {name: (data.views[name].shape[1], data.views[name].nnz) for name in views}
    assert found == views


def test_raw_files_that_changed_are_refused(tmp_path):
    provenance = real("cornell", tmp_path)
    content = (tmp_path / "cornell" / "cornell.content").read_bytes()
    (tmp_path / "cornell" / "cornell.content").write_bytes(content.replace(b"course", b"staff"))
    with pytest.raises(FetchError, match=r"cornell\.content is not the file that was fetched.*rem"):
        build_views(
            "cornell",
            raw_dir=tmp_path / "cornell",
            registry_entry=REGISTRY["cornell"],
            provenance=provenance,
        )


def test_the_two_parts_of_wikipedia_are_one_collection(tmp_path):
    """The proof in the mirror's SOURCE.md, computed again from the released files."""
    real("wikipedia_linqs", tmp_path)
    files = RawFiles(tmp_path / "wikipedia_linqs")
    tadw, groups, links = wikipedia.read_tadw(files)
    uai, labels, edges = wikipedia.read_uai(files)
    assert (tadw.nnz, uai.nnz) == (1_556_595, 2_100_874)
    place, further = wikipedia.match_rows(tadw, uai)
    same = {row: there for row, there in place.items() if there < uai.shape[0]}
    # the same set of words, in exactly one document of either part, means the same class
    assert len(same) == 2277
    assert len(further) == 98
    assert all(groups[row] - 1 == labels[there] for row, there in same.items())
    # and among these documents the same links
    ours = {frozenset((same[a], same[b])) for a, b in links if a in same and b in same and a != b}
    shared = set(same.values())
    theirs = {frozenset(pair) for pair in edges.tolist() if set(pair) <= shared}
    theirs = {pair for pair in theirs if len(pair) == 2}
    assert len(ours) == 9767
    assert ours == theirs
    # weights are whole numbers times one factor a word, which is log(3363 / df)
    factors = wikipedia.inverse_frequencies(tadw, uai)
    times = tadw.data / factors[tadw.indices]
    assert np.abs(times - np.round(times)).max() < 0.01  # six printed digits
    frequencies = wikipedia.DOCUMENTS / np.exp(factors)
    assert np.abs(frequencies - np.round(frequencies)).max() < 0.01
    assert round(frequencies.sum()) == pytest.approx(2_120_604, abs=2)
