"""LaTeX formulas as inline SVG, set with matplotlib's mathtext: no network, no script, no fonts.

The formula's source stays on the page as the text alternative. Mathtext knows a large part of
LaTeX's mathematics; ``aligned``, ``gather`` and ``split`` are set line by line here.
"""

from __future__ import annotations

import functools
import html
import re

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path as Outline
from matplotlib.textpath import TextPath, text_to_path

SIZE = 10.0  # points per em while setting; the page scales by em
_REPLACED = (
    (r"\\(?:tfrac|cfrac)(?![a-zA-Z])", r"\\frac"),
    (r"\\[lr]Vert(?![a-zA-Z])", r"\\Vert"),
    (r"\\[lr]vert(?![a-zA-Z])", r"\\vert"),
    (r"\\(?:limits|nolimits|displaystyle|textstyle|nonumber)(?![a-zA-Z])", ""),
    (r"\\[bB]igg?[lrm]?(?![a-zA-Z])", ""),
    (r"\\arg\s*\\(max|min)(?![a-zA-Z])", r"\\operatorname{arg\\,\1}"),
    (r"\\(argmax|argmin|sign|tr|diag|softmax)(?![a-zA-Z])", r"\\operatorname{\1}"),
    (r"\\(?:textrm|textnormal|textup|mbox)(?![a-zA-Z])", r"\\text"),
    (r"\\(?:label|tag\*?)\{[^}]*\}", ""),
    (r"\\middle(?![a-zA-Z])\s*\|", r"\\vert "),
    (r"\\dots(?![a-zA-Z])", r"\\ldots"),
    (r"\\le(?![a-zA-Z])", r"\\leq"),
    (r"\\ge(?![a-zA-Z])", r"\\geq"),
    (r"\\ne(?![a-zA-Z])", r"\\neq"),
    (r"\\to(?![a-zA-Z])", r"\\rightarrow"),
    (r"\\gets(?![a-zA-Z])", r"\\leftarrow"),
    (r"\\lbrace(?![a-zA-Z])", r"\\{"),
    (r"\\rbrace(?![a-zA-Z])", r"\\}"),
)
_MULTILINE = re.compile(
    r"\\begin\{(aligned|align\*?|gather\*?|gathered|split)\}(.*?)\\end\{\1\}", re.DOTALL
)


def _prepare(latex: str) -> list[str]:
    """Lines to set one below the other, in mathtext's dialect."""
    source = latex.strip()
    body = _MULTILINE.sub(lambda match: match.group(2), source)
    lines = re.split(r"\\\\(?:\[[^\]]*\])?", body) if body != source or r"\\" in body else [body]
    prepared = []
    for line in lines:
        text = " ".join(line.replace("&", " ").split())
        for pattern, replacement in _REPLACED:
            text = re.sub(pattern, replacement, text)
        if text.strip():
            prepared.append(text.strip())
    return prepared


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def _path_data(outline: Outline, dx: float, dy: float) -> str:
    """SVG path commands of an outline, moved by (dx, dy) and with y pointing down."""
    letters = {Outline.MOVETO: "M", Outline.LINETO: "L", Outline.CURVE3: "Q", Outline.CURVE4: "C"}
    parts = []
    for points, code in outline.iter_segments(simplify=False, curves=True):
        if code == Outline.CLOSEPOLY:
            parts.append("Z")
            continue
        pairs = np.asarray(points, dtype=float).reshape(-1, 2)
        parts.append(
            letters[code] + " ".join(f"{_number(x + dx)} {_number(dy - y)}" for x, y in pairs)
        )
    return "".join(parts)


@functools.lru_cache(maxsize=1024)
def equation_svg(latex: str, *, display: bool = False) -> str:
    """SVG of a formula (without dollar signs), sized in em and aligned on the text's baseline."""
    font = FontProperties(family="DejaVu Sans", size=SIZE, math_fontfamily="dejavusans")
    pieces: list[str] = []
    width, top = 0.0, 0.0
    height = depth = 0.0
    lines = _prepare(latex)
    if display:
        lines = [re.sub(r"\\frac(?![a-zA-Z])", r"\\dfrac", line) for line in lines]
    if not lines:
        raise ValueError(f"empty formula {latex!r}; write something between the dollar signs")
    with matplotlib.rc_context({"mathtext.fontset": "dejavusans"}):
        for line in lines:
            try:
                w, h, d = text_to_path.get_text_width_height_descent(f"${line}$", font, ismath=True)
                outline = TextPath((0, 0), f"${line}$", prop=font)
            except (ValueError, RuntimeError) as error:
                raise ValueError(
                    f"formula {latex!r} cannot be set: {error}; use the LaTeX that matplotlib's "
                    "mathtext knows (no environments other than aligned, gather, split)"
                ) from error
            if pieces:
                top += 0.5 * SIZE
            pieces.append(_path_data(outline, 1.0, top + h - d + 1.0))
            width, top = max(width, w), top + h
            height, depth = top, d
    box_w, box_h = width + 2.0, height + 2.0
    # several lines hang centred on the text's axis, one line sits on its baseline
    drop = box_h / 2 if len(lines) > 1 else depth + 1.0
    css = "equation" if display else "math"
    alt = html.escape(" ".join(latex.split()), quote=True)
    place = (
        f"width:{box_w / SIZE:.3f}em;height:{box_h / SIZE:.3f}em;"
        f"vertical-align:{-drop / SIZE:.3f}em"
    )
    return (
        f'<svg class="{css}" role="img" aria-label="{alt}" style="{place}" '
        f'viewBox="0 0 {_number(box_w)} {_number(box_h)}" xmlns="http://www.w3.org/2000/svg">'
        f'<title>{alt}</title><path fill="currentColor" d="{"".join(pieces)}"/></svg>'
    )
