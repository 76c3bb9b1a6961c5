"""Figures of the cross-modal retrieval page; everything comes from the result rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reproduction.pages.figures import PALETTE, curve, new_figure, series_styles
from reproduction.papers.coplsa_multimodal.names import (
    COUPLED,
    DIRECTIONS,
    EXACT_SOLUTION,
    RANDOM_START,
    READINGS,
    SPACES,
    TOPIC_MODELS,
    WIKIPEDIA,
)
from reproduction.papers.coplsa_multimodal.page import mean_of, named

_PROTOCOLS = {reading: protocol for protocol, reading in READINGS.items()}


def _part(rows: pd.DataFrame, table: str, dataset: str = WIKIPEDIA) -> pd.DataFrame:
    part = rows[(rows["table"] == table) & (rows["dataset"] == dataset)]
    return part.assign(protocol=part["reading"].map(_PROTOCOLS))


def _panels(
    panels: Mapping[str, pd.DataFrame], across: str, series: Sequence[str], score: str,
    columns: int = 2,
) -> tuple[Figure, Any]:  # fmt: skip
    """Draw curves against a setting, told apart by columns of the rows, a panel for each part.

    The first column has colours; a second one has lines, the joint protocol and the topic space
    dotted.
    """
    every = pd.concat(panels.values())
    styles = series_styles(tuple(dict.fromkeys(every[series[0]])))
    count = len(panels) // columns
    fig, axes = new_figure(count, columns, width=8.6, height=2.7 * count, squeeze=False)
    for ax, (title, part) in zip(axes.flat, panels.items(), strict=True):
        for found, here in part.groupby(list(series), sort=False):
            names = [str(name) for name in found]
            dotted = {"linestyle": ":"} if {"joint", "topic"} & {*names[1:]} else {}
            style = {**styles[names[0]], **dotted}
            if here[across].nunique() > 8:  # many marks would hide the lines
                style["marker"] = None
            curve(ax, here, across, label=", ".join(names), band=len(series) == 1, **style)
        ax.set_title(title)
        ax.set_xlabel(across.strip("_"))
    for line in axes:
        line[0].set_ylabel(score)
    axes.flat[-1].legend(fontsize=6.5)
    return fig, axes


def curve_figure(rows: pd.DataFrame, dataset: str) -> Figure:
    """Precision-recall curves in both spaces and directions, both protocols."""
    part = _part(rows, "extra:precision_recall", dataset)
    part = part[part["method"].isin(TOPIC_MODELS)]
    panels = {
        f"{space} space, {direction}": part[
            (part["space"] == space) & (part["direction"] == direction)
        ]
        for space, direction in product(SPACES, DIRECTIONS)
    }
    return _panels(panels, "recall", ["method", "protocol"], "precision")[0]


def category_figure(rows: pd.DataFrame, dataset: str) -> Figure:
    """MAP per category, semantic space, honest protocol."""
    part = _part(rows, "extra:categories", dataset)
    part = part[(part["protocol"] == "honest") & (part["space"] == "semantic")]
    categories = sorted(set(part["category"]))
    fig, axes = new_figure(1, 2, width=8.8, height=3.8, sharey=True)
    for ax, direction in zip(axes, DIRECTIONS, strict=True):
        for k, method in enumerate(TOPIC_MODELS):
            keep = (part["direction"] == direction) & (part["method"] == method)
            means = part[keep].groupby("category")["value"].mean().reindex(categories)
            place = np.arange(len(categories)) + 0.2 * (k - 1.5)
            ax.barh(place, means, height=0.18, label=method, color=PALETTE[k])
        ax.set_yticks(np.arange(len(categories)), categories)
        ax.set_title(f"semantic space, {direction}, honest")
        ax.set_xlabel("mean average precision")
    axes[0].invert_yaxis()
    axes[1].legend()
    return fig


def lambda_figure(rows: pd.DataFrame, dataset: str) -> Figure:
    """Validation MAP against lambda, the mean over spaces and directions."""
    part, chosen = (_part(rows, f"choice:{name}", dataset) for name in ("lambda", "lambda_chosen"))
    panels = {method: part[part["method"] == method] for method in COUPLED}
    fig, axes = _panels(panels, "lambda_", ["protocol"], "MAP on held-out training pairs", 3)
    for ax, (method, shown) in zip(axes[0], panels.items(), strict=True):
        best = float(chosen.loc[chosen["method"] == method, "value"].iloc[0])
        ax.axvline(best, color=PALETTE[3], linestyle=":", label="chosen")
        ax.set_xscale("log")
        # what was tried, and nothing between: other labels within a decade would collide
        tried = sorted(shown["lambda_"].unique())
        ax.set_xticks(tried, [f"{value:g}" for value in tried])
        ax.set_xticks([], minor=True)
    axes[0][-1].legend()
    return fig


def topics_figure(rows: pd.DataFrame, n_topics: int) -> Figure:
    """MAP against the number of topics (Wikipedia, one run)."""
    part, main = _part(rows, "choice:topics"), _part(rows, "1")
    main = main[(main["run"] == 0) & main["method"].isin(set(part["method"]))]
    part = pd.concat([part, main.assign(topics=n_topics)])
    panels = {f"{name} protocol": part[part["protocol"] == name] for name in READINGS}
    fig, axes = _panels(panels, "topics", ["method", "space"], "mean average precision")
    for ax in axes.flat:
        ax.set_xscale("log")
    return fig


def objective_figure(rows: pd.DataFrame) -> Figure:
    """Objective (8) sweep by sweep, and both l2 updates from the exact solution."""
    part = named(_part(rows, "extra:objective"))
    panels = {start: part[part["start"] == start] for start in (RANDOM_START, EXACT_SOLUTION)}
    fig, axes = _panels(panels, "sweep", ["method"], "objective per pair")
    axes[0][0].legend(fontsize=6.5)
    return fig


def composition_figure(details: Mapping[str, Any], protocol: str) -> Figure:
    """Figure 2: leading topics of some test images and tags sampled from their mixtures."""
    examples: Sequence[Mapping[str, Any]] = details["examples"]
    words = details["top_words"]
    n = len(examples)
    fig, axes = new_figure(n, 1, width=8.4, height=1.55 * n + 0.4, squeeze=False)
    for ax, example in zip(axes[:, 0], examples, strict=True):
        shown = example[protocol]
        places = np.arange(len(shown["topics"]))
        ax.barh(places, shown["shares"], color=PALETTE[0], height=0.7)
        names = [" ".join(words[k][:4]) for k in shown["topics"]]
        ax.set_yticks(places, names, fontsize=6.5)
        ax.invert_yaxis()
        tags = ", ".join(shown["tags"])
        ax.set_title(f"{example['category']}: {tags}", fontsize=7.5, loc="left")
        ax.set_xlim(0, max(0.5, 1.05 * max(shown["shares"])))
    axes[-1, 0].set_xlabel("share of the topic in the image")
    return fig


def composition_alt(details: Mapping[str, Any], protocol: str) -> str:
    """Text alternative of the figure above."""
    words = details["top_words"]
    pieces = []
    for example in details["examples"]:
        shown = example[protocol]
        name, tags = " ".join(words[shown["topics"][0]][:3]), ", ".join(shown["tags"][:5])
        pieces.append(
            f"{example['category']}: topic '{name}' ({shown['shares'][0]:.2f}), tags {tags}"
        )
    return "Topic compositions of test images. " + "; ".join(pieces)


def curves_alt(rows: pd.DataFrame, dataset: str) -> str:
    """Text alternative of the precision-recall figure, from Table 1's numbers."""
    pieces = [
        f"{m}: semantic MAP {mean_of(rows, m, 'joint', dataset=dataset):.2f} joint, "
        f"{mean_of(rows, m, 'honest', dataset=dataset):.2f} honest"
        for m in TOPIC_MODELS
    ]
    return "Precision against recall in four panels. " + "; ".join(pieces)
