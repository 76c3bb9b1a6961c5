"""Errors that name file, place and mend in one line."""

from pathlib import Path
from typing import Any


class DataError(ValueError):
    """Own data cannot be used as it is; the text names the file, the place and the mend."""


def wrong(path: Any, what: str, mend: str) -> DataError:
    """Return the error of a file: ``<file>: <what>; <mend>``, on one line."""
    name = Path(path).name if isinstance(path, Path) else str(path)
    return DataError(" ".join(f"{name}: {what}; {mend}".split()))
