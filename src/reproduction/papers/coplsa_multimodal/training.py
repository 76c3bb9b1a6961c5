"""Scores after few sweeps, beside print, and whether one training curve explains the ranking."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from IPython.display import Markdown, display
from matplotlib.figure import Figure
from scipy import stats

from manyviews.seeding import generator
from reproduction.pages.figures import new_figure, series_styles, show_figure
from reproduction.pages.tables import show_table
from reproduction.pages.training import Trajectory
from reproduction.papers.coplsa_multimodal.names import (
    EQUAL,
    FITTED,
    LINK,
    METRIC,
    PAPER,
    SHORT,
    SPACES,
    TOPIC_MODELS,
    WIKIPEDIA,
)
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.results.published import load_published
from reproduction.results.rows import INFERRED
from reproduction.results.study import RECORDED, TRAJECTORY
from reproduction.verdicts.claims import select
from reproduction.verdicts.margins import load_margins

WORDS = (
    "The paper says that five to ten steps are enough for convergence; it prints neither the "
    "sweeps of training nor the steps of folding in behind its table."
)
_DRAWS = 10_000
_APART = 0.09  # of the range of the curve
_CELL = ["method", "space", "direction"]
#: Reading of Table 1 -> what the table under short runs calls it.
READINGS = {
    INFERRED: "full length",
    SHORT: "short run, lambda by validation",
    FITTED: "short run, lambda by fit",
}


def printed_cells() -> pd.DataFrame:
    """Printed figures of the topic models on Wikipedia."""
    cells = load_published(PAPER)
    return cells[(cells["dataset"] == WIKIPEDIA) & cells["method"].isin(TOPIC_MODELS)]


def _recorded(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows along the training at the inferred number of fold-in steps."""
    own = PaperSettings().trajectory
    part = rows[(rows["table"] == TRAJECTORY) & (rows["reading"] == RECORDED)]
    if part.empty:
        return part
    steps = own.short_steps if own.short_steps in set(part["steps"]) else part["steps"].min()
    return part[part["steps"] == steps]


def trajectory(rows: pd.DataFrame) -> Trajectory | None:
    """Return MAP in both spaces, mean of the directions, after every sweep that was scored."""
    part = _recorded(rows)
    if part.empty:
        return None
    part = part[_followed(part)]
    found = part.groupby(["space", "method", "sweep", "run"])["value"].mean().reset_index()
    printed = printed_cells().groupby(["space", "method"], sort=False)["mean"].mean().reset_index()
    found, printed = (
        frame.assign(panel=frame["space"] + " space", series=frame["method"])
        for frame in (found, printed)
    )
    return Trajectory(
        length="sweeps",
        score="mean average precision",
        words=WORDS,
        rows=found.rename(columns={"sweep": "length"}),
        printed=printed.rename(columns={"mean": "published"}).assign(deviation=math.nan),
        stops=False,
        inferred=float(PaperSettings().trajectory.short_sweeps),
    )


def _followed(part: pd.DataFrame) -> pd.Series:
    """Which rows have the weight or the lambda that was scored at most sweeps."""
    own = part["image_share"].fillna(part["lambda_"])
    counts = part.groupby(["method", own])["sweep"].nunique()
    most = {method: counts[method].idxmax() for method in set(part["method"])}
    return own == part["method"].map(most)


@dataclass(frozen=True)
class CurveTest:
    """Whether the printed pairs lie on the training curve of plain Link PLSA.

    ``sweeps`` is where each method's topic-space figure lies on the curve, ``rms`` how far the
    semantic figures are from the curve there. ``fit`` is the p-value of "all lie on it"
    (chi-square), ``chance`` the share of random increasing pairs within the printed ranges that lie
    as near.
    """

    sweeps: dict[str, float]
    rms: float
    fit: float
    chance: float


def link_curve(rows: pd.DataFrame) -> pd.DataFrame:
    """MAP of equal-weight Link PLSA by sweep, run and space, mean of the directions."""
    part = _recorded(rows)
    part = part[(part["method"] == LINK) & (part["image_share"] == EQUAL)]
    wide = part.groupby(["sweep", "run", "space"])["value"].mean().unstack("space")
    return wide[list(SPACES)].reset_index()


def printed_pairs() -> pd.DataFrame:
    """Printed figures of the topic models in both spaces, mean of the directions."""
    wide = printed_cells().groupby(["method", "space"])["mean"].mean().unstack("space")
    return wide.loc[list(TOPIC_MODELS), list(SPACES)]


def _on_curve(curve: pd.DataFrame, topic: np.ndarray, column: str) -> np.ndarray:
    """Value of a column of the mean curve where its topic-space figure is as given."""
    order = curve.sort_values("topic")
    return np.interp(topic, order["topic"], order[column])


