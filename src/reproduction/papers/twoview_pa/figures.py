"""Figures of the two-view PA page, each with a text alternative from the same numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from reproduction.pages.figures import INK, PALETTE, curve, new_figure
from reproduction.papers.twoview_pa.columns import INNER
from reproduction.papers.twoview_pa.methods import ALONE, EXACT, TWO_VIEW
from reproduction.papers.twoview_pa.page import (
    NAMES,
    REAL,
    SCALING_NAMES,
    advantage,
    tuned_difference,
)
from reproduction.results.rows import INFERRED

#: Figures of the paper by the data set that is drawn in them.
FIGURES = {"ads": "Figure 1", "opinion_spam": "Figure 2, stand-in", "webkb_course": "Figure 3"}
LIMIT = 6.0
_ON_PALE = "#15181c"  # its cells are pale in light and dark mode
_DIVERGING = LinearSegmentedColormap.from_list("loses-wins", ["#d9601a", "#f6f4f0", "#2f7fc1"])


def _heat_values(
    table: pd.DataFrame, rows: pd.DataFrame, dataset: str, C: float
) -> tuple[np.ndarray, list[str], list[str]]:
    """Matrix of one panel: row scaling and passes down, gamma and the tuned column across."""
    table = table[(table["order"] == "shuffled") & (table["empty"] == "zero")]
    table = table[np.isclose(table["C"], C)]
    gammas = sorted(table["gamma"].unique())
    lines = [
        (scaling, passes)
        for scaling in SCALING_NAMES
        for passes in sorted(table.loc[table["scaling"] == scaling, "passes"].unique())
    ]
    part = table[table["dataset"] == dataset]
    values = np.full((len(lines), len(gammas) + 1), np.nan)
    for i, (scaling, passes) in enumerate(lines):
        line = part[(part["scaling"] == scaling) & (part["passes"] == passes)].set_index("gamma")
        values[i, :-1] = line["mean"].reindex(gammas).to_numpy()
        tuned = tuned_difference(rows, dataset, tuned=INNER, scaling=scaling, passes=passes)
        values[i, -1] = np.nan if tuned is None else tuned.mean
    down = [f"{SCALING_NAMES[s]}, {p} pass{'es' if p > 1 else ''}" for s, p in lines]
    return values, down, [*(f"{gamma:g}" for gamma in gammas), "tuned"]


def _signed(value: float) -> str:
    """Text of a difference; one that rounds to nothing has no sign."""
    text = f"{value:+.1f}"
    return text if float(text) else text[1:]


def heat_map(rows: pd.DataFrame, C: float = 0.1, gamma: float = 0.5) -> Figure:
    """Where two-view PA beats the concatenation (blue) and where it loses (orange)."""
    table = advantage(rows)
    datasets = [dataset for dataset in REAL if dataset in set(table["dataset"])]
    fig, axes = new_figure(1, len(datasets), width=9.6, height=4.3, sharey=True, squeeze=False)
    for ax, dataset in zip(axes[0], datasets, strict=True):
        values, down, across = _heat_values(table, rows, dataset, C)
        norm = TwoSlopeNorm(0.0, -LIMIT, LIMIT)
        ax.pcolormesh(
            np.ma.masked_invalid(values), cmap=_DIVERGING, norm=norm, edgecolors=INK, linewidth=0.4
        )
        for (i, j), value in np.ndenumerate(values):
            if np.isfinite(value):
                ax.text(j + 0.5, i + 0.5, _signed(value), ha="center", va="center",
                        fontsize=6.5, color=_ON_PALE)  # fmt: skip
        if f"{gamma:g}" in across:
            place = (across.index(f"{gamma:g}") + 0.05, 0.05)
            ax.add_patch(Rectangle(place, 0.9, 0.9, fill=False, edgecolor=_ON_PALE, linewidth=2.4))
        ax.set_xticks(np.arange(len(across)) + 0.5, across, fontsize=7.5)
        ax.set_yticks(np.arange(len(down)) + 0.5, down, fontsize=7.5)
        ax.set_ylim(len(down), 0)
        ax.set_title(NAMES[dataset])
        ax.set_xlabel(f"gamma (C = {C:g}; tuned: both nested)", fontsize=8)
        ax.grid(False)
    return fig


def heat_alt(rows: pd.DataFrame) -> str:
    """Text alternative of the heat map."""
    table = advantage(rows)
    pieces = []
    for dataset, part in table[table["order"] == "shuffled"].groupby("dataset"):
        share = 100 * float((part["mean"] > 0).mean())
        pieces.append(f"{NAMES[str(dataset)]}: two-view PA ahead at {share:.0f} % of combinations")
    return "Heat map of F1 of two-view PA minus F1 of PA on the concatenation. " + "; ".join(pieces)


def difference_figure(rows: pd.DataFrame, details: Mapping[str, Mapping[str, Any]]) -> Figure:
    """Figures 1 to 3: view difference per round (above) and cumulative (below)."""
    datasets = [dataset for dataset in FIGURES if dataset in details]
    fig, axes = new_figure(2, len(datasets), width=9.6, height=5.0, squeeze=False, sharex="col")
    colours = {TWO_VIEW: PALETTE[0], ALONE: PALETTE[1], EXACT: PALETTE[2]}
    for column, dataset in enumerate(datasets):
        traces = details[dataset]["difference_per_round"]
        upper, lower = axes[0][column], axes[1][column]
        for method in (ALONE, TWO_VIEW):
            trace = np.asarray(traces[method])
            chosen = np.unique(np.linspace(0, trace.size - 1, 350).astype(int))
            upper.plot(chosen + 1, trace[chosen], ".", markersize=2.5, alpha=0.7,
                       color=colours[method], label=method)  # fmt: skip
        part = rows[(rows["dataset"] == dataset) & (rows["metric"] == "cumulative_view_difference")]
        for method, colour in colours.items():
            curve(lower, part[part["method"] == method], "round", label=method, color=colour)
        upper.set_title(f"{FIGURES[dataset]}: {NAMES[dataset]}", fontsize=8.5)
        lower.set_xlabel("round")
    axes[0][0].set_ylabel("view difference")
    axes[1][0].set_ylabel("cumulative (mean so far)")
    axes[0][0].legend()
    axes[1][0].legend()
    return fig


def difference_alt(rows: pd.DataFrame) -> str:
    """Text alternative of the figures: mean view difference per data set and method."""
    part = rows[(rows["metric"] == "mean_view_difference") & (rows["reading"] == INFERRED)]
    means = part.groupby(["dataset", "method"])["value"].mean()
    pieces = [
        f"{NAMES[d]}: two-view PA {means[d, TWO_VIEW]:.2f}, single PAs {means[d, ALONE]:.2f}"
        for d in FIGURES
        if (d, TWO_VIEW) in means.index
    ]
    return "View difference per round and cumulative; mean over all rounds. " + "; ".join(pieces)
