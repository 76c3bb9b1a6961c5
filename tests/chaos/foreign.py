"""Small foreign files of every format that is read, and the reader of each.

Files of other people go through the readers of ``reproduction.data``; each answers with a value or
with a ``ReadError`` that names the file. :func:`outcome` says which, and what else happened.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import scipy.io
import scipy.sparse as sp
from own_files import OwnFormat

from manyviews.compare.reading.errors import DataError
from reproduction.data import pickles
from reproduction.data.archives import read_members
from reproduction.data.builders.own import read_file
from reproduction.data.builders.raw import RawFiles
from reproduction.data.entry import OwnFile
from reproduction.data.errors import ReadError
from reproduction.data.format import MultiViewData
from reproduction.data.images import decode
from reproduction.data.rdata import read_rda

Reader = Callable[[Path], object]


@dataclass(frozen=True)
class Format:
    """One format: the name of a file, a sound content, the reader."""

    file: str
    content: bytes
    read: Reader


def _matrix() -> sp.csr_matrix:
    dense = np.random.default_rng(0).integers(0, 3, size=(12, 9)).astype(np.float64)
    return sp.csr_matrix(dense)


def _mat(compress: bool) -> bytes:
    cell = np.empty((1, 2), dtype=object)
    cell[0, 0], cell[0, 1] = np.eye(3), _matrix().tocsc()
    content = {"X": _matrix().toarray(), "S": _matrix().tocsc(), "C": cell, "names": ["a", "bc"]}
    stream = io.BytesIO()
    scipy.io.savemat(stream, content, do_compression=compress)
    return stream.getvalue()


def _picture(ending: str) -> bytes:
    pixels = np.random.default_rng(1).integers(0, 255, size=(24, 32, 3), dtype=np.uint8)
    return bytes(cv2.imencode(ending, pixels)[1])


def _npz() -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, words=_matrix().toarray(), y=np.arange(12))
    return stream.getvalue()


def _npy() -> bytes:
    stream = io.BytesIO()
    np.save(stream, _matrix().toarray())
    return stream.getvalue()


def _pickle() -> bytes:
    matrix = _matrix()
    matrix.indices = matrix.indices.astype(np.int32)
    return pickle.dumps(matrix, protocol=2)


def _tar(pack: Callable[[bytes], bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for name in ("set/a.txt", "set/b/c.txt"):
            info = tarfile.TarInfo(name)
            info.size = 300
            tar.addfile(info, io.BytesIO(b"words\n" * 50))
    return pack(stream.getvalue())


def _zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("set/a.txt", b"words\n" * 50)
        archive.writestr("set/b/c.txt", b"more\n" * 50)
    return stream.getvalue()


def _rda() -> bytes:
    """A pair list with one vector of numbers, as R writes it."""
    word = lambda *numbers: b"".join(n.to_bytes(4, "big") for n in numbers)  # noqa: E731
    text = lambda s: word(9, len(s)) + s  # noqa: E731
    reals = np.arange(5, dtype=">f8").tobytes()
    body = word(1026) + word(1) + text(b"x") + word(14, 5) + reals + word(254)
    return lzma.compress(b"RDX2\nX\n" + word(2, 197888, 131840) + body)


def _csv() -> bytes:
    lines = ["id,a,b,topic", *(f"d{i},{i},{i % 3},{'xy'[i % 2]}" for i in range(12))]
    return ("\n".join(lines) + "\n").encode()


def _views(folder: Path) -> bytes:
    ids = [str(i) for i in range(12)]
    data = MultiViewData("toy", {"words": _matrix()}, np.arange(12) % 2, ["a", "b"], ids)
    data.save(folder / "made.npz")
    return (folder / "made.npz").read_bytes()


def _own(name: str, **more: str) -> Reader:
    entry = OwnFile(path=name, view="words", **more)
    return lambda path: read_file(RawFiles(path.parent), entry)


def formats(folder: Path) -> dict[str, Format]:
    """Return every format by name; ``folder`` is used to write one of them."""
    mtx = io.BytesIO()
    scipy.io.mmwrite(mtx, _matrix())
    svm = "".join(f"{i % 2} 1:{i} 3:{i + 1}\n" for i in range(12)).encode()
    found = [
        ("MATLAB", Format("x.mat", _mat(False), lambda p: RawFiles(p.parent).mat(p.name))),
        ("MATLAB, packed", Format("x.mat", _mat(True), lambda p: RawFiles(p.parent).mat(p.name))),
        ("PNG", Format("x.png", _picture(".png"), lambda p: decode(p.read_bytes(), p.name))),
        ("JPEG", Format("x.jpg", _picture(".jpg"), lambda p: decode(p.read_bytes(), p.name))),
        ("npz", Format("x.npz", _npz(), lambda p: RawFiles(p.parent).npz(p.name))),
        ("npy", Format("x.npy", _npy(), lambda p: RawFiles(p.parent).npy(p.name))),
        ("pickle", Format("x.pkl", _pickle(), lambda p: pickles.loads(p.read_bytes(), p.name))),
        ("R data", Format("x.rda", _rda(), lambda p: read_rda(p.read_bytes(), p.name))),
        ("zip", Format("x.zip", _zip(), read_members)),
        ("tar", Format("x.tar", _tar(bytes), read_members)),
        ("tar.gz", Format("x.tar.gz", _tar(gzip.compress), read_members)),
        ("tar.bz2", Format("x.tar.bz2", _tar(bz2.compress), read_members)),
        ("tar.xz", Format("x.tar.xz", _tar(lzma.compress), read_members)),
        ("gzipped text", Format("x.txt.gz", gzip.compress(b"one two\n" * 40),
                                lambda p: RawFiles(p.parent).lines("x.txt"))),
        ("table", Format("x.csv", _csv(), _own("x.csv", id="id", label="topic"))),
        ("svmlight", Format("x.svm", svm, _own("x.svm"))),
        ("Matrix Market", Format("x.mtx", mtx.getvalue(), _own("x.mtx"))),
        ("view file", Format("x.npz", _views(folder), MultiViewData.load)),
    ]  # fmt: skip
    return dict(found)


def outcome(form: Format | OwnFormat, content: bytes, folder: Path) -> str:
    """Read some content in place of a sound one; return ``value``, ``refused`` or what is wrong.

    A refusal that is neither ``ReadError`` nor ``DataError``, or does not name the file, is wrong.
    """
    path = folder / form.file
    path.write_bytes(content)
    try:
        form.read(path)
    except (ReadError, DataError) as error:
        names = [form.file.removesuffix(".gz"), *getattr(form, "beside", ())]
        named = any(name in str(error) for name in names)
        return "refused" if named else f"no name: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        path.unlink()
    return "value"
