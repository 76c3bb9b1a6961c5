import hashlib

import numpy as np
import pytest

from manyviews.metrics import macro_f1
from manyviews.preprocessing.sparse import row_normalise
from reproduction.data.provenance import make_provenance
from reproduction.data.registry import load_registry, published_statistics
from reproduction.data.surrogates.draw import build_surrogate
from reproduction.data.surrogates.structure import (
    class_paths,
    class_sizes,
    draw_links,
    leaves_of,
    ontology_of,
)
from reproduction.data.surrogates.views import SIGNAL, Frame, draw_view, mean_length

REGISTRY = load_registry()
#: Drawn at the published size in a moment; the others are checked at a tenth of it.
SMALL = ["cornell", "ads", "product_review", "webkb_course", "tvgraz", "cora", "citeseer", "webkb",
         "leaves", "citeseer2", "newsgv2", "nell_mv.compact"]  # fmt: skip


def variant_of(view_key):
    return REGISTRY.resolve(view_key)[1]


def draw(view_key, **options):
    dataset, variant = REGISTRY.resolve(view_key)
    return dataset, build_surrogate(dataset, variant=variant, **options)


DRAWN = [key for key in REGISTRY.view_keys() if REGISTRY.resolve(key)[0].surrogate is not None]


@pytest.mark.parametrize("view_key", DRAWN)
def test_every_surrogate_keeps_the_promises_of_the_real_data(view_key):
    dataset, data = draw(view_key, scale=0.05)
    assert data.name == view_key
    assert list(data.views) == dataset.views
    assert sorted(data.rows) == sorted(dataset.rows)
    assert set(data.labels) == set(range(len(data.class_names)))
    assert data.provenance["source"] == "surrogate"
    assert data.provenance["comparable"] == "no"
    drawn = dataset.surrogate_parameters(variant_of(view_key))["views"]
    signed = [view for view in drawn if drawn[view]["kind"] == "signed"]
    data.require_nonnegative(*(view for view in data.views if view not in signed))
    if "is_test" in data.rows:
        assert 0 < data.rows["is_test"].sum() < data.n_rows / 2
    parameters = dataset.surrogate_parameters()
    assert (data.ontology is not None) == (
        "ontology" in parameters or "ontology_levels" in parameters
    )


@pytest.mark.parametrize("view_key", SMALL)
def test_published_statistics_are_met(view_key):
    dataset, data = draw(view_key)
    known = {name: value for name, value, _ in published_statistics(dataset)}
    drawn = dataset.surrogate_parameters()["views"]
    assert data.n_rows == known["documents"]
    if dataset.key != "nell_mv":
        assert len(data.class_names) == known["classes"]
        for name, value in known.items():
            kind, _, view = name.partition(":")
            if kind == "features" and name != "features:links":
                assert data.views[view].shape[1] == value, name
            if kind == "nonzeros" and drawn.get(view, {}).get("kind") != "histogram":
                assert data.views[view].nnz == pytest.approx(value, rel=0.05), name
    if "test" in known:
        assert data.rows["is_test"].sum() == known["test"]


def test_class_sizes_and_skew_of_nell():
    dataset, data = draw("nell_mv.compact")
    sizes = np.bincount(data.labels)
    assert sizes.sum() == 1855
    assert sizes[0] > 1.8 * sizes[1]
    assert list(sizes) == sorted(sizes, reverse=True)
    assert leaves_of(data.ontology) == data.class_names
    assert ("classes", len(data.ontology), "Table 1") in published_statistics(dataset)
    depth = {"root": 1}
    while len(depth) < len(data.ontology):
        depth |= {n: depth[p[0]] + 1 for n, p in data.ontology.items() if p and p[0] in depth}
    assert sorted(depth.values()) == [1, 2, 2, 3, 3, 3, 3]


def test_the_same_on_every_call_and_for_every_source_of_provenance(tmp_path):
    dataset, data = draw("cora", scale=0.1)
    given = make_provenance(dataset, "surrogate", "here", scale=0.1)
    again = build_surrogate(dataset, provenance=given)
    assert again.provenance["surrogate"]["scale"] == 0.1
    assert again.provenance["where"] == "here"
    data.provenance = again.provenance
    for name, item in (("a", data), ("b", again)):
        item.save(tmp_path / name)
    first, second = ((tmp_path / n).read_bytes() for n in "ab")
    assert hashlib.sha256(first).digest() == hashlib.sha256(second).digest()


def test_data_sets_and_views_are_drawn_apart():
    _, data = draw("newsgv4", scale=0.2)
    _, other = draw("newsgv2", scale=0.2)
    assert not np.array_equal(data.labels[:50], other.labels[:50])
    assert data.views["v1"][:20].nnz != data.views["v2"][:20].nnz


def test_variants_share_the_draw():
    _, weighted = draw("newsgv2", scale=0.2)
    _, counts = draw("newsgv2.counts", scale=0.2)
    _, same = draw("newsgv2.headers", scale=0.2)
    assert np.array_equal(weighted.labels, counts.labels)
    assert (same.views["v1"] != weighted.views["v1"]).nnz == 0
    assert np.array_equal(counts.views["v1"].data, np.round(counts.views["v1"].data))
    assert (weighted.views["v1"].astype(bool) > counts.views["v1"].astype(bool)).nnz == 0


