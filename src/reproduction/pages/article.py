"""The shape of a page that is read from top to bottom: numbered figures, a folded appendix."""

from __future__ import annotations

import re

_CAPTION = "<figcaption>"
#: Heading of the part of a page that is folded; each section below it opens by itself.
_APPENDIX = '<h2 id="appendix">'


def number_figures(body: str) -> str:
    """Number the figures of a page in their order; the captions carry the numbers."""
    first, *rest = body.split(_CAPTION)
    numbered = (f"{_CAPTION}<b>Figure {n}.</b> {part}" for n, part in enumerate(rest, start=1))
    return first + "".join(numbered)


def fold_appendix(body: str) -> str:
    """Fold each section (``h3``) below the heading "Appendix"; its heading stays in sight."""
    before, heading, appendix = body.partition(_APPENDIX)
    if not heading:
        return body
    opening, *sections = re.split(r"(?=<h3 id=)", appendix)
    folded = []
    for section in sections:
        title, end, text = section.partition("</h3>\n")
        folded.append(
            f'<details class="appendix"><summary>{title}{end.strip()}</summary>\n{text}</details>\n'
        )
    return before + heading + opening + "".join(folded)


def as_article(body: str) -> str:
    """Return the body of a page with its figures numbered and its appendix folded."""
    return fold_appendix(number_figures(body))
