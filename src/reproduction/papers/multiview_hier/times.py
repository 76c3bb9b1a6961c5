"""The figure of this paper whose subject is time: Figure 11 (a)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reproduction.pages.figures import PALETTE, new_figure
from reproduction.papers.multiview_hier.figures import legend_below
from reproduction.papers.multiview_hier.names import FLAT_NAMES, HIER_NAMES
from reproduction.papers.multiview_hier.page import TREES, shown_name


def figures(rows: pd.DataFrame, timings: pd.DataFrame) -> dict[str, tuple[Figure, str]]:
    """Return the figures of times, each with its text alternative."""
    alt = (
        "Horizontal bars of seconds per fit for every method, exact, batched and by cvxpy, on a "
        "logarithmic scale."
    )
    return {"figure-11a": (times_figure(rows, timings), alt)}


def times_figure(rows: pd.DataFrame, timings: pd.DataFrame) -> Figure:
    """Figure 11 (a): seconds per fit, exact solvers measured, MIP solvers from their E-steps.

    A fit with cvxpy or the batched programme is put at its measured milliseconds per point times
    points times iterations of the exact fit, which takes the same path.
    """
    fig, line = new_figure(1, len(TREES), width=9.5, height=4.0)
    for axes, dataset in zip(line, TREES, strict=True):
        table = fit_seconds(rows, timings, dataset)
        place = np.arange(len(table))
        for shift, (column, colour) in zip(
            (-0.27, 0.0, 0.27),
            zip(("exact", "batched", "cvxpy"), PALETTE, strict=False),
            strict=True,
        ):
            axes.barh(place + shift, table[column], height=0.25, color=colour, label=column)
        axes.set_yticks(place, table.index)
        axes.set_xscale("log")
        axes.invert_yaxis()
        axes.set_title(shown_name(dataset))
        axes.set_xlabel("seconds per fit")
    legend_below(fig, line[0])
    return fig


def fit_seconds(rows: pd.DataFrame, timings: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Median seconds of a fit per method, with the MIP solvers' estimates beside."""
    here = timings[timings["dataset"] == dataset]
    fits, slow = (
        here[here["table"] == table].pivot_table("value", "method", "metric", aggfunc="median")
        for table in ("time:4", "time:mip_check")
    )
    frame = pd.DataFrame({"exact": fits["seconds"]})
    sizes = rows[(rows["table"] == "1") & (rows["metric"] == "documents")]
    points = float(sizes.loc[sizes["dataset"] == dataset, "value"].max())
    for column, metric in (("batched", "batch_ms_per_point"), ("cvxpy", "cvxpy_ms_per_point")):
        frame[column] = slow[metric] / 1e3 * fits["iterations"] * points
    order = [m for m in (*FLAT_NAMES, *HIER_NAMES) if m in frame.index]
    return frame.loc[order]
