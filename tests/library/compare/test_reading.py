"""Own data from files: every format and layout, guessing, joining; what is guessed is said."""

import bz2
import gzip
import lzma

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file
from small_data import saved, write

import manyviews
from manyviews.compare.prepare import dense
from manyviews.compare.reading.apart import plain
from manyviews.compare.reading.guard import DataError
from manyviews.compare.reading.own import read_own
from manyviews.compare.reading.tables import Table, column_of

N = 30


@pytest.fixture
def counts(rng):
    return rng.poisson(0.6, (N, 8)).astype(float) + np.eye(N, 8)


IDS, CLASSES = [f"p{i}" for i in range(N)], ["sport" if i % 2 else "wine" for i in range(N)]


def csv(header, rows, separator=","):
    return "\n".join(separator.join(map(str, line)) for line in (header, *rows)) + "\n"


def table(matrix, labels=CLASSES):
    rows = [[key, *row, name] for key, row, name in zip(IDS, matrix, labels, strict=True)]
    return csv(["id", *(f"w{j}" for j in range(8)), "label"], rows)


def test_tables_are_joined_by_id_in_any_order(tmp_path, rng, counts):
    order = rng.permutation(N)[5:]
    links = csv(["id", *"abcdefgh"], ([f"p{i}", *2 * counts[i]] for i in order), "\t")
    write(tmp_path, {"words.csv": table(counts), "links.tsv": links})
    data = read_own(tmp_path)
    assert data.views.names == ("links", "words")
    at = [data.ids.index(key) for key in IDS]
    np.testing.assert_array_equal(dense(data.views.view("words"))[at], counts)
    here = np.isin(np.arange(N), order)
    expected = np.where(here[:, None], 2 * counts, 0)
    np.testing.assert_array_equal(dense(data.views.view("links"))[at], expected)
    np.testing.assert_array_equal(data.views.observed[at], np.column_stack([here, here | True]))
    assert [data.classes[c] for c in data.codes[at]] == CLASSES
    for note in ("5 of 30 rows lack view 'links'", "words.csv: rows are named by column 'id'",
                 "words.csv: classes are column 'label'"):  # fmt: skip
        assert note in data.notes


def parquet(counts, y):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {f"w{j}": counts[:, j] for j in range(8)} | {"label": y}
    return saved(lambda stream: pq.write_table(pa.table(columns), stream))


def market(counts, y):
    return saved(scipy.io.mmwrite, sp.coo_matrix(counts))


