"""Figures as inline SVG: no dates, the same bytes every time, readable in light and dark mode.

Text and axes are drawn in one marked colour that becomes ``currentColor`` on the way out, so they
take the colour of the page's text; the background is transparent; the colours of :data:`PALETTE`
keep a contrast of at least 3 to 1 against both pages.
"""

from __future__ import annotations

import html
import io
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.text import Text

from reproduction.pages.figure_data import data_block
from reproduction.pages.markup import slug as make_slug
from reproduction.pages.wording import in_words
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
    """Make a figure in the project's style; ``options`` go to ``plt.subplots`` (sharey, ...).

    Returns the figure and its axes (one ``Axes``, or an array when there are several).
    """
    matplotlib.rcParams.update(_STYLE)
    return plt.subplots(rows, columns, figsize=(width, height), **options)


def panel_grid(number: int, *, width: float, height: float, more: float) -> tuple[Figure, Any]:
    """Make a figure of panels, up to three a row; the rest of the last row is hidden.

    ``width`` is that of the figure, ``height`` that of a row and ``more`` what the figure needs
    besides. The axes come as rows of an array.
    """
    columns = min(3, number)
    rows = -(-number // columns)
    fig, axes = new_figure(rows, columns, width=width, height=height * rows + more, squeeze=False)
    for hidden in axes.flat[number:]:
        hidden.set_visible(False)
    return fig, axes


def series_styles(names: list[str] | tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Colour, marker and dash per name: curves differ by more than their colour."""
    markers = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">")
    dashes = ("-", "--", "-.", ":")
    return {
        name: {
            "color": PALETTE[i % len(PALETTE)],
            "marker": markers[i % len(markers)],
            "linestyle": dashes[(i // len(PALETTE)) % len(dashes)],
        }
        for i, name in enumerate(names)
    }


def curve(
    axes: Axes,
    frame: Any,
    x: str,
    y: str = "value",
    *,
    label: str = "",
    band: bool = True,
    **options: Any,
) -> None:
    """Draw the mean of ``y`` over ``x`` with a band of one standard deviation over the runs.

    The band stays within what the metric can be: no share passes 100 %.
    """
    groups = frame.groupby(x)[y]
    mean, spread = groups.mean(), groups.std(ddof=1).fillna(0.0)
    (line,) = axes.plot(mean.index, mean.to_numpy(), label=label or None, **options)
    if band:
        metrics = set(frame["metric"]) if "metric" in frame else set()
        bounds = range_of(metrics.pop()) if len(metrics) == 1 else (None, None)
        lower, upper = ((mean + sign * spread).clip(*bounds) for sign in (-1, 1))
        axes.fill_between(mean.index, lower, upper, color=line.get_color(), alpha=0.15, lw=0)


def standalone_svg(fig: Figure, name: str, alt: str) -> str:
    """SVG as a file of its own, for an ``<img>``: it follows the reader's light or dark mode."""
    svg = figure_svg(fig, name, alt)
    colours = (
        "<style>svg{color:#1c2128;font-family:sans-serif}"
        "@media (prefers-color-scheme:dark){svg{color:#e4e8ee}}</style>"
    )
    head, rest = svg.split("</title>", 1)
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', head)
    size = f' width="{box.group(1)}pt" height="{box.group(2)}pt"' if box else ""
    return head.replace("<svg", f"<svg{size}", 1) + "</title>" + colours + rest + "\n"


#: A path of more letters than this is a curve or a band: a tenth of a point is fine enough for it.
_LONG_PATH = 300


def _short(digits: int) -> Callable[[re.Match[str]], str]:
    def shortened(number: re.Match[str]) -> str:
        text = f"{float(number.group()):.{digits}f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text

    return shortened


def _compact(svg: str) -> str:
    """Drop what no eye can see: digits beyond a hundredth of a point, empty marks, indentation."""

    def attribute(found: re.Match[str]) -> str:
        digits = 1 if len(found.group(2)) > _LONG_PATH else 2
        value = " ".join(re.sub(r"-?\d+\.\d+", _short(digits), found.group(2)).split())
        if value.startswith("M") and not re.search("[A-KN-Y]", value):
            value = re.sub(" ?([MLZz]) ?", r"\1", value)
            value = re.sub(r"(?<=\d)L", " ", value)  # after a point a bare pair is a line to it
            value = value.replace(" -", "-")
        return f'{found.group(1)}"{value}"'

    svg = re.sub(r"\s*\n\s*", " ", re.sub(r'( (?:d|x|y|points)=)"([^"]*)"', attribute, svg))
    # a turn by nothing, and a font that the page names once
    svg = re.sub(r' transform="rotate\(-?0 [^)]*\)"', "", svg)
    svg = svg.replace("font-family: 'DejaVu Sans'; ", "")
    used = set(re.findall(r'(?:href="|url\()#([^")]+)', svg))
    svg = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in used else "", svg)
    return re.sub(r">\s+<", "><", _without_bare_groups(svg))


def _with_classes(svg: str, slug: str) -> str:
    """Write a style that many parts share once, as a class of this figure."""
    styles = Counter(re.findall(r' style="([^"]*)"', svg))
    shared = {style: f"{slug}-s{i}" for i, (style, n) in enumerate(styles.items()) if n > 3}
    for style, name in shared.items():
        svg = svg.replace(f' style="{style}"', f' class="{name}"')
    rules = "".join(f".{name}{{{style}}}" for style, name in shared.items())
    return svg.replace("</style>", f"{rules}</style>", 1)


def _without_bare_groups(svg: str) -> str:
    """Take out groups that say nothing of what they hold."""
    svg = re.sub(r"<g\b[^>]*/>", "", svg)
    told: list[bool] = []

    def kept(found: re.Match[str]) -> str:
        if found[0] != "</g>":
            told.append(found[0] != "<g>")
            return found[0] if told[-1] else ""
        return found[0] if told.pop() else ""

    return re.sub(r"<g\b[^>]*>|</g>", kept, svg)


#: Dots per inch of every SVG of matplotlib.
_SVG_DPI = 72

#: Pixels that a figure of several panels keeps, of one panel at most, and of the narrowest phone.
_LEGIBLE, _ONE_PANEL, _PHONE = 640, 540, 350


def _lay_out(fig: Figure) -> None:
    """Place the parts of a figure for good, as saving it would, but without drawing it for that.

    While a figure has a layout engine, ``savefig`` draws all of it twice.
    """
    engine = fig.get_layout_engine()
    if engine is None:
        return
    FigureCanvasSVG(fig)  # texts are as wide as this canvas says
    fig.set_dpi(_SVG_DPI)
    engine.execute(fig)
    with plt.rc_context({"figure.constrained_layout.use": False, "figure.autolayout": False}):
        fig.set_layout_engine(None)


def figure_svg(fig: Figure, name: str, alt: str) -> str:
    """SVG text of a figure: no header, page colours, own ids, text alternative."""
    if not alt.strip():
        raise ValueError(f"figure {name!r} needs a text alternative that says what it shows")
    slug = make_slug(name)
    for drawn in fig.findobj(Text):
        if isinstance(drawn, Text) and "$" not in drawn.get_text():
            drawn.set_text(in_words(drawn.get_text()))
    buffer = io.StringIO()
    # matplotlib writes a date unless it is told None
    unsaid = {"Date": None, "Creator": None}
    _lay_out(fig)
    with plt.rc_context({"svg.hashsalt": f"manyviews-{slug}"}):
        fig.savefig(buffer, format="svg", metadata=unsaid, transparent=True)
    svg = re.sub(r"^.*?(?=<svg)", "", buffer.getvalue(), flags=re.DOTALL)
    svg = _compact(re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL))
    svg = svg.replace(INK, "currentColor").replace(FAINT, "var(--grid, #80808055)")
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{slug}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{slug}-\1)", svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{slug}-\1"', svg)
    svg = _with_classes(svg, slug)
    head, rest = svg.split(">", 1)
    width = re.search(r'width="([\d.]+)pt"', head)
    head = re.sub(r'\s(width|height)="[\d.]+pt"', "", head)
    pixels = float(width.group(1)) * 4 / 3 if width else 640.0
    described = html.escape(alt)
    # a figure of one panel shrinks to a phone's width; a wide one shrinks a little, so that its
    # text can be read, and where the screen is narrower its box scrolls
    least = min(pixels, _PHONE if pixels <= _ONE_PANEL else max(_LEGIBLE, 0.85 * pixels))
    size = f"max-width:{pixels:.0f}px;min-width:{least:.0f}px"
    label = f' role="img" aria-label="{described}" style="{size}"'
    return f"{head}{label}><title>{described}</title>{rest}".strip()


def figure_html(fig: Figure, name: str, alt: str, caption: str = "") -> str:
    """``<figure>`` element with the SVG and its caption."""
    shown = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
    svg = figure_svg(fig, name, alt)
    return (
        f'<figure id="figure-{make_slug(name)}" class="plot">'
        f'<div class="plot-box" tabindex="0">{svg}</div>{shown}{data_block(fig)}</figure>'
    )


def show_figure(fig: Figure, name: str, alt: str, caption: str = "") -> None:
    """Show a figure in a notebook as inline SVG with a text alternative, and close it.

    Parameters
    ----------
    fig
        Figure from :func:`new_figure`.
    name
        Short name, unique on its page.
    alt
        What the figure shows, in words, for readers who cannot see it.
    caption
        Line below the figure.
    """
    from IPython.display import HTML, display

    markup = figure_html(fig, name, alt, caption)
    plt.close(fig)
    display(HTML(markup))
