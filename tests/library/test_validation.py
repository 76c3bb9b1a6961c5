"""The door: what comes in, and what is refused with a word. (More kinds: the contract.)"""

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.base import check_views, labelled_accuracy
from manyviews.labels import partial_labels
from manyviews.validation import check_choice, check_positive_int, check_real, check_view


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "coo", "lil", "dok", "dia"])
def test_views_become_canonical_csr(form, rng):
    X = rng.integers(0, 3, (6, 4)) * 1.0
    twice = sp.coo_matrix(([1.0, 2.0, 0.0], ([0, 0, 1], [2, 2, 3])), shape=(6, 4))
    dense, view, summed = check_views([X, sp.csr_matrix(X).asformat(form), twice])
    np.testing.assert_array_equal(view.toarray(), X)
    np.testing.assert_array_equal(dense.toarray(), X)
    assert (summed.nnz, summed[0, 2]) == (1, 3.0)
    assert view.dtype == np.float64
    given = sp.csr_matrix(X)
    check_view(given).data[:] = 9
    np.testing.assert_array_equal(given.toarray(), X)


ONES, TWO = np.ones((2, 2)), {"words": np.ones((2, 2)), "links": np.ones((2, 2))}


@pytest.mark.parametrize(
    ("Xs", "needs", "text"),
    [
        ([np.ones((3, 2)), np.ones((4, 2))], {}, "view 0 has 3 rows, view 1 has 4"),
        ([np.array([[1.0], [-2.0]])], {"nonnegative": True}, "negative values .* row 1, column 0"),
        ([ONES], {"n_views": 2}, r"2 view\(s\) are needed, got 1"),
        ([ONES, ONES], {"n_features": [2, 3]}, "view 1 has 2 columns, the fitted one 3"),
        (TWO, {"n_features": [2, 3]}, "view 'links' has 2 columns, the fitted one 3"),
    ],
)
def test_bad_views_are_explained(Xs, needs, text):
    with pytest.raises(ValueError, match=text):
        check_views(Xs, **needs)


def test_scalars():
    assert check_positive_int("k", np.int32(3)) == 3
    assert check_real("x", 1, 0, 2) == 1.0
    for check, given, text in [
        (check_positive_int, ("k", 2.0), "k must be an integer"),
        (check_positive_int, ("k", True), "k must be an integer"),
        (check_real, ("x", "1"), "x must be a number"),
        (check_real, ("x", float("inf")), "finite"),
        (check_real, ("x", 3, 0, 2), "at most 2"),
        (check_choice, ("c", "z", ("a", "b")), "'a', 'b'; got 'z'"),
    ]:
        with pytest.raises(ValueError, match=text):
            check(*given)


def test_labels_of_numbers_and_truth_values_are_any_objects():
    for names in (np.array([3, 5], dtype=object), np.array([False, True])):
        found = partial_labels([names[1], None, names[0]], 3)
        assert found.codes.tolist() == [1, -1, 0]
        assert found.classes.tolist() == names.tolist()


def test_labels_of_data_frames():
    pandas = pytest.importorskip("pandas", reason="data frames need pandas")
    series = pandas.Series(["b", pandas.NA, "a"], index=[5, 6, 7])
    numbers = pandas.array([4, None, 2], dtype="Int64")
    for given in (series, series.astype("category"), numbers):
        assert partial_labels(given, 3).codes.tolist() == [1, -1, 0]


def test_only_labelled_rows_are_scored():
    assert labelled_accuracy(["a", None, "b"], np.array(["a", "b", "a"])) == 0.5
    assert labelled_accuracy([1, -1, 2], np.array([1, 1, 2])) == 1.0
    assert labelled_accuracy([1, -1, 1], np.array([1, -1, -1])) == pytest.approx(2 / 3)
    assert labelled_accuracy([1, 2, np.nan], np.array([1, 1, 2]), [3, 1, 9]) == 0.75
    with pytest.raises(ValueError, match="nothing to score"):
        labelled_accuracy([None, None], np.array([0, 1]))
