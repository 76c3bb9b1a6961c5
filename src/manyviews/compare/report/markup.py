"""HTML of tables and the frame of the report."""

from __future__ import annotations

import html
from collections.abc import Sequence
from importlib import resources
from typing import Any


def text(value: Any) -> str:
    """Return escaped text; numbers are shortened."""
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 100 else f"{value:,.0f}"
    return html.escape(str(value))


def counted(number: int, thing: str) -> str:
    """Return a number with its thing, one or several."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def unbroken(shown: str) -> str:
    """Return a text that stays on one line."""
    return shown.replace(" ", "\N{NO-BREAK SPACE}")


def table(header: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = "") -> str:
    """Return a table in a box that scrolls; cells that are markup already are of type Markup."""
    head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in header)
    body = "\n".join(
        "<tr>"
        + "".join(
            f'<th scope="row">{_cell(cell)}</th>' if i == 0 else f"<td>{_cell(cell)}</td>"
            for i, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    # above the box, not in the table: it must not scroll away on a phone
    title = f'<p class="caption">{html.escape(caption)}</p>\n' if caption else ""
    label = f' aria-label="{html.escape(caption, quote=True)}"' if caption else ""
    return (
        f'{title}<div class="scroll" tabindex="0"><table{label}><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def _cell(cell: Any) -> str:
    return str(cell) if isinstance(cell, Markup) else text(cell)


def figure(picture: str, caption: str) -> str:
    """Return a picture with its caption."""
    return (
        f'<figure><div class="scroll" tabindex="0">{picture}</div>'
        f"<figcaption>{html.escape(caption)}</figcaption></figure>"
    )


def listed(items: Sequence[str]) -> str:
    """Return a list."""
    return "<ul>" + "".join(f"<li>{html.escape(item)}</li>" for item in items) + "</ul>"


def folded(summary: str, body: str) -> str:
    """Return a part that opens on demand."""
    return f"<details><summary>{html.escape(summary)}</summary>{body}</details>"


def page(title: str, body: str) -> str:
    """Return the whole page: styles inside, nothing from elsewhere."""
    style = (resources.files("manyviews.compare.report") / "report.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{html.escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{body}\n</main>\n</body>\n</html>\n"
    )
