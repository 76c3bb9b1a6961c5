"""Own data from files: every format and layout, guessing, joining; what is guessed is said."""

import bz2
import gzip
import io
import lzma

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file

import manyviews

pytest.importorskip("yaml", reason="own data need the extra: manyviews[compare]")

from manyviews.compare.reading.guard import DataError
from manyviews.compare.reading.own import read_own

N = 30


@pytest.fixture
def counts(rng):
    return rng.poisson(0.6, (N, 8)).astype(float) + np.eye(N, 8)


@pytest.fixture
def classes():
    return ["sport" if i % 2 else "wine" for i in range(N)]


def ids(n=N):
    return [f"p{i}" for i in range(n)]


def write_csv(path, header, rows, separator=","):
    lines = [header, *rows]
    text = "\n".join(separator.join(map(str, line)) for line in lines) + "\n"
    path.write_text(text, encoding="utf-8")
    return path


def table(path, matrix, names, labels=None, prefix="w", separator=","):
    header = ["id", *(f"{prefix}{j}" for j in range(matrix.shape[1]))]
    header += [] if labels is None else ["label"]
    rows = [
        [names[i], *(f"{x:g}" for x in row), *([] if labels is None else [labels[i]])]
        for i, row in enumerate(matrix)
    ]
    return write_csv(path, header, rows, separator)


def dense(X):
    return X.toarray() if sp.issparse(X) else np.asarray(X)


def test_tables_are_joined_by_id_in_any_order(tmp_path, rng, counts, classes):
    order = rng.permutation(N)[5:]
    table(tmp_path / "words.csv", counts, ids(), classes)
    table(tmp_path / "links.tsv", 2 * counts[order], [f"p{i}" for i in order], prefix="l",
          separator="\t")  # fmt: skip
    data = read_own(tmp_path)
    assert sorted(data.views.names) == ["links", "words"]
    where = {key: i for i, key in enumerate(data.ids)}
    at = [where[key] for key in ids()]
    np.testing.assert_array_equal(dense(data.views.view("words"))[at], counts)
    here = np.isin(np.arange(N), order)
    expected = np.where(here[:, None], 2 * counts, 0)
    np.testing.assert_array_equal(dense(data.views.view("links"))[at], expected)
    np.testing.assert_array_equal(data.views.observed[at], np.column_stack([here, here | True]))
    assert "5 of 30 rows lack view 'links'" in data.notes
    assert [data.classes[c] for c in data.codes[at]] == classes
    assert any("rows are named by column 'id'" in note for note in data.notes)
    assert any("classes are column 'label'" in note for note in data.notes)


def saved(folder, ending, counts, y):
    """Write counts, and classes where the format has them, in the format of an ending."""
    if ending == "npz":
        np.savez(folder / "words.npz", words=counts, y=y)
    elif ending == "npy":
        np.save(folder / "words.npy", counts)
    elif ending == "sparse":
        sp.save_npz(folder / "words.npz", sp.csr_matrix(counts))
    elif ending == "mat":
        scipy.io.savemat(folder / "words.mat", {"words": counts, "label": y[:, None]})
    elif ending.startswith("mtx"):
        stream = io.BytesIO()
        scipy.io.mmwrite(stream, sp.coo_matrix(counts))
        pack = {"mtx.gz": gzip.compress, "mtx.bz2": bz2.compress, "mtx.xz": lzma.compress}
        (folder / f"words.{ending}").write_bytes(pack.get(ending, bytes)(stream.getvalue()))
    elif ending == "svmlight":
        dump_svmlight_file(counts, y, str(folder / "words.svmlight"), zero_based=False)
    else:
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        columns = {f"w{j}": counts[:, j] for j in range(8)} | {"label": y}
        pq.write_table(pa.table(columns), folder / "words.parquet")


@pytest.mark.parametrize(
    "ending",
    ["npz", "npy", "sparse", "mat", "mtx", "mtx.gz", "mtx.bz2", "mtx.xz", "svmlight", "parquet"],
)
def test_formats(tmp_path, counts, ending):
    y = np.arange(N) % 3
    saved(tmp_path, ending, counts, y)
    data = read_own(tmp_path)
    np.testing.assert_array_equal(dense(data.views.matrices[0]), counts)
    if ending in ("npz", "mat", "svmlight", "parquet"):
        np.testing.assert_array_equal([float(data.classes[c]) for c in data.codes], y)
    else:
        assert data.classes == []


