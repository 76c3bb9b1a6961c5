"""Members of archives, read into memory and never unpacked on disk.

What comes out is compared by digest before anybody uses it. An archive itself may be anything that
an address sends, so names that leave their folder, links, devices and bombs are refused here.
"""

import gzip
import io
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from reproduction.data.errors import ReadError

#: Bytes that are taken out of one archive or packed file, and members it may have: the largest
#: data set takes 70 MB and 18,846 members.
MOST_BYTES = 1 << 30
MOST_MEMBERS = 200_000
_ZIP = re.compile(r"\.(zip|whl|npz)$", re.IGNORECASE)
_TAR = re.compile(r"\.(tar|tgz|tar\.(gz|bz2|xz))$", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"\w[\w.+-]*(?:/\w[\w.+-]*)*", re.ASCII)
_Members = Iterator[tuple[str, int, Callable[[], bytes]]]


class ArchiveError(ReadError):
    """An archive is damaged, or holds what is not accepted."""


def is_archive(path: str | Path) -> bool:
    """Return whether the name is that of an archive with members (``.gz``, ``.npz`` are not)."""
    name = Path(path).name
    return _TAR.search(name) is not None or name.lower().endswith((".zip", ".whl"))


def read_members(
    path: str | Path,
    select: Callable[[str], bool] | None = None,
    *,
    content: bytes | None = None,
    most: int = MOST_BYTES,
) -> dict[str, bytes]:
    """Return the files in an archive by their inner path; ``select`` says which are wanted.

    ``content`` are its bytes, where it is no file yet.

    Raises
    ------
    ArchiveError
        When it is damaged or holds what is not accepted.
    """
    source, found, total = Path(path), {}, 0
    with _named(source):
        if not _ZIP.search(source.name) and not _TAR.search(source.name):
            raise ArchiveError(f"{source.name} is no archive this code reads (tar, tgz, zip, whl)")
        members = (_zip_members if _ZIP.search(source.name) else _tar_members)(
            source if content is None else io.BytesIO(content)
        )
        for count, (raw_name, size, read) in enumerate(members, start=1):
            name = _inside(raw_name)
            wanted = select is None or select(name)
            total += size if wanted else 0
            if count > MOST_MEMBERS or total > most:
                raise ValueError(f"over {MOST_MEMBERS} members or {most} bytes")
            if wanted:
                found[name] = read()
    return found


def gunzip(content: bytes, name: str) -> bytes:
    """Return the content of a ``.gz`` file."""
    with _named(Path(name)), gzip.open(io.BytesIO(content)) as stream:
        found = stream.read(MOST_BYTES + 1)
        if not content or len(found) > MOST_BYTES:
            raise ValueError("it is empty or a bomb")
    return found


def _tar_members(stored: Path | IO[bytes]) -> _Members:
    path, stream = (stored, None) if isinstance(stored, Path) else (None, stored)
    with tarfile.open(path, fileobj=stream) as archive:
        for member in archive:
            tarfile.data_filter(member, "/nowhere")  # raises for links out, devices, pipes
            if member.isreg():
                yield member.name, member.size, lambda m=member: archive.extractfile(m).read()  # type: ignore[misc, union-attr]


def _zip_members(stored: Path | IO[bytes]) -> _Members:
    with zipfile.ZipFile(stored) as archive:
        for member in archive.infolist():
            if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise ValueError(f"member {member.filename!r} is a link or device")
            if not member.is_dir():
                # zipfile stops at the declared size, so a lying header cannot exceed the limit
                yield member.filename, member.file_size, lambda m=member: archive.read(m)  # type: ignore[misc]


def _inside(name: str) -> str:
    """Return the inner path in one spelling; one that leaves the archive is refused."""
    if _PLAIN_NAME.fullmatch(name):  # nearly all: nothing to mend
        return name
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or re.match("[A-Za-z]:", name) or "\0" in name:
        raise ValueError(f"member {name!r} leaves its folder")
    return str(path)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Turn the many errors of damaged and hostile archives into one that names the file."""
    try:
        yield
    except (ArchiveError, FileNotFoundError, PermissionError):
        raise
    except Exception as error:  # damaged archives raise almost anything
        raise ArchiveError(
            f"{path.name} is damaged or refused ({error}); fetch it again"
        ) from error
