"""Figures as inline SVG: no dates, the same bytes every time, readable in light and dark mode.

Text and axes are drawn in one marked colour that becomes ``currentColor`` on the way out, so they
take the colour of the page's text; the colours of :data:`PALETTE` keep a contrast of at least 3 to
1 against both pages.
"""

import html
import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import IPython.display as notebook
import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pandas as pd
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reproduction.pages.markup import csv_link, csv_text
from reproduction.pages.markup import slug as make_slug
from reproduction.results.metrics import range_of

#: Colours that read on white and on near-black, told apart by the usual colour-blind eyes.
PALETTE = (
    "#2f7fc1", "#d9601a", "#1f9a6b", "#a45fc9", "#cf4560", "#8d7420", "#16919c", "#c05795",
    "#6b7f99", "#7a8f2a",
)  # fmt: skip

#: One colour per verdict, for cells and claims.
VERDICT_COLOURS = {
    "equivalent": "#1f9a6b", "compatible": "#2f7fc1", "near": "#b07d12", "different": "#cf4560",
    "not comparable": "#7a8594", "holds": "#1f9a6b", "no practical difference": "#2f7fc1",
    "open": "#b07d12", "refuted": "#cf4560", "untestable": "#7a8594", "not run": "#6b7f99",
}  # fmt: skip

#: Letters on any of these colours, in either theme: 4.6 to 5.9 to one, where white has 3.6 to 4.5.
ON_COLOUR = "#000000"

#: Drawn colours that the page replaces: text and lines, and faint lines.
INK = "#010203"
FAINT = "#040506"

_STYLE = matplotlib.rc_params_from_file(
    Path(__file__).with_name("assets") / "figures.mplstyle", use_default_template=False
)
_STYLE["axes.prop_cycle"] = cycler(color=PALETTE)


def new_figure(
    rows: int = 1, columns: int = 1, *, width: float = 7.0, height: float = 3.2, **options: Any
) -> tuple[Figure, Any]:
    """Make a figure in the project's style; ``options`` go to ``plt.subplots`` (sharey, ...)."""
    matplotlib.rcParams.update(_STYLE)
    return plt.subplots(rows, columns, figsize=(width, height), **options)


