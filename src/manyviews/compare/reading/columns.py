"""What the columns of a table are: numbers, classes, dates, texts, names of rows.

Mended, and said: dates become days, decimal commas become points, blank cells of a row that has
others are filled later. Refused, with line and column: a word among numbers, infinity.
"""

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.parts import Part
from manyviews.compare.reading.spec import Spec
from manyviews.compare.reading.tables import BLANKS, Table, is_number

ID_NAMES = ("id", "ids", "key", "index", "uid", "rowid", "row", "name", "sample", "document", "")
LABEL_NAMES = (
    "label", "labels", "class", "classes", "target", "y", "category", "species", "diagnosis",
    "classname", "class_name", "topic", "genre", "type", "outcome",
)  # fmt: skip
#: Distinct values a column of words may have and still be classes of a kind, as a share of rows.
_MANY = 0.5
#: Distinct values, each of which becomes a column of zeros and ones.
_MOST = 1000
#: Classes that a column of words may hold to be taken for classes.
_FEW = 50
#: Words in the mean cell from which a column is text.
_WORDS = 3.0
#: Share of cells that must be numbers before the others count as slips.
_MOSTLY = 0.8
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?")


@dataclass
class Column:
    """One column with what it is: ``numbers``, ``categories``, ``text``, ``names``, ``blank``."""

    name: str
    kind: str
    cells: list[str]
    values: np.ndarray | None = None


def is_blank(cell: str) -> bool:
    """Tell whether a cell holds nothing."""
    return cell.lower() in BLANKS


def as_numbers(cells: Sequence[str]) -> np.ndarray | None:
    """Return the cells as numbers, NaN where blank; None if one of them is no number."""
    try:
        return np.array(cells, dtype=np.float64)
    except ValueError:
        pass
    try:
        return np.array([np.nan if is_blank(cell) else float(cell) for cell in cells])
    except ValueError:
        return None


def column_of(table: Table, name: str, kind: str | None = None) -> Column:
    """Return a column with its kind, which is guessed unless it is given."""
    cells = table.column(name)
    if kind in ("text", "categories"):
        return Column(name, kind, cells)
    values = as_numbers(cells)
    if values is None:
        values = _mended(table, name, cells)
    if values is not None:
        infinite = np.flatnonzero(np.isinf(values))
        if infinite.size:
            at = int(infinite[0])
            raise wrong(
                table.path,
                f"line {table.lines[at]}, column {name!r} holds {cells[at]!r}, which is infinite",
                "write a finite number or leave the cell blank",
            )
        return Column(name, "blank" if np.isnan(values).all() else "numbers", cells, values)
    _check_slips(table, name, cells, must=kind == "numbers")
    return Column(name, _kind_of_words(cells), cells)


def _mended(table: Table, name: str, cells: list[str]) -> np.ndarray | None:
    """Return dates as days and numbers with a decimal comma as numbers; None for other cells."""
    filled = [cell for cell in cells if not is_blank(cell)]
    if filled and all(_DATE.fullmatch(cell) for cell in filled):
        try:
            days = [
                np.nan if is_blank(cell) else _days(cell.replace("Z", "+00:00")) for cell in cells
            ]
        except (ValueError, OverflowError) as error:
            raise wrong(
                table.path, f"column {name!r} holds a date that does not exist ({error})",
                "correct it",
            ) from None  # fmt: skip
        table.notes.append(f"{table.path.name}: the dates of column {name!r} became days")
        return np.array(days) - np.nanmin(days)
    if filled and all(_DECIMAL_COMMA.fullmatch(cell) or is_number(cell) for cell in filled):
        table.notes.append(f"{table.path.name}: column {name!r} has decimal commas; read as points")
        return np.array(
            [np.nan if is_blank(cell) else float(cell.replace(",", ".")) for cell in cells]
        )
    return None


def _days(cell: str) -> float:
    # not the days of this machine's zone, which has hours that are not there
    passed = datetime.datetime.fromisoformat(cell).replace(tzinfo=None) - datetime.datetime.min
    return passed / datetime.timedelta(days=1)


