"""LaTeX formulas as MathML, which browsers set themselves: no network, no script, no fonts.

The formula's source stays on the page as the text alternative.
"""

from __future__ import annotations

import functools
import html
import re
from xml.etree import ElementTree

from latex2mathml import exceptions
from latex2mathml.converter import convert

_ERRORS: tuple[type[Exception], ...] = (
    ElementTree.ParseError,
    ValueError,
    *(
        kind
        for kind in vars(exceptions).values()
        if isinstance(kind, type) and issubclass(kind, Exception)
    ),
)
_TWO_PARTS = ("mfrac", "msub", "msup", "mover", "munder", "mroot")


@functools.lru_cache(maxsize=1024)
def equation(latex: str, *, display: bool = False) -> str:
    """Return the MathML of a formula (without dollar signs); what cannot be set is an error."""
    source = " ".join(latex.split())
    if not source:
        raise ValueError(f"empty formula {latex!r}; write something between the dollar signs")
    named = re.sub(r"\\arg(?![A-Za-z])", r"\\operatorname{arg}", source)
    try:
        made = convert(named, display="block" if display else "inline")
        _check(made)
    except _ERRORS as error:
        why = str(error) or type(error).__name__
        raise ValueError(f"formula {latex!r} cannot be set: {why}") from error
    css = "equation" if display else "math"
    alt = html.escape(source, quote=True)
    return made.replace("<math ", f'<math class="{css}" aria-label="{alt}" ', 1)


def _check(mathml: str) -> None:
    """Raise on what the converter lets pass: unknown commands, stray signs, missing parts."""
    for node in ElementTree.fromstring(mathml).iter():
        if (node.text or "").strip().startswith("\\"):
            raise ValueError(f"{(node.text or '').strip()} is unknown")
        if node.tag.rpartition("}")[2] in _TWO_PARTS and len(node) != 2:
            raise ValueError("a brace or a part is missing")
