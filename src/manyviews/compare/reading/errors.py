"""What may be shown: errors in one line that name file, place and mend, and names of strangers."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: Characters of an error: a longer one loses its middle, never the file or the mend.
_MOST = 380
#: What a spreadsheet takes for the beginning of a formula.
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


class DataError(ValueError):
    """Own data cannot be used as it is; the text names the file, the place and the mend."""

    def __init__(self, text: str) -> None:
        line = printable(text)
        if len(line) > _MOST:
            line = f"{line[: _MOST - 170]} [...] {line[-160:]}"
        super().__init__(line)


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

    Of a longer name its beginning stays, with a digest that tells it apart.

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

    >>> safe_cell("=1+1"), safe_cell("-1.5"), safe_cell("word")
    ("'=1+1", '-1.5', 'word')
    """
    text = encodable([text])[0]
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def encodable(texts: Sequence[str]) -> list[str]:
    """Return texts that can be written as UTF-8: half a character becomes its escape."""
    return [text.encode("utf-8", "backslashreplace").decode("utf-8") for text in texts]
