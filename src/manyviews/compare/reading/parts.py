"""What one file gives: views, names of rows, classes; and what was guessed or mended on the way."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Part:
    """One view as it was read.

    Attributes
    ----------
    name, columns, ids
        Names of the view, of its columns, and of its rows if the file names them.
    matrix
        Dense (NaN where a cell is blank) or CSR.
    source
        File it came from, for messages.
    kind
        ``text``, ``counts``, ``numbers`` or ``categories``: how a method may treat the columns.
    graph
        Whether the columns are the rows themselves (links).
    """

    name: str
    matrix: Any
    columns: list[str]
    source: str
    ids: list[str] | None = None
    kind: str = "numbers"
    graph: bool = False

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.matrix.shape[0])


@dataclass
class Given:
    """Classes as a file gives them: one text a row, empty where there is none."""

    labels: list[str]
    source: str
    ids: list[str] | None = None


@dataclass
class Found:
    """Everything one file gave."""

    parts: list[Part] = field(default_factory=list)
    labels: list[Given] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def text_label(value: Any) -> str:
    """Return a class as text: numbers without a needless ``.0``, nothing for NaN."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:g}"
    return "" if value is None else str(value).strip()
