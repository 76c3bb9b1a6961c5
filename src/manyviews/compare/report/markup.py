"""HTML of tables, lists and figures, and the frame of a page: styles inside, nothing elsewhere."""

import html
import io
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from manyviews.compare.method import Method
from manyviews.compare.reading.errors import safe_label
from manyviews.compare.statistics import Difference

#: Family of methods -> its colour and what it is called.
FAMILIES = {"control": ("#6b7f99", "control"), "paper": ("#2f7fc1", "of the papers"),
            "plain": ("#d9601a", "plain rival")}  # fmt: skip
#: Drawn colours that become the page's: text and lines, and faint lines.
INK, FAINT = "#010203", "#040506"
STYLE: dict[Any, Any] = {
    "axes.edgecolor": INK, "axes.facecolor": "none", "axes.labelcolor": INK, "text.color": INK,
    "axes.spines.right": False, "axes.spines.top": False, "font.size": 9.0, "xtick.color": INK,
    "ytick.color": INK, "grid.color": FAINT, "svg.fonttype": "path", "figure.facecolor": "none",
    "legend.frameon": False, "font.family": "DejaVu Sans", "axes.axisbelow": True,
    "svg.hashsalt": "compare",
}  # fmt: skip
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def shown(value: Any) -> str:
    """Return a cell as escaped text: names cut to one line, numbers shortened."""
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 100 else f"{value:,.0f}"
    return html.escape(safe_label(str(value), 300))


def table(header: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = "") -> str:
    """Return a table in a box that scrolls; its caption stays in sight above."""
    head = "".join(f'<th scope="col">{shown(cell)}</th>' for cell in header)
    body = "\n".join(
        f'<tr><th scope="row">{shown(row[0])}</th>'
        + "".join(f"<td>{shown(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    said = html.escape(caption)
    title, label = (f'<p class="caption">{said}</p>\n', f' aria-label="{said}"') if said else "", ""
    return (
        f'{title}<div class="scroll" tabindex="0"><table{label}><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def listed(items: Sequence[str]) -> str:
    """Return a list."""
    return "<ul>" + "".join(f"<li>{html.escape(item)}</li>" for item in items) + "</ul>"


def page(title: str, body: str) -> str:
    """Return the whole page."""
    style = (resources.files("manyviews.compare.report") / "report.css").read_text("utf-8")
    return _PAGE.format(title=html.escape(title), style=style, body=body)


def svg(figure: Figure, alt: str) -> str:
    """Return a figure as SVG with a text alternative, the same bytes every time."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = buffer.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = text.replace(INK, "currentColor").replace(FAINT, "var(--grid)")
    head, rest = text.split(">", 1)
    head = re.sub(r'\s(width|height)="[\d.]+pt"', "", head)
    return f'{head} role="img" aria-label="{html.escape(alt)}">{rest}'.strip()


def scores_figure(
    scores: Mapping[str, Difference], methods: Mapping[str, Method], metric: str, caption: str
) -> str:
    """Draw every method's score with its interval, best on top, as wide as a phone shows."""
    order = sorted(scores, key=lambda key: (scores[key].mean, key))
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(4.8, 1.0 + 0.38 * len(order)), layout="constrained")
        axes = figure.subplots()
        for y, key in enumerate(order):
            score, colour = scores[key], FAMILIES[methods[key].family][0]
            axes.plot([max(score.low, -1), min(score.high, 1)], [y, y], color=colour, lw=1.6)
            axes.plot(score.mean, y, "o", color=colour, ms=5)
            # above its marks, so that these have the whole width
            axes.annotate(safe_label(methods[key].title, drawn=True), (0, y), (3, 6), fontsize=8.5,
                          xycoords=("axes fraction", "data"),
                          textcoords="offset points")  # fmt: skip
        for colour, name in FAMILIES.values():
            axes.plot([], [], "o-", color=colour, label=name)
        axes.set_yticks([])
        axes.set_ylim(-0.5, len(order) - 0.1)
        axes.set_xlabel(metric)
        axes.grid(axis="x", lw=0.6)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, columnspacing=1.0)
        best = f"{methods[order[-1]].title} leads with {scores[order[-1]].mean:.3f}"
        drawn = svg(figure, safe_label(f"{metric} of {len(order)} methods; {best}", 200))
    return (
        f'<figure><div class="scroll" tabindex="0">{drawn}</div>'
        f"<figcaption>{html.escape(caption)}</figcaption></figure>"
    )
