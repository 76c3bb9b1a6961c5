"""The engine's own methods against slow, plain versions."""

import numpy as np
import scipy.sparse as sp
from small_data import own_data

from manyviews.compare.method import facts_of
from manyviews.compare.methods.classifiers import averaged
from manyviews.compare.prepare import as_counts, weighted
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
