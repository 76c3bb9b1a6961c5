"""Small files of every format that comes in before its digest is known, and the reader of each.

Archives of any address, pictures of a user and view files go through readers of
``reproduction.data``; each answers with a value or with a ``ReadError`` that names the file.
:func:`outcome` says which, and what else happened. Files of a user's own are in ``own_files``.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import scipy.sparse as sp
from own_files import OwnFormat

from manyviews.compare.reading.errors import DataError
from reproduction.data.archives import read_members
from reproduction.data.builders.raw import guarded
from reproduction.data.errors import ReadError
from reproduction.data.format import MultiViewData

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


def _picture(ending: str) -> bytes:
    pixels = np.random.default_rng(1).integers(0, 255, size=(24, 32, 3), dtype=np.uint8)
    return bytes(cv2.imencode(ending, pixels)[1])


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


def _views(folder: Path) -> bytes:
    ids = [str(i) for i in range(12)]
    data = MultiViewData("toy", {"words": _matrix()}, np.arange(12) % 2, ["a", "b"], ids)
    data.save(folder / "made.npz")
    return (folder / "made.npz").read_bytes()


def _decode(path: Path) -> object:
    return guarded("reproduction.data.images:decoded", path.read_bytes(), path.name)


def formats(folder: Path) -> dict[str, Format]:
    """Return every format by name; ``folder`` is used to write one of them."""
    found = [
        ("PNG", Format("x.png", _picture(".png"), _decode)),
        ("JPEG", Format("x.jpg", _picture(".jpg"), _decode)),
        ("zip", Format("x.zip", _zip(), read_members)),
        ("tar", Format("x.tar", _tar(bytes), read_members)),
        ("tar.gz", Format("x.tar.gz", _tar(gzip.compress), read_members)),
        ("tar.bz2", Format("x.tar.bz2", _tar(bz2.compress), read_members)),
        ("tar.xz", Format("x.tar.xz", _tar(lzma.compress), read_members)),
        ("view file", Format("x.npz", _views(folder), MultiViewData.load)),
    ]
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
