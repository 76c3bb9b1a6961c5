"""Drawn pictures of what a method does: boxes in columns and rows, and arrows between them.

A paper describes its picture in ``diagram.py``; it is drawn as SVG in the page's own colours, and
the words for readers who cannot see it are made of the same description.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_WIDTH, _LINE, _EDGE = 150, 17, 12
_ACROSS, _DOWN = 70, 26
#: Pixels below which text cannot be read on a phone; its box scrolls then.
_LEAST = 0.78


@dataclass(frozen=True)
class Box:
    """A box: its text line by line, its place, and whether it is given, computed or asked for."""

    text: str
    column: float
    row: float
    kind: Literal["data", "model", "result"] = "model"


@dataclass(frozen=True)
class Arrow:
    """An arrow between two boxes, by name; ``both`` points both ways."""

    start: str
    end: str
    label: str = ""
    both: bool = False


@dataclass(frozen=True)
class Diagram:
    """Boxes by name, arrows between them, and the caption that says what to see."""

    boxes: dict[str, Box]
    arrows: Sequence[Arrow]
    caption: str

    def __post_init__(self) -> None:
        for arrow in self.arrows:
            for name in (arrow.start, arrow.end):
                if name not in self.boxes:
                    raise ValueError(f"an arrow names the box {name!r}, which is not drawn")

    def words(self) -> str:
        """Return what the picture shows, arrow by arrow."""
        said = []
        for arrow in self.arrows:
            start, end = (" ".join(self.boxes[n].text.split()) for n in (arrow.start, arrow.end))
            label = f" ({arrow.label})" if arrow.label else ""
            said.append(f"{start} {'and' if arrow.both else 'to'} {end}{label}")
        return "; ".join(said) + "."


def _height(box: Box) -> float:
    return _LINE * (box.text.count("\n") + 1) + 2 * _EDGE


def _middle(box: Box, tallest: float) -> tuple[float, float]:
    x = 2 + box.column * (_WIDTH + _ACROSS) + _WIDTH / 2
    return x, 2 + box.row * (tallest + _DOWN) + tallest / 2


def _ends(
    start: Box, end: Box, tallest: float
) -> tuple[tuple[float, float], tuple[float, float], bool]:
    """Return where an arrow leaves and arrives, and whether it lies."""
    (x, y), (u, v) = _middle(start, tallest), _middle(end, tallest)
    if abs(u - x) > _WIDTH:
        side = _WIDTH / 2 if u > x else -_WIDTH / 2
        return (x + side, y), (u - side, v), True
    sign = 1 if v > y else -1
    return (x, y + sign * _height(start) / 2), (u, v - sign * _height(end) / 2), False


def _arrow(arrow: Arrow, boxes: dict[str, Box], tallest: float, name: str) -> str:
    (x, y), (u, v), lying = _ends(boxes[arrow.start], boxes[arrow.end], tallest)
    bend = f"C{(x + u) / 2:g},{y:g} {(x + u) / 2:g},{v:g} {u:g},{v:g}" if lying else f"L{u:g},{v:g}"
    head = f'marker-end="url(#{name}-head)"'
    head += f' marker-start="url(#{name}-head)"' if arrow.both else ""
    label = ""
    if arrow.label:
        at = f'x="{(x + u) / 2:g}" y="{(y + v) / 2 - 7:g}"'
        if not lying:
            at = f'x="{(x + u) / 2 + 8:g}" y="{(y + v) / 2 + 4:g}" style="text-anchor:start"'
        label = f'<text class="d-label" {at}>{html.escape(arrow.label)}</text>'
    return f'<path class="d-arrow" d="M{x:g},{y:g}{bend}" {head}/>{label}'


def _box(box: Box, tallest: float) -> str:
    x, y = _middle(box, tallest)
    height = _height(box)
    lines = box.text.split("\n")
    first = y - _LINE * (len(lines) - 1) / 2 + 4.5
    text = "".join(
        f'<tspan x="{x:g}" y="{first + n * _LINE:g}">{html.escape(line)}</tspan>'
        for n, line in enumerate(lines)
    )
    corner = 14 if box.kind == "result" else 4
    return (
        f'<rect class="d-{box.kind}" x="{x - _WIDTH / 2:g}" y="{y - height / 2:g}" '
        f'width="{_WIDTH}" height="{height:g}" rx="{corner}"/><text>{text}</text>'
    )


def diagram_html(diagram: Diagram, name: str = "method") -> str:
    """``<figure>`` with the picture and its caption."""
    boxes = diagram.boxes
    tallest = max(_height(box) for box in boxes.values())
    corners = [_middle(box, tallest) for box in boxes.values()]
    width = max(x for x, _ in corners) + _WIDTH / 2 + 2
    height = max(y for _, y in corners) + tallest / 2 + 2
    words = html.escape(diagram.words(), quote=True)
    drawn = "".join(_arrow(arrow, boxes, tallest, name) for arrow in diagram.arrows)
    drawn += "".join(_box(box, tallest) for box in boxes.values())
    return (
        f'<figure id="figure-{name}" class="plot diagram"><div class="plot-box" tabindex="0">'
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{words}" '
        f'style="max-width:{width:.0f}px;min-width:{_LEAST * width:.0f}px"><title>{words}</title>'
        f'<defs><marker id="{name}-head" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto-start-reverse"><path d="M0,0L8,4L0,8Z" '
        f'fill="currentColor"/></marker></defs>{drawn}</svg></div>'
        f"<figcaption>{html.escape(diagram.caption)}</figcaption></figure>"
    )
