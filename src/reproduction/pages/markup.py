"""Templates and tables: what Python hands over, ``assets/*.j2`` say in HTML.

In a template an indented line continues the one before: a tag at once, a word after a space.
"""

import base64
import html
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
from jinja2.ext import Extension
from markupsafe import Markup

from asprinted.words import INFERRED, TEXT
from reproduction.files import write_text
from reproduction.pages.wording import in_words, number, numbers, readable, signed
from reproduction.results.rows import table_text
from reproduction.verdicts.data_facts import data_name

MARKS = {
    "equivalent": "✓", "compatible": "~", "near": "≈", "different": "✗", "not comparable": "–",
    "holds": "✓", "refuted": "✗", "no practical difference": "=", "open": "?",
    "untestable": "–", "not run": "·",
}  # fmt: skip

_MEAN = re.compile(r"[-+−]?[\d.]+(?: ± [\d.]+)?")

csv_text = table_text  #: what the downloads of tables and figures hold

PROSE = 32  #: a column with a longer text is given room to wrap
FEW = 10  #: tables of this many rows or fewer need no filter


class _Indented(Extension):
    """Lines of templates that are indented continue the line before."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"\n +", " ", re.sub(r"\n +(?=[<{])", "", source))


@cache
def templates() -> jinja2.Environment:
    """Return the environment of all templates, with what they call."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("reproduction.pages", "assets"),
        extensions=[_Indented],
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "badge": badge,
        "data_name": data_name,
        "in_words": in_words,
        "number": number,
        "readable": readable,
        "signed": signed,
        "some": lambda n, thing: f"{n:,} {thing}{'' if n == 1 else 's'}",
        "thousands": "{:,}".format,
    }
    made.globals |= {"MARKS": MARKS, "TEXT": TEXT, "INFERRED": INFERRED}
    made.policies["json.dumps_kwargs"] = {
        "ensure_ascii": False, "separators": (",", ":"), "allow_nan": False,
    }  # fmt: skip
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
    """A table ready to be written: header, rows of cells, and what the download holds."""

    name: str
    caption: str
    header: Sequence[str]
    rows: list[list[Cell]]
    csv: str
    notes: Sequence[str] = ()
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


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def plain(value: Any, shown: str | None = None) -> Cell:
    """Cell of a plain value: numbers shortened (or as ``shown``), settings in words, escaped."""
    if _is_number(value):
        text = number(value) if shown is None else shown
        return Cell(text, text, "" if math.isnan(value) else float(value), "num")
    text = "" if value is None or value is pd.NA else in_words(str(value))
    # a number that somebody wrote out, also with its deviation, may not break
    return Cell(html.escape(text), text, text, "num" if _MEAN.fullmatch(text) else "")


def badge(verdict: str) -> Cell:
    """Cell of a verdict: a coloured word with a mark, so that colour is not all there is."""
    text = html.escape(f"{MARKS.get(verdict, '')} {verdict}".strip())
    markup = f'<span class="badge v-{verdict.replace(" ", "-")}">{text}</span>'
    return Cell(markup, verdict, verdict)


def frame_cells(
    frame: pd.DataFrame,
    digits: int = 3,
    badges: Sequence[str] = ("verdict",),
    code: Sequence[str] = (),
) -> list[list[Cell]]:
    """Cells of a data frame, the numbers of a column with significant ``digits`` and in one way.

    ``badges`` names columns of verdicts, ``code`` those that are shown as they are.
    """
    columns = []
    for place, name in enumerate(map(str, frame.columns)):
        values = [v.item() if hasattr(v, "item") else v for v in frame.iloc[:, place]]
        if name in badges:
            cells = [badge(str(value)) for value in values]
        elif name in code:
            texts = map(str, values)
            cells = [Cell(f"<code>{html.escape(t)}</code>", t, t, "id") for t in texts]
        else:
            written = iter(numbers([value for value in values if _is_number(value)], digits))
            cells = [plain(v, next(written) if _is_number(v) else None) for v in values]
        if any(len(cell.text) > PROSE for cell in cells):
            cells = [replace(cell, css="text") for cell in cells]
        columns.append(cells)
    return [list(row) for row in zip(*columns, strict=True)]


def csv_link(name: str, text: str) -> Markup:
    """Link that saves a CSV text under a name."""
    packed = base64.b64encode(text.encode()).decode()
    source = f"data:text/csv;charset=utf-8;base64,{packed}"
    return Markup(f'<a download="{slug(name)}.csv" href="{source}">CSV</a>')


def table_html(table: Table) -> str:
    """``<section>`` with the table, its filter, its download and the commands that remake it."""
    return render(
        "table.html",
        table=table,
        name=slug(table.name),
        few=FEW,
        heads=zip(table.header, table.right, strict=True),
        download=csv_link(table.name, table.csv),
    )


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for GitHub."""
    lines = [header, ["---"] * len(header), *rows]
    escaped = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)


def write_block(path: Path, name: str, text: str) -> bool:
    """Replace what a text file has between the markers of a name; return whether it changed."""
    start, end = f"<!-- {name}:start -->\n", f"\n<!-- {name}:end -->"
    there = path.read_text(encoding="utf-8")
    if start not in there or end not in there:
        raise ValueError(f"{path} lacks the markers {start.strip()} and {end.strip()}; add them")
    made = f"{there.partition(start)[0]}{start}{text}{end}{there.partition(end)[2]}"
    if made != there:
        write_text(path, made)
    return made != there
