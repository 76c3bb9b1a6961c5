import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.models.online import (
    csr_arrays,
    encode_labels,
    label_array,
    online_view,
    online_views,
    resolve_classes,
)


def test_a_canonical_matrix_is_read_not_copied():
    X = sp.csr_matrix(np.eye(3))
    assert online_view(X, "X") is X


@pytest.mark.parametrize("make", [sp.csc_matrix, sp.coo_matrix, sp.csr_array, np.asarray])
def test_other_forms_become_canonical(make, rng):
    dense = rng.integers(0, 3, (5, 4)).astype(float)
    view = online_view(make(dense), "X")
    np.testing.assert_array_equal(view.toarray(), dense)
    assert view.has_canonical_format


def test_duplicates_are_summed_before_norms_are_taken():
    X = sp.csr_matrix((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 3))
    *_, norms = csr_arrays(online_view(X, "X"))
    assert norms[0] == 9.0


def test_values_whose_sum_overflows_are_still_finite():
    X = sp.csr_matrix(np.array([[1e308, 1e308]]))
    assert online_view(X, "X").nnz == 2


@pytest.mark.parametrize("column", [7, -1])
def test_broken_columns_are_refused(column):
    X = sp.csr_matrix(np.eye(3))
    X.indices[1] = column
    with pytest.raises(ValueError, match="its indices leave 0 .. 2"):
        online_view(X, "view 1")


def test_lists_of_views_are_checked():
    with pytest.raises(ValueError, match="at least one view"):
        online_views([])
    with pytest.raises(ValueError, match="list of views, got dict"):
        online_views({})
    with pytest.raises(ValueError, match="2-D"):
        online_views([np.ones(3)])


def test_labels():
    with pytest.raises(ValueError, match="None"):
        label_array(np.array(["a", None], dtype=object), 2)
    with pytest.raises(ValueError, match="infinity"):
        label_array([1.0, np.inf], 2)
    strings = label_array(np.array(["b", "a"], dtype=object), 2)
    assert list(encode_labels(strings, np.array(["a", "b"]))) == [1, 0]
    with pytest.raises(ValueError, match="label 3 in row 1"):
        encode_labels(np.array([0, 3]), np.array([0, 1]))


@pytest.mark.parametrize(
    ("labels", "classes", "expected"),
    [
        ([1, 1], None, [-1, 1]),
        ([-1.0], None, [-1, 1]),
        ([0, 1], None, [0, 1]),
        ([5, 2, 5], None, [2, 5]),
        ([True, False], None, [False, True]),
        (["x"], ["y", "x"], ["x", "y"]),
    ],
)
def test_classes_of_a_first_batch(labels, classes, expected):
    assert list(resolve_classes(np.asarray(labels), classes, binary=True)) == expected
