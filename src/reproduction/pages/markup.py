"""Templates and tables: what Python hands over, ``assets/*.j2`` say in HTML.

In a template an indented line continues the one before: a tag at once, a word after a space.
"""

from __future__ import annotations

import base64
import html
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import jinja2
import pandas as pd
from jinja2.ext import Extension
from markupsafe import Markup

from reproduction.pages.data_names import data_name
from reproduction.pages.prose import markdown_html
from reproduction.pages.wording import in_words, number, numbers, readable

MARKS = {
    "equivalent": "✓", "compatible": "~", "near": "≈", "different": "✗", "not comparable": "–",
    "holds": "✓", "refuted": "✗", "no practical difference": "=", "open": "?",
    "untestable": "–", "not run": "·",
}  # fmt: skip

_MEAN = re.compile(r"[-+−]?[\d.]+(?: ± [\d.]+)?")

PROSE = 32  #: a column with a longer text is given room to wrap
FEW = 10  #: tables of this many rows or fewer need no filter


class _Indented(Extension):
    """Lines of templates that are indented continue the line before."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"\n +", " ", re.sub(r"\n +(?=[<{])", "", source))


def _is_html(name: str | None) -> bool:
    return name is not None and name.endswith(".html.j2")


@cache
def templates() -> jinja2.Environment:
    """Return the environment of all templates, with what they call."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("reproduction.pages", "assets"),
        extensions=[_Indented],
        autoescape=_is_html,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "badge": badge,
        "data_name": data_name,
        "in_words": in_words,
        "markdown": lambda text: Markup(markdown_html(str(text))),
        "number": number,
        "readable": readable,
        "some": lambda n, thing: f"{n:,} {thing}{'' if n == 1 else 's'}",
        "thousands": "{:,}".format,
    }
    made.globals["MARKS"] = MARKS
    return made


def render(template: str, **data: Any) -> str:
    """Return what a template of ``assets`` says about some data."""
    return templates().get_template(f"{template}.j2").render(**data)


@dataclass(frozen=True)
class Cell:
    """One cell: HTML, plain text, sort key, CSS classes and hint."""

    markup: str
    text: str
    sort: str | float = ""
    css: str = ""
    hint: str = ""

    def __html__(self) -> str:
        return self.markup

    @property
    def key(self) -> str:
        """What its column is sorted by, unless the cell shows it anyway."""
        # six digits order what three show
        order = f"{self.sort:.6g}" if isinstance(self.sort, float) else str(self.sort)
        return "" if order == self.markup else order


@dataclass
class Table:
    """A table ready to be written: header, rows of cells, and what the downloads hold."""

    name: str
    caption: str
    header: Sequence[str]
    rows: list[list[Cell]]
    csv: str
    notes: list[str] = field(default_factory=list)
    commands: Sequence[str] = ()

    @property
    def right(self) -> list[bool]:
        """Whether the head of a column stands on the right, as its numbers do."""
        # the first cell of a row is its head, and stands on the left whatever it holds
        shown = [[row[n] for row in self.rows if row[n].text] for n in range(len(self.header))]
        return [bool(n and c) and all("num" in cell.css for cell in c) for n, c in enumerate(shown)]

    def __html__(self) -> str:
        return table_html(self)


def slug(text: str) -> str:
    """Name usable as an id and a file name."""
    made = re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()
    if not made:
        raise ValueError(f"a name made of letters or digits is needed, not {text!r}")
    return made


def _number_cell(value: float, text: str) -> Cell:
    key: str | float = "" if math.isnan(value) else float(value)
    return Cell(text, text, key, "num")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def plain(value: Any, digits: int = 3) -> Cell:
    """Cell of a plain value: numbers shortened, settings in words, text escaped."""
    if hasattr(value, "item"):
        value = value.item()
    if _is_number(value):
        return _number_cell(value, number(value, digits))
    text = "" if value is None or value is pd.NA else in_words(str(value))
    # a number that somebody wrote out, also with its deviation, may not break
    return Cell(html.escape(text), text, text, "num" if _MEAN.fullmatch(text) else "")


def badge(verdict: str) -> Cell:
    """Cell of a verdict: a coloured word with a mark, so that colour is not all there is."""
    css = "v-" + verdict.replace(" ", "-")
    mark = MARKS.get(verdict, "")
    text = f"{mark} {verdict}".strip()
    return Cell(f'<span class="badge {css}">{html.escape(text)}</span>', verdict, verdict)


