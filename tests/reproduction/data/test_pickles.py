import collections
import io
import os
import pickle
import time

import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data import pickles
from reproduction.data.pickles import PickleRefusedError


def python2(value) -> bytes:
    """The bytes Python 2 with the numpy and scipy of 2016 would have written."""
    content = pickle.dumps(value, protocol=2)
    for new, old in (
        (b"cnumpy._core.multiarray\n", b"cnumpy.core.multiarray\n"),
        (b"cscipy.sparse._csr\n", b"cscipy.sparse.csr\n"),
        (b"c__builtin__\n", b"c__builtin__\n"),
    ):
        content = content.replace(new, old)
    return content


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8", "u1", "?", ">f8", "<i2"])
@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_arrays_round_trip(rng, dtype, protocol):
    array = rng.integers(0, 2, size=(4, 3)).astype(dtype)
    loaded = pickles.loads(pickle.dumps(array, protocol=protocol))
    assert np.array_equal(loaded, array)
    assert loaded.dtype == array.dtype.newbyteorder("=")


def test_fortran_order(rng):
    array = np.asfortranarray(rng.random((3, 5)))
    assert np.array_equal(pickles.loads(pickle.dumps(array, protocol=2)), array)


def test_sparse_matrix_and_graph_round_trip(rng):
    matrix = sp.random(7, 9, density=0.3, format="csr", rng=rng, dtype=np.float32)
    loaded = pickles.loads(python2(matrix))
    assert loaded.shape == matrix.shape
    assert (loaded != matrix).nnz == 0
    graph = collections.defaultdict(list, {0: [1, 2], 1: [0], 5: []})
    assert pickles.loads(python2(graph)) == dict(graph)


def test_the_protocol_of_python_2_text_is_read_as_latin_1():
    # cnumpy... written by hand: array([1.5, -2.0]) with its bytes as a Python 2 str
    raw = np.array([1.5, -2.0]).tobytes()
    content = (
        b"\x80\x02cnumpy.core.multiarray\n_reconstruct\nq\x01cnumpy\nndarray\nq\x02K\x00\x85U\x01b"
        b"\x87R(K\x01K\x02\x85cnumpy\ndtype\nU\x02f8K\x00K\x01\x87R"
        b"(K\x03U\x01<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89"
        + b"U" + bytes([len(raw)]) + raw + b"tb."
    )  # fmt: skip
    assert pickles.loads(content).tolist() == [1.5, -2.0]


def reduce_to(function, *arguments):
    class Hostile:
        def __reduce__(self):
            return function, arguments

    return Hostile()


HOSTILE = {
    "os.system": lambda flag: reduce_to(os.system, f"touch {flag}"),
    "eval": lambda flag: reduce_to(eval, f"open({str(flag)!r}, 'w')"),
    "exec": lambda flag: reduce_to(exec, f"open({str(flag)!r}, 'w')"),
    "open": lambda flag: reduce_to(open, str(flag), "w"),
    "numpy.load": lambda flag: reduce_to(np.load, str(flag)),
    "numpy.save": lambda flag: reduce_to(np.save, str(flag), 1),
    "getattr": lambda flag: reduce_to(getattr, "text", "upper"),
    "import": lambda flag: reduce_to(__import__, "os"),
    "loads": lambda flag: reduce_to(pickle.loads, b"N."),
    "in a dict": lambda flag: {"x": [reduce_to(os.system, f"touch {flag}")]},
    "in an array": lambda flag: np.array([reduce_to(os.system, f"touch {flag}")], dtype=object),
}


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("protocol", [0, 1, 2, 4])
def test_hostile_pickles_are_refused_and_run_nothing(tmp_path, case, protocol):
    flag = tmp_path / "flag.npy"
    with_flag = pickle.dumps(HOSTILE[case](flag), protocol=protocol)
    with pytest.raises(PickleRefusedError, match=r"evil\.pkl"):
        pickles.loads(with_flag, "evil.pkl")
    assert not flag.exists()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"cnumpy\nndarray\n(I1000000000\ntR.", "only be mentioned"),
        (b"cnumpy\ndtype\n(S'S8'\ntR.", "not of numbers"),
        (b"cnumpy\ndtype\n(S'f8'\ntR.", "not plain data"),
        (b"ccollections\ndefaultdict\n(cos\nsystem\ntR.", r"names os\.system"),
        (b"ccollections\ndefaultdict\n(cnumpy\nndarray\ntR.", "foreign default"),
        (b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\ndtype\n(I0\ntS'b'\ntR.", "foreign type"),
        (b"c_codecs\nencode\n(S'x'\nS'rot13'\ntR.", "other than bytes"),
        (b"(S'x'\nios\nsystem\n.", "uses INST"),
        (b"\x80\x02c__builtin__\nlist\n}U\x01aK\x01sb.", "change a function or type"),
        (b"\x80\x02cnumpy\ndtype\n}U\x08__call__K\x01sb.", "change a function or type"),
        (b"\x80\x02Nr\xff\xff\xff\x7f.", "numbers more objects"),
        (b"Pabc\n.", "uses PERSID"),
        (b"\x80\x02}q\x00h\x00h\x00s.", r"refused|damaged"),
        (b"", "truncated or damaged"),
        (b"\x80\x02]q\x00h\x00a.", "too deeply"),
    ],
)  # fmt: skip
def test_crafted_bytes_are_refused(content, message):
    with pytest.raises(PickleRefusedError, match=message):
        pickles.loads(content)


