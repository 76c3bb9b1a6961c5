"""The engine's own methods against slow, plain versions."""

from importlib.util import find_spec

import numpy as np
import pytest
import scipy.sparse as sp
from small_data import own_data

from manyviews.compare.method import facts_of, grid
from manyviews.compare.methods import find
from manyviews.compare.methods.rivals import path_to
from manyviews.compare.methods.smoothing import SmoothedRegression, averaged
from manyviews.compare.prepare import as_counts, weighted
from manyviews.compare.run import Options, compare
from manyviews.views import Views


def test_smoothing_over_links_against_dense_algebra(rng):
    for _ in range(10):
        n = int(rng.integers(4, 12))
        A = (rng.random((n, n)) < 0.3).astype(float)
        X = rng.random((n, 3))
        G = ((A + A.T) > 0).astype(float) + np.eye(n)
        S = G / np.sqrt(np.outer(G.sum(axis=1), G.sum(axis=1)))
        found = averaged(sp.csr_matrix(A), True, X, 3)
        np.testing.assert_allclose(found, S @ S @ S @ X)


def test_smoothing_over_shared_things_against_loops(rng):
    for _ in range(10):
        L = (rng.random((6, 4)) < 0.4).astype(float)
        X = rng.random((6, 2))
        expected = np.zeros_like(X)
        for i in range(6):
            things = np.flatnonzero(L[i])
            for t in things:
                expected[i] += X[np.flatnonzero(L[:, t])].mean(axis=0) / len(things)
        found = averaged(sp.csr_matrix(L), False, X, 1)
        np.testing.assert_allclose(found, 0.5 * (X + expected))


def test_tables_are_shared_by_settings_and_forgotten_with_their_views(rng):
    data = own_data(rng, n_rows=40)
    facts = facts_of(data, len(data.classes))
    views, names = data.views, data.views.names
    made = []

    class Noted(SmoothedRegression):
        def _table(self, views):
            made.append(len(views))
            return super()._table(views)

    def answers(views, hops):
        model = Noted(weighted(facts), names[:1], names[1], False, hops)
        return model.fit(views, data.codes).labels_

    first = [answers(views, hops) for hops in (1, 2, 1)]
    assert made == [40]
    np.testing.assert_array_equal(first[0], first[2])
    other = Views(views)
    np.testing.assert_array_equal(answers(other, 2), first[1])
    assert made == [40, 40]


def test_preparation_learns_from_its_rows_alone(rng):
    data = own_data(rng, n_rows=40)
    facts = facts_of(data, 2)
    for made in (weighted, as_counts):
        train = data.views[:30]
        other = Views({name: 100 * X for name, X in zip(data.views.names, data.views.matrices,
                                                         strict=True)})  # fmt: skip
        first = made(facts).fit(train).transform(train)
        again = made(facts).fit(train)
        again.transform(other[30:])
        for a, b in zip(first.matrices, again.transform(train).matrices, strict=True):
            np.testing.assert_array_equal(a, b)


def test_counts_are_never_negative(rng):
    data = own_data(rng)
    data.views = data.views.replace({"part0": data.views.view("part0") - 5})
    facts = facts_of(data, 2)
    prepared = as_counts(facts).fit(data.views[:20]).transform(data.views)
    assert prepared.view("part0").min() >= 0


def test_paths_of_a_tree():
    tree = {"cat": ("mammal",), "mammal": ("animal",), "animal": (), "fish": ("animal",)}
    assert path_to("cat", tree) == ["animal", "mammal", "cat"]
    assert path_to("animal", tree) == ["animal"]


#: Other packages, and a task of theirs.
OTHERS = [
    ("cca_zoo", "classify"), ("cca_zoo", "cluster"), ("hiclass", "classify"), ("imml", "cluster")
]  # fmt: skip


def of_other_packages(rng, package, task):
    data = own_data(rng, n_rows=90, n_classes=3)
    if task != "classify":
        data.task = task
    elif package == "hiclass":
        data.ontology = {"class 0": ("a",), "class 1": ("a",), "class 2": (), "a": ()}
    return data, Options(rounds=1, only=[package, "chance"])


@pytest.mark.parametrize(("package", "task"), OTHERS)
def test_methods_of_other_packages(rng, tmp_path, package, task):
    pytest.importorskip(package)
    data, options = of_other_packages(rng, package, task)
    found = compare(data, tmp_path, options, lambda line: None)
    assert found.failed == {}
    assert found.skipped == []
    scores = found.scores()
    own = [key for key in scores if key.startswith(package)]
    assert own
    for key in own:
        assert scores[key].mean() > scores["chance"].mean(), key


@pytest.mark.parametrize(("package", "task"), OTHERS)
def test_absent_packages_are_skipped_aloud(rng, tmp_path, monkeypatch, package, task):
    monkeypatch.setattr(
        find, "find_spec", lambda name: None if name == package else find_spec(name)
    )
    data, options = of_other_packages(rng, package, task)
    said = []
    found = compare(data, tmp_path, options, said.append)
    assert not any(key.startswith(package) for key in found.methods)
    wanted = package.replace("_", "-")
    lines = [line for line in said if f"pip install {wanted}" in line]
    assert len(lines) == len(found.skipped) >= 1
    assert all(line.startswith("skipped: ") for line in lines)


def test_grids_hold_every_combination():
    assert grid(a=(1, 2), b="x") == ({"a": 1, "b": "x"}, {"a": 2, "b": "x"})
    assert [tuple(one.values()) for one in grid(a=(1, 2), b=(3, 4))] == [
        (1, 3), (1, 4), (2, 3), (2, 4)]  # fmt: skip
