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


def _part(rows: pd.DataFrame, table: str, dataset: str) -> pd.DataFrame:
    return rows[(rows["table"] == table) & (rows["dataset"] == dataset)]


def curve_figure(rows: pd.DataFrame, dataset: str) -> Figure:
    """Precision-recall curves in both spaces and directions, both protocols."""
    part = _part(rows, "extra:precision_recall", dataset)
    styles = series_styles(TOPIC_MODELS)
    fig, axes = new_figure(2, 2, width=8.4, height=5.6, sharex=True, sharey="row")
    for (i, space), (j, direction) in product(enumerate(SPACES), enumerate(DIRECTIONS)):
        ax = axes[i, j]
        for method, (protocol, reading) in product(TOPIC_MODELS, READINGS.items()):
            keep = (part["space"] == space) & (part["direction"] == direction)
            keep &= (part["method"] == method) & (part["reading"] == reading)
            style = {
                "color": styles[method]["color"],
                "linestyle": "-" if protocol == "honest" else ":",
            }
            label = f"{method}, {protocol}" if (i, j) == (0, 0) else ""
            curve(ax, part[keep], "recall", label=label, band=False, **style)
        ax.set_title(f"{space} space, {direction}")
        if i == 1:
            ax.set_xlabel("recall")
        if j == 0:
            ax.set_ylabel("precision")
    axes[0, 0].legend(fontsize=6.5, ncols=2)
    return fig


def category_figure(rows: pd.DataFrame, dataset: str) -> Figure:
    """MAP per category, semantic space, honest protocol."""
    part = _part(rows, "extra:categories", dataset)
    part = part[(part["reading"] == READINGS["honest"]) & (part["space"] == "semantic")]
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
    part = _part(rows, "choice:lambda", dataset)
    chosen = _part(rows, "choice:lambda_chosen", dataset)
    fig, axes = new_figure(1, len(COUPLED), width=8.8, height=2.9, sharey=True)
    for ax, method in zip(axes, COUPLED, strict=True):
        for k, (protocol, reading) in enumerate(READINGS.items()):
            keep = (part["method"] == method) & (part["reading"] == reading)
            means = part[keep].groupby("lambda_")["value"].mean()
            ax.plot(means.index, means.to_numpy(), marker="os"[k], label=protocol)
        best = float(chosen.loc[chosen["method"] == method, "value"].iloc[0])
        ax.axvline(best, color=PALETTE[3], linestyle=":", label="chosen")
        ax.set_xscale("log")
        # what was tried, and nothing between: other labels within a decade would collide
        tried = sorted(part.loc[part["method"] == method, "lambda_"].unique())
        ax.set_xticks(tried, [f"{value:g}" for value in tried])
        ax.set_xticks([], minor=True)
        ax.set_title(method)
        ax.set_xlabel("lambda")
    axes[0].set_ylabel("MAP on held-out training pairs")
    axes[-1].legend()
    return fig


def topics_figure(rows: pd.DataFrame, n_topics: int) -> Figure:
    """MAP against the number of topics (Wikipedia, one run)."""
    part = _part(rows, "choice:topics", WIKIPEDIA)
    main = _part(rows, "1", WIKIPEDIA)
    main = main[(main["run"] == 0) & main["method"].isin(set(part["method"]))]
    part = pd.concat([part, main.assign(topics=n_topics)])
    fig, axes = new_figure(1, 2, width=8.0, height=3.0)
    styles = series_styles(sorted(set(part["method"])))
    for ax, (protocol, reading) in zip(axes, READINGS.items(), strict=True):
        for method, style in styles.items():
            for space, dash in zip(SPACES, ("--", "-"), strict=True):
                keep = (part["method"] == method) & (part["space"] == space)
                means = part[keep & (part["reading"] == reading)].groupby("topics")["value"].mean()
                options = {**style, "linestyle": dash}
                ax.plot(means.index, means.to_numpy(), label=f"{method}, {space}", **options)
        ax.set_xscale("log")
        ax.set_title(f"{protocol} protocol")
        ax.set_xlabel("topics")
    axes[0].set_ylabel("mean average precision")
    axes[1].legend()
    return fig


def objective_figure(rows: pd.DataFrame) -> Figure:
    """Objective (8) sweep by sweep, and both l2 updates from the exact solution."""
    part = named(_part(rows, "extra:objective", WIKIPEDIA))
    styles = series_styles(list(dict.fromkeys(part["method"])))
    fig, axes = new_figure(1, 2, width=8.6, height=3.2)
    for ax, first in zip(axes, (RANDOM_START, EXACT_SOLUTION), strict=True):
        for method, style in styles.items():
            keep = (part["start"] == first) & (part["method"] == method)
            if keep.any():
                options = {**style, "marker": None}
                curve(ax, part[keep], "sweep", label=method, **options)
        ax.set_title(first)
        ax.set_xlabel("sweep")
        ax.legend()
    axes[0].set_ylabel("objective per pair")
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
