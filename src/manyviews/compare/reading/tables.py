"""Tables as text (CSV, TSV), Parquet, workbooks: cells with the line they stand in.

Mended, and said: a byte order mark, UTF-16, text that is not UTF-8 (read as Windows-1252),
semicolons or tabs in a ``.csv``, a missing header, columns of the same name. Refused: lines of
different length, quotes that do not end, zero bytes, empty files, more than 100,000 columns.
"""

import csv
import io
import re
import sys
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.foreign import parsed
from manyviews.compare.reading.opening import MOST_TEXT, ending_of, packing_of, read_bytes

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
#: Wider tables are refused: sparse formats hold them in a fraction of the time.
MOST_COLUMNS = 100_000
#: What stands for a blank cell.
BLANKS = frozenset(
    ("", "na", "n/a", "nan", "null", "none", "?", "-", "--", ".", "#n/a", "missing", "<na>")
)


@dataclass
class Table:
    """A table of texts.

    Attributes
    ----------
    path
        File.
    columns
        Names of the columns.
    rows
        Cells, row by row.
    lines
        Line of the file each row ends in, for messages.
    notes
        What was mended.
    """

    path: Path
    columns: list[str]
    rows: list[list[str]]
    lines: list[int]
    notes: list[str] = field(default_factory=list)

    @cached_property
    def _columns(self) -> dict[str, tuple[str, ...]]:
        return dict(zip(self.columns, zip(*self.rows, strict=True), strict=True))

    def column(self, name: str) -> list[str]:
        """Return the cells of one column."""
        return list(self._columns[name])


def read_text(path: Path, notes: list[str], most: int | None = None) -> str:
    """Return the text of a file, unpacked if it is packed."""
    most = most or MOST_TEXT
    packed = packing_of(path)
    content = parsed(path, "", most)[""].tobytes() if packed else read_bytes(path, most)
    return decoded(path, content, notes)


def decoded(path: Path, content: bytes, notes: list[str]) -> str:
    """Return the text of a file; other encodings than UTF-8 are mended aloud."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        notes.append(f"{path.name} is UTF-16; read as such")
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError:
            raise wrong(path, "breaks off within a UTF-16 character", "save it as UTF-8") from None
    if b"\0" in content:
        line = content[: content.index(b"\0")].count(b"\n") + 1
        raise wrong(path, f"line {line} holds a zero byte, so it is no text", "save it as text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        notes.append(
            f"{path.name} is not UTF-8 (line {line}); read as Windows-1252: check its accents, "
            "or save it as UTF-8"
        )
        return content.decode("cp1252", "replace")


def _separator(path: Path, text: str, notes: list[str]) -> str:
    """Return what separates the cells: what the ending says, or what the first line shows."""
    usual = "\t" if ending_of(path) in ("tsv", "tab") else ","
    first = re.sub(r'"[^"]*"', "", text.lstrip("\r\n").split("\n", 1)[0])
    if usual in first:
        return usual
    other = max(SEPARATORS, key=first.count)
    if first.count(other):
        notes.append(f"{path.name} is separated by {SEPARATORS[other]}")
        return other
    return usual


def _cells(path: Path, text: str, separator: str) -> tuple[list[list[str]], list[int]]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    lines_of = io.StringIO(text.rstrip("\r\n"), newline="")  # blank lines at the end are no rows
    reader = csv.reader(lines_of, delimiter=separator, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        for row in reader:
            # a blank line is a row where the only cell may be blank
            if any(row) or (rows and len(rows[0]) == 1):
                rows.append([cell.strip() for cell in row] or [""])
                lines.append(reader.line_num)
    except csv.Error as error:
        raise wrong(
            path, f"line {reader.line_num}: {error}", "close the quotes, or double quotes in a cell"
        ) from None
    return rows, lines


def read_table(path: Path) -> Table:
    """Read a CSV, TSV or .tab file, packed or not."""
    notes: list[str] = []
    text = read_text(path, notes)
    if not text.strip():
        raise wrong(path, "is empty", "give it a header line and rows")
    separator = _separator(path, text, notes)
    wide = text.lstrip("\r\n").split("\n", 1)[0].count(separator)
    if wide > MOST_COLUMNS:
        raise wrong(
            path,
            f"has about {wide + 1:,} columns; as text that is slow and mostly zeros",
            "save it as .npz (scipy.sparse.save_npz), .mtx or .svmlight",
        )
    rows, lines = _cells(path, text, separator)
    if not rows:
        raise wrong(path, "has no cells", "give it a header line and rows")
    header, rows, lines = _header(path, rows, lines, notes)
    if not rows:
        raise wrong(path, "has a header line but no rows", "add rows")
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(header):
            raise wrong(
                path, f"line {line} has {len(row)} cells, the header {len(header)}",
                "give every line as many cells, or quote cells that hold the separator",
            )  # fmt: skip
    return Table(path, _unique(path, header, notes), rows, lines, notes)


def _header(
    path: Path, rows: list[list[str]], lines: list[int], notes: list[str]
) -> tuple[list[str], list[list[str]], list[int]]:
    """Return names of columns and the rows below; a first line of numbers is no header."""
    first = rows[0]
    named = any(cell.lower() in ("id", "ids") for cell in first)
    if len(rows) > 1 and not named and all(len(row) == len(first) + 1 for row in rows[1:]):
        return ["", *first], rows[1:], lines[1:]  # R leaves the name of the row names out
    if all(is_number(cell) for cell in first if cell) and any(first):
        notes.append(f"{path.name} has no header line; its columns are called c1, c2, ...")
        return [f"c{i + 1}" for i in range(len(first))], rows, lines
    return first, rows[1:], lines[1:]


def is_number(cell: str) -> bool:
    """Tell whether a cell holds a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _unique(path: Path, names: list[str], notes: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}.{seen[name]}")
    twice = [name for name, count in seen.items() if count > 1]
    if twice:
        notes.append(
            f"{path.name} has {len(twice)} column names more than once ({twice[0]!r}); "
            "numbers were added"
        )
    return found


def read_columns(path: Path) -> Table:
    """Read a Parquet file or the first sheet of a workbook, if the package for it is there."""
    content = parsed(path, ending_of(path))
    names: list[str] = content.pop("names")
    rows = [list(row) for row in zip(*content.values(), strict=True)]
    if not rows:
        raise wrong(path, "has no rows", "add rows")
    notes: list[str] = []
    return Table(path, _unique(path, names, notes), rows, list(range(1, len(rows) + 1)), notes)
