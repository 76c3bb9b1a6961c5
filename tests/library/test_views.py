import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.views import Views


def example(rng, n=12):
    dense, sparse = rng.random((n, 3)), sp.random(n, 5, density=0.5, format="csr", rng=rng)
    return dense, sparse


def test_names_rows_and_matrices(rng):
    dense, sparse = example(rng)
    views = Views({"a": dense, "b": sparse}, ids=[f"r{i}" for i in range(12)])
    assert (len(views), views.shape, views.n_views) == (12, (12, 8), 2)
    assert views.names == ("a", "b")
    assert views.view("b").nnz == sparse.nnz
    assert Views([dense, sparse]).names == ("view0", "view1")
    assert Views([dense, sparse], names=["x", "y"]).names == ("x", "y")
    assert Views(views).ids.tolist() == views.ids.tolist()
    assert repr(views) == "Views(12 rows: a 3, b 5)"


@pytest.mark.parametrize("how", ["slice", "positions", "mask", "list", "scikit-learn"])
def test_rows_are_picked_in_every_view(rng, how):
    dense, sparse = example(rng)
    observed = rng.random((12, 2)) < 0.8
    views = Views([dense, sparse], ids=np.arange(12) * 10, observed=observed)
    rows = {
        "slice": slice(2, 9, 3),
        "positions": rng.permutation(12)[:5],
        "mask": np.arange(12) % 3 == 1,
        "list": [3, 3, 0],
        "scikit-learn": (rng.permutation(12)[:5], ...),
    }[how]
    some = views[rows]
    at = np.arange(12)[rows[0] if isinstance(rows, tuple) else rows]
    np.testing.assert_array_equal(some.ids, at * 10)
    np.testing.assert_array_equal(some.observed, observed[at])
    np.testing.assert_array_equal(some.matrices[0], dense[at] * observed[at, :1])
    np.testing.assert_array_equal(
        some.matrices[1].toarray(), sparse[at].toarray() * observed[at, 1:]
    )
    assert len(some) == at.size


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
    X = rng.random((6, 5))
    groups = {"left": slice(0, 2), "right": [4, 2]}
    for table in (X, sp.csr_matrix(X)):
        views = Views.from_columns(table, groups)
        right = views.view("right")
        np.testing.assert_array_equal(
            right.toarray() if sp.issparse(right) else right, X[:, [4, 2]]
        )
    pandas = pytest.importorskip("pandas", reason="data frames need pandas")
    frame = pandas.DataFrame(X, columns=list("vwxyz"))
    by_name = Views.from_columns(frame, {"left": ["v", "w"], "right": [4, 2]})
    np.testing.assert_array_equal(by_name.view("left"), X[:, :2])
    np.testing.assert_array_equal(by_name.view("right"), X[:, [4, 2]])


def test_rows_of_nan_are_not_observed(rng):
    dense, sparse = example(rng)
    dense[3] = np.nan
    views = Views([dense, sparse])
    assert views.observed.sum() == 23
    assert not views.observed[3, 0]
    assert not views.matrices[0][3].any()
    assert repr(views).endswith("; 1 missing)")


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
        (lambda: Views([np.ones((2, 2)), np.ones((3, 2))]), "'view0' has 2, 'view1' has 3"),
        (lambda: Views([np.ones((2, 2))], names=["a", "b"]), "1 views need 1 names"),
        (lambda: Views([np.ones((2, 2))] * 2, names=["a", "a"]), "names must differ"),
        (lambda: Views([np.ones((2, 2))], ids=[1]), "each of the 2 rows"),
        (lambda: Views([np.ones((2, 2))], observed=[[1], [0]]), "observed must be boolean"),
        (lambda: Views([np.ones(3)]), "'view0' must be a 2-D"),
        (lambda: Views({"a": np.array([["x"]], dtype=object)}), "'a' holds values that are not"),
        (lambda: Views({"a": np.ones((1, 1))}, names=["b"]), "leave names out"),
        (lambda: Views([np.ones((2, 2))]).select([]), "at least one view"),
    ],
)
def test_bad_input_is_explained(build, text):
    with pytest.raises(ValueError, match=text):
        build()