def panel_grid(number: int, *, width: float, height: float) -> tuple[Figure, Any]:
    """Make a figure of panels, up to three a row or four in one; what is left over is hidden.

    ``width`` is that of the figure, ``height`` that of a row. The axes come as rows of an array.
    """
    columns = number if number == 4 else min(3, number)
    rows = -(-number // columns)
    height = height * rows + 0.6  # with what the legend takes
    fig, axes = new_figure(rows, columns, width=width, height=height, squeeze=False)
    for hidden in axes.flat[number:]:
        hidden.set_visible(False)
    return fig, axes


def series_styles(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Colour, marker and dash per name: curves differ by more than their colour."""
    markers = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">")
    dashes = ("-", "--", "-.", ":")
    return {
        name: {
            "color": PALETTE[i % len(PALETTE)],
            "marker": markers[i % len(markers)],
            "linestyle": dashes[(i // len(PALETTE)) % len(dashes)],
        }
        for i, name in enumerate(dict.fromkeys(names))
    }


def curve(
    axes: Axes, frame: Any, x: str, *, label: str = "", band: bool = True, **options: Any
) -> None:
    """Draw the mean value over ``x`` with a band of one standard deviation over the runs."""
    groups = frame.groupby(x)["value"]
    mean, spread = groups.mean(), groups.std(ddof=1).fillna(0.0)
    (line,) = axes.plot(mean.index, mean.to_numpy(), label=label or None, **options)
    if band:
        metrics = set(frame["metric"]) if "metric" in frame else set()
        bounds = range_of(metrics.pop()) if len(metrics) == 1 else (None, None)
        lower, upper = ((mean + sign * spread).clip(*bounds) for sign in (-1, 1))
        axes.fill_between(mean.index, lower, upper, color=line.get_color(), alpha=0.15, lw=0)


def standalone_svg(fig: Figure, name: str, alt: str) -> str:
    """SVG as a file of its own, for an ``<img>``: it follows the reader's light or dark mode."""
    head, rest = figure_svg(fig, name, alt).split("</title>", 1)
    colours = (
        "<style>svg{color:#1c2128;font-family:sans-serif}"
        "@media (prefers-color-scheme:dark){svg{color:#e4e8ee}}</style>"
    )
    width, height = re.findall(r"[\d.]+", re.findall(r'viewBox="0 0 ([^"]+)"', head)[0])
    head = head.replace("<svg", f'<svg width="{width}pt" height="{height}pt"', 1)
    return f"{head}</title>{colours}{rest}\n"


def _places(attribute: re.Match[str]) -> str:
    """Places without digits that no eye can see; a curve needs fewer than a mark."""
    digits = 1 if len(attribute[0]) > 300 else 2
    return re.sub(
        r"-?\d+\.\d+",
        lambda found: f"{float(found[0]):.{digits}f}".rstrip("0").rstrip("."),
        attribute[0],
    )


def _compact(svg: str) -> str:
    """Drop what no eye can see: digits, indentation, ids that nobody names."""
    svg = re.sub(r' (?:d|x|y|points)="[^"]*"', _places, re.sub(r"\s+", " ", svg))
    used = set(re.findall(r'(?:href="|url\()#([^")]+)', svg))
    svg = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in used else "", svg)
    return svg.replace("> <", "><")


#: Pixels that a figure of several panels keeps, of one panel at most, and of the narrowest phone.
_LEGIBLE, _ONE_PANEL, _PHONE = 640, 540, 350


def figure_svg(fig: Figure, name: str, alt: str) -> str:
    """SVG text of a figure: no header, page colours, own ids, text alternative."""
    if not alt.strip():
        raise ValueError(f"figure {name!r} needs a text alternative that says what it shows")
    slug = make_slug(name)
    buffer = io.StringIO()
    # matplotlib writes a date unless it is told None
    unsaid = {"Date": None, "Creator": None}
    with plt.rc_context({"svg.hashsalt": f"manyviews-{slug}"}):
        fig.savefig(buffer, format="svg", metadata=unsaid, transparent=True)
    svg = re.sub(r"^.*?(?=<svg)|<metadata>.*?</metadata>", "", buffer.getvalue(), flags=re.DOTALL)
    svg = _compact(svg).replace(INK, "currentColor").replace(FAINT, "var(--grid, #80808055)")
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\1{slug}-", svg)
    head, rest = svg.split(">", 1)
    head = re.sub(r'\s(width|height)="[\d.]+pt"', "", head)
    pixels = float(re.findall(r'viewBox="0 0 ([\d.]+)', head)[0]) * 4 / 3
    # a figure of one panel shrinks to a phone's width; a wide one shrinks a little, so that its
    # text can be read, and where the screen is narrower its box scrolls
    least = min(pixels, _PHONE if pixels <= _ONE_PANEL else max(_LEGIBLE, 0.85 * pixels))
    size, told = f"max-width:{pixels:.0f}px;min-width:{least:.0f}px", html.escape(alt)
    return (
        f'{head} role="img" aria-label="{told}" style="{size}"><title>{told}</title>{rest}'.strip()
    )


def figure_html(
    fig: Figure, name: str, alt: str, caption: str = "", data: pd.DataFrame | None = None
) -> str:
    """``<figure>`` element with the SVG, its caption and the numbers behind it."""
    told = html.escape(caption)
    if data is not None:
        told += f" {csv_link(name, csv_text(data))}"
    shown = f"<figcaption>{told}</figcaption>" if told else ""
    return (
        f'<figure id="figure-{make_slug(name)}" class="plot"><div class="plot-box" tabindex="0">'
        f"{figure_svg(fig, name, alt)}</div>{shown}</figure>"
    )


def show_figure(
    fig: Figure, name: str, alt: str, caption: str = "", data: pd.DataFrame | None = None
) -> None:
    """Show a figure of :func:`new_figure` in a notebook, and close it.

    ``name`` is unique on its page, ``alt`` says what the figure shows to readers who cannot see it,
    ``data`` are the numbers behind it, to be saved from the page.
    """
    notebook.display(notebook.HTML(figure_html(fig, name, alt, caption, data)))
    plt.close(fig)
