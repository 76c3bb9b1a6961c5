"""Pictures of what a method does: boxes in columns and rows, and lines between them.

A paper describes its picture in ``diagram.py``; the words for readers who cannot see it are made of
the same description.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reproduction.pages.markup import render

#: Size of a box and of its place in the picture, and the height of a line of text, in pixels.
_WIDTH, _HEIGHT, _ACROSS, _DOWN, _LINE = 150, 75, 220, 70, 17


@dataclass(frozen=True)
class Box:
    """A box: its text line by line, its place, and whether it is given, computed or asked for."""

    text: str
    column: float
    row: float
    kind: Literal["data", "model", "result"] = "model"

    @property
    def x(self) -> float:
        """Middle of the box."""
        return self.column * _ACROSS + _WIDTH / 2 + 2

    @property
    def y(self) -> float:
        """Middle of the box."""
        return self.row * _DOWN + _HEIGHT / 2 + 2

    @property
    def lines(self) -> list[tuple[str, float]]:
        """Lines of its text, each with its height in the picture."""
        lines = self.text.split("\n")
        top = self.y - _LINE * (len(lines) - 1) / 2 + 4.5
        return [(line, top + n * _LINE) for n, line in enumerate(lines)]


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


def diagram_html(diagram: Diagram, name: str = "method") -> str:
    """``<figure>`` with the picture and its caption; boxes cover the ends of the lines."""
    boxes = diagram.boxes
    return render(
        "diagram.html",
        name=name,
        diagram=diagram,
        width=max(box.x for box in boxes.values()) + _WIDTH / 2 + 2,
        height=max(box.y for box in boxes.values()) + _HEIGHT / 2 + 2,
        box_width=_WIDTH,
        line=_LINE,
    )
