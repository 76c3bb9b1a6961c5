import numpy as np
import pytest
from label_sets import naive_pairs, random_ontology

from manyviews.assignment.ontology import Ontology

TREE = {"root": (), "a": ("root",), "b": ("root",), "a1": ("a",), "a2": ("a",), "b1": ("b",)}


def test_order_depth_and_leaves():
    o = Ontology({name: TREE[name] for name in ("a1", "b1", "root", "a", "a2", "b")})
    position = {name: i for i, name in enumerate(o.names)}
    assert all(position[p] < position[n] for n, above in TREE.items() for p in above)
    assert {o.names[i] for i in o.leaves} == {"a1", "a2", "b1"}
    assert o.is_tree
    depth = {"root": 0, "a": 1, "b": 1, "a1": 2, "a2": 2, "b1": 2}
    assert dict(zip(o.names, o.depth, strict=True)) == depth


@pytest.mark.parametrize("shape", ["tree", "chain", "star", "forest", "dag"])
@pytest.mark.parametrize("mutex", ["siblings", "disjoint", "declared"])
def test_pairs_and_consistent_sets_follow_their_definitions(rng, shape, mutex):
    for _ in range(15):
        size = int(rng.integers(1, 8))
        o = random_ontology(rng, size, shape, declared=True)
        for subset in ("parents", "ancestors"):
            sub, mut = naive_pairs(o.parents, subset, mutex, o.disjoint)
            got = {(o.names[i], o.names[j]) for i, j in o.subset_pairs(subset)}
            assert got == set(sub)
            got = {frozenset((o.names[i], o.names[j])) for i, j in o.mutex_pairs(mutex)}
            assert got == {frozenset(pair) for pair in mut}
        every = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1 == 1
        fine = every[o.violations(every, "ancestors", mutex) == 0]
        found = o.consistent_sets(mutex)
        assert {tuple(row) for row in found} == {tuple(row) for row in fine}
        assert len(found) == len(fine)


def test_label_sets_add_ancestors():
    o = Ontology(TREE)
    sets = o.label_sets(["a1", None, "b"])
    named = [{o.names[i] for i in np.flatnonzero(row)} for row in sets]
    assert named == [{"a1", "a", "root"}, set(), {"b", "root"}]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Ontology(TREE).label_sets(["nosuch"]), "'nosuch' is not in the ontology"),
        (lambda: Ontology({"root": (), "a": ("b",), "b": ("a",)}), "cycle through 'a'"),
        (lambda: Ontology({"a": ("x",)}), "unknown parent 'x'"),
        (lambda: Ontology({**TREE, "a1": ("a", "b")}, disjoint=(("a", "b"),)),
         r"declared disjoint, but 'a1' is a subset of both"),
        (lambda: Ontology(TREE, disjoint=(("a", "a1"),)), "declared disjoint"),
        (lambda: Ontology(TREE, disjoint=(("a", "z"),)), "names unknown 'z'"),
        (lambda: Ontology({}), "no labels"),
        (lambda: Ontology(TREE).subset_pairs("all"), "subset must be one of"),
        (lambda: Ontology({f"c{i}": () for i in range(18)}).consistent_sets("declared"),
         "consistent label sets"),
    ],
)  # fmt: skip
def test_errors_say_what_to_do(call, text):
    with pytest.raises(ValueError, match=text):
        call()
