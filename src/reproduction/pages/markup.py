"""HTML and LaTeX of a table: sortable, filterable, downloadable, the same bytes every time."""

from __future__ import annotations

import base64
import html
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from reproduction.pages.wording import in_words, number, numbers

MARKS = {
    "equivalent": "✓", "compatible": "~", "near": "≈", "different": "✗", "not comparable": "–",
    "holds": "✓", "refuted": "✗", "undecided": "≈", "uninformative": "○", "untestable": "–",
    "not run": "·",
}  # fmt: skip

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "±": r"$\pm$", "–": "--", "✓": r"$\checkmark$", "≈": r"$\approx$", "✗": r"$\times$",
    "×": r"$\times$", "−": "$-$", "≤": r"$\le$", "≥": r"$\ge$", "⁻": "$^{-}$", "\u00a0": "~",
    **{raised: f"$^{{{digit}}}$" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}  # fmt: skip


_MEAN = re.compile(r"[-+−]?[\d.]+(?: ± [\d.]+)?")

PROSE = 32  #: a column with a longer text is given room to wrap
FEW = 10  #: tables of this many rows or fewer need no filter
LONG = 40  #: tables of more rows break over pages in LaTeX
MOST = 150  #: tables of more rows have no LaTeX: nobody prints them, and pages stay light


@dataclass(frozen=True)
class Cell:
    """One cell: HTML, plain text (for LaTeX), sort key, CSS classes and hint."""

    markup: str
    text: str
    sort: str | float = ""
    css: str = ""
    hint: str = ""


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


def csv_text(frame: pd.DataFrame) -> str:
    """CSV of a data frame at full precision."""
    return str(frame.to_csv(index=False, lineterminator="\n", float_format="%.12g"))


def latex_text(table: Table) -> str:
    """LaTeX (booktabs) of a table."""

    def escape(text: str) -> str:
        return "".join(_LATEX.get(character, character) for character in text)

    columns = "l" * len(table.header)
    caption = rf"\caption{{{escape(table.caption)}}}"
    label = rf"\label{{tab:{slug(table.name)}}}"
    header = " & ".join(escape(in_words(name)) for name in table.header) + r" \\"
    body = [" & ".join(escape(cell.text) for cell in row) + r" \\" for row in table.rows]
    if len(table.rows) > LONG:
        lines = [
            r"% needs \usepackage{booktabs,amssymb,longtable}",
            rf"\begin{{longtable}}{{{columns}}}",
            rf"{caption}{label}\\",
            *(r"\toprule", header, r"\midrule", r"\endfirsthead"),
            *(r"\toprule", header, r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot"),
            *body,
            r"\end{longtable}",
        ]
    else:
        lines = [
            r"% needs \usepackage{booktabs,amssymb}",
            r"\begin{table}",
            *(caption, label, rf"\begin{{tabular}}{{{columns}}}", r"\toprule", header, r"\midrule"),
            *body,
            *(r"\bottomrule", r"\end{tabular}", r"\end{table}"),
        ]
    return "\n".join(lines) + "\n"


def _download(name: str, kind: str, label: str, text: str) -> str:
    packed = base64.b64encode(text.encode("utf-8")).decode("ascii")
    return f'<a download="{name}" href="data:{kind};charset=utf-8;base64,{packed}">{label}</a>'


def _cell_html(cell: Cell, first: bool) -> str:
    tag = 'th scope="row"' if first else "td"
    css = f' class="{cell.css}"' if cell.css else ""
    # a key that the cell shows anyway is not written twice; six digits order what three show
    order = f"{cell.sort:.6g}" if isinstance(cell.sort, float) else str(cell.sort)
    key = "" if order in ("", cell.markup) else f' data-sort="{html.escape(order, quote=True)}"'
    hint = f' title="{html.escape(cell.hint, quote=True)}"' if cell.hint else ""
    return f"<{tag}{css}{key}{hint}>{cell.markup}</{tag.split()[0]}>"


def _side(table: Table, place: int) -> str:
    """Class of a column's head: over numbers it stands on the right, as they do."""
    shown = [row[place] for row in table.rows if row[place].text]
    # the first cell of a row is its head, and stands on the left whatever it holds
    return ' class="num"' if place and shown and all("num" in c.css for c in shown) else ""


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
    name = slug(table.name)
    for row in table.rows:
        if len(row) != len(table.header):
            raise ValueError(
                f"table {table.name!r}: a row has {len(row)} cells, the header {len(table.header)}"
            )
    head = "".join(
        f'<th scope="col"{_side(table, place)}><button type="button">{html.escape(in_words(text))}'
        "</button></th>"
        for place, text in enumerate(table.header)
    )
    body = "\n".join(
        "<tr>" + "".join(_cell_html(cell, place == 0) for place, cell in enumerate(row)) + "</tr>"
        for row in table.rows
    )
    latex = (
        _download(f"{name}.tex", "text/x-tex", "LaTeX", latex_text(table))
        if len(table.rows) <= MOST
        else f'<span class="soft">LaTeX up to {MOST} rows</span>'
    )
    downloads = f"{_download(f'{name}.csv', 'text/csv', 'CSV', table.csv)} {latex}"
    commands = rerun_html("Rerun these numbers", table.commands)
    notes = "".join(f'<p class="note">{note}</p>' for note in table.notes)
    caption = html.escape(table.caption)
    finder = ""
    if len(table.rows) > FEW:
        finder = (
            f'<label>Filter <input type="search" aria-controls="data-{name}"></label>'
            f'<span class="count" aria-live="polite">{len(table.rows)} rows</span>'
        )
    return (
        f'<section class="table-box" id="table-{name}">'
        f'<p class="caption" id="caption-{name}">{caption}</p>'
        f'<div class="tools">{finder}<span class="downloads">{downloads}</span></div>'
        '<div class="table-frame">'
        f'<table class="data" id="data-{name}" aria-labelledby="caption-{name}">'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
        f"{notes}{commands}</section>"
    )


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table for GitHub."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return [line(header), line(["---"] * len(header)), *map(line, rows)]