def test_state_that_does_not_fit_is_refused(rng):
    whole = pickle.dumps(rng.random(10), protocol=2)
    wrong = whole.replace(b"K\n\x85", b"K\x0b\x85", 1)  # eleven values from the bytes of ten
    assert wrong != whole
    with pytest.raises(PickleRefusedError, match="does not fit"):
        pickles.loads(wrong)
    matrix = sp.csr_matrix(np.eye(3))
    matrix.indices = np.array([0, 1, 99], dtype=np.int32)
    with pytest.raises(PickleRefusedError, match="malformed matrix"):
        pickles.loads(pickle.dumps(matrix, protocol=2))


def test_truncated_pickles_are_refused(rng):
    whole = python2(sp.random(20, 20, density=0.3, format="csr", rng=rng))
    for cut in rng.integers(0, len(whole) - 1, size=20):
        with pytest.raises(PickleRefusedError, match="truncated or damaged"):
            pickles.loads(whole[: int(cut)])


def saved(value, **options):
    """The bytes of an ``.npy`` file."""
    out = io.BytesIO()
    np.lib.format.write_array(out, value, version=(1, 0), **options)
    return out.getvalue()


def boxed(value):
    """The value in an array of no dimension, as numpy keeps a matrix."""
    box = np.empty((), dtype=object)
    box[()] = value
    return box


def test_one_matrix_in_an_array_file_is_read(rng):
    matrix = sp.random(20, 9, 0.3, format="csr", rng=rng)
    found = pickles.load_npy(saved(boxed(matrix)), "x.npy")
    assert (found != matrix).nnz == 0
    plain = rng.normal(size=(3, 4))
    assert np.array_equal(pickles.load_npy(saved(plain), "x.npy"), plain)


@pytest.mark.parametrize(
    "value",
    [np.array([{"a": 1}, None], dtype=object), boxed(os.system), boxed(boxed([1, print]))],
    ids=["several", "function", "nested"],
)
def test_other_objects_in_array_files_are_refused(value):
    with pytest.raises(PickleRefusedError):
        pickles.load_npy(saved(value, allow_pickle=True), "x.npy")


def test_a_file_that_is_no_array_is_named():
    with pytest.raises(PickleRefusedError, match=r"x\.npy is no array file"):
        pickles.load_npy(b"<html>", "x.npy")


def test_a_list_named_many_times_over_costs_no_time():
    value = [1.0]
    for _ in range(5):
        value = [value] * 60  # 60^5 entries when written out
    start = time.perf_counter()
    found = pickles.loads(pickle.dumps(value, protocol=2))
    assert time.perf_counter() - start < 5
    assert len(found) == 60
    assert found[0][0][0][0][0] == [1.0]
