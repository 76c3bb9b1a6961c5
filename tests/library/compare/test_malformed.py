"""Sixty and more malformed inputs: one line that names file and mend, or a repair said aloud.

Each case writes a folder; the command line reads it. Nothing may end in a traceback, and a refusal
leaves nothing behind.
"""

import gzip
import io
import zipfile

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

pytest.importorskip("yaml", reason="own data need the extra: manyviews[compare]")

from manyviews.compare.reading.errors import DataError
from manyviews.compare.reading.own import read_own

N = 24
HEADER = "id,a,b,c,label"


def lines(n=N, start=0):
    return [f"p{i},{i},{i % 3},{(7 * i) % 5 + 1},{'xy'[i % 2]}" for i in range(start, n)]


def text(rows=None, header=HEADER):
    return "\n".join([header, *(lines() if rows is None else rows)]) + "\n"


def changed(row, column, value):
    rows = [line.split(",") for line in lines()]
    rows[row][column] = value
    return text([",".join(cells) for cells in rows])


def npz(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def sparse(matrix):
    buffer = io.BytesIO()
    sp.save_npz(buffer, matrix)
    return buffer.getvalue()


def mat(**arrays):
    buffer = io.BytesIO()
    scipy.io.savemat(buffer, arrays)
    return buffer.getvalue()


def broken_csr():
    matrix = sp.csr_matrix(np.eye(N))
    matrix.indices[0] = 999
    return sparse(matrix)


def with_infinity():
    matrix = sp.csr_matrix(np.eye(N))
    matrix.data[3] = np.inf
    return sparse(matrix)


X = np.arange(N * 3.0).reshape(N, 3)
DATA = {"w.csv": text()}
TREE = "child,parent\nx,top\ny,top\n"


def described(yaml, **files):
    return {**DATA, **files, "data.yaml": yaml}


#: Name -> files, and words of the one line that refuses them.
REFUSED = {
    "no folder": (None, ["no such file"]),
    "empty folder": ({}, ["holds no file"]),
    "only a pickle": ({"a.pkl": b"\x80\x04."}, ["a.pkl", "can run code"]),
    "a sheet": ({"a.xlsx": b"PK"}, ["a.xlsx", "CSV"]),
    "unknown ending alone": ({"a.xyz": "1"}, ["holds no file"]),
    "empty CSV": ({"w.csv": ""}, ["w.csv", "empty"]),
    "blank CSV": ({"w.csv": "\n\n  \n"}, ["w.csv", "empty"]),
    "only commas": ({"w.csv": ",,,\n,,,\n"}, ["w.csv", "no cells"]),
    "header only": ({"w.csv": HEADER + "\n"}, ["w.csv", "no rows"]),
    "a line too long": ({"w.csv": text([*lines()[:3], "p3,1,2,3,x,9", *lines(N, 4)])},
                        ["w.csv", "line 5", "6 cells"]),
    "a line too short": ({"w.csv": text([*lines()[:3], "p3,1,2", *lines(N, 4)])},
                         ["w.csv", "line 5", "3 cells"]),
    "open quotes": ({"w.csv": text([*lines()[:3], 'p3,"1,2,3,x', *lines(N, 4)])},
                    ["w.csv", "quotes"]),
    "zero byte": ({"w.csv": text().encode() + b"\0"}, ["w.csv", "zero byte"]),
    "cut UTF-16": ({"w.csv": text().encode("utf-16")[:-1]}, ["w.csv", "UTF-16"]),
    "damaged gzip": ({"w.csv.gz": b"no gzip"}, ["w.csv.gz", "pack it again"]),
    "cut gzip": ({"w.csv.gz": gzip.compress(text().encode())[:40]}, ["w.csv.gz", "pack it again"]),
    "same id twice": ({"w.csv": text([*lines(), "p3,1,1,1,x"]), "data.yaml": "id: id\n"},
                      ["w.csv", "lines 5 and 26", "'p3'"]),
    "an id is blank": ({"w.csv": changed(4, 0, ""), "data.yaml": "id: id\n"},
                       ["w.csv", "line 6", "no id"]),
    "a word among numbers": ({"w.csv": changed(4, 1, "seven")},
                             ["w.csv", "line 6", "'a'", "'seven'"]),
    "infinity": ({"w.csv": changed(4, 1, "inf")}, ["w.csv", "line 6", "infinite"]),
    "a number too large": ({"w.csv": changed(4, 1, "1e999")}, ["w.csv", "line 6", "infinite"]),
    "one class": ({"w.csv": text([line[:-1] + "x" for line in lines()])}, ["w.csv", "two classes"]),
    "classes with one row each": ({"w.csv": text([f"{line[:-1]}z{i}"
                                                  for i, line in enumerate(lines())])},
                                  ["w.csv", "names of rows"]),
    "a measurement as label": ({"w.csv": text([f"{line[:-1]}{i / 7:.4f}"
                                               for i, line in enumerate(lines())])},
                               ["w.csv", "measurement", "cuts"]),
    "second class too small": ({"w.csv": text([line[:-1] + ("x" if i > 2 else "y")
                                               for i, line in enumerate(lines())])},
                               ["w.csv", "label more rows"]),
    "labels asked for are blank": (described("labels: label\n", **{
        "w.csv": text([line[:-1] for line in lines()])}), ["w.csv", "blank"]),
    "too few rows": ({"w.csv": text(lines()[:6])}, ["w.csv", "6 rows", "too few"]),
    "ids share nothing": ({"a.csv": text(), "b.csv": text().replace("p", "q")},
                          ["a.csv", "no id"]),
    "leading zeros": ({"a.csv": text().replace("p", ""), "b.csv": text().replace("p", "00")
                       .replace("label", "kind")}, ["leading zeros"]),
    "files of different length": ({"a.npz": npz(a=X), "b.npz": npz(b=X[:-1])},
                                  ["b.npz", "23 rows", "a.npz", "id"]),
    "ids in one file only": ({"a.csv": text(), "b.npz": npz(b=X[:-1])}, ["b.npz", "ids"]),
    "labels contradict": ({"a.csv": text(), "b.csv": changed(2, 4, "y")},
                          ["b.csv", "'p2'", "a.csv"]),
    "labels of other rows": ({**DATA, "labels.csv": "id,label\nq1,x\nq2,y\n"},
                             ["labels.csv", "'q1'"]),
    "two views of one name": ({"a.csv": text(), "a.tsv": text().replace(",", "\t")},
                              ["'a'", "data.yaml"]),
    "only names": ({"w.csv": text([f"p{i},n{i}" for i in range(N)], "id,word")},
                   ["w.csv", "feature"]),
    "view all zero": ({"w.csv": text(), "z.npz": npz(z=np.zeros((N, 2)))}, ["z.npz", "empty"]),
    "npz cut off": ({"a.npz": npz(a=X)[:200]}, ["a.npz", "save it again"]),
    "npz is no archive": ({"a.npz": b"hello"}, ["a.npz"]),
    "pickled objects": ({"a.npz": npz(a=np.array([{"x": 1}] * N, dtype=object))},
                        ["a.npz", "can run code"]),
    "npz without matrix": ({"a.npz": npz(y=np.arange(N))}, ["a.npz", "no matrix"]),
    "npz of texts": ({"a.npz": npz(a=X.astype(str))}, ["a.npz", "real numbers"]),
    "three dimensions": ({"a.npz": npz(a=X[:, :, None])}, ["a.npz", "3 dimension"]),
    "complex numbers": ({"a.npz": npz(a=X + 1j)}, ["a.npz", "real numbers"]),
    "infinite array": ({"a.npz": npz(a=np.where(X == 4, np.inf, X))}, ["a.npz", "row 1"]),
    "sparse arrays contradict": ({"a.npz": broken_csr()}, ["a.npz", "save it again"]),
    "sparse infinity": ({"a.npz": with_infinity()}, ["a.npz", "row 3, column 3"]),
    "no columns": ({"a.npz": npz(a=X[:, :0], b=X)}, ["a.npz", "shape"]),
    "svmlight of words": ({"a.svmlight": "one two three\n"}, ["a.svmlight", "column:value"]),
    "empty svmlight": ({"a.svmlight": ""}, ["a.svmlight"]),
    "Matrix Market cut off": ({"a.mtx": "%%MatrixMarket matrix coordinate real general\n"
                               "24 3 5\n1 1 1.0\n"}, ["a.mtx", "Matrix Market"]),
    "Matrix Market of words": ({"a.mtx": "hello\n"}, ["a.mtx", "Matrix Market"]),
    "MATLAB 7.3": ({"a.mat": b"MATLAB 7.3 MAT-file, Platform" + b" " * 100}, ["a.mat", "-v7"]),
    "MATLAB cut off": ({"a.mat": mat(a=X)[:150]}, ["a.mat", "-v7"]),
    "texts without words": ({f"a/{i}.txt": "?" for i in range(30)}, ["a", "no word"]),
    "YAML does not parse": (described("views: [\n"), ["data.yaml", "YAML"]),
    "YAML key twice": (described("id: id\nid: a\n"), ["data.yaml", "twice"]),
    "YAML is a list": (described("- a\n"), ["data.yaml", "mapping"]),
    "unknown key": (described("veiws: {}\n"), ["data.yaml", "'views'"]),
    "unknown key of a view": (described("views: {w: {flie: w.csv}}\n"), ["data.yaml", "'file'"]),
    "view without file": (described("views: {w: {columns: [a]}}\n"), ["data.yaml", "file"]),
    "file that is not there": (described("views: {w: x.csv}\n"), ["data.yaml", "'x.csv'"]),
    "the class as a feature": (
        described("views: {w: {file: w.csv, columns: [a, label]}}\nlabels: label\n"),
        ["w.csv", "'label'", "class"],
    ),
    "column that is not there": (described("views: {w: {file: w.csv, columns: [zz]}}\n"),
                                 ["w.csv", "'zz'"]),
    "array that is not there": (described("views: {w: {file: a.npz, array: zz}}\n", **{
        "a.npz": npz(a=X)}), ["a.npz", "'zz'"]),
    "label that is not there": (described("labels: zz\n"), ["data.yaml", "'zz'"]),
    "id that is not there": (described("id: zz\n"), ["w.csv", "'zz'"]),
    "unknown task": (described("task: guess\n"), ["data.yaml", "'guess'"]),
    "share of labels is 3": (described("label_share: 3\n"), ["data.yaml", "between 0 and 1"]),
    "one cluster": (described("clusters: 1\n"), ["data.yaml", "clusters"]),
    "cuts of words": (described("labels: {column: label, cuts: 3}\n"), ["w.csv", "no number"]),
    "links of another width": (described("views: {w: {file: w.csv, graph: true}}\n"),
                               ["w.csv", "links"]),
    "a tree with a circle": ({**DATA, "tree.csv": TREE + "top,x\n"}, ["tree.csv", "circle"]),
    "a tree without a class": ({**DATA, "tree.csv": "child,parent\nx,top\n"}, ["tree.csv", "'y'"]),
    "a tree of one column": ({**DATA, "tree.csv": "child\nx\ny\n"}, ["tree.csv", "one column"]),
    "a tree that is a list": ({**DATA, "tree.yaml": "- x\n"}, ["tree.yaml", "mapping"]),
    "a date that does not exist": ({"w.csv": text([line.replace(f",{i},", ",2020-02-31,", 1)
                                                   for i, line in enumerate(lines())])},
                                   ["w.csv", "'a'", "date"]),
}  # fmt: skip

#: Name -> files, and words of a note that says what was done.
MENDED = {
    "byte order mark": ({"w.csv": "﻿" + text()}, ["rows are named by column 'id'"]),
    "UTF-16": ({"w.csv": text().encode("utf-16")}, ["UTF-16"]),
    "Latin-1": ({"w.csv": text().replace("x\n", "é\n").encode("latin-1")}, ["Windows-1252"]),
    "semicolons": ({"w.csv": text().replace(",", ";")}, ["semicolons"]),
    "tabs in a CSV": ({"w.csv": text().replace(",", "\t")}, ["tabs"]),
    "decimal commas": ({"w.csv": text([line.replace(",", ";").replace(";", ";1,", 1)
                                       for line in lines()], HEADER.replace(",", ";"))},
                       ["decimal commas"]),
    "no header": ({"w.csv": "\n".join(f"{i},{i % 3},{i % 4}" for i in range(N))}, ["no header"]),
    "column names twice": ({"w.csv": text(header="id,a,a,c,label")}, ["more than once"]),
    "blank cells": ({"w.csv": changed(4, 1, "")}, ["1 blank cells", "median"]),
    "NaN in words": ({"w.csv": changed(4, 1, "NaN")}, ["1 blank cells", "median"]),
    "question marks": ({"w.csv": changed(4, 1, "?")}, ["1 blank cells", "median"]),
    "NaN in an array": ({"a.npz": npz(a=np.where(X == 4, np.nan, X))}, ["1 blank cells"]),
    "a row of NaN": ({"a.npz": npz(a=np.where(X < 3, np.nan, X), b=X)}, ["1 of 24 rows lack"]),
    "a blank column": ({"w.csv": text([line.replace(f",{i},", ",,", 1)
                                       for i, line in enumerate(lines())])}, ["no value"]),
    "negative counts": ({"w.csv": changed(4, 1, "-3")}, ["negative values"]),
    "dates": ({"w.csv": text([line.replace(f",{i},", f",2020-02-{i % 9 + 1:02d},", 1)
                              for i, line in enumerate(lines())])}, ["became days"]),
    "blank labels, guessed": ({"w.csv": text([line[:-1] for line in lines()])}, ["are clustered"]),
    "small class": ({"w.csv": changed(0, 4, "z")}, ["treated as unlabelled", "'z'"]),
    "rows in one view only": ({"a.csv": text(), "b.csv": text(lines()[4:])}, ["4 of 24 rows lack"]),
    "labels of further rows": ({**DATA, "labels.csv": "id,label\nq1,x\n" + "\n".join(
        f"p{i},{'uv'[i % 2]}" for i in range(N))}, ["1 ids are no row"]),
    "ids in one file, equally long": ({"a.csv": text(), "b.npz": npz(b=X)}, ["joined by line"]),
    "names as a column": ({"w.csv": text([f"{line},n{i}" for i, line in enumerate(lines())],
                                         HEADER + ",who")}, ["'who' left out"]),
    "unknown file beside": ({**DATA, "a.xyz": "1"}, ["a.xyz is left out"]),
    "array of another length": ({"a.npz": npz(a=X, z=np.arange(3))}, ["'z'", "left out"]),
}  # fmt: skip


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_one_line(tmp_path, name):
    files, words = REFUSED[name]
    folder = tmp_path / "data"
    if files is not None:
        folder.mkdir()
        write(folder, files)
    before = sorted(folder.rglob("*"))
    with pytest.raises(DataError) as caught:
        read_own(folder)
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 400
    for word in words:
        assert word in line, line
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("name", MENDED)
def test_mended_aloud(tmp_path, name):
    files, words = MENDED[name]
    write(tmp_path, files)
    notes = read_own(tmp_path).notes
    assert any(all(word in note for word in words) for note in notes), notes


def test_unicode_and_numeric_class_names(tmp_path):
    write(tmp_path, {"w.csv": text([line[:-1] + "éß"[i % 2] for i, line in enumerate(lines())])})
    assert read_own(tmp_path).classes == ["ß", "é"]
    write(tmp_path, {"w.csv": text([f"{line[:-1]}{[10, 9][i % 2]}"
                                    for i, line in enumerate(lines())])})  # fmt: skip
    assert read_own(tmp_path).classes == ["9", "10"]


def test_a_million_columns(tmp_path):
    wide = 1_000_000
    header = ",".join(["id", *(f"c{j}" for j in range(wide)), "label"])
    write(tmp_path, {"w.csv": text(["p0"], header)})
    with pytest.raises(DataError, match=r"w\.csv: has about 1,000,002 columns.*svmlight"):
        read_own(tmp_path)
    (tmp_path / "w.csv").unlink()
    matrix = sp.random(N, wide, 1e-5, format="csr", random_state=0)
    write(tmp_path, {"w.npz": sparse(matrix)})
    data = read_own(tmp_path)
    assert data.views.shape == (N, wide)
    assert sp.issparse(data.views.matrices[0])


def test_an_archive_of_other_things(tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("hello.txt", "hello")
    write(tmp_path, {"a.npz": buffer.getvalue()})
    with pytest.raises(DataError, match=r"a\.npz"):
        read_own(tmp_path)