def curve_test(rows: pd.DataFrame) -> CurveTest:
    """Test whether length of training alone explains the printed pairs."""
    runs = link_curve(rows)
    mean = runs.groupby("sweep")[list(SPACES)].mean().reset_index()
    pairs = printed_pairs()
    topic, semantic = pairs["topic"].to_numpy(), pairs["semantic"].to_numpy()
    off = semantic - _on_curve(mean, topic, "semantic")
    by_run = np.array(
        [_on_curve(part, topic, "semantic") for _, part in runs.groupby("run", sort=True)]
    )
    one = np.full(topic.size, math.nan)  # a single run has no spread
    spread = by_run.std(axis=0, ddof=1) if len(by_run) > 1 else one
    # one printed figure is one run, our mean has its own error
    error = np.maximum(spread * math.sqrt(1 + 1 / len(by_run)), 1e-12)
    fit = float(stats.chi2.sf(np.sum((off / error) ** 2), df=topic.size))
    distance = float(np.sqrt(np.mean(off**2)))
    rng = generator(PAPER, "one training curve")
    low, high = semantic.min(), semantic.max()
    drawn = np.sort(rng.uniform(low, high, size=(_DRAWS, topic.size)), axis=1)
    drawn = drawn[:, np.argsort(np.argsort(topic))]  # they rise with the topic-space figures
    random = np.sqrt(np.mean((drawn - _on_curve(mean, topic, "semantic")) ** 2, axis=1))
    chance = float((1 + np.sum(random <= distance)) / (1 + _DRAWS))
    sweeps = zip(pairs.index, _on_curve(mean, topic, "sweep").tolist(), strict=True)
    return CurveTest(dict(sweeps), distance, fit, chance)


def pairs_figure(rows: pd.DataFrame) -> Figure:
    """The training curve of Link PLSA in both spaces, with the printed pairs."""
    runs, pairs = link_curve(rows), printed_pairs()
    fig, ax = new_figure(width=5.6, height=3.8)
    for _, part in runs.groupby("run", sort=True):
        ax.plot(part["topic"], part["semantic"], color="#6b7f99", linewidth=0.6, alpha=0.6)
    mean = runs.groupby("sweep")[list(SPACES)].mean()
    ax.plot(mean["topic"], mean["semantic"], color="#6b7f99", marker=".", label=f"{LINK}, by sweep")
    span = mean.max() - mean.min()
    last = None
    for sweep, row in mean.iterrows():
        # numbers of sweeps that lie closer than this would overprint each other
        if last is None or np.hypot(*((row - last) / span)) > _APART:
            place = (row["topic"], row["semantic"])
            ax.annotate(
                f"{sweep:g}", place, (-4, 4), textcoords="offset points", fontsize=7, ha="right"
            )
            last = row
    for method, style in series_styles(TOPIC_MODELS).items():
        topic, semantic = pairs.loc[method]
        ax.plot(topic, semantic, **{**style, "linestyle": ""}, label=f"{method}, printed")
    ax.set_xlabel("topic space, MAP")
    ax.set_ylabel("semantic space, MAP")
    ax.legend()
    return fig


def curve_sentence(test: CurveTest) -> str:
    """Say in words what the test found, with its uncertainty."""
    places = ", ".join(f"{method} {sweep:.1f}" for method, sweep in test.sweeps.items())
    verdict = (
        "the starts do not reject that length alone explains the printed pairs"
        if test.fit >= 0.05
        else "the starts reject that length alone explains them"
    )
    return (
        f"On the curve of equal-weight {LINK} the printed topic-space figures lie after these "
        f"numbers of sweeps: {places}. Their semantic-space figures are then off by "
        f"{test.rms:.3f} (RMS); {verdict} (chi-square, p = {test.fit:.3f}), and "
        f"{100 * test.chance:.1f} % of random increasing pairs lie as near. Found after seeing "
        "the paper's figures, with two lengths fitted: an inference."
    )


def short_run_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 1's topic models on real pairs: print, and our mean under each reading of length.

    Columns: ``method``, ``space``, ``direction``, ``print`` and one of :data:`READINGS` each.
    """
    part = select(rows, table="1", dataset=WIKIPEDIA, reading=list(READINGS))
    means = part.groupby([*_CELL, "reading"])["value"].mean().unstack("reading")
    means = means.reindex(columns=list(READINGS)).rename(columns=READINGS).reset_index()
    cells = printed_cells()[[*_CELL, "mean"]].rename(columns={"mean": "print"})
    return cells.merge(means, on=_CELL, how="left")


def short_run_sentence(rows: pd.DataFrame, table: pd.DataFrame) -> str:
    """Say how many cells lie within a margin of print under each reading, and its RMS distance."""
    margin = load_margins().unit(METRIC).margin
    starts = rows[(rows["table"] == "1") & rows["reading"].isin([SHORT, FITTED])]["run"].nunique()
    parts = []
    for title in READINGS.values():
        off = (table[title] - table["print"]).dropna()
        if len(off):
            inside = int((off.abs() <= margin + 1e-12).sum())
            distance = float(np.sqrt(np.mean(off**2)))
            parts.append(f"{title}: {inside} of {len(off)} cells (RMS {distance:.3f})")
    return (
        f"Within {margin:g} of print, means of {starts} starts: {'; '.join(parts)}. In the "
        "last one the lambdas and the image's weight were chosen because they fit the paper, so "
        "its count tests nothing."
    )


def show_short_runs(rows: pd.DataFrame) -> None:
    """Show Table 1 under short runs, lambda chosen by validation and by fit apart."""
    table = short_run_table(rows)
    shown = table.assign(
        **{c: table[c].map("{:.3f}".format) for c in ("print", *READINGS.values())}
    )
    show_table(
        shown.replace("nan", ""), "short-runs", "Table 1 under short runs, means over the starts"
    )
    display(Markdown(short_run_sentence(rows, table)))


def show_more(rows: pd.DataFrame) -> None:
    """Show the table under short runs, the printed pairs beside one curve, and the test of it."""
    show_short_runs(rows)
    display(Markdown(curve_sentence(curve_test(rows))))
    show_figure(
        pairs_figure(rows),
        "printed-pairs",
        "Semantic against topic space: the curve of Link PLSA by sweep, and four printed pairs.",
        "Link PLSA with equal weights as it trains (thin: single starts; numbers: sweeps), and the "
        "figures that the paper prints for its four methods.",
    )
