"""Malformed and hostile files: one line that names file and mend, or a repair said aloud.

Nothing is followed, waited for, unpacked or allocated beyond its bound, and nothing ends in a
traceback.
"""

import gzip
import os
import socket
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from small_data import saved, write

from manyviews.compare.reading import apart
from manyviews.compare.reading.guard import DataError, printable, safe_label
from manyviews.compare.reading.own import read_own

N = 24
HEADER = "id,a,b,c,label"
MARKET = "%%MatrixMarket matrix coordinate real general\n{} {} 1\n1 1 1.0\n"


def lines(n=N, start=0):
    return [f"p{i},{i},{i % 3},{(7 * i) % 5 + 1},{'xy'[i % 2]}" for i in range(start, n)]


def text(rows=None, header=HEADER):
    return "\n".join([header, *(lines() if rows is None else rows)]) + "\n"


def labelled(label):
    """The table with other classes, by row number."""
    return text([line[:-1] + str(label(i)) for i, line in enumerate(lines())])


def changed(row, column, value):
    rows = [line.split(",") for line in lines()]
    rows[row][column] = value
    return text([",".join(cells) for cells in rows])


def npz(**arrays):
    return saved(np.savez, **arrays)


def sparse(place, value):
    matrix = sp.csr_matrix(np.eye(N))
    getattr(matrix, place)[3] = value
    return saved(sp.save_npz, matrix)


