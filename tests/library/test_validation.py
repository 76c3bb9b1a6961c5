"""The door: what comes in, and what is refused with a word. (More kinds: the contract.)"""

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.base import check_views
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


def spoilt(form, array, place, value):
    X = sp.csr_matrix(np.ones((12, 9))).asformat(form)
    if place is None:
        X.indptr = X.indptr[:-2]
    else:
        getattr(X, array)[place] = value
    return [np.ones((12, 2)), X]


ONES, TWO = np.ones((2, 2)), {"words": np.ones((2, 2)), "links": np.ones((2, 2))}


@pytest.mark.parametrize(
    ("Xs", "needs", "text"),
    [
        (np.ones((3, 2)), {}, "list of views"),
        ([np.ones((3, 2)), np.ones((4, 2))], {}, "view 0 has 3 rows, view 1 has 4"),
        ([np.array([[1.0, np.nan]])], {}, "view 0 holds NaN .* row 0, column 1"),
        ([np.array([[1.0], [-2.0]])], {"nonnegative": True}, "negative values .* row 1, column 0"),
        ([np.array([[None]])], {}, "not numbers|NaN"),
        ([np.array([[1j]])], {}, "view 0 holds complex values"),
        ([np.ma.masked_array([[1.0, 2.0]], [[True, False]])], {}, "masked entries"),
        ([np.ones((0, 2))], {}, "no rows"),
        ([np.ones((2, 0))], {}, "no columns"),
        ([ONES], {"n_views": 2}, r"2 view\(s\) are needed, got 1"),
        ([ONES, ONES], {"n_features": [2, 3]}, "view 1 has 2 columns, the fitted one 3"),
        (TWO, {"n_features": [2, 3]}, "view 'links' has 2 columns, the fitted one 3"),
        # compiled loops do not look: such matrices used to end the process
        (spoilt("csc", "indices", 0, 12), {}, "view 1 is a broken sparse matrix: .*build"),
        (spoilt("bsr", "indices", 0, 9), {}, "view 1 is a broken sparse matrix: .*build"),
        (spoilt("csr", "indptr", None, None), {}, "view 1 is a broken sparse matrix: .*build"),
    ],
)
def test_bad_views_are_explained(Xs, needs, text):
    with pytest.raises(ValueError, match=text):
        check_views(Xs, **needs)


def test_scalars():
    assert check_positive_int("k", np.int32(3)) == 3
    assert check_real("x", 1, 0, 2) == 1.0
    assert check_choice("c", "a", ("a", "b")) == "a"
    for check, given, text in [
        (check_positive_int, ("k", 0), "k must be at least 1"),
        (check_positive_int, ("k", 2.0), "k must be an integer"),
        (check_positive_int, ("k", True), "k must be an integer"),
        (check_real, ("x", "1"), "x must be a number"),
        (check_real, ("x", float("inf")), "finite"),
        (check_real, ("x", -1, 0), "at least 0"),
        (check_real, ("x", 3, 0, 2), "at most 2"),
        (check_choice, ("c", "z", ("a", "b")), "'a', 'b'; got 'z'"),
    ]:
        with pytest.raises(ValueError, match=text):
            check(*given)
