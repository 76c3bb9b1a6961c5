"""Figures of the multi-view PLSA page, drawn from the result rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reproduction.pages.figures import PALETTE, new_figure
from reproduction.papers.mvplsa.names import NAMES
from reproduction.verdicts.claims import select


def clustering_figure(rows: pd.DataFrame) -> Figure:
    """Figure 2: NMI and PF of four clusterings on four data sets, with one deviation."""
    methods = ("Kmeans_Best", "Kmeans_Avg", "MVC", "MVPLSA")
    part = select(rows, table="fig2")
    fig, axes = new_figure(1, 2, width=9.0, height=3.0)
    for ax, metric in zip(axes, ("NMI", "PF"), strict=True):
        for k, method in enumerate(methods):
            chosen = part[(part["metric"] == metric) & (part["method"] == method)]
            stats = chosen.groupby("dataset")["value"].agg(["mean", "std"]).reindex(list(NAMES))
            place = np.arange(len(NAMES)) + (k - 1.5) * 0.2
            spread, mean = stats["std"].fillna(0), stats["mean"]
            # a deviation may reach beyond what a share can be
            reach = [np.minimum(spread, mean), np.minimum(spread, 100 - mean)]
            ax.bar(
                place, mean, 0.19, yerr=reach, label=method,
                color=PALETTE[k], ecolor="#888888", error_kw={"linewidth": 1},
            )  # fmt: skip
        ax.set_xticks(range(len(NAMES)), list(NAMES.values()))
        ax.set_ylabel(f"{metric} %")
    axes[0].legend(loc="upper left")
    return fig


def huge_figure(rows: pd.DataFrame) -> Figure:
    """DPLSA and MVPLSA under the four treatments of the huge messages, one dot per run."""
    part = select(rows, table="choice:huge")
    means = part.groupby("treatment")["value"].mean().sort_values(kind="stable")
    fig, ax = new_figure(width=8.0, height=2.6)
    for k, method in enumerate(("DPLSA", "MVPLSA")):
        for place, treatment in enumerate(means.index):
            of_both = part[part["treatment"] == treatment]
            chosen = of_both[of_both["method"] == method]["value"]
            height = np.full(len(chosen), place + (k - 0.5) * 0.26)
            ax.plot(
                chosen, height, "o", color=PALETTE[k], alpha=0.55, markersize=4,
                label=method if place == 0 else None,
            )  # fmt: skip
            ax.plot([chosen.mean()], [height[0]], "|", color=PALETTE[k], markersize=15, mew=2)
    ax.set_yticks(range(len(means)), list(means.index))
    ax.set_xlabel("accuracy %, 1 % labelled")
    ax.legend(loc="center left")  # between the treatments that fail and those that work
    return fig