def announced(shape):
    """An array file that is all header."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00v\x00" + header.ljust(117) + b"\n"


X = np.arange(N * 3.0).reshape(N, 3)
DATA = {"w.csv": text()}


def described(yaml, **files):
    return {**DATA, **files, "data.yaml": yaml}


#: Name -> files, and words of the one line that refuses them.
REFUSED = {
    "no folder": (None, ["no such file"]),
    "empty folder": ({}, ["holds no file"]),
    "header only": ({"w.csv": HEADER + "\n"}, ["w.csv", "no rows"]),
    "a line too long": ({"w.csv": text([*lines()[:3], "p3,1,2,3,x,9", *lines(N, 4)])},
                        ["w.csv", "line 5", "6 cells"]),
    "open quotes": ({"w.csv": text([*lines()[:3], 'p3,"1,2,3,x', *lines(N, 4)])},
                    ["w.csv", "quotes"]),
    "zero byte": ({"w.csv": text().encode() + b"\0"}, ["w.csv", "zero byte"]),
    "cut UTF-16": ({"w.csv": text().encode("utf-16")[:-1]}, ["w.csv", "UTF-16"]),
    "same id twice": ({"w.csv": text([*lines(), "p3,1,1,1,x"]), "data.yaml": "id: id\n"},
                      ["w.csv", "row 25", "'p3'"]),
    "a word among numbers": ({"w.csv": changed(4, 1, "seven")},
                             ["w.csv", "line 6", "'a'", "'seven'"]),
    "a number too large": ({"w.csv": changed(4, 1, "1e999")}, ["w.csv", "line 6", "infinite"]),
    "a measurement as label": ({"w.csv": labelled(lambda i: i / 7)}, ["w.csv", "no classes"]),
    "second class too small": ({"w.csv": labelled(lambda i: "yx"[i > 2])},
                               ["w.csv", "1 of them in 5 rows"]),
    "labels asked for are blank": (described("labels: label\n", **{
        "w.csv": labelled(lambda i: "")}), ["w.csv", "blank"]),
    "too few rows": ({"w.csv": text(lines()[:6])}, ["w.csv", "6 rows", "too few"]),
    "ids share nothing": ({"a.csv": text(), "b.csv": text().replace("p", "q")}, ["a.csv", "no id"]),
    "files of different length": ({"a.npz": npz(a=X), "b.npz": npz(b=X[:-1])},
                                  ["b.npz", "23 rows", "a.npz", "id"]),
    "labels contradict": ({"a.csv": text(), "b.csv": changed(2, 4, "y")},
                          ["b.csv", "'p2'", "a.csv"]),
    "labels of other rows": ({**DATA, "labels.csv": "id,label\nq1,x\nq2,y\n"},
                             ["labels.csv", "'q1'"]),
    "two views of one name": ({"a.csv": text(), "a.tsv": text().replace(",", "\t")},
                              ["'a'", "data.yaml"]),
    "only names": ({"w.csv": text([f"p{i},n{i}" for i in range(N)], "id,word")},
                   ["w.csv", "feature"]),
    "view all zero": ({**DATA, "z.npz": npz(z=np.zeros((N, 2)))}, ["z.npz", "empty"]),
    "pickled objects": ({"a.npz": npz(a=np.array([{"x": 1}] * N, dtype=object))},
                        ["a.npz", "allow_pickle=False"]),
    "npz without matrix": ({"a.npz": npz(y=np.arange(N))}, ["a.npz", "no matrix"]),
    "three dimensions": ({"a.npz": npz(a=X[:, :, None])}, ["a.npz", "(24, 3, 1)"]),
    "infinite array": ({"a.npz": npz(a=np.where(X == 4, np.inf, X))}, ["a.npz", "row 1"]),
    "sparse arrays contradict": ({"a.npz": sparse("indices", 999)}, ["a.npz", "save it again"]),
    "sparse infinity": ({"a.npz": sparse("data", np.inf)}, ["a.npz", "row 3, column 3"]),
    "arrays that share no rows": ({"a.npz": npz(a=X, b=X[:-1, :2])}, ["share no number of rows"]),
    "texts without words": ({f"a/{i}.txt": "?" for i in range(30)}, ["a", "no word"]),
    "YAML key twice": (described("id: id\nid: a\n"), ["data.yaml", "twice"]),
    "unknown key": (described("veiws: {}\n"), ["data.yaml", "views"]),
    "file that is not there": (described("views: {w: x.csv}\n"), ["data.yaml", "'x.csv'"]),
    "the class as a feature": (
        described("views: {w: {file: w.csv, columns: [a, label]}}\nlabels: label\n"),
        ["w.csv", "'label'", "class"],
    ),
    "pattern that fits nothing": (described("views: {w: {file: w.csv, columns: [a, 'z*']}}\n"),
                                  ["w.csv", "'z*'"]),
    "array that is not there": (described("views: {w: {file: a.npz, array: zz}}\n", **{
        "a.npz": npz(a=X)}), ["a.npz", "'zz'"]),
    "label that is not there": (described("labels: zz\n"), ["data.yaml", "'zz'"]),
    "id that is not there": (described("id: zz\n"), ["w.csv", "'zz'"]),
    "unknown task": (described("task: guess\n"), ["data.yaml", "'guess'"]),
    "nearly all labels": (described("label_share: 0.999999\n"), ["data.yaml", "label_share"]),
    "nearly as many clusters as rows": (described("task: cluster\nclusters: 5\n"),
                                        ["data.yaml", "clusters is 5 for 24 rows", "4 at most"]),
    "links of another width": (described("views: {w: {file: w.csv, graph: true}}\n"),
                               ["w.csv", "links"]),
    # what a hostile stranger sends
    "terabytes announced": ({"a.npy": announced("(1000000, 1000000)")}, ["a.npy"]),
    "columns beyond reason": ({"a.mtx": MARKET.format(N, 10**9)}, ["a.mtx", "columns"]),
    "a million columns": ({"w.csv": text(["p0"], "id," + "c," * 1_000_000)}, ["w.csv", "svmlight"]),
    "a path upwards": ({"data.yaml": "views: {w: ../w.csv}\n"}, ["data.yaml", "outside"]),
    "a path of 5,000 letters": ({"data.yaml": f"views: {{w: {'a' * 5000}}}\n"}, ["data.yaml"]),
    "aliases of aliases": ({"data.yaml": "a0: &a0 [x, x]\n" + "".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30))},
        ["data.yaml", "alias"]),
    "depth": ({"data.yaml": "views: " + "[" * 5000 + "]" * 5000}, ["data.yaml", "depth"]),
    "a tag that makes objects": ({"data.yaml": "views: !!python/name:os.system\n"}, ["data.yaml"]),
    "a description of megabytes": ({"data.yaml": "#" * (5 << 20)}, ["data.yaml", "bytes"]),
    "an endless name": ({"w.csv": changed(4, 1, "four").replace("a,b", "a" * 200_000 + ",b", 1)},
                        ["w.csv", "line 6"]),
}  # fmt: skip

#: Name -> files, and words of a note that says what was done.
MENDED = {
    "byte order mark": ({"w.csv": "﻿" + text()}, ["rows are named by column 'id'"]),
    "UTF-16": ({"w.csv": text().encode("utf-16")}, ["UTF-16"]),
    "Latin-1": ({"w.csv": text().replace("x\n", "é\n").encode("latin-1")}, ["Windows-1252"]),
    "semicolons": ({"w.csv": text().replace(",", ";")}, ["semicolons"]),
    "decimal commas": ({"w.csv": text([line.replace(",", ";").replace(";", ";1,", 1)
                                       for line in lines()], HEADER.replace(",", ";"))},
                       ["decimal commas"]),
    "no header": ({"w.csv": "\n".join(f"{i},{i % 3},{i % 4}" for i in range(N))}, ["no header"]),
    "column names twice": ({"w.csv": text(header="id,a,a,c,label")}, ["more than once"]),
    "a blank": ({"w.csv": changed(4, 1, "?")}, ["1 blank cells", "median"]),
    "a row of NaN": ({"a.npz": npz(a=np.where(X < 3, np.nan, X), b=X)}, ["1 of 24 rows lack"]),
    "a blank column": ({"w.csv": text([line.replace(f",{i},", ",,", 1)
                                       for i, line in enumerate(lines())])}, ["no value"]),
    "negative counts": ({"w.csv": changed(4, 1, "-3")}, ["negative values"]),
    "blank labels, guessed": ({"w.csv": labelled(lambda i: "")}, ["are clustered"]),
    "small class": ({"w.csv": changed(0, 4, "z")}, ["treated as unlabelled", "'z'"]),
    "labels of further rows": ({**DATA, "labels.csv": "id,label\nq1,x\n" + "\n".join(
        f"p{i},{'uv'[i % 2]}" for i in range(N))}, ["1 ids are no row"]),
    "ids in one file, equally long": ({"a.csv": text(), "b.npz": npz(b=X)}, ["joined by line"]),
    "names as a column": ({"w.csv": text([f"{line},n{i}" for i, line in enumerate(lines())],
                                         HEADER + ",who")}, ["'who' left out"]),
    "unknown file beside": ({**DATA, "a.xyz": "1"}, ["a.xyz is left out"]),
    "an array of other rows": ({"a.npz": npz(a=X, b=X, c=np.ones((9, 7)))}, ["9 x 7, not 24 rows"]),
    # rows of one id would be added up or lost
    "ids that an array repeats": ({"a.npz": npz(a=X, id=np.arange(N) % 9)}, ["'id'", "left out"]),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_one_line(tmp_path, name):
    files, words = REFUSED[name]
    folder = tmp_path / "data"
    write(tmp_path, DATA)  # for who looks upwards
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
    data = read_own(tmp_path)
    assert any(all(word in note for word in words) for note in data.notes), data.notes
    assert len(data) == N


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("kind", ["link", "pipe", "socket", "link as data.yaml"])
def test_what_is_no_file_is_refused_unopened(tmp_path, kind):
    folder = tmp_path / "in"
    write(tmp_path, {"in/w.csv": text(), "secret.csv": text()})
    if kind == "link":
        (folder / "x.csv").symlink_to(tmp_path / "secret.csv")
    elif kind == "link as data.yaml":
        (folder / "data.yaml").symlink_to(tmp_path / "secret.csv")
    elif kind == "pipe":
        os.mkfifo(folder / "x.csv")
    else:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(folder / "x.csv"))
    with pytest.raises(DataError, match=r"is a (link|pipe|socket) and not a file"):
        read_own(folder)
    if kind == "pipe":
        with pytest.raises(DataError, match="is a pipe"):
            read_own(folder / "x.csv")


def test_a_bomb_stays_packed(tmp_path, monkeypatch):
    """A table that unpacks to more than a table may have is refused; the bound is lowered here."""
    monkeypatch.setattr("manyviews.compare.reading.guard.MOST_TEXT", 1 << 20)
    bomb = tmp_path / "w.csv.gz"
    bomb.write_bytes(gzip.compress(bytes(8 << 20)))
    with pytest.raises(DataError, match=r"w\.csv\.gz: .* more than 1,048,576 bytes"):
        read_own(bomb)
    monkeypatch.setattr("manyviews.compare.reading.tables.MOST_CELLS", 9000)
    bomb.write_bytes(gzip.compress(b"1,2\n" * 5000))
    with pytest.raises(DataError, match=r"w\.csv\.gz: has about 9,999 cells"):
        read_own(bomb)
    (tmp_path / "w.csv").write_bytes(b"a" * (2 << 20))
    with pytest.raises(DataError, match=r"w\.csv: has 2,097,152 bytes"):
        read_own(tmp_path / "w.csv")


@pytest.fixture
def parsers(tmp_path, monkeypatch):
    name = "manyviews_guard_parsers"
    (tmp_path / f"{name}.py").write_text(
        "import os\nimport numpy as np\n"
        "def crash(content): os.abort()\n"
        "def endless(content):\n    while True: pass\n"
        "def greedy(content): return {'': np.ones(1 << 38)}\n"
        "def speechless(content): raise ValueError\n"
        "def printing(content): print('noise'); return {'': np.arange(3)}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    apart.stop()  # a process that knows the folder
    yield name
    apart.stop()


def test_a_parser_that_dies_hangs_or_takes_all_memory_is_an_error(parsers, monkeypatch):
    for name, seconds, words in (
        ("crash", 60.0, "crashes its reader: SIGABRT"),
        ("endless", 3.0, "more than 3 seconds"),
        ("greedy", 60.0, "of memory"),
        ("speechless", 60.0, "^$"),
    ):
        monkeypatch.setattr(apart, "SECONDS", seconds)
        with pytest.raises(apart.ApartError, match=words):
            apart.call(f"{parsers}:{name}", b"")
    assert apart.call(f"{parsers}:printing", b"")[""].tolist() == [0, 1, 2]


def test_a_module_beside_the_data_is_not_imported(tmp_path, monkeypatch):
    write(tmp_path, {"scipy.py": "open('ran', 'w')\n", "json.py": "open('ran', 'w')\n"})
    np.save(tmp_path / "w.npy", np.arange(60.0).reshape(30, 2))
    monkeypatch.chdir(tmp_path)
    apart.stop()
    assert len(read_own("w.npy")) == 30
    assert not (tmp_path / "ran").exists()


def test_odd_names_are_read_and_can_be_shown(tmp_path, rng):
    """Half characters, dollars, formulas and endless names; what is shown can be encoded."""
    np.savez(tmp_path / "a.npz", **{"=1+$x$": rng.random((N, 2)), "b" * 300: rng.random((N, 3))})
    (tmp_path / "data.yaml").write_text(
        'name: "\\ud800"\nviews:\n  "v\\ud800": {file: a.npz, array: "=1+$x$"}\n'
        f"  {'w' * 300}: {{file: a.npz, array: {'b' * 300}}}\n"
    )
    data = read_own(tmp_path)
    assert data.views.names == (r"v\ud800", "w" * 300)
    for name in (data.name, *data.views.names, *data.notes, *data.columns[0]):
        name.encode("utf-8")


def test_labels_of_names_are_short_and_never_alike():
    names = ["n" * 100 + str(i) for i in range(50)] + ["a\nb", "a\tb\x00", "$x$", "\ud800"]
    labels = [safe_label(name, 40) for name in names]
    assert len(set(labels)) == len(names)
    assert all(len(label) <= 40 and label.isprintable() for label in labels)
    assert printable("\u202eab\n c") == r"\u202eab c"
