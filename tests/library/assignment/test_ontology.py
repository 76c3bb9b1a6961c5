import numpy as np
import pytest

from manyviews.assignment.ontology import Ontology

TREE = {"root": (), "a": ("root",), "b": ("root",), "a1": ("a",), "a2": ("a",), "b1": ("b",)}


def test_order_depth_and_leaves():
    shuffled = {name: TREE[name] for name in ("a1", "b1", "root", "a", "a2", "b")}
    o = Ontology(shuffled)
    position = {name: i for i, name in enumerate(o.names)}
    assert all(position[p] < position[n] for n, above in TREE.items() for p in above)
    assert {o.names[i] for i in o.leaves} == {"a1", "a2", "b1"}
    assert o.is_tree
    assert dict(zip(o.names, o.depth, strict=True)) == {
        "root": 0, "a": 1, "b": 1, "a1": 2, "a2": 2, "b1": 2,
    }  # fmt: skip


@pytest.mark.parametrize("shape", ["tree", "chain", "star", "forest", "dag"])
def test_pairs_follow_their_definitions(rng, make, shape):
    for _ in range(30):
        o = make.ontology(rng, int(rng.integers(1, 8)), shape, declared=True)
        for subset in ("parents", "ancestors"):
            for mutex in ("siblings", "disjoint", "declared"):
                sub, mut = make.pairs(o.parents, subset, mutex, o.disjoint)
                got = {(o.names[i], o.names[j]) for i, j in o.subset_pairs(subset)}
                assert got == set(sub)
                got = {frozenset((o.names[i], o.names[j])) for i, j in o.mutex_pairs(mutex)}
                assert got == {frozenset(pair) for pair in mut}


@pytest.mark.parametrize("mutex", ["siblings", "disjoint", "declared"])
def test_consistent_sets_are_all_and_only_those_without_violation(rng, make, mutex):
    for shape in ("tree", "dag", "forest"):
        o = make.ontology(rng, 6, shape, declared=True)
        every = (np.arange(64)[:, None] >> np.arange(6)) & 1 == 1
        fine = every[o.violations(every, "ancestors", mutex) == 0]
        found = o.consistent_sets(mutex)
        assert {tuple(row) for row in found} == {tuple(row) for row in fine}
        assert len(found) == len(fine)


def test_label_sets_add_ancestors():
    o = Ontology(TREE)
    sets = o.label_sets(["a1", None, "b"])
    assert {o.names[i] for i in np.flatnonzero(sets[0])} == {"a1", "a", "root"}
    assert not sets[1].any()
    assert {o.names[i] for i in np.flatnonzero(sets[2])} == {"b", "root"}
    with pytest.raises(ValueError, match="'nosuch' is not in the ontology"):
        o.label_sets(["nosuch"])


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="cycle through 'a'"):
        Ontology({"root": (), "a": ("b",), "b": ("a",)})
    with pytest.raises(ValueError, match="unknown parent 'x'"):
        Ontology({"a": ("x",)})
    with pytest.raises(ValueError, match=r"declared disjoint, but 'a1' is a subset of both"):
        Ontology({**TREE, "a1": ("a", "b")}, disjoint=(("a", "b"),))
    with pytest.raises(ValueError, match="declared disjoint"):
        Ontology(TREE, disjoint=(("a", "a1"),))
    with pytest.raises(ValueError, match="names unknown 'z'"):
        Ontology(TREE, disjoint=(("a", "z"),))
    with pytest.raises(ValueError, match="no labels"):
        Ontology({})
    with pytest.raises(ValueError, match="subset must be one of"):
        Ontology(TREE).subset_pairs("all")


def test_too_many_consistent_sets_are_refused():
    wide = {"root": ()} | {f"c{i}": ("root",) for i in range(17)}
    with pytest.raises(ValueError, match="consistent label sets"):
        Ontology(wide, disjoint=(("c0", "c1"),)).consistent_sets("declared")
