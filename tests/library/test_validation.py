import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.base import check_views
from manyviews.validation import (
    check_choice,
    check_positive_int,
    check_real,
    check_view,
)


def test_views_become_canonical_csr(rng):
    dense = rng.poisson(0.5, (7, 5)).astype(float)
    coo = sp.coo_matrix(([1.0, 2.0, 0.0], ([0, 0, 1], [2, 2, 3])), shape=(7, 4))
    first, second = check_views([dense, coo])
    np.testing.assert_array_equal(first.toarray(), dense)
    assert second.nnz == 1
    assert second[0, 2] == 3.0
    assert first.dtype == second.dtype == np.float64


def test_the_callers_matrix_is_left_alone():
    X = sp.csr_matrix(np.array([[0.0, 1.0], [2.0, 0.0]]))
    check_view(X).data[:] = 9
    assert X.sum() == 3


@pytest.mark.parametrize(
    ("Xs", "text"),
    [
        (np.ones((3, 2)), "list of views"),
        ([np.ones((3, 2)), np.ones((4, 2))], "view 0 has 3 rows, view 1 has 4"),
        ([np.array([[1.0, np.nan]])], "view 0 holds NaN .* row 0, column 1"),
        ([np.array([[1.0], [-2.0]])], "view 0 holds negative values .* row 1, column 0"),
        ([np.array([[None]])], "not numbers|NaN"),
        ([np.array([[1j]])], "view 0 holds complex values"),
        ([np.ma.masked_array([[1.0, 2.0]], [[True, False]])], "masked entries"),
        ([np.ones((0, 2))], "no rows"),
        ([np.ones((2, 0))], "no columns"),
    ],
)
def test_bad_views_are_explained(Xs, text):
    with pytest.raises(ValueError, match=text):
        check_views(Xs, nonnegative=True)


def test_wanted_numbers_of_views_and_columns():
    with pytest.raises(ValueError, match=r"2 view\(s\) are needed, got 1"):
        check_views([np.ones((2, 2))], n_views=2)
    with pytest.raises(ValueError, match="view 1 has 2 columns, the fitted one 3"):
        check_views([np.ones((2, 2)), np.ones((2, 2))], n_features=[2, 3])
    with pytest.raises(ValueError, match="view 'links' has 2 columns, the fitted one 3"):
        check_views({"words": np.ones((2, 2)), "links": np.ones((2, 2))}, n_features=[2, 3])


def test_scalars():
    assert check_positive_int("k", np.int32(3)) == 3
    assert check_real("x", 1, 0, 2) == 1.0
    assert check_choice("c", "a", ("a", "b")) == "a"
    for call, text in [
        (lambda: check_positive_int("k", 0), "k must be at least 1"),
        (lambda: check_positive_int("k", 2.0), "k must be an integer"),
        (lambda: check_positive_int("k", True), "k must be an integer"),
        (lambda: check_real("x", "1"), "x must be a number"),
        (lambda: check_real("x", float("inf")), "finite"),
        (lambda: check_real("x", -1, 0), "at least 0"),
        (lambda: check_real("x", 3, 0, 2), "at most 2"),
        (lambda: check_choice("c", "z", ("a", "b")), "'a', 'b'; got 'z'"),
    ]:
        with pytest.raises(ValueError, match=text):
            call()


def columns(X):
    X = X.tocsc()
    X.indices[0] = 12
    return X


def blocks(X):
    X = sp.bsr_matrix(X, blocksize=(3, 3))
    X.indices[0] = 3
    return X


def pointers(X):
    X.indptr = X.indptr[:-2]
    return X


@pytest.mark.parametrize("spoil", [columns, blocks, pointers])
def test_broken_sparse_structure_is_refused(spoil):
    """Compiled loops do not look: such a matrix used to end the process. (More: the contract.)"""
    X = spoil(sp.csr_matrix(np.ones((12, 9))))
    with pytest.raises(ValueError, match="view 1 is a broken sparse matrix: its"):
        check_views([np.ones((12, 2)), X])


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "coo", "lil", "dok", "dia"])
def test_sound_matrices_of_any_form_pass(form, rng):
    X = rng.integers(0, 3, (6, 4)) * 1.0
    (view,) = check_views([sp.csr_matrix(X).asformat(form)])
    np.testing.assert_array_equal(view.toarray(), X)
