"""Figures 6 to 11 of the page on label sets in several views."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from reproduction.pages.figures import INK, PALETTE, new_figure, series_styles
from reproduction.papers.multiview_hier.names import (
    ALL_POINTS,
    COUNTERPART,
    FLAT_NAMES,
    GAINS,
    HIER_NAMES,
    MACRO,
    MICRO,
    comparison_name,
)
from reproduction.papers.multiview_hier.page import TREES, shown_name
from reproduction.results.rows import INFERRED
from reproduction.verdicts.claims import select

PROPOSED = ("PRODSCORE", "SUMSCORE", "MAXAGREE")
#: Methods of Figure 9.
CURVES = ("V12", "COTRAIN", "PRODSCORE", "Hier-PRODSCORE", "MAXAGREE", "Hier-MAXAGREE")
MEASURES = ((MACRO, "macro F1"), (MICRO, "micro F1"))


def _case_means(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    part = select(rows, table="2", metric=metric, method=FLAT_NAMES, scored=ALL_POINTS)
    return part.groupby(["dataset", "setting", "method"])["value"].mean().unstack("method")


def _diagonal(axes: Any) -> None:
    """Draw x = y without changing the limits."""
    axes.axline((50, 50), slope=1, color=INK, linestyle=":", linewidth=1, zorder=0)


def legend_below(fig: Figure, axes: Any, columns: int = 6) -> None:
    """Put one legend for all panels below the figure."""
    handles, labels = axes.get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=columns)


def scatter_figure(rows: pd.DataFrame) -> Figure:
    """Figure 6: F1 of the proposed methods (x) against the baselines (y), all test cases."""
    fig, grid = new_figure(2, 3, width=9.0, height=6.0, sharex=True, sharey=True)
    for line, (metric, title) in zip(grid, MEASURES, strict=True):
        means = _case_means(rows, metric)
        baselines = {
            "Max(V1, V2)": means[["V1", "V2"]].max(axis=1),
            "V12": means["V12"],
            "COTRAIN": means["COTRAIN"],
        }
        styles = series_styles(tuple(baselines))
        for axes, method in zip(line, PROPOSED, strict=True):
            for name, values in baselines.items():
                axes.plot(
                    means[method], values, linestyle="", label=name, alpha=0.85,
                    color=styles[name]["color"], marker=styles[name]["marker"],
                )  # fmt: skip
            axes.set_title(f"{method}, {title}")
            axes.set_xlabel(f"{method} %")
            _diagonal(axes)
        line[0].set_ylabel("baseline %")
    legend_below(fig, grid[0][0])
    return fig


def scatter_alt(rows: pd.DataFrame) -> str:
    """Figure 6 in words."""
    means = _case_means(rows, MACRO)
    best = means[["V1", "V2"]].max(axis=1)
    parts = [
        f"{m} is above the better single view in {int((means[m] > best).sum())} of {len(means)} "
        "test cases"
        for m in PROPOSED
    ]
    return "Scatter plots of proposed methods against baselines. In macro F1 " + "; ".join(parts)


def imbalance_figure(rows: pd.DataFrame) -> Figure:
    """Figure 7: relative improvement against view imbalance."""
    means = _case_means(rows, MACRO)
    distance = (means["V1"] - means["V2"]).abs()
    fig, line = new_figure(1, 3, width=9.0, height=3.2)
    for axes, (better, base), colour in zip(line, GAINS, PALETTE, strict=False):
        gain = 100 * (means[better] / means[base] - 1)
        axes.plot(distance, gain, "o", color=colour)
        fit = np.polyfit(distance, gain, 1)
        ends = np.array([distance.min(), distance.max()])
        axes.plot(ends, np.polyval(fit, ends), color=colour, linewidth=1)
        name = comparison_name(better, base)
        found = select(rows, table="3", method=name, reading=INFERRED, scored=ALL_POINTS)
        value = found.set_index("metric")["value"]
        told = f"r = {value['pearson_r']:+.2f}, p = {value['p_value']:.4f}"
        axes.set_title(f"{better} over {base}\n{told}")
        axes.set_xlabel("view imbalance |F1(V1) - F1(V2)|")
    line[0].set_ylabel("relative improvement %")
    return fig


def _tree_part(rows: pd.DataFrame, dataset: str, metric: str = MACRO) -> pd.DataFrame:
    return select(rows, table="4", dataset=dataset, metric=metric, scored=ALL_POINTS)


def agreement_figure(rows: pd.DataFrame) -> Figure:
    """Figure 8: improvement of Hier- methods over V12 against view agreement."""
    fig, line = new_figure(1, len(TREES), width=9.0, height=3.2)
    for axes, dataset in zip(line, TREES, strict=True):
        means = _tree_part(rows, dataset).groupby(["train", "method"])["value"].mean().unstack()
        agree = _tree_part(rows, dataset, "view_agreement").groupby("train")["value"].mean()
        for method, style in series_styles(HIER_NAMES).items():
            gain = 100 * (means[method] / means["V12"] - 1)
            axes.plot(agree.loc[gain.index], gain, label=method, **style)
        axes.set_title(shown_name(dataset))
        axes.set_xlabel("view agreement")
    line[0].set_ylabel("improvement over V12, %")
    legend_below(fig, line[0])
    return fig


def curves_alt(rows: pd.DataFrame) -> str:
    """Figure 9 in words."""
    parts = []
    for dataset in TREES:
        means = _tree_part(rows, dataset).groupby(["train", "method"])["value"].mean().unstack()
        first, last = means.index.min(), means.index.max()
        parts.append(
            f"{shown_name(dataset)}: Hier-MAXAGREE from {means.loc[first, 'Hier-MAXAGREE']:.0f} % "
            f"at {first:g} % training to {means.loc[last, 'Hier-MAXAGREE']:.0f} % at {last:g} %, "
            f"MAXAGREE from {means.loc[first, 'MAXAGREE']:.0f} % to "
            f"{means.loc[last, 'MAXAGREE']:.0f} %"
        )
    return "Learning curves. " + "; ".join(parts)


def hier_scatter_figure(rows: pd.DataFrame) -> Figure:
    """Figure 10 (a): hierarchical (x) against flat (y), a point per training share."""
    fig, grid = new_figure(2, len(TREES), width=9.0, height=6.0)
    for line, (metric, title) in zip(grid, MEASURES, strict=True):
        for axes, dataset in zip(line, TREES, strict=True):
            part = _tree_part(rows, dataset, metric)
            means = part.groupby(["train", "method"])["value"].mean().unstack()
            for (hier, flat), style in zip(
                COUNTERPART.items(), series_styles(HIER_NAMES).values(), strict=True
            ):
                axes.plot(
                    means[hier], means[flat], linestyle="", label=hier,
                    color=style["color"], marker=style["marker"],
                )  # fmt: skip
            axes.set_title(f"{shown_name(dataset)}\n{title}")
            axes.set_xlabel("hierarchical %")
            _diagonal(axes)
        line[0].set_ylabel("flat %")
    legend_below(fig, grid[0][0])
    return fig


def frequency_figure(details: dict[str, dict[str, Any]]) -> Figure:
    """Figure 10 (b): frequencies of the leaf classes, largest first."""
    fig, line = new_figure(1, len(details), width=9.0, height=2.8)
    for axes, (dataset, found) in zip(np.atleast_1d(line), details.items(), strict=True):
        counts = sorted(found["leaf_frequency"].values(), reverse=True)
        axes.bar(np.arange(1, len(counts) + 1), counts, color=PALETTE[0], width=1.0)
        axes.set_title(shown_name(dataset))
        axes.set_xlabel("leaf class, largest first")
    np.atleast_1d(line)[0].set_ylabel("documents")
    return fig


def flips_figure(rows: pd.DataFrame) -> Figure:
    """Figure 11 (b): label bits flipped per EM iteration at the largest training share."""
    methods = ("V1", "V2", "V12", *HIER_NAMES)
    fig, line = new_figure(1, len(TREES), width=9.5, height=3.4)
    part = rows[rows["table"] == "fig11b"]
    for axes, dataset in zip(line, TREES, strict=True):
        here = part[part["dataset"] == dataset]
        for method, style in series_styles(methods).items():
            means = here[here["method"] == method].groupby("iteration")["value"].mean()
            axes.plot(means.index, means.to_numpy(), label=method, **style)
        axes.set_yscale("symlog", linthresh=1)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(shown_name(dataset))
        axes.set_xlabel("iteration")
    line[0].set_ylabel("labels that change")
    legend_below(fig, line[0])
    return fig
