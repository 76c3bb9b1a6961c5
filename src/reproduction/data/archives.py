"""Archives read without trusting them.

Members are read into memory and never unpacked, so their names need not exist on this system.
They are checked all the same: absolute names, names with ``..``, links that point
out of the folder, devices, too many members, too many bytes or an absurd compression ratio are
refused. A truncated or damaged archive is an error that says so, not a shorter data set.
"""

import bz2
import gzip
import io
import lzma
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from reproduction.data.errors import ReadError

#: Names of the archives that are understood.
ARCHIVE_NAME = re.compile(r"\.(zip|whl|tar|tgz|tar\.(gz|bz2|xz))$", re.IGNORECASE)

_CHUNK = 1 << 20
#: A tar archive ends in two blocks of zeros.
_END_MARK = 1024

Select = Callable[[str], bool]


class ArchiveError(ReadError):
    """An archive is damaged, or holds what is not accepted."""


@dataclass(frozen=True)
class Limits:
    """How much an archive may hold.

    Attributes
    ----------
    members
        Number of members; the largest data set has 18,846.
    bytes
        Unpacked size of all members together.
    ratio
        Unpacked to packed size (text of ones and zeros reaches about 100).
    """

    members: int = 200_000
    bytes: int = 4 << 30
    ratio: float = 1000.0


DEFAULT_LIMITS = Limits()


def is_archive(path: str | Path) -> bool:
    """Return whether the name is that of an archive with members (a plain ``.gz`` is not)."""
    return ARCHIVE_NAME.search(Path(path).name) is not None


