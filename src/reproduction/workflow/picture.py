"""Draw the architecture from the imports: ``python -m reproduction.workflow.picture``.

A box is a room of a package (a sub-package or a module beside it), an arrow says that a room
imports from another. Arrows that follow from others are left out. The picture changes exactly when
the imports between rooms do.
"""

import html
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from reproduction.closure import SOURCES, imported_modules
from reproduction.files import ROOT, write_text

PICTURE = Path("docs", "architecture.svg")
PACKAGES = ("manyviews", "reproduction")
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 124, 34, 16, 40, 16
_TEXT_WIDTH = 7.0
_COLOURS = {"manyviews": ("#e3eefc", "#2f6db5"), "reproduction": ("#fdf0dd", "#b5702f")}

Graph = dict[str, set[str]]


def _room(module: str) -> str:
    """Name the room of a module: its package and the first name inside."""
    return ".".join(module.split(".")[:2])


def _modules(sources: Path) -> Iterator[tuple[str, Path]]:
    """Yield the modules of the packages; templates are texts for papers to come."""
    for package in PACKAGES:
        for path in sorted((sources / package).rglob("*.py")):
            inside = path.relative_to(sources).with_suffix("").parts
            name = ".".join(inside).removesuffix(".__init__")
            if name != package and not {"templates", "__main__"} & set(inside):
                yield name, path


def rooms(sources: Path = SOURCES) -> Graph:
    """Return every room with the rooms it imports from."""
    graph: Graph = {}
    for name, path in _modules(sources):
        used = {_room(other) for other in imported_modules(path, sources) if "." in other}
        graph.setdefault(_room(name), set()).update(used - {_room(name)})
    return graph


def reduced(graph: Mapping[str, set[str]]) -> Graph:
    """Leave out every arrow that a longer way already implies.

    Raises
    ------
    ValueError
        The rooms form a circle.
    """
    below: Graph = {}

    def reach(name: str, above: tuple[str, ...] = ()) -> set[str]:
        if name in above:
            raise ValueError(f"the imports form a circle: {' -> '.join([*above, name])}")
        if name not in below:
            found = (reach(other, (*above, name)) | {other} for other in graph[name])
            below[name] = set().union(*found)
        return below[name]

    for name in graph:
        reach(name)
    return {
        name: {one for one in used if not any(one in below[other] for other in used)}
        for name, used in graph.items()
    }


def levels(graph: Mapping[str, set[str]]) -> dict[str, int]:
    """Return how far above the ground each room stands: the longest way down."""
    height: dict[str, int] = {}

    def measure(name: str) -> int:
        if name not in height:
            height[name] = 1 + max((measure(other) for other in graph[name]), default=-1)
        return height[name]

    for name in graph:
        measure(name)
    return height


def _places(graph: Mapping[str, set[str]]) -> tuple[dict[str, tuple[float, float]], float, float]:
    """Return the upper left corner of each box, and width and height of the picture."""
    height = levels(graph)
    rows: dict[int, list[str]] = defaultdict(list)
    for name in sorted(graph):
        rows[height[name]].append(name)
    widest = max(map(len, rows.values()))
    width = 2 * _MARGIN + widest * (_WIDTH + _GAP_X) - _GAP_X
    top = max(rows)
    places: dict[str, tuple[float, float]] = {}
    for level in sorted(rows):
        # a box stands near what it uses, so that arrows cross less
        def centre(name: str) -> float:
            used = [places[other][0] for other in graph[name]]
            return sum(used) / len(used) if used else 0.0

        row = sorted(rows[level], key=lambda name: (centre(name), name))
        left = (width - len(row) * (_WIDTH + _GAP_X) + _GAP_X) / 2
        for column, name in enumerate(row):
            x = left + column * (_WIDTH + _GAP_X)
            places[name] = (x, _MARGIN + (top - level) * (_HEIGHT + _GAP_Y))
    return places, width, 2 * _MARGIN + (top + 1) * (_HEIGHT + _GAP_Y) - _GAP_Y


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    x, y = start[0] + _WIDTH / 2, start[1] + _HEIGHT
    to_x, to_y = end[0] + _WIDTH / 2, end[1] - 3
    bend = (to_y - y) / 2
    return (
        f'<path d="M{x:g} {y:g} C{x:g} {y + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y:g}" '
        'fill="none" stroke="#777" marker-end="url(#tip)"/>'
    )


def _box(name: str, place: tuple[float, float]) -> str:
    package, _, inside = name.partition(".")
    fill, line = _COLOURS[package]
    x, y = place
    shown = html.escape(inside + ("/<key>" if inside == "papers" else ""))
    squeeze = (
        f' textLength="{_WIDTH - 10}" lengthAdjust="spacingAndGlyphs"'
        if len(inside) * _TEXT_WIDTH > _WIDTH - 10
        else ""
    )
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="5" fill="{fill}" '
        f'stroke="{line}"/><text x="{x + _WIDTH / 2:g}" y="{y + _HEIGHT / 2 + 4:g}" '
        f'text-anchor="middle"{squeeze}>{shown}</text>'
    )


def picture(graph: Mapping[str, set[str]]) -> str:
    """Return the drawing as SVG text; the same imports give the same bytes."""
    shown = reduced(graph)
    places, width, height = _places(shown)
    said = ". ".join(
        f"{name} uses {', '.join(sorted(used))}" for name, used in sorted(shown.items()) if used
    )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        'role="img" font-family="sans-serif" font-size="12" fill="#222">',
        "<title>Rooms of the two packages and what they import</title>",
        f"<desc>{html.escape(said)}.</desc>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#777"/></marker></defs>',
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        *(
            _arrow(places[name], places[other])
            for name in sorted(shown)
            for other in sorted(shown[name])
        ),
        *(_box(name, places[name]) for name in sorted(shown)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write_text(ROOT / PICTURE, picture(rooms()))
