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
