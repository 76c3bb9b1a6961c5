"""HTML of tables, lists and figures, and the frame of a page: styles inside, nothing elsewhere."""

import html
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

import numpy as np

from manyviews.compare.method import Method
from manyviews.compare.reading.errors import safe_label
from manyviews.compare.statistics import Difference

#: Family of methods -> its colour and what it is called.
FAMILIES = {"control": ("#6b7f99", "control"), "paper": ("#2f7fc1", "of the papers"),
            "plain": ("#d9601a", "plain rival")}  # fmt: skip
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
    title = f'<p class="caption">{said}</p>\n' if said else ""
    label = f' aria-label="{said}"' if said else ""
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


def scores_figure(
    scores: Mapping[str, Difference], methods: Mapping[str, Method], metric: str, caption: str
) -> str:
    """Draw every method's score with its interval, best on top, as wide as a phone shows."""
    order = sorted(scores, key=lambda key: (-scores[key].mean, key))
    spans = [(max(scores[key].low, -1.0), min(scores[key].high, 1.0)) for key in order]
    left, right = min(low for low, _ in spans), max(high for _, high in spans)
    foot = 40 + 28 * len(order)

    def at(value: float) -> float:
        return round(10 + 440 * (value - left) / (right - left or 1), 1)

    drawn = []
    for x, (colour, name) in zip((10, 160, 310), FAMILIES.values(), strict=True):
        drawn.append(f'<circle cx="{x}" cy="14" r="4" fill="{colour}"/>')
        drawn.append(f'<text x="{x + 10}" y="18">{name}</text>')
    for tick in np.linspace(left, right, 5):
        drawn.append(f'<path d="M{at(tick)} 30V{foot}" stroke="var(--grid)"/>')
        drawn.append(f'<text x="{at(tick)}" y="{foot + 14}" class="tick">{tick:.2f}</text>')
    for y, key, (low, high) in zip(range(60, foot + 20, 28), order, spans, strict=True):
        colour, title = FAMILIES[methods[key].family][0], safe_label(methods[key].title)
        # its name above its marks, so that these have the whole width
        drawn.append(f'<text x="12" y="{y - 8}">{html.escape(title)}</text>')
        drawn.append(f'<path d="M{at(low)} {y}H{at(high)}" stroke="{colour}" stroke-width="2"/>')
        drawn.append(f'<circle cx="{at(scores[key].mean)}" cy="{y}" r="4" fill="{colour}"/>')
    drawn.append(f'<text x="230" y="{foot + 32}" class="tick">{html.escape(metric)}</text>')
    best = f"{methods[order[0]].title} leads with {scores[order[0]].mean:.3f}"
    alt = html.escape(safe_label(f"{metric} of {len(order)} methods; {best}", 200))
    return (
        f'<figure><svg viewBox="-12 0 482 {foot + 40}" role="img" aria-label="{alt}">'
        f"{''.join(drawn)}</svg>\n<figcaption>{html.escape(caption)}</figcaption></figure>"
    )
