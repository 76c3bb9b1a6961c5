"""The dispatch, and the real files where a mirror is at hand."""

import hashlib
import importlib
import json

import numpy as np
import pandas as pd
import pytest
from toys import fill

from reproduction.data.build import build_views, builder_module
from reproduction.data.builders import linqs
from reproduction.data.content import sha256
from reproduction.data.entry import Variant
from reproduction.data.fetch import fetch
from reproduction.data.places import Places
from reproduction.data.registry import load_registry
from reproduction.data.surrogates import build_surrogate
from reproduction.files import ROOT
from reproduction.rooms import paper_keys, room

REGISTRY = load_registry()


CORA = {"cora.content": b"d1\t1\t0\tA\nd2\t0\t1\tB\n", "cora.cites": b"d1 d2\nd1 d1\n"}
RECORDS = [{"path": name, "sha256": sha256(content)} for name, content in CORA.items()]


def built(tmp_path, key="cora", served=None, changes=None, source="mirror", **more):
    """Build a data set of two documents, or a surrogate."""
    fill(tmp_path, CORA)
    provenance = {"source": source, "scale": 0.5, "options": served or {}, "files": RECORDS}
    entry = REGISTRY[key].model_copy(update=changes or {})
    return build_views(key, raw_dir=tmp_path, registry_entry=entry, provenance=provenance, **more)


def test_every_builder_of_the_registry_exists():
    for builder in {dataset.builder for dataset in REGISTRY.values()} - {None}:
        assert hasattr(importlib.import_module(builder_module(builder)), builder.partition(":")[2])


@pytest.mark.parametrize(("can", "may", "gets"), [(1, 4, None), (2, 4, 2), (8, 2, 2)])
def test_builders_get_options_and_the_threads_they_can_use(tmp_path, monkeypatch, can, may, gets):
    seen, real_one = [], linqs.build_content_cites

    def build(files, *, key, **rest):
        seen.append(rest)
        return real_one(files, key=key)

    monkeypatch.setattr(linqs, "build_content_cites", build)
    variants = {"other": Variant(options={"c": 3, "d": 3})}
    changes = {"threads": can, "options": dict.fromkeys("abcd", 1), "variants": variants}
    given = {"served": dict.fromkeys("bcd", 2), "options": {"d": 4}}  # of the source, of the run
    data = built(tmp_path, changes=changes, threads=may, variant="other", **given)
    assert seen == [{"a": 1, "b": 2, "c": 3, "d": 4} | ({"threads": gets} if gets else {})]
    assert data.provenance["source"] == "files"  # whichever address served


def test_a_configuration_draws_a_smaller_surrogate(tmp_path):
    data = built(tmp_path, "nell_mv", source="surrogate", options={"scale": 0.02})
    assert data.n_rows == build_surrogate(REGISTRY["nell_mv"], scale=0.02).n_rows < 100
    assert data.provenance["surrogate"]["scale"] == 0.02


def test_files_that_were_not_fetched_are_not_looked_at(tmp_path):
    fill(tmp_path, {"a/cora.content": b"d3\t1\t0\tA\n"})  # the first of its name
    assert built(tmp_path).ids == ["d1", "d2"]


def test_other_views_than_promised_are_refused(tmp_path):
    with pytest.raises(ValueError, match="the registry promises content"):
        built(tmp_path, changes={"views": ["content"]})


#: What the views of real files are: a digest of each set that is quick to build.
KNOWN = {
    "ads": "3c74e91a74e2", "breast_tcga": "023dc984c0f0", "coauthor": "b2b6f4df3c2c",
    "cora": "e5c490900818", "cora_planetoid": "d4ac06a914a0", "cora_tree": "6eb4291621d0",
    "cornell": "131f986ea239", "digits": "1f46075b9563", "leaves": "2621e03fc57d",
    "leaves.by_line": "8fba25879a63", "nell_entities": "64581d510656", "reuters": "ab7cbcb7e918",
    "washington": "f0814cc4537c", "webkb": "e08aefb5060b", "webkb_course": "e9b9d256d70a",
    "amazon_tree": "7bcc4a7ab966", "pubmed": "c8ae0809fedb", "web_news": "138659898397",
    "wikipedia_linqs": "887273e83b1c", "wikipedia_linqs.all_classes": "31e01a8efe88",
    "newsgv2": "3be4bfd37202", "newsgv4": "3d2cea08fa0c",
}  # fmt: skip


def digest(data):
    """A digest of all that views hold; numbers as floats, as logarithms may differ by machine."""
    texts = (data.ids, data.class_names, data.ontology, data.feature_names, list(data.views))
    found = hashlib.sha256(json.dumps(texts, sort_keys=True).encode())
    for view in data.views.values():
        for part in (view.shape, view.indptr, view.indices):
            found.update(np.asarray(part, dtype=np.int64).tobytes())
        found.update(view.data.astype(np.float32).tobytes())
    for name, values in sorted({"": data.labels, **data.rows}.items()):
        found.update(f"{name}{values.tolist()}".encode())
    return found.hexdigest()[:12]


def printed_counts(key):
    """Counts that the papers print of a data set: one identifies a construction."""
    lists = [room(paper) / "counts.csv" for paper in paper_keys()]
    tables = [
        pd.read_csv(path, dtype=str, keep_default_na=False) for path in lists if path.is_file()
    ]
    return pd.concat(tables).query("dataset == @key").itertuples()


def printed_range(printed):
    """The smallest and the largest count that print as this: 49.2K is 49150 to 49250."""
    unit = {"K": 1000, "M": 1_000_000}.get(printed[-1], 1)
    digits = printed.rstrip("KM")
    half = 0.5 * 10.0 ** -len(digits.partition(".")[2]) if unit > 1 else 0.0
    return (float(digits) - half) * unit - 1e-6, (float(digits) + half) * unit + 1e-6


def measure(data, what, view):
    if what.startswith("in "):
        return (data.labels == data.class_names.index(what.removeprefix("in "))).sum()
    test = data.rows.get("is_test", np.zeros(data.n_rows)).astype(bool)
    present = data.rows.get(f"{view}_present", np.ones(data.n_rows))
    return {
        "documents": lambda: data.n_rows,
        "classes": lambda: len(data.class_names),
        "smallest class": lambda: np.bincount(data.labels).min(),
        "training": lambda: (~test).sum(),
        "test": lambda: test.sum(),
        "features": lambda: data.views[view].shape[1],
        "pairs": lambda: data.views[view].nnz,
        "values": lambda: present.sum() * data.views[view].shape[1],
    }[what]()


@pytest.mark.parametrize("view_key", KNOWN)
def test_real_files_give_the_known_views_and_the_printed_counts(tmp_path, view_key):
    dataset, variant = REGISTRY.resolve(view_key)
    mirrors = [ROOT / "data" / "mirror", ROOT.parent / "shared" / "data"]
    provenance = fetch(dataset.key, registry=REGISTRY, raw_dir=tmp_path, places=Places(mirrors))
    if provenance["source"] == "surrogate" or provenance["edition"]:
        pytest.skip(f"no mirror has {dataset.key}; another edition has another digest")
    facts = {"registry_entry": dataset, "variant": variant, "provenance": provenance}
    data = build_views(dataset.key, raw_dir=tmp_path / dataset.key, **facts)
    assert digest(data) == KNOWN[view_key]
    for count in printed_counts(view_key):  # what no released file meets is explained
        least, most = printed_range(count.printed)
        met = least <= measure(data, count.what, count.view) <= most
        assert met or count.note, count
