import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.models.online import (
    csr_arrays,
    online_labels,
    online_view,
    online_views,
    resolve_classes,
    stream_order,
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


def test_duplicates_are_summed_before_a_row_is_used():
    X = sp.csr_matrix((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 3))
    *_, values = csr_arrays(online_view(X, "X"))
    assert values.tolist() == [3.0]


def test_values_whose_sum_overflows_are_still_finite():
    X = sp.csr_matrix(np.array([[1e308, 1e308]]))
    assert online_view(X, "X").nnz == 2


@pytest.mark.parametrize("column", [7, -1])
def test_broken_columns_are_refused(column):
    X = sp.csr_matrix(np.eye(3))
    X.indices[1] = column
    with pytest.raises(ValueError, match=r"its indices leave 0 \.\. 2"):
        online_view(X, "view 1")


def test_lists_of_views_are_checked():
    with pytest.raises(ValueError, match=r"at least 1 view\(s\) are needed, got 0"):
        online_views([])
    with pytest.raises(ValueError, match="list of views, got str"):
        online_views("ab")
    with pytest.raises(ValueError, match="2-D"):
        online_views([np.ones(3)])
    with pytest.raises(ValueError, match="view 0 has 3 rows, view 1 has 2"):
        online_views([np.ones((3, 1)), np.ones((2, 1))])


def test_named_views_come_in_the_order_of_the_first_batch():
    batch = {"b": np.full((1, 2), 2.0), "a": np.ones((1, 3))}
    views, names = online_views(batch, n_features=[3, 2], fitted=("a", "b"))
    assert names == ("b", "a")
    assert [view.shape[1] for view in views] == [3, 2]
    with pytest.raises(ValueError, match="fitted on the views a, c; got b, a"):
        online_views(batch, n_features=[3, 2], fitted=("a", "c"))


@pytest.mark.parametrize(
    ("y", "known", "codes"),
    [
        (["b", None, "a"], None, [1, -1, 0]),
        ([3.0, np.nan, 4.0], None, [0, -1, 1]),
        ([0, -1, 1], None, [0, -1, 1]),
        ([1, -1, 1], None, [1, 0, 1]),  # signs: -1 is a class
        ([-1, 0, 0], [0, 1], [-1, 0, 0]),
        ([-1, 1, 1], [-1, 1], [0, 1, 1]),
        ([-1, -1, -1], [0, 1], [-1, -1, -1]),
    ],
)
def test_rows_without_a_label_are_left_out(y, known, codes):
    known = None if known is None else np.array(known)
    found, _ = online_labels(y, 3, known=known, binary=True)
    assert found.tolist() == codes


def test_labels():
    with pytest.raises(ValueError, match="infinity"):
        online_labels([1.0, np.inf], 2, binary=True)
    with pytest.raises(ValueError, match="label 3 in row 2 is not one of the classes 0, 1"):
        online_labels([0, None, 3], 3, known=np.array([0, 1]), binary=True)
    with pytest.raises(ValueError, match="one class alone, 0"):
        online_labels([0, -1, 0], 3, binary=True)
    with pytest.raises(ValueError, match="the labels name 3"):
        online_labels([0, 1, 2], 3, binary=True)


def test_the_order_of_a_stream_skips_unlabelled_rows():
    codes = np.array([1, -1, 0, 1])
    assert stream_order(codes).tolist() == [0, 2, 3]
    shuffled = stream_order(codes, np.random.default_rng(0))
    assert sorted(shuffled) == [0, 2, 3]


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
