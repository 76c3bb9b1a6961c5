"""Foreign files are read in a process of their own, which may die."""

import io
import os
import signal

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from reproduction.data import apart
from reproduction.data.errors import ReadError


def mat(**content):
    stream = io.BytesIO()
    scipy.io.savemat(stream, content)
    return stream.getvalue()


def test_arrays_come_back_as_they_were(rng):
    dense = rng.normal(size=(4, 3))
    sparse = sp.random(6, 5, density=0.4, format="csc", rng=rng)
    cell = np.empty((1, 2), dtype=object)
    cell[0, 0], cell[0, 1] = dense, sparse
    content = mat(dense=dense, sparse=sparse, cell=cell, names=["ab", "cd"], record={"a": 1})
    found = apart.read("mat", content, "x.mat")
    expected = scipy.io.loadmat(io.BytesIO(content))
    assert set(found) == {"dense", "sparse", "cell", "names"}, "structures are left out"
    np.testing.assert_array_equal(found["dense"], expected["dense"])
    np.testing.assert_array_equal(found["sparse"].toarray(), expected["sparse"].toarray())
    assert found["sparse"].format == expected["sparse"].format
    assert found["cell"].shape == expected["cell"].shape
    np.testing.assert_array_equal(found["cell"][0, 1].toarray(), sparse.toarray())
    np.testing.assert_array_equal(found["names"], expected["names"])


def test_many_files_are_read_by_one_process():
    apart.read("mat", mat(a=np.eye(2)), "x.mat")
    first = apart._APART.process.pid
    with pytest.raises(ReadError):
        apart.read("mat", b"no", "x.mat")
    apart.read("mat", mat(a=np.eye(2)), "x.mat")
    assert apart._APART.process.pid == first


def test_a_reader_that_dies_is_an_error_and_the_next_file_is_read(monkeypatch):
    apart.read("mat", mat(a=np.eye(2)), "x.mat")
    os.kill(apart._APART.process.pid, signal.SIGSEGV)
    apart._APART.process.wait()
    apart.read("mat", mat(a=np.eye(2)), "x.mat")  # one that died between two files is replaced
    monkeypatch.setattr(
        apart, "_send", lambda *_: os.kill(apart._APART.process.pid, signal.SIGSEGV)
    )
    with pytest.raises(
        ReadError, match=r"x\.mat is no readable MATLAB 5 file \(its reader crashed"
    ):
        apart.read("mat", mat(a=np.eye(2)), "x.mat")
    monkeypatch.undo()
    assert set(apart.read("mat", mat(a=np.eye(2)), "x.mat")) == {"a"}


def test_a_reader_that_takes_too_long_is_ended():
    with pytest.raises(ReadError, match=r"took more than 0\.01 seconds"):
        apart.read("mat", mat(a=np.zeros((3000, 3000))), "x.mat", seconds=0.01)


def test_memory_is_bounded():
    head = b"\x93NUMPY\x01\x00v\x00"
    text = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }"
    with pytest.raises(ReadError, match=r"x\.npy is no readable array file"):
        apart.read("npy", head + text.ljust(117) + b"\n", "x.npy")


@pytest.mark.parametrize("reader", apart.READERS)
@pytest.mark.parametrize("content", [b"", b"<html><p>Not found</p></html>", bytes(500)])
def test_what_is_something_else_is_refused_without_bad_advice(reader, content):
    if (reader, content) == ("svmlight", b""):
        pytest.skip("an empty file is one without rows")
    with pytest.raises(ReadError, match=r"data/x is no readable .*; write it again") as told:
        apart.read(reader, content, "data/x", mend="write it again")
    assert "pickle" not in str(told.value)
    assert " at 0x" not in str(told.value)


def test_objects_are_refused():
    stream = io.BytesIO()
    np.save(stream, np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ReadError, match="it holds Python objects, not numbers"):
        apart.read("npy", stream.getvalue(), "x.npy")
