"""What may be opened: plain files of bounded size; what may be shown: errors and names, safely."""

import hashlib
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: Bytes of a file, packed or not, and of the arrays in it.
MOST_BYTES = 2 << 30
#: Bytes of a table as text: as cells it takes ten times that.
MOST_TEXT = 512 << 20
#: Characters of an error: a longer one loses its middle, never the file or the mend.
_MOST = 380
_PACKED = re.compile(r"\.(gz|bz2|xz)$", re.IGNORECASE)
_KINDS = {stat.S_IFLNK: "a link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
#: What a spreadsheet takes for the beginning of a formula.
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


class DataError(ValueError):
    """Own data cannot be used as it is; the text names the file, the place and the mend."""

    def __init__(self, text: str) -> None:
        line = printable(text)
        super().__init__(line if len(line) <= _MOST else f"{line[:210]} [...] {line[-160:]}")


def wrong(path: Any, what: str, mend: str) -> DataError:
    """Return the error of a file: ``<file>: <what>; <mend>``, on one line."""
    name = path.name if isinstance(path, Path) else str(path)
    return DataError(f"{safe_label(name, 100)}: {what}; {mend}")


def printable(text: str) -> str:
    """Return a text on one line; what cannot be seen, or not be encoded, becomes an escape."""
    text = " ".join(text.split())
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def safe_label(text: str, most: int = 60) -> str:
    """Return a name to be shown: on one line, not long, two names never alike.

    >>> safe_label("a" * 99, most=20)
    'aaaaaaaaaaa~13284468'
    """
    shown = printable(text)
    if len(shown) > most:
        digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]
        shown = f"{shown[: most - 9]}~{digest}"
    return shown


def safe_cell(text: str) -> str:
    """Return a cell of a CSV file that no spreadsheet computes: formulas get a quote before them.

    >>> [safe_cell(text) for text in ("=1+1", "+1+1", "-1-1", "@x", "-1.5", "+2e-3", "a=b")]
    ["'=1+1", "'+1+1", "'-1-1", "'@x", '-1.5', '+2e-3', 'a=b']
    """
    text = encodable([text])[0]
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def encodable(texts: Sequence[str]) -> list[str]:
    """Return texts that can be written as UTF-8: half a character becomes its escape."""
    return [text.encode("utf-8", "backslashreplace").decode("utf-8") for text in texts]


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


def checked(path: Path) -> Path:
    """Return the path of a file or folder; nothing but these two may be opened."""
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError) as error:
        raise wrong(path, f"cannot be read ({error})", "check its name and rights") from None
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
    if (size := path.stat().st_size) > most:
        raise wrong(path, f"has {size:,} bytes, more than {most:,}", "keep fewer rows or columns")
    try:
        with path.open("rb") as stream:
            return stream.read(most)
    except OSError as error:
        raise wrong(path, f"cannot be read ({error})", "check its name and rights") from None