def _check_slips(table: Table, name: str, cells: list[str], *, must: bool) -> None:
    """Refuse a few words among numbers: they are slips, not classes."""
    good = [is_blank(cell) or is_number(cell) for cell in cells]
    numbers = sum(not is_blank(cell) for cell, fine in zip(cells, good, strict=True) if fine)
    if must or numbers > _MOSTLY * len(cells):
        at = good.index(False)
        raise wrong(
            table.path,
            f"line {table.lines[at]}, column {name!r} holds {cells[at][:40]!r} among numbers",
            "correct it, leave it blank, or name the column under ignore in a data.yaml",
        )


def _kind_of_words(cells: Sequence[str]) -> str:
    filled = [cell for cell in cells if not is_blank(cell)]
    distinct = len(set(filled))
    if sum(len(cell.split()) for cell in filled) / len(filled) >= _WORDS and distinct > 20:
        return "text"
    return "categories" if distinct <= min(_MOST, max(2, _MANY * len(filled))) else "names"


def guess_id(table: Table) -> str | None:
    """Return the column that names rows: a usual name and no value twice."""
    for name in table.columns:
        if name.lower().strip() in ID_NAMES:
            cells = table.column(name)
            if all(cells) and len(set(cells)) == len(cells):
                return name
    return None


def guess_label(table: Table) -> str | None:
    """Return the column of classes: one with a usual name."""
    lower = {name.lower().strip(): name for name in reversed(table.columns)}
    return next((lower[name] for name in LABEL_NAMES if name in lower), None)


def few_words(table: Table, spec: Spec) -> list[str]:
    """Return the columns of 2 to 50 words or phrases, each in ten rows or more on the mean."""
    left = {spec.id or guess_id(table), *spec.ignore}
    found = []
    for name in table.columns:
        cells = [cell for cell in table.column(name) if not is_blank(cell)]
        distinct = set(cells)
        if name in left or not 2 <= len(distinct) <= min(_FEW, len(cells) // 10):
            continue
        if not any(is_number(cell) for cell in distinct) and column_of(table, name).values is None:
            found.append(name)
    return found


def ids_of(table: Table, name: str) -> list[str]:
    """Return the names of the rows; blanks and repetitions are refused with their lines."""
    if name not in table.columns:
        raise wrong(
            table.path,
            f"has no column {name!r} to name its rows; it has {', '.join(table.columns[:6])}",
            "correct `id` in data.yaml",
        )
    cells = table.column(name)
    seen: dict[str, int] = {}
    for cell, line in zip(cells, table.lines, strict=True):
        if not cell:
            raise wrong(table.path, f"line {line} has no id in column {name!r}", "name the row")
        if cell in seen:
            raise wrong(
                table.path,
                f"lines {seen[cell]} and {line} have the same id {cell!r}",
                "ids must be unique: remove or rename one",
            )
        seen[cell] = line
    return cells


def view_of_columns(name: str, columns: Sequence[Column], source: str) -> Part | None:
    """Return numbers and classes of columns side by side as one view, None if there are none."""
    blocks, names = [], []
    for column in columns:
        if column.values is not None:
            blocks.append(column.values[:, None])
            names.append(column.name)
        else:
            cells = np.array(["" if is_blank(cell) else cell for cell in column.cells])
            present = sorted(set(cells.tolist()) - {""})
            hot = (cells[:, None] == np.array(present)[None, :]).astype(float)
            hot[cells == ""] = np.nan
            blocks.append(hot)
            names.extend(f"{column.name}={value}" for value in present)
    if not blocks:
        return None
    matrix = np.hstack(blocks)
    words = all(column.kind == "categories" for column in columns)
    return Part(name, matrix, names, source, kind="categories" if words else kind_of(matrix))


def kind_of(matrix: object) -> str:
    """Return ``counts`` for whole numbers from zero on, most of them zero; else ``numbers``."""
    sparse = sp.issparse(matrix)
    values = matrix.data if sparse else np.asarray(matrix)  # type: ignore[attr-defined]
    values = values[np.isfinite(values)]
    if not values.size or values.min() < 0 or (values != np.floor(values)).any():
        return "numbers"
    cells = np.prod(matrix.shape)  # type: ignore[attr-defined]
    return "counts" if np.count_nonzero(values) <= 0.5 * cells else "numbers"
