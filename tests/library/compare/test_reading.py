"""Own data from files: every format, guessing, joining; what is guessed is said."""

import bz2
import gzip
import json
import lzma

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

pytest.importorskip("yaml", reason="own data need the extra: manyviews[compare]")

from manyviews.compare.reading.errors import DataError
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
    order = rng.permutation(N)
    table(tmp_path / "words.csv", counts, ids(), classes)
    table(tmp_path / "links.tsv", 2 * counts[order], [f"p{i}" for i in order], prefix="l",
          separator="\t")  # fmt: skip
    data = read_own(tmp_path)
    assert sorted(data.views.names) == ["links", "words"]
    where = {key: i for i, key in enumerate(data.ids)}
    at = [where[key] for key in ids()]
    np.testing.assert_array_equal(dense(data.views.view("words"))[at], counts)
    np.testing.assert_array_equal(dense(data.views.view("links"))[at], 2 * counts)
    assert [data.classes[c] for c in data.codes[at]] == classes
    assert any("rows are named by column 'id'" in note for note in data.notes)
    assert any("classes are column 'label'" in note for note in data.notes)


def test_a_row_that_a_file_lacks_is_not_observed(tmp_path, counts, classes):
    table(tmp_path / "words.csv", counts, ids(), classes)
    table(tmp_path / "links.csv", counts[5:], ids()[5:], prefix="l")
    data = read_own(tmp_path)
    lacking = {key for key, here in zip(data.ids, data.views.observed, strict=True) if not here[0]}
    assert data.views.names[0] == "links"
    assert lacking == set(ids()[:5])
    assert "5 of 30 rows lack view 'links'" in data.notes


@pytest.mark.parametrize(
    "ending", ["npz", "npy", "sparse", "mat", "mtx", "mtx.gz", "mtx.bz2", "mtx.xz", "svmlight"]
)
def test_formats_of_matrices(tmp_path, counts, classes, ending):
    y = np.array(classes)
    if ending == "npz":
        np.savez(tmp_path / "a.npz", words=counts, other=-counts, y=y)
    elif ending == "npy":
        np.save(tmp_path / "words.npy", counts)
    elif ending == "sparse":
        sp.save_npz(tmp_path / "words.npz", sp.csr_matrix(counts))
    elif ending == "mat":
        scipy.io.savemat(tmp_path / "a.mat", {"words": counts, "label": np.arange(N) % 3})
    elif ending.startswith("mtx"):
        scipy.io.mmwrite(tmp_path / "words.mtx", sp.coo_matrix(counts))
        pack = {"mtx.gz": gzip.compress, "mtx.bz2": bz2.compress, "mtx.xz": lzma.compress}.get(
            ending
        )
        if pack is not None:
            content = (tmp_path / "words.mtx").read_bytes()
            (tmp_path / "words.mtx").unlink()
            (tmp_path / f"words.{ending}").write_bytes(pack(content))
    else:
        rows = [
            f"{i % 2} " + " ".join(f"{j + 1}:{x:g}" for j, x in enumerate(row) if x)
            for i, row in enumerate(counts)
        ]
        (tmp_path / "words.svmlight").write_text("\n".join(rows) + "\n")
    data = read_own(tmp_path)
    name = "a" if ending == "mat" else "words"
    np.testing.assert_array_equal(dense(data.views.view(name)), counts)
    expected = {"npz": ["sport", "wine"], "mat": ["0", "1", "2"], "svmlight": ["0", "1"]}
    assert data.classes == expected.get(ending, [])


def test_parquet_if_the_package_is_there(tmp_path, counts):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(pa.table({f"w{j}": counts[:, j] for j in range(8)}), tmp_path / "w.parquet")
    np.testing.assert_array_equal(dense(read_own(tmp_path).views.matrices[0]), counts)


def test_workbooks_if_the_package_is_there(tmp_path, counts):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in ([f"w{j}" for j in range(8)], *counts.tolist()):
        book.active.append(row)
    book.save(tmp_path / "w.xlsx")
    np.testing.assert_array_equal(dense(read_own(tmp_path).views.matrices[0]), counts)


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


def text_folder(root, folders, same_names, rng):
    for folder in folders:
        (root / folder).mkdir(parents=True)
        for i in range(12):
            name = f"{i}.txt" if same_names else f"{folder}-{i}.txt"
            text = " ".join(rng.choice([folder, "the", "a b", "word"], 9))
            (root / folder / name).write_text(text)


def test_folders_of_texts_are_classes(tmp_path, rng):
    text_folder(tmp_path, ["sport", "wine"], False, rng)
    data = read_own(tmp_path)
    assert data.classes == ["sport", "wine"]
    assert np.bincount(data.codes).tolist() == [12, 12]
    assert data.views.n_views == 1


def test_folders_of_texts_of_the_same_names_are_views(tmp_path, rng):
    for folder in ("title", "body"):
        (tmp_path / folder).mkdir()
        for i in range(24):
            text = " ".join(rng.choice([folder, "the", "word"], 9))
            (tmp_path / folder / f"{i}.txt").write_text(text)
    data = read_own(tmp_path)
    assert sorted(data.views.names) == ["body", "title"]
    assert len(data) == 24
    assert data.classes == []


