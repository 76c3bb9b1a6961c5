"""Markdown as HTML: what people write in notebooks and what sentences are computed."""

from __future__ import annotations

import html
import re
from typing import Any

import mistune
from mistune.plugins.math import math as math_plugin
from mistune.plugins.table import table as table_plugin

from reproduction.pages.equations import equation

#: A formula in a line, with the marks around it that no line may end or begin with.
_FORMULA = re.compile(
    r'([(\[“‘]*)(<span class="math-box">(?:(?!</span>).)*</span>)([.,;:!?)\]”’]*)', re.DOTALL
)


def _kept_together(found: re.Match[str]) -> str:
    before, formula, after = found.groups()
    if not before and not after:
        return formula
    return f'<span class="kept">{before}{formula}{after}</span>'


class _Renderer(mistune.HTMLRenderer):
    """Markdown to HTML: headings with ids, formulas as MathML, tables in a box that scrolls."""

    def __init__(self, contents: list[dict[str, Any]]) -> None:
        super().__init__(escape=False)
        self.contents = contents

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        words = re.sub(r"<title>.*?</title>|<[^>]+>", "", text)
        base = re.sub(r"[^a-z0-9]+", "-", html.unescape(words).lower()).strip("-") or "section"
        taken = {entry["id"] for entry in self.contents}
        name = base
        count = 2
        while name in taken:
            name, count = f"{base}-{count}", count + 1
        self.contents.append({"id": name, "text": html.unescape(words), "level": level})
        return f'<h{level} id="{name}">{text}</h{level}>\n'

    def table(self, text: str) -> str:
        return f'<div class="prose-box"><table class="prose">\n{text}</table></div>\n'

    def inline_math(self, text: str) -> str:
        return f'<span class="math-box">{equation(text)}</span>'

    def block_math(self, text: str) -> str:
        return f'<div class="equation-box" tabindex="0">{equation(text, display=True)}</div>\n'


def markdown_html(source: str, contents: list[dict[str, Any]] | None = None) -> str:
    """HTML of a Markdown text; headings are collected in ``contents``."""
    renderer = _Renderer([] if contents is None else contents)
    convert = mistune.Markdown(renderer=renderer, plugins=[math_plugin, table_plugin])
    return _FORMULA.sub(_kept_together, str(convert(source)))
