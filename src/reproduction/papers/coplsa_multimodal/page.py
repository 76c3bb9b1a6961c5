"""What the cross-modal retrieval page says beyond its tables: one training curve, one precision."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy import stats

from asprinted.claims import select
from reproduction.pages.figures import PALETTE, new_figure, series_styles
from reproduction.papers.coplsa_multimodal import settings as cm
from reproduction.results.published import load_published

#: How readers are told which precisions are averaged.
PRECISIONS = {
    "full": "full list", "11point": "eleven recall points", "top10": "among the first ten",
    "first10relevant": "first ten relevant",
}  # fmt: skip
_APART = 0.09  # of the range of the curve


def printed() -> pd.DataFrame:
    """Printed figures on Wikipedia."""
    cells = load_published(cm.PAPER)
    return cells[cells["dataset"] == cm.WIKIPEDIA]


def scm_precision(rows: pd.DataFrame) -> str:
    """Which definition of average precision gives SCM its published figures back."""
    tables = ["1", "choice:precision"]
    part = select(rows, table=tables, dataset=cm.WIKIPEDIA, method=cm.SCM)
    kind = part["precision"].where(part["table"] != "1", cm.KINDS[0])
    place = ["space", "direction"]
    cells = printed()
    theirs = cells[cells["method"] == cm.SCM].set_index(place)["mean"]
    ours = part.groupby([*place, kind])["value"].mean().unstack("precision")[list(cm.KINDS)]
    distance = np.sqrt((ours.sub(theirs, axis=0) ** 2).mean())
    listed = ", ".join(f"{PRECISIONS[name]} {value:.3f}" for name, value in distance.items())
    nearest, taken = str(distance.idxmin()), cm.KINDS[0]
    but = f"; the tables take the {PRECISIONS[taken]}, which gives the same direction as print"
    return (
        "SCM's row is the one its own authors published, so it tells which average precision was "
        f"meant. Root mean square distance of our SCM to the four published figures: {listed}. "
        f"Nearest: **{PRECISIONS[nearest]}**{but if nearest != taken else ''}."
    )


def link_curve(rows: pd.DataFrame) -> pd.DataFrame:
    """MAP of equal-weight Link PLSA by sweep, run and space, mean of the directions."""
    part = rows[rows["table"] == cm.TRAINING]
    return part.groupby(["sweep", "run", "space"])["value"].mean().unstack("space").reset_index()


def printed_pairs() -> pd.DataFrame:
    """Printed figures of the topic models in both spaces, mean of the directions."""
    wide = printed().groupby(["method", "space"])["mean"].mean().unstack("space")
    return wide.loc[list(cm.TOPIC_MODELS), list(cm.SPACES)]


def on_curve(rows: pd.DataFrame) -> tuple[pd.DataFrame, float]:
    """Where the printed pairs lie on the training curve of plain Link PLSA.

    Columns ``sweep``, at which the curve has a method's topic-space figure, and ``off``, how far
    its semantic figure is from the curve there; then the p-value of "all lie on it" (chi-square).
    """
    runs, pairs = link_curve(rows), printed_pairs()

    def at(curve: pd.DataFrame, column: str) -> np.ndarray:
        order = curve.sort_values("topic")
        return np.interp(pairs["topic"], order["topic"], order[column])

    mean = runs.groupby("sweep")[list(cm.SPACES)].mean().reset_index()
    off = pairs["semantic"] - at(mean, "semantic")
    spread = np.array([at(part, "semantic") for _, part in runs.groupby("run")])
    # one printed figure is one run, our mean has its own error; a single run has no spread
    error = np.maximum(spread.std(axis=0, ddof=1) * math.sqrt(1 + 1 / len(spread)), 1e-12)
    fit = float(stats.chi2.sf(float(np.sum((off / error) ** 2)), df=len(off)))
    return pd.DataFrame({"sweep": at(mean, "sweep"), "off": off}, index=pairs.index), fit


def curve_sentence(rows: pd.DataFrame) -> str:
    """Say in words what the test found."""
    found, fit = on_curve(rows)
    places = ", ".join(f"{method} {row.sweep:.1f}" for method, row in found.iterrows())
    verdict = "is not rejected" if fit >= 0.05 else "is rejected"
    return (
        f"On the curve of equal-weight {cm.LINK} the printed topic-space figures lie after these "
        f"numbers of sweeps: {places}. Their semantic-space figures are then off by "
        f"{np.sqrt((found['off'] ** 2).mean()):.3f} (root mean square); that length alone explains "
        f"the printed pairs {verdict} (p = {fit:.3f}). Found after seeing the paper's figures, "
        "with two lengths fitted: an inference."
    )


def pairs_figure(rows: pd.DataFrame) -> Figure:
    """The training curve of Link PLSA in both spaces, with the printed pairs."""
    runs, pairs = link_curve(rows), printed_pairs()
    fig, ax = new_figure(width=5.6, height=3.8)
    for _, part in runs.groupby("run", sort=True):
        ax.plot(part["topic"], part["semantic"], color="#6b7f99", linewidth=0.6, alpha=0.6)
    mean = runs.groupby("sweep")[list(cm.SPACES)].mean()
    look = {"color": "#6b7f99", "marker": ".", "label": f"{cm.LINK}, by sweep"}
    ax.plot(mean["topic"], mean["semantic"], **look)
    last = mean.iloc[0] - mean.iloc[-1]
    for sweep, row in mean.iterrows():
        # numbers of sweeps that lie closer than this would overprint each other
        if np.hypot(*((row - last) / (mean.max() - mean.min()))) > _APART:
            ax.annotate(f"{sweep:g}", tuple(row), (-4, 4), textcoords="offset points", fontsize=7)
            last = row
    for method, style in series_styles(cm.TOPIC_MODELS).items():
        ax.plot(*pairs.loc[method], **{**style, "linestyle": ""}, label=f"{method}, printed")
    ax.set_xlabel("topic space, MAP")
    ax.set_ylabel("semantic space, MAP")
    ax.legend()
    return fig


def composition_figure(details: Mapping[str, Any], protocol: str) -> Figure:
    """Figure 2: leading topics of some test images and tags sampled from their mixtures."""
    examples, words = details["examples"], details["top_words"]
    fig, axes = new_figure(len(examples), 1, width=8.4, height=1.6 * len(examples), squeeze=False)
    for ax, example in zip(axes[:, 0], examples, strict=True):
        shown = example[protocol]
        names = [" ".join(words[k][:4]) for k in shown["topics"]]
        ax.barh(names, shown["shares"], color=PALETTE[0], height=0.7)
        ax.tick_params(axis="y", labelsize=6.5)
        ax.invert_yaxis()
        tags = ", ".join(shown["tags"])
        ax.set_title(f"{example['category']}: {tags}", fontsize=7.5, loc="left")
        ax.set_xlim(0, max(0.5, 1.05 * max(shown["shares"])))
    axes[-1, 0].set_xlabel("share of the topic in the image")
    return fig
