"""How long did they train: scores along the way held against print, and the hypotheses behind.

A paper with recorded scores has a module ``training.py`` with a function ``trajectory(rows)`` that
returns a :class:`Trajectory`. The page finds the papers that have one; nothing is listed here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from manyviews.seeding import generator
from reproduction.pages.figures import curve, new_figure, series_styles
from reproduction.pages.said import LENGTH, Finding, Said
from reproduction.results.published import load_published
from reproduction.rooms import module_name, open_module, paper_keys
from reproduction.verdicts.hypotheses import (
    Hypothesis,
    Outcome,
    compared_cells,
    judge,
    load_hypotheses,
)
from reproduction.verdicts.margins import load_margins

_CELL = ["panel", "series"]
_DRAWS = 500


@dataclass(frozen=True)
class Trajectory:
    """Recorded scores of one paper, and the printed figures they are held against.

    Attributes
    ----------
    length
        What is counted along the way, e.g. "EM iterations".
    score
        What was scored, for the vertical axis.
    words
        What the paper's words say about it, as a sentence.
    rows
        Columns ``panel``, ``series``, ``length``, ``run``, ``value``.
    printed
        Columns ``panel``, ``series``, ``published``, ``deviation`` (NaN where none is printed).
    stops
        Whether fits stop by themselves: their last value then stands for all greater lengths.
    inferred
        The length that was taken for a reading, after seeing print.
    """

    length: str
    score: str
    words: str
    rows: pd.DataFrame
    printed: pd.DataFrame
    stops: bool
    inferred: float

    def filled(self) -> pd.DataFrame:
        """Return the rows with a value at every length, where fits stop by themselves."""
        if not self.stops:
            return self.rows
        wide = self.rows.pivot_table(index=[*_CELL, "run"], columns="length", values="value")
        filled = wide.ffill(axis=1).reset_index()
        return filled.melt(id_vars=[*_CELL, "run"], var_name="length", value_name="value")


def trajectory_of(paper: str, rows: pd.DataFrame) -> Trajectory | None:
    """Return a paper's recorded scores; None when it records none, or these rows have none."""
    if not find_spec(module_name(paper, "training")):
        return None
    found: Trajectory | None = open_module(paper, "training").trajectory(rows)
    return found


def find_trajectories(load: Callable[[str], pd.DataFrame]) -> dict[str, Trajectory]:
    """Return the trajectories of all papers that have some; ``load`` reads a paper's rows."""
    found = {key: trajectory_of(key, load(key)) for key in paper_keys()}
    return {key: each for key, each in found.items() if each is not None}


