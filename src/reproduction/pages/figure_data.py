"""What a figure draws, as numbers: to point at, to walk through by keyboard, to take home.

The numbers are read back from the drawn figure, so a picture and its data cannot part. A figure
is a list of panels; a panel has its place in the picture, its scales and its series. The page's
script (``assets/figure.js``) shows the value under the pointer and writes the CSV file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.category import StrCategoryLocator
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.colors import to_hex, to_rgba_array
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator

from reproduction.pages.markup import json_block
from reproduction.pages.wording import in_words

#: Scales whose places a page can compute.
_SCALES = ("linear", "log")

Points = tuple[np.ndarray, np.ndarray]


def _numbers(values: Any) -> list[float | None]:
    """Round to six digits; what is not finite has no place in a file."""
    found = np.asarray(values, dtype=float)
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in found]


def _plain(text: str) -> str:
    """One line without mathematical markup, settings in words."""
    return in_words(" ".join(re.sub(r"\$\\?([^$]*)\$", r"\1", text).split()))


def _named(label: object) -> str:
    """Return a label that somebody wrote; the plotting library's own begin with ``_``."""
    text = _plain(str(label))
    return "" if text.startswith("_") else text


def _legend_names(axes: Axes) -> dict[str, str]:
    """Return by colour what the legends of a panel and of its whole figure call its series."""
    names: dict[str, str] = {}
    whole = axes.get_figure(root=True)
    for legend in [axes.get_legend(), *(whole.legends if whole else ())]:
        if legend is None:
            continue
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=False):
            colour = _colour(handle)
            if colour:
                names.setdefault(colour, _plain(text.get_text()))
    return names


def _colour(artist: Any) -> str:
    """Return the colour that tells an artist from the others of its figure."""
    known = (getattr(artist, n)() for n in ("get_color", "get_facecolor") if hasattr(artist, n))
    colours = (colour for found in known for colour in to_rgba_array(found))
    return next((to_hex(tuple(colour)) for colour in colours), "")


def _bars(axes: Axes) -> Iterator[tuple[Any, Points]]:
    for bars in axes.containers:
        if not isinstance(bars, BarContainer):
            continue
        parts = [patch for patch in bars.patches if isinstance(patch, Rectangle)]
        corners = np.array(
            [(p.get_x(), p.get_y(), p.get_width(), p.get_height()) for p in parts], dtype=float
        ).reshape(-1, 4)
        x, y, width, height = corners.T
        lying = bars.orientation == "horizontal"
        # rounded: the middle of a bar at 0 must be 0, or its name is not found
        middle = np.round(y + height / 2 if lying else x + width / 2, 9)
        yield bars, ((x + width, middle) if lying else (middle, y + height))


def _series(axes: Axes) -> Iterator[tuple[Any, Points]]:
    """Yield what was drawn in data coordinates: lines, bars, points."""
    for line in axes.lines:
        # guides such as axvline hang on the edge of the panel, not on data
        if isinstance(line, Line2D) and line.get_transform() == axes.transData:
            x, y = np.asarray(line.get_xydata(), dtype=float).T
            yield line, (x, y)
    yield from _bars(axes)
    for cloud in axes.collections:
        if isinstance(cloud, PathCollection):
            offsets: np.ndarray = np.ma.filled(
                np.ma.asarray(cloud.get_offsets(), dtype=float), np.nan
            )
            yield cloud, (offsets[:, 0], offsets[:, 1])


def _mesh(axes: Axes) -> dict[str, list[float | None]] | None:
    """Return the middles and values of a coloured grid."""
    for mesh in axes.collections:
        values = mesh.get_array() if isinstance(mesh, QuadMesh) else None
        if values is None or not isinstance(mesh, QuadMesh):
            continue
        corners = np.asarray(mesh.get_coordinates())
        middle = (corners[:-1, :-1] + corners[1:, 1:]) / 2
        flat: np.ndarray = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan).ravel()
        return {"x": _numbers(middle[..., 0].ravel()), "y": _numbers(middle[..., 1].ravel()),
                "value": _numbers(flat)}  # fmt: skip
    return None


def _tick_names(axis: Axis) -> dict[str, str]:
    """Return the names of places on an axis that counts things: ``{"0": "Cora", ...}``."""
    formatter, locator = axis.get_major_formatter(), axis.get_major_locator()
    if not isinstance(locator, (FixedLocator, StrCategoryLocator)):
        return {}
    places = list(locator())
    named = zip(places, formatter.format_ticks(places), strict=True)
    return {f"{float(place):.6g}": _plain(text) for place, text in named if text}


def _axis_name(axes: Axes, side: str) -> str:
    """Return the name of an axis; panels that share one, or a whole figure, name it once."""
    whole: Any = axes.get_figure(root=True)
    sharing = getattr(axes, f"get_shared_{side}_axes")().get_siblings(axes)
    # in the order of the figure: siblings come in none
    names = [getattr(other, f"get_{side}label")() for other in whole.axes if other in sharing]
    own = getattr(axes, f"get_{side}label")()
    return _plain(own or next(filter(None, names), "") or getattr(whole, f"get_sup{side}label")())


def _panel(axes: Axes) -> dict[str, Any] | None:
    names = _legend_names(axes)
    series: list[dict[str, Any]] = [
        {"name": _named(artist.get_label()) or names.get(_colour(_first(artist)), ""),
         "x": _numbers(x), "y": _numbers(y)}
        for artist, (x, y) in _series(axes) if x.size
    ]  # fmt: skip
    grid = _mesh(axes)
    series += [{"name": "", **grid}] if grid else []
    scales = (axes.get_xscale(), axes.get_yscale())
    if not series or any(scale not in _SCALES for scale in scales):
        return None
    box = axes.get_position()
    return {
        "title": _plain(axes.get_title() or axes.get_title(loc="left")),
        "x": _axis_name(axes, "x"),
        "y": _axis_name(axes, "y"),
        "box": _numbers([box.x0, box.y0, box.x1, box.y1]),
        "limits": _numbers([*axes.get_xlim(), *axes.get_ylim()]),
        "log": [scale == "log" for scale in scales],
        "names": [_tick_names(axes.xaxis), _tick_names(axes.yaxis)],
        "series": series,
    }


def _first(artist: Any) -> Any:
    return artist.patches[0] if isinstance(artist, BarContainer) and artist.patches else artist


def figure_panels(figure: Figure) -> list[dict[str, Any]]:
    """Return the panels of a drawn figure, those without data left out.

    Parameters
    ----------
    figure
        A figure after it was laid out: the places of its panels are read as they are.
    """
    panels = (_panel(axes) for axes in figure.axes if axes.get_visible())
    return [panel for panel in panels if panel]


def data_block(figure: Figure) -> str:
    """Return the data of a drawn figure as a block no browser runs; nothing if it has none."""
    panels = figure_panels(figure)
    return json_block(panels, class_="plot-data") if panels else ""
