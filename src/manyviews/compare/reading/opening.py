"""What may be opened: plain files of a bounded size; no links, pipes or devices."""

import os
import re
import stat
from pathlib import Path

from manyviews.compare.reading.errors import wrong

#: Bytes of a file, packed or not, and of the arrays in it.
MOST_BYTES = 2 << 30
#: Bytes of a table as text: as cells it takes ten times that.
MOST_TEXT = 512 << 20
_PACKED = re.compile(r"\.(gz|bz2|xz)$", re.IGNORECASE)
_KINDS = {
    stat.S_IFLNK: "a link", stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket",
}  # fmt: skip


def unpacked_name(path: Path) -> str:
    """Return a file's name without ``.gz``, ``.bz2`` or ``.xz``."""
    return _PACKED.sub("", path.name)


def packing_of(path: Path) -> str:
    """Return ``gz``, ``bz2``, ``xz``, or nothing."""
    found = _PACKED.search(path.name)
    return found[1].lower() if found else ""


def ending_of(path: Path) -> str:
    """Return the ending of a file's name, without what says that it is packed."""
    return unpacked_name(path).lower().rpartition(".")[2]


def stem_of(path: Path) -> str:
    """Return a file's name without endings."""
    return unpacked_name(path).rsplit(".", 1)[0]


def checked(path: Path) -> os.stat_result:
    """Return what the system says about a file or folder; nothing but these two may be opened."""
    try:
        found = path.lstat()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise wrong(path, f"cannot be read ({reason})", "check its name and rights") from None
    kind = _KINDS.get(stat.S_IFMT(found.st_mode))
    if kind is not None:
        raise wrong(path, f"is {kind} and not a file", "put the file itself there")
    return found


def listed(folder: Path) -> list[Path]:
    """Return what a folder holds, in order and without hidden files; no link may be among it."""
    paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    for path in paths:
        checked(path)
    return paths


def inside(folder: Path, name: str, said: Path) -> Path:
    """Return a file that a description names; it must lie in the folder of the description."""
    path = folder / name
    try:
        within = path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # a zero byte, a name too long, links in a circle
        within = False
    if not within or Path(name).is_absolute():
        raise wrong(
            said, f"names {name!r}, which is outside of its folder", "put the file beside it"
        )
    return path


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a plain file of at most so many bytes."""
    if stat.S_ISDIR(checked(path).st_mode):
        raise wrong(path, "is a folder", "name a file in it")
    # what is there may be another file by now: neither follow a link nor wait for a pipe
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with os.fdopen(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb") as stream:
            plain = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
            size = os.fstat(stream.fileno()).st_size
            content = stream.read(most + 1) if plain and size <= most else b""
    except OSError as error:
        reason = error.strerror or error
        raise wrong(path, f"cannot be read ({reason})", "check its name and rights") from None
    if not plain:
        raise wrong(path, "is not a file", "put the file itself there")
    if max(size, len(content)) > most:
        raise wrong(path, f"has {size:,} bytes, more than {most:,}", "keep fewer rows or columns")
    return content