def check_archive(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> int:
    """Read the whole archive, keeping nothing; return the number of files in it.

    Raises
    ------
    ArchiveError
        When it is damaged or holds what is not accepted.
    """
    return sum(1 for _ in _members(Path(path), None, limits, _skip))


def read_members(
    path: str | Path, select: Select | None = None, limits: Limits = DEFAULT_LIMITS
) -> dict[str, bytes]:
    """Return the content of the files in an archive by their inner path.

    Parameters
    ----------
    path
        A tar (plain, gzip, bzip2, xz), zip or wheel file.
    select
        Function of the inner path: whether the member is wanted; default all.
    limits
        What is refused; unwanted members are checked too.
    """
    content: dict[str, bytes] = {}

    def keep(name: str, stream: IO[bytes], size: int) -> None:
        content[name] = stream.read()

    for _ in _members(Path(path), select, limits, keep):
        pass
    return content


def gunzip_bytes(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return the content of one ``.gz`` file, within the size limits."""
    source = Path(path)
    packed = source.stat().st_size
    if not packed:
        raise ArchiveError(f"{source.name} is empty, no gzip file; fetch it again")
    out = io.BytesIO()
    with _damage_named(source), gzip.open(source) as stream:
        while chunk := stream.read(_CHUNK):
            out.write(chunk)
            _check_size(source, out.tell(), packed, limits)
    return out.getvalue()


def _skip(name: str, stream: IO[bytes], size: int) -> None:
    while stream.read(_CHUNK):
        pass


def _members(
    path: Path,
    select: Select | None,
    limits: Limits,
    use: Callable[[str, IO[bytes], int], None],
) -> Iterator[str]:
    """Hand each wanted file to ``use`` as (inner path, stream, size); yield its inner path."""
    with _damage_named(path):
        if re.search(r"\.(zip|whl|npz)$", path.name, re.IGNORECASE):
            yield from _zip_members(path, select, limits, use)
        elif is_archive(path):
            yield from _tar_members(path, select, limits, use)
        else:
            raise ArchiveError(f"{path.name} is no archive this code reads (tar, tgz, zip, whl)")


def _tar_members(
    path: Path, select: Select | None, limits: Limits, use: Callable[[str, IO[bytes], int], None]
) -> Iterator[str]:
    packed = max(path.stat().st_size, 1)
    total = 0

    def check(size: int) -> None:
        _check_size(path, size, packed, limits)

    # Reading as a stream visits the members once, in order, and sees a cut file.
    with _plain_stream(path, check) as plain, tarfile.open(fileobj=plain, mode="r|") as tar:
        for count, member in enumerate(tar, start=1):
            _check_count(path, count, limits)
            name = _safe_name(path, member.name)
            if member.issym() or member.islnk():
                _check_link(path, name, member)
                continue
            if member.isdir():
                continue
            if not member.isreg():
                raise ArchiveError(f"{path.name}: member {name!r} is a device or pipe; refused")
            total += member.size
            _check_size(path, total, packed, limits)
            stream = tar.extractfile(member)
            if stream is None:
                raise ArchiveError(f"{path.name}: member {name!r} cannot be read")
            if select is None or select(name):
                use(name, stream, member.size)
                yield name
        _check_end(path, plain)


class _Tail(io.RawIOBase):
    """A stream that remembers the last bytes read from it, and how many there were."""

    def __init__(self, stream: IO[bytes], check: Callable[[int], None]) -> None:
        self.stream = stream
        self.check = check
        self.total = 0
        self.tail = b""

    def read(self, size: int = -1) -> bytes:
        chunk = self.stream.read(size)
        self.total += len(chunk)
        self.check(self.total)  # what lies between and after the members counts too
        self.tail = (self.tail + chunk)[-_END_MARK:]
        return chunk


def _check_end(path: Path, stream: _Tail) -> None:
    """Refuse a tar that stops without its end mark: it was cut between two members."""
    while stream.read(_CHUNK):
        pass
    if len(stream.tail) < _END_MARK or stream.tail.strip(b"\0"):
        raise ArchiveError(f"{path.name} is truncated (no end mark); fetch it again")


@contextmanager
def _plain_stream(path: Path, check: Callable[[int], None]) -> Iterator[_Tail]:
    """Yield the archive's bytes with its compression undone."""
    ending = path.name.rsplit(".", 1)[-1].lower()
    openers: dict[str, Any] = {
        "gz": gzip.open, "tgz": gzip.open, "bz2": bz2.open, "xz": lzma.open, "tar": open,
    }  # fmt: skip
    with openers[ending](path, "rb") as stream:
        yield _Tail(stream, check)


def _zip_members(
    path: Path, select: Select | None, limits: Limits, use: Callable[[str, IO[bytes], int], None]
) -> Iterator[str]:
    packed = max(path.stat().st_size, 1)
    total = 0
    with zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
        _check_count(path, len(infos), limits)
        for info in infos:
            name = _safe_name(path, info.filename)
            if info.is_dir():
                continue
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind not in (0, stat.S_IFREG):
                raise ArchiveError(f"{path.name}: member {name!r} is a link or device; refused")
            if info.flag_bits & 0x1:
                raise ArchiveError(f"{path.name}: member {name!r} is encrypted; refused")
            total += info.file_size
            _check_size(path, total, packed, limits)
            if select is None or select(name):
                # zipfile stops at the declared size, so a lying header cannot exceed the limit.
                with archive.open(info) as stream:
                    use(name, stream, info.file_size)
                yield name


#: Names whose parts start with a letter, digit or underscore: nearly all, and nothing to mend.
_PLAIN_NAME = re.compile(r"\w[\w.+-]*(?:/\w[\w.+-]*)*", re.ASCII)


def _safe_name(path: Path, name: str) -> str:
    """Return the inner path in one spelling, or refuse it."""
    return name if _PLAIN_NAME.fullmatch(name) else _mended_name(path, name)


def _mended_name(path: Path, name: str) -> str:
    """Do what :func:`_safe_name` does, for any name."""
    plain = name.replace("\\", "/")
    pure = PurePosixPath(plain)
    if pure.is_absolute() or re.match(r"^[A-Za-z]:/", plain) or plain.startswith("//"):
        raise ArchiveError(f"{path.name}: member {name!r} has an absolute path; refused")
    if ".." in pure.parts:
        raise ArchiveError(f"{path.name}: member {name!r} points to a parent folder; refused")
    if "\0" in name:
        raise ArchiveError(f"{path.name}: a member's name holds a NUL byte; refused")
    return str(pure)


def _check_link(path: Path, name: str, member: tarfile.TarInfo) -> None:
    """Refuse links that leave the archive's folder."""
    start = PurePosixPath(name).parent if member.issym() else PurePosixPath()
    depth = 0
    target = PurePosixPath(member.linkname.replace("\\", "/"))
    for part in (*start.parts, *target.parts):
        depth += -1 if part == ".." else 0 if part == "." else 1
        if depth < 0:
            break
    if target.is_absolute() or depth < 0:
        raise ArchiveError(
            f"{path.name}: member {name!r} is a link out of the archive "
            f"(to {member.linkname!r}); refused"
        )


def _check_count(path: Path, count: int, limits: Limits) -> None:
    if count > limits.members:
        raise ArchiveError(f"{path.name} holds more than {limits.members} members; refused")


def _check_size(path: Path, total: int, packed: int, limits: Limits) -> None:
    if total > limits.bytes:
        raise ArchiveError(f"{path.name} unpacks to more than {limits.bytes} bytes; refused")
    # Small archives reach high ratios honestly; a bomb is large in absolute terms too.
    if total > 64 << 20 and total / packed > limits.ratio:
        raise ArchiveError(
            f"{path.name} unpacks to more than {limits.ratio:g} times its size; refused"
        )


@contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    """Turn the many errors of damaged archives into one that names the file."""
    try:
        yield
    except (ArchiveError, FileNotFoundError, PermissionError):
        raise
    except tarfile.TarError as error:
        raise ArchiveError(
            f"{path.name} is truncated or not a tar archive ({error}); fetch it again"
        ) from error
    except Exception as error:  # damaged archives raise almost anything
        raise ArchiveError(
            f"{path.name} is truncated or damaged ({error}); fetch it again"
        ) from error