def test_a_description_is_followed(tmp_path, counts, classes):
    table(tmp_path / "all.csv", np.hstack([counts, -counts]), ids(), classes)
    (tmp_path / "tree.csv").write_text("child,parent\nwine,drink\nsport,life\ndrink,life\n")
    (tmp_path / "data.yaml").write_text(
        "name: mine\nviews:\n  left: {file: all.csv, columns: [w0, w1]}\n"
        "  right: {file: all.csv, columns: 'w1?', kind: numbers}\n"
        "labels: label\nid: id\nontology: tree.csv\ntask: hierarchy\nlabel_share: 0.2\n"
    )
    data = read_own(tmp_path / "data.yaml")
    assert data.name == "mine"
    assert data.views.names == ("left", "right")
    assert [X.shape[1] for X in data.views.matrices] == [2, 6]
    assert data.ontology["wine"] == ("drink",)
    assert (data.task, data.label_share) == ("hierarchy", 0.2)


@pytest.mark.parametrize("form", ["yaml", "json", "reversed"])
def test_forms_of_a_tree(tmp_path, counts, classes, form):
    table(tmp_path / "w.csv", counts, ids(), classes)
    pairs = {"wine": "top", "sport": "top"}
    if form == "reversed":
        (tmp_path / "tree.csv").write_text("parent,child\ntop,wine\ntop,sport\n")
    elif form == "json":
        (tmp_path / "tree.json").write_text(json.dumps(pairs))
    else:
        (tmp_path / "tree.yaml").write_text("wine: [top]\nsport: top\n")
    tree = read_own(tmp_path).ontology
    assert tree == {"wine": ("top",), "sport": ("top",), "top": ()}


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


def test_measurements_are_cut_when_asked(tmp_path, counts, rng):
    table(tmp_path / "w.csv", counts, ids(), [f"{x:.5f}" for x in rng.permutation(N) / 7])
    (tmp_path / "data.yaml").write_text("labels: {column: label, cuts: 3}\n")
    data = read_own(tmp_path)
    assert np.bincount(data.codes).tolist() == [10, 10, 10]


def test_the_digest_tells_data_apart(tmp_path, counts, classes):
    path = table(tmp_path / "w.csv", counts, ids(), classes)
    first = read_own(path).digest()
    assert read_own(path).digest() == first
    table(path, counts + np.eye(N, 8), ids(), classes)
    assert read_own(path).digest() != first


def test_packages_that_are_missing_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr("manyviews.compare.reading.foreign.find_spec", lambda _: None)
    for name, package in (("a.h5ad", "anndata"), ("a.h5mu", "anndata"), ("a.parquet", "pyarrow"),
                          ("a.xlsx", "openpyxl"), ("a.h5", "h5py")):  # fmt: skip
        (tmp_path / name).write_bytes(b"x")
        with pytest.raises(DataError, match=f"{name}: needs the package {package}; pip install"):
            read_own(tmp_path / name)
        (tmp_path / name).unlink()


def test_the_only_column_of_few_words_holds_the_classes(tmp_path, rng):
    rows = [f"p{i},{rng.random():.3f},{'uvw'[i % 3]}land" for i in range(60)]
    (tmp_path / "a.csv").write_text("\n".join(["id,x,origin", *rows]) + "\n")
    data = read_own(tmp_path)
    assert data.classes == ["uland", "vland", "wland"]
    assert any("the only one with a few words" in note for note in data.notes)
    # rows to predict keep it as a feature, and so does a second such column
    assert "origin=uland" in read_own(tmp_path, fewest=1).columns[0]
    more = [f"{row},{'st'[i % 2]}" for i, row in enumerate(rows)]
    (tmp_path / "a.csv").write_text("\n".join(["id,x,origin,side", *more]) + "\n")
    assert read_own(tmp_path).classes == []
    (tmp_path / "data.yaml").write_text("task: cluster\n")
    assert read_own(tmp_path).classes == []


@pytest.mark.parametrize("blank", ["", '""'])
def test_blank_lines_of_a_lone_column_are_rows_without_a_class(tmp_path, rng, blank):
    names = ["u" if i % 2 else "v" for i in range(40)]
    names[3] = names[7] = blank
    (tmp_path / "label.csv").write_text("\n".join(["label", *names]) + "\n\n")
    np.savez(tmp_path / "x.npz", X=rng.random((40, 3)))
    data = read_own(tmp_path)
    assert np.flatnonzero(data.codes < 0).tolist() == [3, 7]


def test_a_pattern_takes_in_neither_class_nor_ids_nor_what_is_ignored(tmp_path, counts, classes):
    table(tmp_path / "all.csv", counts, ids(), classes)
    (tmp_path / "data.yaml").write_text(
        "views:\n  left: {file: all.csv, columns: [w0, w1, w2, w3]}\n"
        "  right: {file: all.csv, columns: '*', ignore: [w0, w1, w2]}\nlabels: label\nid: id\n"
    )
    data = read_own(tmp_path)
    assert data.columns == [["w0", "w1", "w2", "w3"], ["w3", "w4", "w5", "w6", "w7"]]
