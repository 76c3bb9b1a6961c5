"""Dot products with centroids and sums of members: the same bits as plain loops have."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.kernels.spherical import (
    WIDTH,
    centroid_scores,
    changed_classes,
    exchange,
    largest_scores,
    member_sums,
    take_scores,
    unit_columns,
)
from manyviews.models.spherical_view import SphericalView, ViewState


def by_hand(X, centroids, columns, out):
    """Product and sum rounded once, entry by entry in the row's order."""
    for i in range(X.shape[0]):
        for c, column in enumerate(columns):
            total = 0.0
            for e in range(X.indptr[i], X.indptr[i + 1]):
                exact = Fraction(X.data[e]) * Fraction(centroids[X.indices[e], c])
                total = float(exact + Fraction(total))
            out[i, column] = total


def table_of(centroids, fill=np.nan):
    """Centroids as the kernel takes them; what stands behind them must not matter."""
    return np.concatenate([centroids.ravel(), np.full(WIDTH, fill)])


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
def test_scores_are_those_of_plain_loops_to_the_bit(rng, index_type):
    for count in [*range(1, 10), 16, 17, 25, 40]:
        rows, features = int(rng.integers(1, 30)), int(rng.integers(1, 40))
        X = sp.random(rows, features, 0.3, "csr", random_state=rng)
        X.data -= 0.5
        X.indptr, X.indices = X.indptr.astype(index_type), X.indices.astype(index_type)
        centroids = rng.standard_normal((features, count))
        columns = rng.permutation(count + 3)[:count]
        expected = rng.standard_normal((rows, count + 3))
        fast = expected.copy()
        by_hand(X, centroids, columns, expected)
        centroid_scores(X.indptr, X.indices, X.data, table_of(centroids), columns, fast)
        assert np.array_equal(fast, expected), count


def test_sums_of_members_are_added_row_by_row(rng):
    for _ in range(10):
        rows, features, classes = (int(n) for n in rng.integers(1, 20, 3))
        X = sp.random(rows, features, 0.4, "csr", random_state=rng)
        members = rng.random((rows, classes)) < 0.4
        columns = rng.permutation(classes)[: int(rng.integers(1, classes + 1))]
        expected = np.zeros((features, columns.size))
        for i, c in zip(*np.nonzero(members[:, columns]), strict=True):
            for e in range(X.indptr[i], X.indptr[i + 1]):
                expected[X.indices[e], c] += X.data[e]
        found = np.full_like(expected, np.nan)
        member_sums(X.indptr, X.indices, X.data, members, columns, found)
        assert np.array_equal(found, expected)


def test_changed_classes_are_those_with_a_changed_row(rng):
    for _ in range(10):
        before = rng.random(rng.integers(1, 30, 2)) < 0.5
        members = before ^ (rng.random(before.shape) < 0.05)
        expected = (members != before).any(axis=0)
        assert np.array_equal(changed_classes(members, before).astype(bool), expected)


@pytest.mark.parametrize("how", ["features", "gram"])
def test_a_state_is_what_all_its_members_give(rng, how):
    """Updates of the changed classes alone lead to the scores of all classes together.

    Rows without entries make classes that sum to zero: those keep their centroid.
    """
    for _ in range(5):
        rows, features, classes = (int(n) for n in rng.integers(2, 25, 3))
        X = sp.random(rows, features, 0.2, "csr", random_state=rng)
        view = SphericalView(X, how)
        state = ViewState(view, classes)
        scores = np.zeros((rows, classes))
        kept = np.zeros((rows, classes), dtype=bool)
        members = np.zeros((2, rows, classes), dtype=bool)
        for _ in range(6):
            flips = rng.random((rows, classes)) < rng.choice([0.01, 0.3])
            members[1] ^= flips
            state.update(members[1])
            sums = view.X.T @ members[1].astype(float)
            length = np.sqrt((sums**2).sum(axis=0))
            alive = (length > 0) & (members[1] != kept).any(axis=0)
            scores[:, alive] = view.X @ (sums[:, alive] / length[alive])
            kept[:, alive] = members[1][:, alive]
            assert np.allclose(state.scores, scores, atol=1e-12)
            assert np.array_equal(state.members, kept)


def test_columns_are_scaled_to_length_one(rng):
    for _ in range(10):
        features, classes = int(rng.integers(1, 60)), int(rng.integers(1, 30))
        sums = rng.standard_normal((features, classes))
        sums[:, rng.random(classes) < 0.3] = 0.0
        length = np.sqrt((sums**2).sum(axis=0))
        unit = sums.copy()
        alive = unit_columns(unit)
        assert np.array_equal(alive, length > 0)
        np.testing.assert_allclose(unit, sums / np.where(alive, length, 1.0), rtol=1e-14)


def test_scores_and_sets_of_some_rows_move_as_in_numpy(rng):
    for _ in range(10):
        rows, views, labels = (int(n) for n in rng.integers(1, 12, 3))
        some = np.flatnonzero(rng.random(rows) < 0.6)
        source = rng.standard_normal((rows, labels))
        view = int(rng.integers(views))
        out = rng.standard_normal((some.size, views, labels))
        expected = out.copy()
        expected[:, view] = source[some]
        take_scores(source, some, view, out)
        assert np.array_equal(out, expected)
        sets = rng.random((rows, views, labels)) < 0.5
        fresh = rng.random((some.size, views, labels)) < 0.5
        after, flips = sets.copy(), int((fresh != sets[some]).sum())
        after[some] = fresh
        assert exchange(sets, some, fresh) == flips
        assert np.array_equal(sets, after)


def test_largest_scores_are_those_of_numpy(rng):
    for _ in range(10):
        points, views, labels = (int(n) for n in rng.integers(1, 12, 3))
        scores = rng.standard_normal((points, views, labels))
        chosen = rng.permutation(labels)[: int(rng.integers(1, labels + 1))]
        expected = scores[:, :, chosen].max(axis=(1, 2))
        assert np.array_equal(largest_scores(scores, chosen), expected)