def _grid(trajectory: Trajectory) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return lengths, values (cells, lengths, runs) with NaN for holes, and print by cell."""
    printed = trajectory.printed.set_index(_CELL)["published"]
    rows = trajectory.filled()
    wide = rows.pivot_table(index=_CELL, columns=["length", "run"], values="value")
    wide = wide.loc[[cell for cell in printed.index if cell in wide.index]]
    lengths = np.array(sorted(rows["length"].unique()), dtype=float)
    runs = sorted(rows["run"].unique())
    columns = pd.MultiIndex.from_product([lengths, runs], names=["length", "run"])
    values = wide.reindex(columns=columns).to_numpy().reshape(len(wide), lengths.size, len(runs))
    return lengths, values, printed.loc[wide.index].to_numpy(dtype=float)


def _mean(values: np.ndarray) -> np.ndarray:
    """Mean over runs, holes left out; NaN where there is none."""
    there = ~np.isnan(values)
    count = there.sum(axis=-1)
    total = np.where(there, values, 0.0).sum(axis=-1)
    return np.where(count > 0, total / np.maximum(count, 1), math.nan)


def rms_by_length(trajectory: Trajectory, name: str) -> pd.DataFrame:
    """RMS distance of our means to print at every length at which all cells were scored.

    The 95 % interval comes from drawing the runs anew (500 times, the same runs in all cells, as
    partitions are shared); ``name`` keys the draws.
    """
    lengths, values, printed = _grid(trajectory)
    rng = generator("training", name)
    n_runs = values.shape[2]

    def distance(chosen: np.ndarray) -> np.ndarray:
        errors = _mean(values[:, :, chosen]) - printed[:, None]
        return np.sqrt(np.mean(errors**2, axis=0))

    centre = distance(np.arange(n_runs))
    drawn = np.array(
        [distance(np.asarray(rng.integers(n_runs, size=n_runs))) for _ in range(_DRAWS)]
    )
    complete = ~np.isnan(centre)
    centre, drawn = centre[complete], drawn[:, complete]
    # a draw may miss the few runs that a length has: it then says nothing about it
    drawn = np.where(np.isnan(drawn), centre, drawn)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return pd.DataFrame(
        {
            "length": lengths[complete],
            "rms": centre,
            "low": low,
            "high": high,
            "cells": len(printed),
        }
    )


def curves_figure(trajectory: Trajectory, panels: Sequence[str] = ()) -> Figure:
    """Score against length with a band over the runs; print as a line with its deviation."""
    rows, printed = trajectory.filled(), trajectory.printed
    shown = list(panels) or list(dict.fromkeys(printed["panel"]))
    columns = min(3, len(shown))
    lines = math.ceil(len(shown) / columns)
    fig, axes = new_figure(
        lines, columns, width=3.1 * columns + 0.6, height=2.5 * lines + 0.7, squeeze=False
    )
    styles = series_styles(tuple(dict.fromkeys(rows["series"])))
    for ax, panel in zip(axes.flat, shown, strict=False):
        here = rows[rows["panel"] == panel]
        for series, style in styles.items():
            part = here[here["series"] == series]
            if len(part):
                curve(ax, part, "length", label=series, **{**style, "marker": ""})
        for row in printed[printed["panel"] == panel].to_dict("records"):
            colour = styles[row["series"]]["color"]
            ax.axhline(row["published"], color=colour, linestyle=":", linewidth=1)
            if not math.isnan(row["deviation"]):
                centre, width = row["published"], row["deviation"]
                ax.axhspan(centre - width, centre + width, color=colour, alpha=0.07, lw=0)
        ax.axvline(trajectory.inferred, color="#6b7f99", linewidth=0.8)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_title(panel)
        ax.set_xlabel(trajectory.length)
    for ax in axes.flat[len(shown) :]:
        ax.set_visible(False)
    for line in axes:
        line[0].set_ylabel(trajectory.score)
    fig.legend(*axes.flat[0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    return fig


def rms_figure(found: Mapping[str, pd.DataFrame], lengths: Mapping[str, str]) -> Figure:
    """RMS distance to print by length, a panel for each paper, with its interval."""
    fig, axes = new_figure(1, len(found), width=3.0 * len(found) + 0.6, height=2.8, squeeze=False)
    for ax, (name, frame) in zip(axes[0], found.items(), strict=True):
        ax.plot(frame["length"], frame["rms"])
        ax.fill_between(frame["length"], frame["low"], frame["high"], alpha=0.2, lw=0)
        ax.set_ylim(bottom=0)
        ax.set_title(name)
        ax.set_xlabel(lengths[name])
    axes[0][0].set_ylabel("RMS distance to print")
    return fig


def rms_sentence(trajectory: Trajectory, frame: pd.DataFrame) -> str:
    """Say in words where the distance to print is smallest, and what it is at full length."""
    if frame.empty:
        return "No length has all cells."
    best = frame.iloc[int(frame["rms"].to_numpy().argmin())]
    last = frame.iloc[-1]
    digits = 3 if frame["rms"].max() < 1 else 2
    return (
        f"Over {int(best['cells'])} printed figures the RMS distance is smallest after "
        f"{best['length']:g} {trajectory.length}: {best['rms']:.{digits}f} "
        f"[{best['low']:.{digits}f}, {best['high']:.{digits}f}], and "
        f"{last['rms']:.{digits}f} [{last['low']:.{digits}f}, {last['high']:.{digits}f}] after "
        f"{last['length']:g}."
    )


def length_findings(trajectory: Trajectory | None, name: str) -> tuple[Finding, ...]:
    """Return what the front page says: the length at which we come nearest to print, or nothing."""
    if trajectory is None:
        return ()
    frame = rms_by_length(trajectory, name)
    if len(frame) < 2:
        return ()
    best, last = frame.iloc[int(frame["rms"].to_numpy().argmin())], frame.iloc[-1]
    form = ".3f" if frame["rms"].max() < 1 else ".1f"
    return (
        Finding(
            LENGTH,
            Said(
                f"Our scores come nearest to print after {{best:g}} {trajectory.length}: over "
                f"{{cells:.0f}} numbers they are {{there:{form}}} away (RMS; {{low:{form}}} "
                f"to {{high:{form}}} with other runs), and {{after:{form}}} after {{last:g}}. "
                "Found after seeing print.",
                {
                    "best": float(best["length"]),
                    "cells": float(best["cells"]),
                    "there": float(best["rms"]),
                    "low": float(best["low"]),
                    "high": float(best["high"]),
                    "after": float(last["rms"]),
                    "last": float(last["length"]),
                },
            ),
            page="training",
        ),
    )


def margins_of(published: pd.DataFrame) -> dict[str, float]:
    """Return the margin of every metric of a paper."""
    margins = load_margins()
    return {m: margins.unit(m).margin for m in published["metric"].unique()}


def outcomes(paper: str, rows: pd.DataFrame) -> list[tuple[Hypothesis, Outcome]]:
    """Return a paper's hypotheses with what became of them, on the rows of this run."""
    published = load_published(paper)
    margins = margins_of(published)
    real = rows[rows["provenance"] != "surrogate"] if "provenance" in rows else rows
    return [
        (each, judge(each, compared_cells(each, real, published, margins), paper))
        for each in load_hypotheses(paper, published)
    ]


def hypotheses_table(found: Sequence[tuple[Hypothesis, Outcome]]) -> pd.DataFrame:
    """Every hypothesis tried: verdict, distances to print in margins, luck, held-out cells."""
    records = []
    for hypothesis, outcome in found:
        measured = bool(hypothesis.reading) and outcome.cells > 0
        held = outcome.held_out > 0
        records.append(
            {
                "hypothesis": hypothesis.what,
                "verdict": outcome.verdict,
                "readings tried": hypothesis.tried,
                "cells": outcome.cells if measured else "",
                "RMS before": _margins(outcome.before, measured),
                "RMS under it": _margins(outcome.after, measured),
                "best of as many random readings": _margins(outcome.luck, measured),
                "p": f"{outcome.p_value:.3f}" if measured else "",
                "held-out cells": outcome.held_out if held else "",
                "held out, before": _margins(outcome.held_out_before, held),
                "held out, under it": _margins(outcome.held_out_after, held),
                "evidence": hypothesis.evidence,
            }
        )
    return pd.DataFrame(records)


def _margins(value: float, there: bool) -> str:
    return f"{value:.2f}" if there else ""


def summary_table(found: Mapping[str, Sequence[tuple[Hypothesis, Outcome]]]) -> pd.DataFrame:
    """How many hypotheses of every paper were supported, refuted, or stay undecided."""
    records: list[dict[str, Any]] = []
    for paper, entries in found.items():
        verdicts = [outcome.verdict for _, outcome in entries]
        counts = {word: verdicts.count(word) for word in ("supported", "refuted", "undecided")}
        records.append({"paper": paper, **counts})
    return pd.DataFrame(records)
