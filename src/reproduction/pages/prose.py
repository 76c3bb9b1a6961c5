"""Markdown as HTML: what people write in notebooks and what sentences are computed.

Formulas become MathML, which browsers set themselves: no network, no script, no fonts. A formula's
source stays on the page as the text alternative.
"""

import functools
import html
import re
from typing import Any
from xml.etree import ElementTree

import mistune
from latex2mathml.converter import convert
from mistune.plugins.math import math as math_plugin
from mistune.plugins.table import table as table_plugin

_TWO_PARTS = ("mfrac", "msub", "msup", "mover", "munder", "mroot")


@functools.lru_cache(maxsize=1024)
def equation(latex: str, *, display: bool = False) -> str:
    """Return the MathML of a formula (without dollar signs); what cannot be set is an error."""
    source = " ".join(latex.split())
    named = re.sub(r"\\arg(?![A-Za-z])", r"\\operatorname{arg}", source)
    try:
        made = convert(named, display="block" if display else "inline")
        # the converter lets unknown commands, stray signs and missing parts pass
        for node in ElementTree.fromstring(made).iter():
            if (node.text or "").strip().startswith("\\"):
                raise ValueError(f"{(node.text or '').strip()} is unknown")
            if node.tag.rpartition("}")[2] in _TWO_PARTS and len(node) != 2:
                raise ValueError("a brace or a part is missing")
    except Exception as error:  # its own errors have no common base
        why = str(error) or type(error).__name__
        raise ValueError(f"formula {latex!r} cannot be set: {why}") from error
    css, alt = "equation" if display else "math", html.escape(source, quote=True)
    return made.replace("<math ", f'<math class="{css}" aria-label="{alt}" ', 1)


class Contents(list[dict[str, Any]]):
    """Headings of a page in their order; its appendix is folded, and so is each section there."""

    appendix = folded = False

    def end(self) -> str:
        """Return what closes everything that is folded."""
        closing = "</details>\n" * (self.appendix + self.folded)
        self.appendix = self.folded = False
        return closing

    def heading(self, text: str, level: int) -> str:
        """Add a heading; return its HTML, below "Appendix" as the handle of a folded section."""
        words = html.unescape(re.sub(r"<title>.*?</title>|<[^>]+>", "", text))
        base = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") or "section"
        taken = {entry["id"] for entry in self}
        names = (f"{base}-{n}" if n > 1 else base for n in range(1, len(self) + 2))
        name = next(name for name in names if name not in taken)
        shown = f'<h{level} id="{name}">{text}</h{level}>'
        inside = self.appendix and level > 2
        self.append({"id": name, "text": words, "level": 4 if inside else level})
        if level > 3:
            return f"{shown}\n"
        before = "</details>\n" * self.folded if inside else self.end()
        self.appendix, self.folded = inside or base == "appendix", inside
        if self.appendix:
            shown = f'<details class="appendix"><summary>{shown}</summary>'
        return f"{before}{shown}\n"


class _Renderer(mistune.HTMLRenderer):
    """Markdown to HTML: headings with ids, formulas as MathML, tables in a box that scrolls."""

    def __init__(self, contents: Contents) -> None:
        super().__init__(escape=False)
        self.contents = contents

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        return self.contents.heading(text, level)

    def table(self, text: str) -> str:
        return f'<div class="prose-box" tabindex="0"><table class="prose">\n{text}</table></div>\n'

    def block_code(self, code: str, info: str | None = None) -> str:
        # a box that may scroll can be reached by keyboard
        return super().block_code(code, info).replace("<pre>", '<pre tabindex="0">', 1)

    def inline_math(self, text: str) -> str:
        return f'<span class="math-box">{equation(text)}</span>'

    def block_math(self, text: str) -> str:
        return f'<div class="equation-box" tabindex="0">{equation(text, display=True)}</div>\n'


def markdown_html(source: str, contents: Contents) -> str:
    """HTML of a Markdown text; headings are added to ``contents``."""
    plugins = [math_plugin, table_plugin]
    return str(mistune.Markdown(renderer=_Renderer(contents), plugins=plugins)(source))
