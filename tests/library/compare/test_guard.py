"""Files of strangers: nothing is followed, waited for, unpacked or allocated beyond its bound."""

import bz2
import gzip
import lzma
import os
import socket
import sys
import time

import numpy as np
import pytest

pytest.importorskip("yaml", reason="own data need the extra: manyviews[compare]")

from manyviews.compare.reading import apart
from manyviews.compare.reading.errors import DataError
from manyviews.compare.reading.own import read_own
from manyviews.compare.reading.safe import printable, safe_cell, safe_label

N = 24
TABLE = "id,a,b,label\n" + "".join(f"p{i},{i},{i % 3},{'xy'[i % 2]}\n" for i in range(N))
MARKET = "%%MatrixMarket matrix coordinate real general\n{} {} 1\n1 1 1.0\n"


def announced(shape):
    """An array file that is all header."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00v\x00" + text.ljust(117) + b"\n"


#: Name -> content of files, and words of the refusal.
HOSTILE = {
    "terabytes announced": ({"a.npy": announced("(1000000, 1000000)")}, ["a.npy", "announces"]),
    "a shape beyond numbers": ({"a.npy": announced(f"({10**30}, 9)")}, ["a.npy"]),
    "rows beyond reason": ({"a.mtx": MARKET.format(10**12, 3)}, ["a.mtx"]),
    "columns beyond reason": ({"a.mtx": MARKET.format(N, 10**9)}, ["a.mtx", "columns"]),
    "a column number beyond reason": ({"a.svmlight": "1 2000000000:1\n"}, ["columns"]),
    "a dense matrix beyond reason": ({"a.mtx": "%%MatrixMarket matrix array real general\n"
                                      "1000000 1000000\n1\n"}, ["a.mtx"]),
    "a path upwards": ({"data.yaml": "views: {w: ../w.csv}\n"}, ["data.yaml", "outside"]),
    "an absolute path": ({"data.yaml": "views: {w: /etc/passwd}\n"}, ["data.yaml", "outside"]),
    "labels from upwards": ({"w.csv": TABLE, "data.yaml": "labels: {file: ../w.csv}\n"},
                            ["data.yaml", "outside"]),
    "a tree from upwards": ({"w.csv": TABLE, "data.yaml": "ontology: ../../etc/passwd\n"},
                            ["data.yaml", "outside"]),
    "a zero byte in a path": ({"data.yaml": 'views: {w: "a\\0b.csv"}\n'}, ["data.yaml"]),
    "a path of 5,000 letters": ({"data.yaml": f"views: {{w: {'a' * 5000}}}\n"}, ["data.yaml"]),
    "an alias": ({"data.yaml": "a: &x [1]\nb: *x\n"}, ["data.yaml", "alias"]),
    "aliases of aliases": ({"data.yaml": "a0: &a0 [x, x]\n" + "".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30))},
        ["data.yaml", "alias"]),
    "a list as a key": ({"data.yaml": "? [a, b]\n: 1\n"}, ["data.yaml", "key"]),
    "depth": ({"data.yaml": "views: " + "[" * 5000 + "]" * 5000}, ["data.yaml", "within"]),
    "depth of braces": ({"data.yaml": "{a: " * 3000}, ["data.yaml"]),
    "a tag that makes objects": ({"data.yaml": "views: !!python/name:os.system\n"}, ["data.yaml"]),
    "a tag with a wrong value": ({"data.yaml": "views: !!int ''\n"}, ["data.yaml"]),
    "depth of JSON": ({"w.csv": TABLE, "tree.json": "[" * 100_000}, ["tree.json"]),
    "a tree of trees": ({"w.csv": TABLE, "tree.json": '{"x": [["u"]], "y": "u"}'}, ["tree.json"]),
    "a description of megabytes": ({"data.yaml": "#" * (5 << 20)}, ["data.yaml", "bytes"]),
    "nearly all labels": ({"w.csv": TABLE, "data.yaml": "label_share: 0.999999\n"},
                          ["data.yaml", "label_share"]),
    "an endless name": ({"w.csv": TABLE.replace("a,b", "a" * 200_000 + ",b", 1).replace(
        "p4,4", "p4,four")}, ["w.csv", "line 6"]),
}  # fmt: skip


def write(folder, files):
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(tmp_path, name):
    files, words = HOSTILE[name]
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "w.csv").write_text(TABLE)
    write(folder, files)
    with pytest.raises(DataError) as caught:
        read_own(folder)
    line = str(caught.value)
    assert len(line) < 400
    assert "\n" not in line
    for word in words:
        assert word in line


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize(
    "kind", ["link", "link to a folder", "pipe", "socket", "link as data.yaml"]
)
def test_what_is_no_file_is_refused_unopened(tmp_path, kind):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "w.csv").write_text(TABLE)
    (tmp_path / "secret.csv").write_text(TABLE)
    if kind == "link":
        (folder / "x.csv").symlink_to(tmp_path / "secret.csv")
    elif kind == "link to a folder":
        (folder / "x").symlink_to(tmp_path)
    elif kind == "link as data.yaml":
        (folder / "data.yaml").symlink_to(tmp_path / "secret.csv")
    elif kind == "pipe":
        os.mkfifo(folder / "x.csv")
    else:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(folder / "x.csv"))
    started = time.monotonic()
    with pytest.raises(DataError, match=r"is a (link|pipe|socket) and not a file"):
        read_own(folder)
    assert time.monotonic() - started < 30
    if kind == "pipe":
        with pytest.raises(DataError, match="is a pipe"):
            read_own(folder / "x.csv")


def test_a_bomb_stays_packed(tmp_path, monkeypatch):
    """A table that unpacks to more than a table may have is refused; the bound is lowered here."""
    monkeypatch.setattr("manyviews.compare.reading.tables.MOST_TEXT", 1 << 20)
    for ending, pack in (("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)):
        bomb = tmp_path / f"w.csv.{ending}"
        bomb.write_bytes(pack(bytes(8 << 20)))
        with pytest.raises(DataError, match=rf"w\.csv\.{ending}: .* more than 1,048,576 bytes"):
            read_own(bomb)
    (tmp_path / "w.csv").write_bytes(b"a" * (2 << 20))
    with pytest.raises(DataError, match=r"w\.csv: has 2,097,152 bytes"):
        read_own(tmp_path / "w.csv")


HERE = "manyviews_guard_parsers"


@pytest.fixture
def parsers(tmp_path, monkeypatch):
    (tmp_path / f"{HERE}.py").write_text(
        "import os\nimport numpy as np\n"
        "def crash(content): os.abort()\n"
        "def endless(content):\n    while True: pass\n"
        "def greedy(content): return {'': np.ones(1 << 38)}\n"
        "def printing(content): print('noise'); return {'': np.arange(3)}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    apart.stop()  # a process that knows the folder
    yield HERE
    apart.stop()


def test_a_parser_that_dies_hangs_or_takes_all_memory_is_an_error(parsers):
    for name, seconds, words in (
        ("crash", 60.0, "crashes its reader: SIGABRT"),
        ("endless", 3.0, "more than 3 seconds"),
        ("greedy", 60.0, "of memory"),
    ):
        with pytest.raises(apart.ApartError, match=words):
            apart.call(f"{parsers}:{name}", b"", seconds=seconds)
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
    for text in (data.name, *data.views.names, *data.notes, *data.columns[0]):
        text.encode("utf-8")


def test_labels_of_names_are_short_and_never_alike(rng):
    names = ["n" * 100 + str(i) for i in range(50)] + ["a\nb", "a\tb\x00", "$x$", "\ud800"]
    labels = [safe_label(name, 40) for name in names]
    assert len(set(labels)) == len(names)
    assert all(len(label) <= 40 and label.isprintable() for label in labels)
    assert safe_label("$x$", drawn=True) == r"\$x\$"
    assert printable("\u202eab\n c") == r"\u202eab c"


def test_cells_are_no_formulas():
    for cell in ("=cmd()", "+1+1", "-1-1", "@x", "\tx"):
        assert safe_cell(cell) == f"'{cell}"
    for cell in ("-1", "+2.5e-3", "word", "", "a=b"):
        assert safe_cell(cell) == cell


def test_ids_that_an_array_repeats_are_no_ids(tmp_path, rng):
    """Rows of one id would be added up or lost."""
    ids = np.array([f"p{i}" for i in range(N - 1)] + ["p0"])
    np.savez(tmp_path / "a.npz", a=rng.random((N, 2)), id=ids)
    data = read_own(tmp_path)
    assert len(data) == N
    assert any("does not name each row" in note for note in data.notes)