def test_by_line_puts_the_shape_of_another_species():
    _, data = draw("leaves")
    _, wrong = draw("leaves.by_line")
    assert (data.views["margin"] != wrong.views["margin"]).nnz == 0
    rows = {
        tuple(row): label
        for row, label in zip(data.views["shape"].toarray(), data.labels, strict=True)
    }
    told = np.array([rows[tuple(row)] for row in wrong.views["shape"].toarray()])
    assert (told != wrong.labels).all()


@pytest.mark.parametrize("view", ["text", "table"])
def test_words_tell_the_class_but_not_all(view):
    _, data = draw("nell_mv.compact")
    half = np.arange(data.n_rows) % 2 == 0
    rows = row_normalise(data.views[view])
    members = np.eye(len(data.class_names))[data.labels] * half[:, None]
    centroids = (rows.T @ members) / np.linalg.norm(rows.T @ members, axis=0)
    found = (rows @ centroids).argmax(axis=1)
    score = macro_f1(data.labels[~half], found[~half])
    assert 0.35 < score < 0.95  # four classes


def test_zero_rows_at_the_stated_rate():
    dataset, data = draw("ads")
    for view, parameters in dataset.surrogate_parameters()["views"].items():
        empty = (np.diff(data.views[view].indptr) == 0).mean()
        assert empty == pytest.approx(parameters["zero_rows"], abs=0.001)


@pytest.mark.parametrize("features", [60, 1000, 50_000])
def test_mean_length_gives_the_wanted_number_of_distinct_words(rng, features):
    wanted = float(rng.uniform(3, features / 8))
    labels = rng.integers(0, 3, size=150)
    frame = Frame(f"test-{rng.integers(1 << 30)}", labels, [[0], [1], [2]], 3)
    view = draw_view(
        frame, "v", {"kind": "counts", "features": features, "nonzeros_per_row": wanted}
    )
    found = np.diff(view.indptr)
    # five standard errors of the mean, and what the approximation itself may be off
    slack = 5 * found.std() / np.sqrt(len(found)) + 0.08 * wanted
    assert found.mean() == pytest.approx(wanted, abs=slack)


def test_mean_length_refuses_more_words_than_there_are():
    with pytest.raises(ValueError, match="99 non-zeros a row do not fit 100 features"):
        mean_length(100, 2, 99)


def test_the_signal_is_the_stated_share(rng):
    labels = np.repeat([0, 1], 400)
    frame = Frame(f"test-{rng.integers(1 << 30)}", labels, [[0], [1]], 2)
    view = draw_view(frame, "v", {"kind": "counts", "features": 4000, "tokens_per_row": 200})
    share = np.vstack([view[labels == c].sum(axis=0) for c in (0, 1)]) / view.sum() * 2
    # total variation between the classes: the two private shares hardly overlap
    assert np.abs(share[0] - share[1]).sum() / 2 == pytest.approx(SIGNAL, abs=0.06)


def test_links_are_distinct_homophilous_and_as_many_as_asked(rng):
    labels = rng.integers(0, 4, size=300)
    pairs = draw_links(f"test-{rng.integers(1 << 30)}", labels,
                       {"edges": 700, "citing": 210, "self_links": 12}, 300)  # fmt: skip
    assert len(set(pairs)) == len(pairs) == 700
    assert len({a for a, _ in pairs}) == 210
    assert sum(a == b for a, b in pairs) == 12
    apart = [(a, b) for a, b in pairs if a != b]
    within = np.mean([labels[a] == labels[b] for a, b in apart])
    assert 0.6 < within < 0.95


def test_drawn_trees_and_paths():
    tree = ontology_of({"ontology_levels": [2, 5, 11]})
    assert len(tree) == 1 + 2 + 5 + 11
    leaves = leaves_of(tree)
    assert len(leaves) == 11
    paths, n_nodes = class_paths(leaves, tree)
    assert n_nodes == 18
    assert all(len(path) == 3 for path in paths)
    diamond = {"root": (), "a": ("root",), "b": ("root",), "c": ("a", "b")}
    assert class_paths(["c"], diamond) == ([[2, 1, 0]], 3)


def test_sizes_by_rank():
    parameters = {"n_classes": 4, "documents": 103, "skew": 1.0}
    sizes = list(class_sizes(parameters).values())
    assert sum(sizes) == 103
    assert sizes == sorted(sizes, reverse=True)
    assert list(class_sizes({**parameters, "skew": 0.0}).values()) in ([26, 26, 26, 25],)
    assert list(class_sizes({"classes": {"x": 3, "y": 500}}, 0.01).values()) == [3, 6]


@pytest.mark.parametrize("scale", [0, -1, 1.5, float("nan")])
def test_impossible_scales_are_refused(scale):
    with pytest.raises(ValueError, match="scale of the surrogate must be"):
        build_surrogate(REGISTRY["cora"], scale=scale)
