"""The shape of a paper's tables: which settings place a value, and how print writes them.

A paper declares its tables once, in ``paper.py``. Rows then carry one
column a setting; the text of a setting, such as ``r=0.01;view=3``, is made from the columns and
never read back.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

#: Who stands behind a method: the paper, a control that bounds the table, us, the field today.
ROLES = ("published", "control", "ours", "modern")

_BETWEEN = ";"


@dataclass(frozen=True)
class Column:
    """One setting of a table; make it with :func:`number` or :func:`text`.

    An ``optional`` setting may be left out. A ``part`` names a part of the data set (a level of
    its tree); people see it beside the data set's name. ``shown`` has the words that pages show in
    place of what is ``printed``: for a word by its value, for a number as a format of the value
    ``times`` something. Without them pages have words that do for any setting.
    """

    name: str
    printed: str
    is_number: bool
    optional: bool = False
    part: bool = False
    shown: str | Mapping[str, str] = ""
    times: float = 1

    def write(self, value: Any) -> str:
        """Return the value as print writes it."""
        return self.printed.format(value)


def number(name: str, printed: str = "{:g}", **more: Any) -> Column:
    """Return a numeric setting; ``printed`` is how print writes it, e.g. ``"r={:g}"``.

    Pages may show it otherwise: ``shown="{:g} % labelled"`` with ``times=100`` for ``r=0.01``.
    """
    return Column(name, printed, True, **more)


def text(name: str, printed: str = "{}", **more: Any) -> Column:
    """Return a setting that is a word; ``shown`` has what pages show in place of some values."""
    return Column(name, printed, False, **more)


@dataclass(frozen=True)
class Table:
    """One table or figure: the settings that place a value, in the order print writes them.

    ``methods`` are those the paper has here without a printed number (a figure's, for example). A
    ``timed`` table holds measured times, which are kept apart from the results.
    """

    name: str
    columns: tuple[Column, ...] = ()
    methods: tuple[str, ...] = ()
    timed: bool = False

    def write(self, at: Mapping[str, Any], part: bool | None = None) -> str:
        """Return the setting as print writes it; settings that are not given are left out.

        ``part`` picks the settings that name a part of the data set, or the others.
        """
        chosen = [c for c in self.columns if part in (None, c.part) and _given(at.get(c.name))]
        return _BETWEEN.join(c.write(at[c.name]) for c in chosen)

    def problem(self, at: Mapping[str, Any]) -> str:
        """Return what is wrong with the settings of a row; empty when nothing is."""
        known = {column.name: column for column in self.columns}
        unknown = sorted(set(at) - set(known))
        if unknown:
            return f"unknown setting {unknown[0]!r} (declared: {', '.join(known) or 'none'})"
        for column in self.columns:
            value: Any = at.get(column.name)
            if not _given(value):
                if not column.optional:
                    return f"no value for the setting {column.name!r}"
            elif column.is_number and (
                isinstance(value, (str, bool)) or not math.isfinite(float(value))
            ):
                return f"{column.name} is {value!r}, not a number"
            elif not column.is_number and not isinstance(value, str):
                return f"{column.name} is {value!r}, not a word"
        return ""


def _given(value: Any) -> bool:
    if value is None or value == "":
        return False
    return not (isinstance(value, float) and math.isnan(value))


class Tables(Mapping[str, Table]):
    """All tables of a paper, looked up by a row's table."""

    def __init__(self, *tables: Table) -> None:
        self._known = {table.name: table for table in tables}
        kinds: dict[str, Column] = {}
        for table in tables:
            for column in table.columns:
                other = kinds.setdefault(column.name, column)
                if other.is_number != column.is_number:
                    raise ValueError(f"the column {column.name!r} is a number here, a word there")
        self.columns = kinds

    def __getitem__(self, name: str) -> Table:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    @property
    def numbers(self) -> list[str]:
        """Names of the numeric settings."""
        return [name for name, column in self.columns.items() if column.is_number]

    def written(self, frame: pd.DataFrame) -> pd.Series:
        """Return the setting of every row as print writes it."""
        import pandas as pd

        names = [name for name in self.columns if name in frame.columns]
        # NaN differs from itself: known settings are looked up by their text
        known: dict[str, str] = {}
        out = []
        for table, *values in zip(frame["table"], *(frame[name] for name in names), strict=True):
            key = f"{table}\0{values!r}"
            if key not in known:
                known[key] = self[table].write(dict(zip(names, values, strict=True)))
            out.append(known[key])
        return pd.Series(out, index=frame.index, dtype="str")
