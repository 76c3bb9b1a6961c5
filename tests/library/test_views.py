"""The door: views, labels and numbers that come in or are refused. (More kinds: the contract.)"""

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.base import check_views, labelled_accuracy
from manyviews.labels import partial_labels
from manyviews.validation import check_positive_int, check_real, check_view
from manyviews.views import Views


def example(rng, n=12):
    dense, sparse = rng.random((n, 3)), sp.random(n, 5, density=0.5, format="csr", rng=rng)
    return dense, sparse


def test_names_rows_and_matrices(rng):
    """A row of NaN is not observed."""
    dense, sparse = example(rng)
    views = Views({"a": dense, "b": sparse}, ids=[f"r{i}" for i in range(12)])
    assert (len(views), views.shape, views.n_views) == (12, (12, 8), 2)
    assert views.names == ("a", "b")
    assert views.view("b").nnz == sparse.nnz
    assert Views([dense, sparse]).names == ("view0", "view1")
    assert Views([dense, sparse], names=["x", "y"]).names == ("x", "y")
    assert Views(views).ids.tolist() == views.ids.tolist()
    assert repr(views) == "Views(12 rows: a 3, b 5)"
    dense[3] = np.nan
    views = Views([dense, sparse])
    assert np.argwhere(~views.observed).tolist() == [[3, 0]]
    assert not views.matrices[0][3].any()
    assert repr(views).endswith("; 1 missing)")


@pytest.mark.parametrize("how", ["slice", "positions", "mask", "list", "scikit-learn"])
def test_rows_are_picked_in_every_view(rng, how):
    """What stands in rows that are not observed does not matter: it is zero."""
    dense, sparse = example(rng)
    observed = rng.random((12, 2)) < 0.8
    views = Views([dense, sparse], ids=np.arange(12) * 10, observed=observed)
    some = rng.permutation(12)[:5]
    rows = {
        "slice": slice(2, 9, 3),
        "positions": some,
        "mask": np.arange(12) % 3 == 1,
        "list": [3, 3, 0],
        "scikit-learn": (some, ...),
    }[how]
    found, at = views[rows], np.arange(12)[rows]
    np.testing.assert_array_equal(found.ids, at * 10)
    np.testing.assert_array_equal(found.observed, observed[at])
    np.testing.assert_array_equal(found.matrices[0], dense[at] * observed[at, :1])
    expected = sparse[at].toarray() * observed[at, 1:]
    np.testing.assert_array_equal(found.matrices[1].toarray(), expected)
    assert len(found) == at.size


def test_data_frames_are_matched_by_their_index(rng):
    pandas = pytest.importorskip("pandas", reason="data frames need pandas")
    words = pandas.DataFrame(rng.random((4, 2)), index=list("abcd"), columns=["x", "y"])
    links = pandas.DataFrame(rng.random((4, 3)), index=list("dxba"))
    views = Views({"words": words, "links": links})
    assert views.ids.tolist() == list("abcdx")
    np.testing.assert_array_equal(views.observed, [[1, 1], [1, 1], [1, 0], [1, 1], [0, 1]])
    np.testing.assert_array_equal(views.view("links")[0], links.loc["a"])
    np.testing.assert_array_equal(views.view("links")[3], links.loc["d"])
    assert not views.view("links")[2].any()
    assert views.feature_names[0].tolist() == ["x", "y"]
    with pytest.raises(ValueError, match="'links' names row 'd' twice"):
        Views({"words": words, "links": links.rename(index={"x": "d"})})
    with pytest.raises(ValueError, match="no data frame but others are"):
        Views([words, np.ones((4, 2))])


def test_columns_of_one_matrix(rng):
    pandas = pytest.importorskip("pandas", reason="data frames need pandas")
    X = rng.random((6, 5))
    for table, left in (
        (X, slice(0, 2)),
        (sp.csr_matrix(X), [0, 1]),
        (pandas.DataFrame(X, columns=list("vwxyz")), ["v", "w"]),
    ):
        views = Views.from_columns(table, {"left": left, "right": [4, 2]})
        for name, columns in (("left", [0, 1]), ("right", [4, 2])):
            found = views.view(name)
            found = found.toarray() if sp.issparse(found) else found
            np.testing.assert_array_equal(found, X[:, columns])


def test_views_are_selected_and_replaced(rng):
    dense, sparse = example(rng)
    observed = np.ones((12, 2), dtype=bool)
    observed[5, 0] = False
    views = Views({"a": dense, "b": sparse}, observed=observed)
    assert views.select(["b", "a"]).names == ("b", "a")
    np.testing.assert_array_equal(views.select(["b", "a"]).observed, observed[:, ::-1])
    new = views.replace({"a": np.ones((12, 7))})
    assert new.shape == (12, 12)
    assert not new.view("a")[5].any()
    with pytest.raises(KeyError, match="no view 'c'; the views are a, b"):
        views.view("c")
    with pytest.raises(ValueError, match="'a' has 12 rows, its replacement 3"):
        views.replace({"a": np.ones((3, 7))})


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda: Views(np.ones((2, 2))), "mapping or a list of matrices, got ndarray"),
        (lambda: Views([]), "at least one view"),
        (lambda: Views([np.ones((2, 2))], names=["a", "b"]), "1 views need 1 names"),
        (lambda: Views([np.ones((2, 2))] * 2, names=["a", "a"]), "names must differ"),
        (lambda: Views([np.ones((2, 2))], ids=[1]), "each of the 2 rows"),
        (lambda: Views([np.ones((2, 2))], observed=[[1], [0]]), "observed must be boolean"),
        (lambda: Views({"a": np.ones((1, 1))}, names=["b"]), "leave names out"),
        (lambda: Views({"a": np.ones((2, 1)), "b": np.ones((3, 1))}), "'a' has 2, 'b' has 3"),
        (
            lambda: check_views([np.ones((2, 1)), np.ones((3, 1))]),
            "view 0 has 2 rows, view 1 has 3",
        ),
    ],
)
def test_bad_input_is_explained(build, text):
    with pytest.raises(ValueError, match=text):
        build()


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


def test_scalars():
    assert check_positive_int("k", np.int32(3)) == 3
    assert check_real("x", 1, 0, 2) == 1.0
    for check, given, text in [
        (check_positive_int, ("k", 2.0), "k must be an integer"),
        (check_positive_int, ("k", True), "k must be an integer"),
        (check_real, ("x", float("inf")), "finite"),
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
