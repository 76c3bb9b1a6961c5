"""Drawn pictures of what a method does: boxes in columns and rows, and arrows between them.

A paper describes its picture in ``diagram.py``; it is drawn as SVG in the page's own colours, and
the words for readers who cannot see it are made of the same description.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reproduction.pages.markup import render

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


def _arrow(arrow: Arrow, boxes: dict[str, Box], tallest: float) -> dict[str, Any]:
    (x, y), (u, v), lying = _ends(boxes[arrow.start], boxes[arrow.end], tallest)
    across, down = (x + u) / 2, (y + v) / 2
    bend = f"C{across:g},{y:g} {across:g},{v:g} {u:g},{v:g}" if lying else f"L{u:g},{v:g}"
    at = {"x": across, "y": down - 7} if lying else {"x": across + 8, "y": down + 4}
    return {**vars(arrow), **at, "path": f"M{x:g},{y:g}{bend}", "lying": lying}


def _box(box: Box, tallest: float) -> dict[str, Any]:
    x, y = _middle(box, tallest)
    height, lines = _height(box), box.text.split("\n")
    first = y - _LINE * (len(lines) - 1) / 2 + 4.5
    return {
        "kind": box.kind,
        "x": x,
        "left": x - _WIDTH / 2,
        "top": y - height / 2,
        "height": height,
        "lines": [(line, first + n * _LINE) for n, line in enumerate(lines)],
    }


def diagram_html(diagram: Diagram, name: str = "method") -> str:
    """``<figure>`` with the picture and its caption."""
    boxes = diagram.boxes
    tallest = max(_height(box) for box in boxes.values())
    columns, rows = zip(*(_middle(box, tallest) for box in boxes.values()), strict=True)
    width = max(columns) + _WIDTH / 2 + 2
    return render(
        "diagram.html",
        name=name,
        words=diagram.words(),
        caption=diagram.caption,
        width=width,
        height=max(rows) + tallest / 2 + 2,
        least=_LEAST * width,
        box_width=_WIDTH,
        arrows=[_arrow(arrow, boxes, tallest) for arrow in diagram.arrows],
        boxes=[_box(box, tallest) for box in boxes.values()],
    )
