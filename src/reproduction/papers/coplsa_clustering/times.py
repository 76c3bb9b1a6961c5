"""The figure of this paper whose subject is time: the cost of an iteration."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reproduction.pages.figures import PALETTE, new_figure


def figures(rows: pd.DataFrame, timings: pd.DataFrame) -> dict[str, tuple[Figure, str]]:
    """Return the figures of times, each with its text alternative."""
    alt = "Seconds per iteration against the document pairs and against the non-zeros."
    return {"cost": (cost_figure(rows, timings), alt)}


def cost_points(rows: pd.DataFrame, timings: pd.DataFrame, sweep: str) -> pd.DataFrame:
    """Return size of the work and seconds per iteration, of one of the two series of sizes."""
    sizes = rows[(rows["table"] == "extra:cost") & (rows["metric"] == sweep)]
    times = timings[(timings["table"] == "extra:cost_time") & (timings["sweep"] == sweep)]
    size = sizes[sizes["sweep"] == sweep].set_index("share")["value"]
    frame = pd.DataFrame({"size": times["share"].map(size), "seconds": times["value"]})
    return frame.sort_values("size", ignore_index=True)


def cost_figure(rows: pd.DataFrame, timings: pd.DataFrame) -> Figure:
    """Seconds per iteration against pairs and against non-zeros, with the straight line."""
    fig, axes = new_figure(1, 2, width=8.2, height=3.0)
    titles = {"pairs": "document pairs", "words": "non-zeros of both views"}
    for ax, (sweep, title) in zip(axes, titles.items(), strict=True):
        points = cost_points(rows, timings, sweep)
        x, y = points["size"].to_numpy(dtype=float), points["seconds"].to_numpy(dtype=float)
        slope, start = np.polyfit(x, y, 1)
        ax.plot(x, start + slope * x, color=PALETTE[1], lw=1.0)
        ax.plot(x, y, "o", color=PALETTE[0])
        ax.set_title(f"a straight line explains {100 * straightness(rows, timings, sweep):.1f} %")
        ax.set_xlabel(title)
        ax.set_ylabel("seconds per iteration")
        ax.set_ylim(bottom=0)
        ax.set_xlim(left=0)
    return fig


def straightness(rows: pd.DataFrame, timings: pd.DataFrame, sweep: str) -> float:
    """Return the share of the variance of the times that a straight line explains."""
    points = cost_points(rows, timings, sweep)
    if len(points) < 3:
        return float("nan")
    return float(np.corrcoef(points["size"], points["seconds"])[0, 1] ** 2)