#: File -> its content from counts and classes, which some formats have.
FORMATS = {
    "words.npz": lambda counts, y: saved(np.savez, words=counts, y=y),
    "words.mat": lambda counts, y: saved(scipy.io.savemat, {"words": counts, "label": y[:, None]}),
    "words.svmlight": lambda counts, y: saved(
        lambda stream: dump_svmlight_file(counts, y, stream, zero_based=False)),
    "words.parquet": parquet,
    "words.npy": lambda counts, y: saved(np.save, counts),
    "sparse.npz": lambda counts, y: saved(sp.save_npz, sp.csr_matrix(counts)),
    "words.mtx": market,
    "words.mtx.gz": lambda counts, y: gzip.compress(market(counts, y)),
    "words.mtx.bz2": lambda counts, y: bz2.compress(market(counts, y)),
    "words.mtx.xz": lambda counts, y: lzma.compress(market(counts, y)),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_formats(tmp_path, counts, name):
    y = np.arange(N) % 3
    write(tmp_path, {name: FORMATS[name](counts, y)})
    data = read_own(tmp_path)
    np.testing.assert_array_equal(dense(data.views.matrices[0]), counts)
    labelled = list(FORMATS).index(name) < 4
    assert [float(data.classes[c]) for c in data.codes if c >= 0] == (
        y.tolist() if labelled else []
    )


def test_text_columns_and_groups_of_columns_become_views(tmp_path, rng):
    words = ["vine", "grape", "goal", "ball", "cup", "oak"]
    header = ["title", "size_a", "size_b", "shape_a", "shape_b", "class"]
    rows = [
        [f'"{" ".join(rng.choice(words, 5))} n{i}"', i, 2 * i, i % 3, i % 5, "ab"[i % 2]]
        for i in range(N)
    ]
    write(tmp_path, {"t.csv": csv(header, rows)})
    data = read_own(tmp_path / "t.csv")
    assert set(data.views.names) == {"size", "shape", "title"}
    assert data.kinds[data.views.names.index("title")] == "text"
    assert any("views are groups of columns" in note for note in data.notes)


def test_words_are_categories_if_they_are_two_or_half_as_many_as_the_rows(tmp_path):
    for rows, most in ((2, 2), (3, 2), (4, 2), (6, 3), (7, 3), (41, 20)):
        for distinct in range(1, rows + 1):
            column = [f"word{i % distinct}" for i in range(rows)]
            table = Table(tmp_path / "t.csv", {"c": column}, range(rows), [])
            assert (column_of(table, "c").kind == "categories") == (distinct <= most)


@pytest.mark.parametrize("same_names", [True, False])
def test_folders_of_texts_are_views_or_classes(tmp_path, rng, same_names):
    for folder in ("sport", "wine"):
        names = [f"{i}" if same_names else f"{folder}-{i}" for i in range(24)]
        words = [" ".join(rng.choice([folder, "the", "word"], 9)) for _ in names]
        write(tmp_path / folder, {f"{n}.txt": w for n, w in zip(names, words, strict=True)})
    data = read_own(tmp_path)
    if same_names:
        assert (data.views.names, data.classes, len(data)) == (("sport", "wine"), [], 24)
    else:
        assert (data.views.n_views, data.classes) == (1, ["sport", "wine"])
        assert np.bincount(data.codes).tolist() == [24, 24]


def test_a_description_is_followed(tmp_path, counts):
    """A pattern takes in neither class nor ids nor what is ignored."""
    write(tmp_path, {"all.csv": table(counts), "data.yaml":
        "name: mine\nviews:\n  left: {file: all.csv, columns: [w0, w1, w2, w3]}\n"
        "  right: {file: all.csv, columns: '*', ignore: [w0, w1, w2], kind: categories}\n"
        "labels: label\nid: id\ntask: few labels\nlabel_share: 0.2\n"
    })  # fmt: skip
    data = read_own(tmp_path / "data.yaml")
    assert (data.name, data.views.names, data.ids) == ("mine", ("left", "right"), IDS)
    assert data.columns[0] == ["w0", "w1", "w2", "w3"]
    assert {name.partition("=")[0] for name in data.columns[1]} == {f"w{j}" for j in range(3, 8)}
    assert data.kinds[1] == "categories"
    assert (data.task, data.label_share) == ("few labels", 0.2)


def test_links_are_put_into_the_order_of_the_rows(tmp_path, rng, counts):
    A = (rng.random((N, N)) < 0.1).astype(float)
    order = rng.permutation(N)
    rows = [[key, *A[i, order]] for i, key in enumerate(IDS)]
    links = csv(["id", *(IDS[j] for j in order)], rows)
    write(tmp_path, {"a_words.csv": table(counts), "b_links.csv": links})
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
    write(tmp_path, {"label.csv": "\n".join(["label", *names]) + "\n\n",
                     "x.npz": saved(np.savez, X=rng.random((40, 3)))})  # fmt: skip
    data = read_own(tmp_path)
    assert np.flatnonzero(data.codes < 0).tolist() == [3, 7]


def test_class_names_of_any_letters_and_numbers_in_their_order(tmp_path, counts):
    for names, expected in (("éß", ["ß", "é"]), ([10, 9], ["9", "10"])):
        write(tmp_path, {"w.csv": table(counts, [names[i % 2] for i in range(N)])})
        assert read_own(tmp_path).classes == expected


def test_a_wide_sparse_matrix_stays_sparse(tmp_path):
    sp.save_npz(tmp_path / "w.npz", sp.random(N, 1_000_000, 1e-5, format="csr", random_state=0))
    data = read_own(tmp_path)
    assert data.views.shape == (N, 1_000_000)
    assert sp.issparse(data.views.matrices[0])


# Layouts that .mat files of the field have, and what else read_views promises.


def cell(items):
    made = np.empty(len(items), dtype=object)
    made[:] = list(items)
    return made[None, :]


def one_hot(y, low=0.0):
    return np.where(y[:, None] == np.unique(y)[None, :], 1.0, low)


#: How people keep views and classes: what they save, and how their arrays are called.
VIEWS = {
    "cells": lambda Xs: {"X": cell(Xs)},
    "cells in a column": lambda Xs: {"data": cell(Xs).T},
    "cells in a cell": lambda Xs: {"fea": cell([cell([X]) for X in Xs])},
    "single matrices": lambda Xs: {f"view{i + 1}": X for i, X in enumerate(Xs)},
    "other variables beside": lambda Xs: {
        "X": cell(Xs), "k": 3, "nV": len(Xs), "name": "toy", "lambda": [0.1, 1.0, 10.0, 7.0, 3.0]},
}  # fmt: skip
CLASSES_OF = {
    "no classes": lambda y: {},
    "a column": lambda y: {"Y": y[:, None]},
    "a row": lambda y: {"y": y[None, :]},
    "small whole numbers": lambda y: {"gnd": y.astype(np.uint8)[:, None]},
    "a cell": lambda y: {"labels": cell([y[:, None]])},
    "a cell for each view": lambda y: {"truelabel": cell([y[None, :]] * 3)},
    "words": lambda y: {"truth": cell([f"c{v}" for v in y]).T},
    "one-hot": lambda y: {"Y": one_hot(y)},
    "one-hot, sparse": lambda y: {"Y": sp.csc_matrix(one_hot(y))},
    "one-hot by columns": lambda y: {"label": one_hot(y).T},
    "one-hot of -1 and 1": lambda y: {"gt": one_hot(y, -1.0)},
}


@pytest.mark.parametrize("classes", CLASSES_OF)
@pytest.mark.parametrize("kept", VIEWS)
def test_a_layout_is_read_back_equal(tmp_path, rng, kept, classes):
    n_rows = int(rng.integers(20, 60))
    widths = rng.choice([w for w in range(8, 80) if w != n_rows], 3, replace=False)
    Xs = [np.round(rng.random((n_rows, w)) * (rng.random((n_rows, w)) < 0.7), 3) for w in widths]
    y = rng.permutation(np.arange(n_rows) % int(rng.integers(2, 5)) + 1)
    turned, sparse, structure = rng.random(3) < 0.5
    saved_ = [X.T if turned else X for X in Xs]
    variables = VIEWS[kept]([sp.csc_matrix(X) for X in saved_] if sparse else saved_)
    variables |= CLASSES_OF[classes](y)
    scipy.io.savemat(tmp_path / "toy.mat", {"dataset": variables} if structure else variables)
    found = manyviews.read_views(tmp_path / "toy.mat")
    for X, read in zip(Xs, found.views.matrices, strict=True):
        np.testing.assert_array_equal(dense(read), X)
    notes = "\n".join(found.notes)
    assert ("turned" in notes and "transpose: false" in notes) == turned
    assert ("classes are array" in notes) == (classes != "no classes")
    if classes == "no classes":
        assert found.labels is None
    else:
        assert found.labels.tolist() == ([f"c{v}" for v in y] if classes == "words" else y.tolist())


def test_a_square_view_follows_the_others(tmp_path, rng):
    X = rng.random((30, 30))
    variables = {"X": cell([X.T, X[:, :7].T]), "Y": np.arange(30) % 3}
    scipy.io.savemat(tmp_path / "toy.mat", variables)
    found = manyviews.read_views(tmp_path / "toy.mat")
    np.testing.assert_array_equal(found.views.matrices[0], X)


def test_row_names_as_r_writes_them_are_ids(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text("u,v\np1,1,2\np2,3,4\np3,5,7\n")
    found = manyviews.read_views(tmp_path)
    assert list(found.views.ids) == ["p1", "p2", "p3"]
    assert [found.views.view(name).shape for name in ("one", "two")] == [(3, 2)] * 2
    assert any("as R writes it" in note for note in found.notes)


def test_a_matrix_of_another_length_is_left_out_aloud(tmp_path, rng):
    variables = {"X": rng.random((30, 4)), "Z": rng.random((30, 6)), "other": rng.random((7, 9))}
    scipy.io.savemat(tmp_path / "toy.mat", variables)
    found = manyviews.read_views(tmp_path / "toy.mat")
    assert found.views.names == ("X", "Z")
    assert any("array other is 7 x 9, not 30 rows; left out" in note for note in found.notes)


def test_a_cell_of_two_words_is_no_word():
    words = cell([np.array(["a"]), np.array([], dtype="U1")])
    assert plain(words) == ["a", ""]
    words[0, 1] = np.array(["b", "c"])
    assert plain(words)[0, 1].tolist() == ["b", "c"]


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
    X = rng.random((30, 4))
    obs = pandas.DataFrame({"cell_type": list("uv" * 15)}, index=IDS)
    data = anndata.AnnData(X, obs=obs)
    data.write_h5ad(tmp_path / "a.h5ad")
    for found in (manyviews.from_anndata(data), manyviews.read_views(tmp_path / "a.h5ad")):
        np.testing.assert_array_equal(dense(found.views.matrices[0]), X)
        assert found.ids == IDS
        assert found.labels.tolist() == list("uv" * 15)
