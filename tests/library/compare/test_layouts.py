"""Views and classes in the layouts that .mat files of the field have are read back equal."""

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

import manyviews


def dense(X):
    return X.toarray() if sp.issparse(X) else np.asarray(X)


def cell(items, column=False):
    made = np.empty(len(items), dtype=object)
    made[:] = list(items)
    return made[:, None] if column else made[None, :]


def turned(Xs):
    return [X.T for X in Xs]


def sparse(Xs):
    return [sp.csc_matrix(X) for X in Xs]


def one_hot(y, low=0.0):
    return np.where(y[:, None] == np.unique(y)[None, :], 1.0, low)


def triples(X):
    rows, columns = np.nonzero(X)
    return np.column_stack([rows + 1, columns + 1, X[rows, columns]])


def numbered(Xs, name="X"):
    return {f"{name}{i + 1}": X for i, X in enumerate(Xs)}


#: What people save: views and classes -> variables.
LAYOUTS = {
    "cells X, Y in a column": lambda Xs, y: {"X": cell(Xs), "Y": y[:, None]},
    "cells X in a column, y in a row": lambda Xs, y: {"X": cell(Xs, True), "y": y[None, :]},
    "cells X turned, gt": lambda Xs, y: {"X": cell(turned(Xs)), "gt": y[:, None]},
    "cells data turned, truelabel in cells": lambda Xs, y: {
        "data": cell(turned(Xs)), "truelabel": cell([y[None, :]] * len(Xs))},
    "cells fea turned, gnd in small whole numbers": lambda Xs, y: {
        "fea": cell(turned(Xs), True), "gnd": y.astype(np.uint8)[:, None]},
    "cells of sparse matrices, label": lambda Xs, y: {"X": cell(sparse(Xs)), "label": y[:, None]},
    "cells, classes one-hot": lambda Xs, y: {"X": cell(Xs), "Y": one_hot(y)},
    "cells turned, classes one-hot by columns": lambda Xs, y: {
        "X": cell(turned(Xs)), "Y": one_hot(y).T},
    "cells, classes one-hot of -1 and 1, sparse": lambda Xs, y: {
        "X": cell(Xs), "gt": one_hot(y, -1.0)},
    "cells, sparse one-hot": lambda Xs, y: {"X": cell(Xs), "Y": sp.csc_matrix(one_hot(y))},
    "single matrices turned, y": lambda Xs, y: {**numbered(turned(Xs)), "y": y[:, None]},
    "single sparse matrices, truth": lambda Xs, y: {
        **numbered(sparse(Xs), "view"), "truth": y[None, :]},
    "cells in a cell, labels in one": lambda Xs, y: {
        "X": cell([cell([X]) for X in Xs]), "labels": cell([y[:, None]])},
    "a structure": lambda Xs, y: {"dataset": {"X": cell(Xs), "gt": y[:, None]}},
    "other variables beside": lambda Xs, y: {
        "X": cell(turned(Xs)), "gt": y[:, None], "k": 3, "nV": len(Xs), "name": "toy",
        "lambda": [0.1, 1.0, 10.0, 100.0, 7.0, 3.0, 2.0]},
    "classes as words": lambda Xs, y: {"X": cell(Xs), "y": cell([f"c{v}" for v in y], True)},
    "triples of row, column, value": lambda Xs, y: {
        **{f"s{i + 1}": triples(X) for i, X in enumerate(Xs)}, "truth": y[:, None]},
    "turned without classes": lambda Xs, y: {"X": cell(turned(Xs))},
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_is_read_back_equal(tmp_path, rng, name):
    n_rows = int(rng.integers(20, 60))
    widths = rng.choice([w for w in range(8, 80) if w != n_rows], rng.integers(2, 12))
    Xs = [np.round(rng.random((n_rows, w)) * (rng.random((n_rows, w)) < 0.7), 3) for w in widths]
    for X in Xs:
        X[-1, -1] = 1.0  # triples say nothing about what comes after the last value
    y = rng.permutation(np.arange(n_rows) % int(rng.integers(2, 5)) + 1)
    scipy.io.savemat(tmp_path / "toy.mat", LAYOUTS[name](Xs, y))
    found = manyviews.read_views(tmp_path / "toy.mat")
    assert found.views.n_views == len(Xs)
    for X, read in zip(Xs, found.views.matrices, strict=True):
        np.testing.assert_array_equal(dense(read), X)
    if name == "turned without classes":
        assert found.labels is None
    else:
        words = name == "classes as words"
        assert found.labels.tolist() == ([f"c{v}" for v in y] if words else y.tolist())
        assert any("classes are array" in note for note in found.notes)
    if "turned" in name:
        assert any("turned" in note and "transpose: false" in note for note in found.notes)


def test_a_square_view_follows_the_others(tmp_path, rng):
    Xs = [rng.random((30, 30)), rng.random((30, 7))]
    y = np.arange(30) % 3
    scipy.io.savemat(tmp_path / "toy.mat", {"X": cell(turned(Xs)), "Y": y})
    found = manyviews.read_views(tmp_path / "toy.mat")
    np.testing.assert_array_equal(found.views.matrices[0], Xs[0])


def test_what_was_guessed_can_be_said(tmp_path, rng):
    """Two arrays may be the classes, both sides may be the rows: the user decides."""
    X, first, second = rng.random((30, 30)), np.arange(30) % 2, np.arange(30) % 3
    file = tmp_path / "toy.mat"
    scipy.io.savemat(file, {"X": cell([X, X[:, :4]]), "gt": first, "kind": second})
    found = manyviews.read_views(file, labels="kind")
    np.testing.assert_array_equal(found.labels, second)
    (tmp_path / "data.yaml").write_text(
        "views:\n  a: {file: toy.mat, array: 'X{1}', transpose: true}\n"
        "  b: {file: toy.mat, array: 'X{2}'}\nlabels: kind\n"
    )
    found = manyviews.read_views(tmp_path)
    np.testing.assert_array_equal(found.views.view("a"), X.T)
    np.testing.assert_array_equal(found.views.view("b"), X[:, :4])
    np.testing.assert_array_equal(found.labels, second)


def test_classes_in_an_array_file_of_their_own(tmp_path, rng):
    y = rng.permutation(np.arange(30) % 3)
    np.save(tmp_path / "words.npy", rng.random((30, 4)))
    np.save(tmp_path / "labels.npy", y)
    found = manyviews.read_views(tmp_path)
    assert found.views.names == ("words",)
    np.testing.assert_array_equal(found.labels, y)


def test_rows_without_class_have_none(tmp_path):
    (tmp_path / "a.csv").write_text("id,x,label\na,1,u\nb,2,\nc,4,v\n")
    found = manyviews.read_views(tmp_path / "a.csv")
    assert found.labels.tolist() == ["u", None, "v"]
    assert found.ids == ["a", "b", "c"]
    assert found.columns == {"all": ["x"]}
    assert "classes are column 'label'" in str(found)


def test_matlab_7_3_if_the_package_is_there(tmp_path, rng):
    h5py = pytest.importorskip("h5py")
    Xs, y = [rng.random((30, 5)), rng.random((30, 9))], np.arange(30) % 3 + 1
    with h5py.File(tmp_path / "a.mat", "w", userblock_size=512) as file:
        held = file.create_group("#refs#")
        cells = file.create_dataset("X", (2, 1), dtype=h5py.ref_dtype)
        cells.attrs["MATLAB_class"] = np.bytes_("cell")
        for i, X in enumerate(Xs):
            held[f"v{i}"] = X  # MATLAB's order of columns: turned in the file
            held[f"v{i}"].attrs["MATLAB_class"] = np.bytes_("double")
            cells[i, 0] = held[f"v{i}"].ref
        file["Y"] = y[None, :].astype(float)
        file["Y"].attrs["MATLAB_class"] = np.bytes_("double")
        S = sp.csc_matrix(np.round(Xs[0]))
        group = file.create_group("S")
        group["data"], group["ir"], group["jc"] = S.data, S.indices, S.indptr
        group.attrs["MATLAB_sparse"] = np.uint64(30)
    with (tmp_path / "a.mat").open("r+b") as stream:
        stream.write(b"MATLAB 7.3 MAT-file, Platform: toy")
    found = manyviews.read_views(tmp_path / "a.mat")
    np.testing.assert_array_equal(found.labels, y)
    for X, name in zip([*Xs, np.round(Xs[0])], ("X1", "X2", "S"), strict=True):
        np.testing.assert_array_equal(dense(found.views.view(name)), X)


def test_annotated_data_if_the_package_is_there(tmp_path, rng):
    anndata = pytest.importorskip("anndata")
    pandas = pytest.importorskip("pandas")
    X, ids = rng.random((30, 4)), [f"c{i}" for i in range(30)]
    obs = pandas.DataFrame({"cell_type": list("uv" * 15)}, index=ids)
    data = anndata.AnnData(X, obs=obs)
    data.write_h5ad(tmp_path / "a.h5ad")
    for found in (manyviews.from_anndata(data), manyviews.read_views(tmp_path / "a.h5ad")):
        np.testing.assert_array_equal(dense(found.views.matrices[0]), X)
        assert found.ids == ids
        assert found.labels.tolist() == list("uv" * 15)
