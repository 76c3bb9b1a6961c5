"""Tables (CSV, TSV, Parquet), and what their columns are.

Mended, and said: text that is not UTF-8, semicolons or tabs in a ``.csv``, a missing header,
columns of the same name, decimal commas. Refused, with the line: lines of different length,
quotes that do not end, a word among numbers, infinity.
"""

import csv
import io
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from manyviews.compare.reading import guard
from manyviews.compare.reading.guard import ending_of, wrong
from manyviews.compare.reading.join import Part, kind_of
from manyviews.compare.reading.parsers import parsed, read_text

TABLES = ("csv", "tsv", "tab", "parquet")
#: Wider tables are refused: sparse formats hold them in a fraction of the time.
MOST_COLUMNS = 100_000
#: Cells of a table, of which each takes a hundred bytes.
MOST_CELLS = 30_000_000
ID_NAMES = ("id", "ids", "key", "index", "uid", "rowid", "row", "name", "sample", "document", "")
LABEL_NAMES = (
    "label", "labels", "class", "classes", "target", "y", "category", "species", "diagnosis",
    "classname", "class_name", "topic", "genre", "type", "outcome",
)  # fmt: skip
#: What stands for a blank cell.
BLANKS = frozenset(
    ("", "na", "n/a", "nan", "null", "none", "?", "-", "--", ".", "#n/a", "missing", "<na>")
)
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
#: Distinct words of a column of categories: as a share of the rows, and at most.
_MANY, _MOST = 0.5, 1000
#: Words in the mean cell of a text; share of cells that must be numbers before the others count as
#: slips.
_WORDS, _MOSTLY = 3.0, 0.8
_DECIMAL_COMMA = re.compile(r"([+-]?\d+),(\d+(?:[eE][+-]?\d+)?)")


@dataclass
class Table:
    """Cells as texts by column, the line of the file each row ends in, and what was mended."""

    path: Path
    columns: dict[str, list[str]]
    lines: Sequence[int]
    notes: list[str]

    def column(self, name: str, key: str) -> list[str]:
        """Return the cells of a column that ``data.yaml`` names under a key."""
        if name not in self.columns:
            known = ", ".join(list(self.columns)[:6])
            what = f"has no column {name!r}; it has {known}"
            raise wrong(self.path, what, f"correct `{key}` in data.yaml")
        return self.columns[name]

    def say(self, text: str) -> None:
        """Note what was guessed or mended."""
        self.notes.append(f"{self.path.name}: {text}")


def read_table(path: Path) -> Table:
    """Read a table by its ending."""
    notes: list[str] = []
    if ending_of(path) == "parquet":
        content = parsed(path, "parquet")
        header, columns = content.pop("names"), list(content.values())
        lines: Sequence[int] = range(1, len(columns[0]) + 1) if columns else []
    else:
        header, rows, lines = _read_rows(path, notes)
        columns = [list(column) for column in zip(*rows, strict=True)]
    if not lines:
        raise wrong(path, "holds no rows", "give it a header line and rows")
    seen: dict[str, int] = {}
    for place, name in enumerate(header):
        seen[name] = seen.get(name, 0) + 1
        header[place] = name if seen[name] == 1 else f"{name}.{seen[name]}"
    twice = [name for name, count in seen.items() if count > 1]
    if twice:
        notes.append(f"{path.name} has column names more than once ({twice[0]!r}): numbers added")
    return Table(path, dict(zip(header, columns, strict=True)), lines, notes)


