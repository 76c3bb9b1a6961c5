"""Pictures of the report as inline SVG, in the page's own colours."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from manyviews.compare.statistics import Difference

PALETTE = ("#2f7fc1", "#d9601a", "#1f9a6b", "#a45fc9", "#cf4560", "#8d7420")
#: One colour a family of methods, and what it is called.
FAMILY_COLOURS = {"control": "#6b7f99", "paper": "#2f7fc1", "plain": "#d9601a"}
FAMILY_NAMES = {"control": "control", "paper": "of the papers", "plain": "plain rival"}
#: Inches: as wide as a phone shows without scrolling.
WIDTH = 4.8
#: Drawn colours that become the page's: text and lines, and faint lines.
INK, FAINT = "#010203", "#040506"
STYLE: dict[Any, Any] = {
    "axes.edgecolor": INK, "axes.facecolor": "none", "axes.labelcolor": INK, "text.color": INK,
    "axes.spines.right": False, "axes.spines.top": False, "font.size": 9.0, "xtick.color": INK,
    "ytick.color": INK, "grid.color": FAINT, "svg.fonttype": "path", "figure.facecolor": "none",
    "legend.frameon": False, "font.family": "DejaVu Sans", "axes.axisbelow": True,
}  # fmt: skip


def drawn(width: float, height: float) -> tuple[Figure, Any]:
    """Return a figure and its axes."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def name_rows(axes: Any, names: Sequence[str]) -> None:
    """Write the name of every row above its marks, so that marks have the whole width."""
    axes.set_yticks([])
    axes.set_ylim(-0.5, len(names) - 0.1)
    for y, name in enumerate(names):
        axes.annotate(name, (0, y), (3, 6), xycoords=("axes fraction", "data"),
                      textcoords="offset points", fontsize=8.5)  # fmt: skip


def svg(figure: Figure, name: str, alt: str) -> str:
    """Return a figure as SVG with a text alternative, the same bytes every time."""
    buffer = io.StringIO()
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": f"compare-{name}"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None},
                       transparent=True)  # fmt: skip
    text = buffer.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = text.replace(INK, "currentColor").replace(FAINT, "var(--grid)")
    text = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', text)
    head, rest = text.split(">", 1)
    head = re.sub(r'\s(width|height)="[\d.]+pt"', "", head)
    return f'{head} role="img" aria-label="{html.escape(alt, quote=True)}">{rest}'.strip()


def scores_figure(
    scores: Mapping[str, Difference], titles: Mapping[str, str], families: Mapping[str, str],
    metric: str,
) -> str:  # fmt: skip
    """Draw every method's score with its interval, best on top."""
    order = sorted(scores, key=lambda key: (scores[key].mean, key))
    with matplotlib.rc_context(STYLE):
        figure, axes = drawn(WIDTH, 1.0 + 0.38 * len(order))
        for y, key in enumerate(order):
            score, colour = scores[key], FAMILY_COLOURS[families[key]]
            axes.plot([max(score.low, -1), min(score.high, 1)], [y, y], color=colour, lw=1.6)
            axes.plot(score.mean, y, "o", color=colour, ms=5)
        for family, colour in FAMILY_COLOURS.items():
            axes.plot([], [], "o-", color=colour, label=FAMILY_NAMES[family])
        name_rows(axes, [titles[key] for key in order])
        axes.set_xlabel(metric)
        axes.grid(axis="x", lw=0.6)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, columnspacing=1.0)
    best = order[-1]
    alt = f"{metric} of {len(order)} methods; {titles[best]} leads with {scores[best].mean:.3f}"
    return svg(figure, "scores", alt)


def curve_figure(
    name: str, curves: Mapping[str, Sequence[tuple[float, float]]], titles: Mapping[str, str],
    axis: str, metric: str,
) -> str:  # fmt: skip
    """Draw scores over a share."""
    with matplotlib.rc_context(STYLE):
        figure, axes = drawn(WIDTH, 3.0 + 0.2 * len(curves))
        for i, (key, points) in enumerate(curves.items()):
            places, values = zip(*points, strict=True)
            axes.plot(places, values, "os^"[i % 3] + "-", color=PALETTE[i], label=titles[key])
        axes.set_xlabel(axis)
        axes.set_ylabel(metric)
        axes.grid(lw=0.6)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1))
    shown = "; ".join(
        f"{titles[key]} from {points[0][1]:.2f} to {points[-1][1]:.2f}"
        for key, points in curves.items()
    )
    return svg(figure, name, f"{metric} over the {axis}: {shown}")
