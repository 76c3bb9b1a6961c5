"""Pictures of what a method does: boxes in columns and rows, and arrows between them.

A page describes its picture in a few lines of text; the words for readers who cannot see it are
made of the same lines.
"""

import re
from typing import NamedTuple

from IPython.display import HTML, display

from reproduction.pages.markup import render

#: Size of a box and of its place in the picture, and the height of a line of text, in pixels.
_WIDTH, _HEIGHT, _ACROSS, _DOWN, _LINE = 150, 75, 220, 70, 17

_BOX = re.compile(r"(\w+) (data|model|result) (\S+) (\S+) (.+)")
_ARROW = re.compile(r"(\w+) (<?->) (\w+)(?:: (.+))?")


class Box(NamedTuple):
    """A box: its text, its middle, and whether it is given, computed or asked for."""

    text: str
    x: float
    y: float
    kind: str

    @property
    def lines(self) -> list[tuple[str, float]]:
        """Lines of its text, each with its height in the picture."""
        lines = self.text.split(" / ")
        top = self.y - _LINE * (len(lines) - 1) / 2 + 4.5
        return [(line, top + n * _LINE) for n, line in enumerate(lines)]


def show_diagram(text: str, caption: str) -> None:
    """Show the picture of a method and its caption; boxes cover the ends of the lines.

    A line of ``text`` is a box, ``name kind column row words``, its kind ``data``, ``model`` or
    ``result`` and ``/`` between lines of words; or an arrow, ``start -> end`` or
    ``start <-> end: label``.
    """
    boxes: dict[str, Box] = {}
    arrows: list[dict[str, str | bool]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if found := _ARROW.fullmatch(line):
            start, head, end, label = found.groups("")
            arrows.append({"start": start, "end": end, "label": label, "both": head == "<->"})
        elif found := _BOX.fullmatch(line):
            name, kind, column, row, words = found.groups()
            x, y = float(column) * _ACROSS + _WIDTH / 2 + 2, float(row) * _DOWN + _HEIGHT / 2 + 2
            boxes[name] = Box(words, x, y, kind)
        else:
            raise ValueError(f"the line {line!r} of the diagram is neither a box nor an arrow")
    joined = {str(arrow[end]) for arrow in arrows for end in ("start", "end")}
    if odd := sorted(joined ^ set(boxes)):
        raise ValueError(f"the diagram needs a box {odd[0]!r} that is drawn and has an arrow")
    made = render(
        "diagram.html",
        boxes=boxes,
        arrows=arrows,
        caption=caption,
        width=max(box.x for box in boxes.values()) + _WIDTH / 2 + 2,
        height=max(box.y for box in boxes.values()) + _HEIGHT / 2 + 2,
        box_width=_WIDTH,
        line=_LINE,
    )
    display(HTML(made))
