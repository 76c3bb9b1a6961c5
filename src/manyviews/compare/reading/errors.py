"""Errors that name file, place and mend in one line."""

from pathlib import Path
from typing import Any

from manyviews.compare.reading.safe import printable, safe_label

#: Characters of an error: a longer one loses its middle, never the file or the mend.
_MOST = 380


class DataError(ValueError):
    """Own data cannot be used as it is; the text names the file, the place and the mend."""

    def __init__(self, text: str) -> None:
        line = printable(text)
        if len(line) > _MOST:
            line = f"{line[: _MOST - 170]} [...] {line[-160:]}"
        super().__init__(line)


def wrong(path: Any, what: str, mend: str) -> DataError:
    """Return the error of a file: ``<file>: <what>; <mend>``, on one line."""
    name = Path(path).name if isinstance(path, Path) else str(path)
    return DataError(f"{safe_label(name, 100)}: {what}; {mend}")