def _column_cells(values: Sequence[Any], digits: int) -> list[Cell]:
    """Cells of a column, its numbers written in one way."""
    bare = [value.item() if hasattr(value, "item") else value for value in values]
    counted = [place for place, value in enumerate(bare) if _is_number(value)]
    texts = dict(zip(counted, numbers([bare[i] for i in counted], digits), strict=True))
    return [
        _number_cell(value, texts[place]) if place in texts else plain(value)
        for place, value in enumerate(bare)
    ]


def _code(text: str) -> Cell:
    return Cell(f"<code>{html.escape(text)}</code>", text, text, "id")


def frame_cells(
    frame: pd.DataFrame,
    digits: int | Mapping[str, int] = 3,
    badges: Sequence[str] = ("verdict",),
    code: Sequence[str] = (),
) -> list[list[Cell]]:
    """Cells of a data frame; ``badges`` names columns of verdicts, ``code`` those to type."""
    places = digits if isinstance(digits, Mapping) else {}
    usual = 3 if isinstance(digits, Mapping) else digits
    columns = []
    for place, name in enumerate(map(str, frame.columns)):
        values = list(frame.iloc[:, place])
        if name in badges:
            cells = [badge(str(value)) for value in values]
        elif name in code:
            cells = [_code(str(value)) for value in values]
        else:
            cells = _column_cells(values, places.get(name, usual))
        if any(len(cell.text) > PROSE for cell in cells):
            cells = [replace(cell, css="text") for cell in cells]
        columns.append(cells)
    return [list(row) for row in zip(*columns, strict=True)]


def frame_table(
    frame: pd.DataFrame,
    name: str,
    caption: str,
    *,
    digits: int | Mapping[str, int] = 3,
    badges: Sequence[str] = (),
    code: Sequence[str] = (),
    notes: Sequence[str] = (),
    commands: Sequence[str] = (),
) -> Table:
    """Return a data frame as a table; the download has all digits.

    ``digits`` are significant ones, for all columns or per column; ``badges`` are columns of
    verdicts, ``code`` those that are shown as they are; ``notes`` are lines of HTML below.
    """
    cells = frame_cells(frame, digits, badges, code)
    header = [str(column) for column in frame.columns]
    return Table(name, caption, header, cells, csv_text(frame), list(notes), commands)


def csv_text(frame: pd.DataFrame) -> str:
    """CSV of a data frame at full precision."""
    return str(frame.to_csv(index=False, lineterminator="\n", float_format="%.12g"))


def csv_link(name: str, text: str) -> Markup:
    """Link that saves a CSV text under a name."""
    packed = base64.b64encode(text.encode()).decode()
    source = f"data:text/csv;charset=utf-8;base64,{packed}"
    return Markup(f'<a download="{slug(name)}.csv" href="{source}">CSV</a>')


def rerun_html(title: str, commands: Sequence[str]) -> str:
    """Commands that remake what stands above, folded; nothing without any."""
    if not commands:
        return ""
    lines = "\n".join(html.escape(command) for command in commands)
    return f'<details class="rerun"><summary>{title}</summary><pre>{lines}</pre></details>'


def json_block(data: Any, **attributes: str) -> str:
    """Data for the page's script, in a block that no browser runs."""
    packed = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    told = "".join(f' {name.rstrip("_")}="{value}"' for name, value in attributes.items())
    packed = packed.replace("<", "\\u003c")  # "</script>" in a text would end the block
    return f'<script type="application/json"{told}>{packed}</script>'


def table_html(table: Table) -> str:
    """``<section>`` with the table, its filter, its downloads and the commands that remake it."""
    for row in table.rows:
        if len(row) != len(table.header):
            raise ValueError(
                f"table {table.name!r}: a row has {len(row)} cells, the header {len(table.header)}"
            )
    return render(
        "table.html",
        table=table,
        name=slug(table.name),
        few=FEW,
        heads=zip(table.header, table.right, strict=True),
        download=csv_link(table.name, table.csv),
        commands=Markup(rerun_html("Rerun these numbers", table.commands)),
    )


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table for GitHub."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return [line(header), line(["---"] * len(header)), *map(line, rows)]