def _read_rows(path: Path, notes: list[str]) -> tuple[list[str], list[list[str]], list[int]]:
    """Return the header, the rows below it and the line each ends in."""
    text = read_text(path, notes, guard.MOST_TEXT).rstrip("\r\n")
    first = re.sub(r'"[^"]*"', "", text.lstrip("\r\n").split("\n", 1)[0])
    separator = "\t" if ending_of(path) in ("tsv", "tab") else ","
    if separator not in first and any(map(first.count, _SEPARATORS)):
        separator = max(_SEPARATORS, key=first.count)
        notes.append(f"{path.name} is separated by {_SEPARATORS[separator]}")
    if first.count(separator) > MOST_COLUMNS:
        what = f"has about {first.count(separator) + 1:,} columns, which is slow as text"
        raise wrong(path, what, "save it as .npz (scipy.sparse.save_npz), .mtx or .svmlight")
    if (cells := text.count(separator) + text.count("\n")) > MOST_CELLS:
        what = f"has about {cells:,} cells, which would not fit into memory as text"
        raise wrong(path, what, "save it as .npz, .mtx or .svmlight, or keep fewer rows")
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        for row in reader:
            # a blank line is a row where the only cell may be blank
            if any(row) or (rows and len(rows[0]) == 1):
                rows.append([cell.strip() for cell in row] or [""])
                lines.append(reader.line_num)
    except csv.Error as error:
        mend = "close the quotes, or double quotes in a cell"
        raise wrong(path, f"line {reader.line_num}: {error}", mend) from None
    if not rows:
        return [], [], []
    header = rows[0]
    named = {"id", "ids"} & {cell.lower() for cell in header}
    if len(rows) > 1 and not named and all(len(row) == len(header) + 1 for row in rows[1:]):
        notes.append(f"{path.name}: no header over the first column, as R writes it; it names rows")
        header = ["", *header]
    elif all(is_number(cell) for cell in header if cell):
        notes.append(f"{path.name} has no header line; its columns are called c1, c2, ...")
        header = [f"c{i + 1}" for i in range(len(header))]
        rows, lines = [rows[0], *rows], [lines[0], *lines]
    for row, line in zip(rows[1:], lines[1:], strict=True):
        if len(row) != len(header):
            what = f"line {line} has {len(row)} cells, the header {len(header)}"
            raise wrong(path, what, "quote cells that hold the separator")
    return header, rows[1:], lines[1:]


def is_number(cell: str) -> bool:
    """Tell whether a cell holds a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def is_blank(cell: str) -> bool:
    """Tell whether a cell holds nothing."""
    return cell.lower() in BLANKS


def as_numbers(cells: Sequence[str]) -> np.ndarray | None:
    """Return the cells as numbers, NaN where blank; None if one of them is no number."""
    try:
        return np.array([np.nan if is_blank(cell) else float(cell) for cell in cells])
    except ValueError:
        return None


@dataclass
class Column:
    """One column and what it is: ``numbers``, ``categories``, ``text``, or why it is left out."""

    name: str
    kind: str
    cells: list[str]
    values: np.ndarray | None = None


def column_of(table: Table, name: str, kind: str | None = None) -> Column:
    """Return a column with its kind, which is guessed unless it is given."""
    cells = table.columns[name]
    if kind in ("text", "categories"):
        return Column(name, kind, cells)
    values = as_numbers(cells)
    if values is None:
        values = as_numbers([_DECIMAL_COMMA.sub(r"\1.\2", cell) for cell in cells])
        if values is not None:
            table.say(f"column {name!r} has decimal commas; read as points")
    if values is not None:
        for at in np.flatnonzero(np.isinf(values))[:1]:
            line = table.lines[at]
            what = f"line {line}, column {name!r} holds {cells[at]!r}, an infinite number"
            raise wrong(table.path, what, "write a finite one or leave the cell blank")
        return Column(name, "no value" if np.isnan(values).all() else "numbers", cells, values)
    filled = [cell for cell in cells if not is_blank(cell)]
    words = [cell for cell in filled if not is_number(cell)]
    if kind == "numbers" or len(filled) - len(words) > _MOSTLY * len(cells):
        line = table.lines[cells.index(words[0])]
        what = f"line {line}, column {name!r} holds {words[0][:40]!r} among numbers"
        raise wrong(table.path, what, "correct it, or name the column under ignore in a data.yaml")
    distinct = len(set(filled))
    if sum(len(cell.split()) for cell in filled) / len(filled) >= _WORDS and distinct > 20:
        return Column(name, "text", cells)
    few = distinct <= min(_MOST, max(2, _MANY * len(filled)))
    return Column(name, "categories" if few else "too many different words to be categories", cells)


def guess_id(table: Table) -> str | None:
    """Return the column that names rows: a usual name and no value twice."""
    for name, cells in table.columns.items():
        if name.lower().strip() in ID_NAMES and all(cells) and len(set(cells)) == len(cells):
            return name
    return None


def guess_label(table: Table) -> str | None:
    """Return the column of classes: one with a usual name."""
    lower = {name.lower().strip(): name for name in reversed(table.columns)}
    return next((lower[name] for name in LABEL_NAMES if name in lower), None)


def view_of_columns(name: str, columns: Sequence[Column], source: str) -> Part:
    """Return numbers and classes of columns side by side as one view."""
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
    matrix = np.hstack(blocks)
    words = all(column.kind == "categories" for column in columns)
    return Part(name, matrix, names, source, kind="categories" if words else kind_of(matrix))
