"""What may be opened: plain files of a bounded size; no links, pipes or devices."""

import os
import re
import stat
from pathlib import Path

from manyviews.compare.reading.errors import DataError, wrong

#: Bytes of a file, packed or not, and of the arrays in it.
MOST_BYTES = 2 << 30
#: Bytes of a table as text: as cells it takes ten times that.
MOST_TEXT = 512 << 20
_PACKED = re.compile(r"\.(gz|bz2|xz)$", re.IGNORECASE)
_KINDS = {stat.S_IFLNK: "a link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


def packing_of(path: Path) -> str:
    """Return ``gz``, ``bz2``, ``xz``, or nothing."""
    found = _PACKED.search(path.name)
    return found[1].lower() if found else ""


def ending_of(path: Path) -> str:
    """Return the ending of a file's name, without what says that it is packed."""
    return _PACKED.sub("", path.name).lower().rpartition(".")[2]


def stem_of(path: Path) -> str:
    """Return a file's name without endings."""
    return _PACKED.sub("", path.name).rsplit(".", 1)[0]


def _unreadable(path: Path, error: Exception) -> DataError:
    reason = getattr(error, "strerror", None) or error
    return wrong(path, f"cannot be read ({reason})", "check its name and rights")


def checked(path: Path) -> Path:
    """Return the path of a file or folder; nothing but these two may be opened."""
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "a device")
        raise wrong(path, f"is {kind} and not a file", "put the file itself there")
    return path


def listed(folder: Path) -> list[Path]:
    """Return what a folder holds, in order and without hidden files; no link may be among it."""
    return [checked(path) for path in sorted(folder.iterdir()) if not path.name.startswith(".")]


def inside(folder: Path, name: str, said: Path) -> Path:
    """Return a file that a description names; it must lie in the folder of the description."""
    path = folder / name
    try:
        within = path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # a zero byte, a name too long, links in a circle
        within = False
    if not within or Path(name).is_absolute():
        what = f"names {name!r}, which is outside of its folder"
        raise wrong(said, what, "put the file beside it")
    return path


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a plain file of at most so many bytes."""
    if checked(path).is_dir():
        raise wrong(path, "is a folder", "name a file in it")
    # what is there may be another file by now: neither follow a link nor wait for a pipe
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with os.fdopen(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            content = (stream.read(most + 1) or b"") if size <= most else b""
    except OSError as error:
        raise _unreadable(path, error) from None
    if max(size, len(content)) > most:
        raise wrong(path, f"has {size:,} bytes, more than {most:,}", "keep fewer rows or columns")
    return content
