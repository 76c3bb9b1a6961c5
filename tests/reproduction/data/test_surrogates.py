"""Surrogates keep the promises of the real data and are told no more than what is published."""

import numpy as np
import pytest

from reproduction.data.registry import load_registry, published_statistics
from reproduction.data.surrogates import (
    SIGNAL,
    Frame,
    build_surrogate,
    class_paths,
    class_sizes,
    draw_links,
    draw_view,
    ontology_of,
)

REGISTRY = load_registry()
#: Drawn at the published size in a moment; the others are checked at a tenth of it.
SMALL = ["cornell", "ads", "product_review", "webkb_course", "tvgraz", "cora", "citeseer", "webkb",
         "leaves", "citeseer2", "newsgv2", "nell_mv.compact"]  # fmt: skip


def draw(view_key, **options):
    dataset, variant = REGISTRY.resolve(view_key)
    return dataset, build_surrogate(dataset, variant=variant, **options)


@pytest.mark.parametrize("view_key", REGISTRY.view_keys())
def test_every_surrogate_keeps_the_promises_of_the_real_data(view_key):
    dataset, data = draw(view_key, scale=0.05)
    assert data.name == view_key
    assert list(data.views) == dataset.views
    assert sorted(data.rows) == sorted(dataset.rows)
    assert set(data.labels) == set(range(len(data.class_names)))
    assert data.provenance["source"] == "surrogate"
    assert data.provenance["comparable"] == "no"
    told = dataset.surrogate_parameters(REGISTRY.resolve(view_key)[1])
    signed = [view for view, given in told["views"].items() if given["kind"] == "signed"]
    data.require_nonnegative(*(view for view in data.views if view not in signed))
    assert (data.ontology is not None) == bool({"ontology", "ontology_levels"} & told.keys())


@pytest.mark.parametrize("view_key", SMALL)
def test_published_statistics_are_met(view_key):
    dataset, data = draw(view_key)
    known = {name: value for name, value, _ in published_statistics(dataset)}
    drawn = dataset.surrogate_parameters()["views"]
    assert data.n_rows == known["documents"]
    if "test" in known:
        assert data.rows["is_test"].sum() == known["test"]
    if dataset.key == "nell_mv":
        return  # its classes are the nodes of a tree, its compact views are smaller
    assert len(data.class_names) == known["classes"]
    for name, value in known.items():
        kind, _, view = name.partition(":")
        if kind == "features" and view != "links":
            assert data.views[view].shape[1] == value, name
        if kind == "nonzeros" and drawn.get(view, {}).get("kind") != "histogram":
            assert data.views[view].nnz == pytest.approx(value, rel=0.05), name


def test_draws_repeat_and_are_apart_for_data_sets_and_views_but_not_for_variants(tmp_path):
    for name in "ab":
        draw("cora", scale=0.1)[1].save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    (_, data), (_, other), (_, counts) = (
        draw(key, scale=0.2) for key in ("newsgv2", "newsgv4", "newsgv2.counts")
    )
    assert not np.array_equal(data.labels[:50], other.labels[:50])
    assert data.views["v1"][:20].nnz != data.views["v2"][:20].nnz
    assert np.array_equal(data.labels, counts.labels)
    assert np.array_equal(counts.views["v1"].data, np.round(counts.views["v1"].data))
    assert (data.views["v1"].astype(bool) > counts.views["v1"].astype(bool)).nnz == 0


def test_the_signal_is_the_stated_share(rng):
    labels = np.repeat([0, 1], 400)
    frame = Frame(f"test-{rng.integers(1 << 30)}", labels, [[0], [1]], 2)
    view = draw_view(frame, "v", {"kind": "counts", "features": 4000, "tokens_per_row": 200})
    share = np.vstack([view[labels == c].sum(axis=0) for c in (0, 1)]) / view.sum() * 2
    # total variation between the classes: the two private shares hardly overlap
    assert np.abs(share[0] - share[1]).sum() / 2 == pytest.approx(SIGNAL, abs=0.06)


def test_links_are_distinct_homophilous_and_as_many_as_asked(rng):
    labels = rng.integers(0, 4, size=300)
    told = {"edges": 700, "citing": 210, "self_links": 12}
    pairs = draw_links(f"test-{rng.integers(1 << 30)}", labels, told, 300)
    assert len(set(pairs)) == len(pairs) == 700
    assert len({a for a, _ in pairs}) == 210
    assert sum(a == b for a, b in pairs) == 12
    within = np.mean([labels[a] == labels[b] for a, b in pairs if a != b])
    assert 0.6 < within < 0.95


def test_trees_paths_and_sizes():
    told = {"ontology_levels": [2, 5, 11], "documents": 103, "skew": 1.0}
    tree, sizes = ontology_of(told), class_sizes(told)
    assert (len(tree), len(sizes), sum(sizes.values())) == (1 + 2 + 5 + 11, 11, 103)
    assert list(sizes.values()) == sorted(sizes.values(), reverse=True)
    paths, n_nodes = class_paths(list(sizes), tree)
    assert (n_nodes, {len(path) for path in paths}) == (18, {3})
    diamond = {"root": (), "a": ("root",), "b": ("root",), "c": ("a", "b")}
    assert class_paths(["c"], diamond) == ([[2, 1, 0]], 3)
    assert list(class_sizes({"classes": {"x": 3, "y": 500}}, 0.01).values()) == [3, 6]