def test_text_columns_and_groups_of_columns_become_views(tmp_path, rng):
    words = ["vine", "grape", "goal", "ball", "cup", "oak"]
    header = ["title", "size_a", "size_b", "shape_a", "shape_b", "class"]
    rows = [
        [f'"{" ".join(rng.choice(words, 5))} n{i}"', i, 2 * i, i % 3, i % 5, "ab"[i % 2]]
        for i in range(N)
    ]
    data = read_own(write_csv(tmp_path / "t.csv", header, rows))
    assert set(data.views.names) == {"size", "shape", "title"}
    assert data.kinds[data.views.names.index("title")] == "text"
    assert any("views are groups of columns" in note for note in data.notes)


@pytest.mark.parametrize("same_names", [True, False])
def test_folders_of_texts_are_views_or_classes(tmp_path, rng, same_names):
    for folder in ("sport", "wine"):
        (tmp_path / folder).mkdir()
        for i in range(24):
            name = f"{i}.txt" if same_names else f"{folder}-{i}.txt"
            words = " ".join(rng.choice([folder, "the", "word"], 9))
            (tmp_path / folder / name).write_text(words)
    data = read_own(tmp_path)
    if same_names:
        assert (data.views.names, data.classes, len(data)) == (("sport", "wine"), [], 24)
    else:
        assert (data.views.n_views, data.classes) == (1, ["sport", "wine"])
        assert np.bincount(data.codes).tolist() == [24, 24]


def test_a_description_is_followed(tmp_path, counts, classes):
    """A pattern takes in neither class nor ids nor what is ignored."""
    table(tmp_path / "all.csv", counts, ids(), classes)
    (tmp_path / "data.yaml").write_text(
        "name: mine\nviews:\n  left: {file: all.csv, columns: [w0, w1, w2, w3]}\n"
        "  right: {file: all.csv, columns: '*', ignore: [w0, w1, w2], kind: categories}\n"
        "labels: label\nid: id\ntask: few labels\nlabel_share: 0.2\n"
    )
    data = read_own(tmp_path / "data.yaml")
    assert (data.name, data.views.names, data.ids) == ("mine", ("left", "right"), ids())
    assert data.columns[0] == ["w0", "w1", "w2", "w3"]
    assert {name.partition("=")[0] for name in data.columns[1]} == {f"w{j}" for j in range(3, 8)}
    assert data.kinds[1] == "categories"
    assert (data.task, data.label_share) == ("few labels", 0.2)


def test_links_are_put_into_the_order_of_the_rows(tmp_path, rng, counts, classes):
    A = (rng.random((N, N)) < 0.1).astype(float)
    order = rng.permutation(N)
    table(tmp_path / "a_words.csv", counts, ids(), classes)
    header = ["id", *(f"p{j}" for j in order)]
    rows = [[f"p{i}", *(f"{A[i, j]:g}" for j in order)] for i in range(N)]
    write_csv(tmp_path / "b_links.csv", header, rows)
    data = read_own(tmp_path)
    assert data.graphs == [False, True]
    np.testing.assert_array_equal(dense(data.views.view("b_links")), A)


def test_packages_that_are_missing_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr("manyviews.compare.reading.parsers.find_spec", lambda _: None)
    for name, package in (("a.h5mu", "anndata"), ("a.parquet", "pyarrow")):
        (tmp_path / name).write_bytes(b"x")
        with pytest.raises(DataError, match=f"{name}: needs the package {package}; pip install"):
            read_own(tmp_path / name)
        (tmp_path / name).unlink()


def test_blank_lines_of_a_lone_column_are_rows_without_a_class(tmp_path, rng):
    names = ["u" if i % 2 else "v" for i in range(40)]
    names[3], names[7] = "", '""'
    (tmp_path / "label.csv").write_text("\n".join(["label", *names]) + "\n\n")
    np.savez(tmp_path / "x.npz", X=rng.random((40, 3)))
    data = read_own(tmp_path)
    assert np.flatnonzero(data.codes < 0).tolist() == [3, 7]


def test_class_names_of_any_letters_and_numbers_in_their_order(tmp_path, counts):
    for names, expected in (("éß", ["ß", "é"]), ([10, 9], ["9", "10"])):
        table(tmp_path / "w.csv", counts, ids(), [names[i % 2] for i in range(N)])
        assert read_own(tmp_path).classes == expected


def test_a_wide_sparse_matrix_stays_sparse(tmp_path):
    sp.save_npz(tmp_path / "w.npz", sp.random(N, 1_000_000, 1e-5, format="csr", random_state=0))
    data = read_own(tmp_path)
    assert data.views.shape == (N, 1_000_000)
    assert sp.issparse(data.views.matrices[0])


# Layouts that .mat files of the field have, and what else read_views promises.


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
