"""Figures of the clustering page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from reproduction.pages.figures import PALETTE, curve, new_figure
from reproduction.papers.coplsa_clustering.page import (
    METRICS,
    NAMES,
    SCALES,
    STRENGTHS,
    differences,
)
from reproduction.papers.coplsa_clustering.settings import FIGURE_2, SAFEGUARDED, THREE, TWO
from reproduction.results.rows import INFERRED

RHO_EDGE = 0.04  # below it the printed update was never seen to lower the objective
#: What a figure's axis has room for.
_SHORT = dict(zip(STRENGTHS.values(), ("paper's", "rescaled", "strong"), strict=True))
#: Curves of the panels on sigma and the pairs.
_CURVES = {"paper": "λ of the paper", "strong": "λ={:g}", "strong per pair": "λ={:g} per pair"}


def difference_figure(rows: pd.DataFrame) -> Figure:
    """Gains over PLSA with 95 % intervals."""
    fig, axes = new_figure(1, 2, width=8.6, height=5.0, sharey=True)
    colours = {TWO: PALETTE[0], THREE: PALETTE[1], "placebo": PALETTE[3]}
    for ax, (metric, title) in zip(axes, METRICS.items(), strict=True):
        frame = differences(rows, metric).iloc[::-1].reset_index(drop=True)
        for position, row in enumerate(frame.itertuples()):
            colour = colours[str(row.method)]
            ax.plot([row.low, row.high], [position, position], color=colour, lw=1.6)
            ax.plot([row.difference], [position], "o", color=colour, ms=5)
        ax.axvline(0.0, color="0.5", lw=0.8)
        ax.set_xlabel(f"{title}: gain over PLSA, same starts")
        labels = [
            f"{name}, {method}, λ {_SHORT[strength]}"
            for name, method, strength in frame[["data set", "method", "lambda"]].to_numpy()
        ]
        ax.set_yticks(range(len(frame)), labels)
    return fig


def lambda_panels(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Return data sets and scales for which Figure 2 was measured, in order."""
    part = rows[rows["table"] == FIGURE_2]
    measured = set(zip(part["dataset"], part["scale"], strict=True))
    return [(key, scale) for key in NAMES for scale in SCALES if (key, scale) in measured]


def lambda_figure(rows: pd.DataFrame, metric: str = "accuracy_pct") -> Figure:
    """Figure 2: the score against lambda for both updates, the ratio rho on a second axis."""
    panels = lambda_panels(rows)
    columns = 2
    height = -(-len(panels) // columns)
    fig, axes = new_figure(height, columns, width=8.6, height=2.5 * height, squeeze=False)
    for ax in axes.flat[len(panels) :]:
        ax.set_visible(False)
    for ax, (dataset, scale) in zip(axes.flat, panels, strict=False):
        part = rows[(rows["table"] == FIGURE_2) & (rows["dataset"] == dataset)]
        part = part[part["scale"] == scale]
        _lambda_curves(ax, part[part["metric"] == metric])
        ax.set_xscale("log")
        ax.xaxis.set_minor_formatter(NullFormatter())  # labels within a decade would collide
        ax.set_title(f"{NAMES[dataset]}, {SCALES[scale]}", fontsize=9)
        ax.set_xlabel("λ")
        ax.set_ylabel(METRICS[metric])
        _rho_curve(ax, part[(part["metric"] == "rho_max") & (part["reading"] == INFERRED)])
    # one legend for all panels; on the curves it would hide them
    handles: dict[str, Any] = {}
    for ax in fig.axes:
        drawn, labels = ax.get_legend_handles_labels()
        handles |= dict(zip(labels, drawn, strict=True))
    fig.legend(list(handles.values()), list(handles), loc="outside lower center", ncols=4)
    return fig


def _lambda_curves(ax: Axes, part: pd.DataFrame) -> None:
    ours = part[part["role"] == "published"]
    for reading, label, colour, dash in (
        (INFERRED, "printed", PALETTE[0], "-"),
        (SAFEGUARDED, "safeguarded", PALETTE[1], "--"),
    ):
        look: dict[str, Any] = {"color": colour, "linestyle": dash, "marker": "o", "ms": 3}
        curve(ax, ours[ours["reading"] == reading], "lambda_", label=label, **look)
    shuffled = part[part["role"] == "control"]
    if len(shuffled):
        look = {"color": "0.5", "linestyle": "-.", "marker": "x", "ms": 3}
        curve(ax, shuffled, "lambda_", label="partner shuffled", band=False, **look)


def _rho_curve(ax: Axes, rho: pd.DataFrame) -> None:
    """Draw the largest ratio of penalty to counts on a second axis."""
    twin = ax.twinx()
    mean = rho.groupby("lambda_")["value"].mean()
    twin.plot(
        mean.index,
        np.maximum(mean.to_numpy(), 1e-9),
        color=PALETTE[3],
        ls=":",
        label="largest ρ, right axis",
    )
    twin.axhline(RHO_EDGE, color=PALETTE[3], lw=0.6, alpha=0.6)
    twin.set_yscale("log")
    twin.yaxis.set_minor_formatter(NullFormatter())
    twin.grid(visible=False)
    twin.set_ylabel("largest ρ")


def curves_figure(
    rows: pd.DataFrame, table: str, x: str, xlabel: str, by: str, caps: Mapping[str, int]
) -> Figure:
    """Accuracy against a setting, a panel per data set and a curve for each value of ``by``.

    ``caps`` are marked by a line: data set -> place.
    """
    part = rows[(rows["table"] == table) & (rows["metric"] == "accuracy_pct")]
    # a measured width is no place on the axis
    part = part[(part["reading"] == INFERRED) & part[x].notna()]
    datasets = [name for name in NAMES if (part["dataset"] == name).any()]
    fig, axes = new_figure(1, len(datasets), width=8.6, height=2.9, squeeze=False)
    for dataset, ax in zip(datasets, axes.flat, strict=True):
        here = part[part["dataset"] == dataset]
        for i, (series, chosen) in enumerate(here.groupby(by)):
            strength = _CURVES.get(str(series), str(series))
            shown = strength.format(chosen["lambda_"].iloc[0])
            curve(ax, chosen, x, label=shown, color=PALETTE[i], marker="os^"[i], ms=3)
        if dataset in caps:
            ax.axvline(caps[dataset], color="0.5", lw=0.8, ls=":")
        ax.set_xscale("log")
        ax.set_title(NAMES[dataset], fontsize=9)
        ax.set_xlabel(xlabel)
        ax.set_ylabel("accuracy %")
        ax.legend(fontsize=7)
    return fig
