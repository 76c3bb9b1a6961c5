"""Members of archives, read into memory and never unpacked on disk.

What comes out is compared by digest before anybody uses it, and written under the registry's names.
An archive itself may be anything that an address sends, so damage, bombs and names that leave their
folder are refused here; links and devices are no members.
"""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from reproduction.data.errors import ReadError

#: Bytes that are taken out of one archive or packed file: the largest data set takes 70 MB.
MOST_BYTES = 1 << 30
_ZIP = (".zip", ".whl")
_TAR = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
_Members = Iterator[tuple[str, int, Callable[[], bytes]]]


class ArchiveError(ReadError):
    """An archive is damaged, or holds what is not accepted."""


def is_archive(path: str | Path) -> bool:
    """Return whether the name is that of an archive with members (``.gz``, ``.npz`` are not)."""
    return Path(path).name.lower().endswith(_ZIP + _TAR)


def read_members(
    path: str | Path,
    select: Callable[[str], bool] = lambda name: True,
    *,
    content: bytes | None = None,
    most: int = MOST_BYTES,
) -> dict[str, bytes]:
    """Return the files in an archive by their inner path; ``select`` says which are wanted.

    ``content`` are its bytes, where it is no file yet. One that is damaged or holds what is not
    accepted raises an :class:`ArchiveError`.
    """
    source, found, total = Path(path), {}, 0
    with _named(source.name):
        zipped = source.name.lower().endswith((*_ZIP, ".npz"))
        if not zipped and not is_archive(source):
            raise ValueError("no archive this code reads: tar, tgz, zip, whl")
        members = _zip_members if zipped else _tar_members
        for name, size, read in members(
            source.open("rb") if content is None else io.BytesIO(content)
        ):
            place = PurePosixPath(name.replace("\\", "/"))
            if place.is_absolute() or ".." in place.parts:
                raise ValueError(f"member {name!r} leaves its folder")
            if select(str(place)):
                total += size
                if total > most:
                    raise ValueError(f"over {most} bytes")
                found[str(place)] = read()
    return found


def gunzip(content: bytes, name: str) -> bytes:
    """Return the content of a ``.gz`` file."""
    with _named(name), gzip.open(io.BytesIO(content)) as stream:
        found = stream.read(MOST_BYTES + 1)
        if not content or len(found) > MOST_BYTES:
            raise ValueError("it is empty or a bomb")
    return found


def _tar_members(stored: IO[bytes]) -> _Members:
    with stored, tarfile.open(fileobj=stored) as archive:
        for member in archive:
            if member.isreg():
                yield member.name, member.size, lambda m=member: archive.extractfile(m).read()  # type: ignore[misc, union-attr]


def _zip_members(stored: IO[bytes]) -> _Members:
    with stored, zipfile.ZipFile(stored) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                # zipfile stops at the declared size, so a lying header cannot exceed the limit
                yield member.filename, member.file_size, lambda m=member: archive.read(m)  # type: ignore[misc]


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Turn the many errors of damaged and hostile archives into one that names the file."""
    try:
        yield
    except (FileNotFoundError, PermissionError):
        raise
    except Exception as error:  # damaged archives raise almost anything
        raise ArchiveError(f"{name} is damaged or refused ({error}); fetch it again") from error
