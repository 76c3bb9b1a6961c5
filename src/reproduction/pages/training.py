"""How long did they train: scores along the way held against print, and the hypotheses behind.

A paper declares recorded training in its study, or has a module ``training.py`` with a function
``trajectory(rows)`` that returns a :class:`Trajectory`. The page finds the papers that have one;
nothing is listed here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from manyviews.seeding import generator
from reproduction.pages.data_names import data_name
from reproduction.pages.declared import in_printed_order
from reproduction.pages.figures import curve, panel_grid, series_styles
from reproduction.pages.markup import render
from reproduction.pages.said import LENGTH, Finding, Said
from reproduction.pages.tables import metric_name
from reproduction.pages.wording import in_words, words
from reproduction.results.published import load_published
from reproduction.results.study import RECORDED, TRAJECTORY, Study
from reproduction.rooms import module_name, open_module, paper_keys, study_of
from reproduction.verdicts.claims import real_rows
from reproduction.verdicts.hypotheses import (
    Hypothesis,
    Outcome,
    compared_cells,
    judge,
    judge_search,
    load_hypotheses,
    search_cells,
)
from reproduction.verdicts.margins import load_margins

_CELL = ["panel", "series"]
_DRAWS = 500


@dataclass(frozen=True)
class Trajectory:
    """Recorded scores of one paper, and the printed figures they are held against.

    ``length`` is what is counted along the way ("EM iterations"), ``words`` what the paper says of
    it. ``rows`` have columns panel, series, length, run and value, ``printed`` panel, series,
    published and deviation. Where fits stop by themselves, their last value stands for all greater
    lengths; ``inferred`` is the length taken for a reading after seeing print.
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
    study = study_of(paper)
    if study.training is not None:
        return recorded(study, rows)
    if not find_spec(module_name(paper, "training")):
        return None
    found: Trajectory | None = open_module(paper, "training").trajectory(rows)
    return found


def recorded(study: Study, rows: pd.DataFrame) -> Trajectory | None:
    """Return the scores that a study declares to be recorded.

    A series is a method, or a place of the metric; every data set, and every place of the table
    within it, is a panel.
    """
    if study.training is None:
        return None
    plan, along, taken, says = study.training
    (metric,) = plan.metrics
    part = rows[(rows["table"] == TRAJECTORY) & (rows["reading"] == RECORDED)]
    # more may be recorded than is held against print
    names = [method.name for method in plan.methods]
    part = part[(part["metric"] == metric.name) & part["method"].isin(names)]
    if part.empty:
        return None
    (series,) = [column.name for column in metric.columns] or ["method"]
    columns = {name: column for name, column in plan.columns.items() if name != along}.values()
    keys = ["dataset", "method", "metric", *(column.name for column in columns)]
    cells = load_published(study.key).merge(part[keys].drop_duplicates(), on=keys)
    order = in_printed_order(study, part[series])

    def panels(frame: pd.DataFrame) -> pd.Series:
        names = frame["dataset"].map(data_name)
        for column in columns:
            names = names + ", " + frame[column.name].map(partial(words, column))
        return names

    return Trajectory(
        length=along,
        score=metric_name(metric.name),
        words=says,
        rows=part.assign(
            panel=panels(part), series=part[series], length=part[plan.columns[along].name]
        ).sort_values("series", key=lambda names: names.map(order.index), kind="stable"),
        printed=pd.DataFrame(
            {
                "panel": panels(cells),
                "series": cells[series],
                "published": cells["mean"],
                "deviation": cells["std"],
            }
        ),
        stops=True,
        inferred=float(getattr(study.settings(), taken)),
    )


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


_DISTANCES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "rms": lambda errors: np.sqrt(np.mean(errors**2, axis=0)),
    "median": lambda errors: np.median(np.abs(errors), axis=0),
}


def distance_by_length(trajectory: Trajectory, name: str) -> pd.DataFrame:
    """Distance of our means to print at every length at which all cells were scored.

    Root mean square (``rms``) and median of the absolute distances (``median``), which a few cells
    that no length explains do not rule. The 95 % intervals (``_low``, ``_high``) come from drawing
    the runs anew (500 times, the same runs in all cells, as partitions are shared); ``name`` keys
    the draws.
    """
    lengths, values, printed = _grid(trajectory)
    rng = generator("training", name)
    n_runs = values.shape[2]
    chosen = [np.asarray(rng.integers(n_runs, size=n_runs)) for _ in range(_DRAWS)]

    def errors(runs: np.ndarray) -> np.ndarray:
        return np.asarray(_mean(values[:, :, runs]) - printed[:, None])

    centre = errors(np.arange(n_runs))
    complete = ~np.isnan(centre).any(axis=0)
    drawn = [errors(runs)[:, complete] for runs in chosen]
    columns: dict[str, Any] = {"length": lengths[complete], "cells": len(printed)}
    for measure, distance in _DISTANCES.items():
        there = distance(centre[:, complete])
        others = np.array([distance(each) for each in drawn])
        # a draw may miss the few runs that a length has: it then says nothing about it
        others = np.where(np.isnan(others), there, others)
        low, high = np.quantile(others, [0.025, 0.975], axis=0)
        columns |= {measure: there, f"{measure}_low": low, f"{measure}_high": high}
    return pd.DataFrame(columns)


def nearest(frame: pd.DataFrame, measure: str) -> tuple[pd.Series, pd.Series]:
    """Return the row of the length nearest to print, and that of the longest run."""
    return frame.iloc[int(frame[measure].to_numpy().argmin())], frame.iloc[-1]


def _interval(row: pd.Series, measure: str) -> str:
    digits = 3 if row[f"{measure}_high"] < 1 else 1
    values = (row[measure], row[f"{measure}_low"], row[f"{measure}_high"])
    return "{} [{}, {}]".format(*(f"{value:.{digits}f}" for value in values))


def curves_figure(trajectory: Trajectory, panels: Sequence[str] = ()) -> Figure:
    """Score against length with a band over the runs; print as a line with its deviation."""
    rows, printed = trajectory.filled(), trajectory.printed
    shown = list(panels) or list(dict.fromkeys(printed["panel"]))
    width = 3.1 * min(3, len(shown)) + 0.6
    fig, axes = panel_grid(len(shown), width=width, height=2.5, more=0.7)
    styles = series_styles(tuple(dict.fromkeys(trajectory.rows["series"])))
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
        ax.set_title(in_words(panel))
        ax.set_xlabel(trajectory.length)
    for line in axes:
        line[0].set_ylabel(trajectory.score)
    fig.legend(*axes.flat[0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    return fig


def distance_figure(found: Mapping[str, pd.DataFrame], lengths: Mapping[str, str]) -> Figure:
    """Distance to print by length, a panel for each paper, with its interval."""
    width = 3.1 * min(3, len(found)) + 0.6
    fig, axes = panel_grid(len(found), width=width, height=2.5, more=0.5)
    for ax, (name, frame) in zip(axes.flat, found.items(), strict=False):
        for measure, label in (("rms", "root mean square"), ("median", "median")):
            ax.plot(frame["length"], frame[measure], label=label)
            low, high = frame[f"{measure}_low"], frame[f"{measure}_high"]
            ax.fill_between(frame["length"], low, high, alpha=0.2, lw=0)
        ax.set_ylim(bottom=0)
        ax.set_title(name)
        ax.set_xlabel(lengths[name])
    for line in axes:
        line[0].set_ylabel("distance to print")
    fig.legend(*axes.flat[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return fig


def distance_sentence(trajectory: Trajectory, frame: pd.DataFrame) -> str:
    """Say in words where the distance to print is smallest, and what it is at full length."""
    if frame.empty:
        return "No length has all cells."
    best, last = nearest(frame, "rms")
    rows = {"best": best, "last": last, "middle": nearest(frame, "median")[0]}
    return render("distance.md", length=trajectory.length, interval=_interval, **rows)


def length_findings(
    find: Callable[[pd.DataFrame], Trajectory | None], rows: pd.DataFrame, name: str
) -> tuple[Finding, ...]:
    """Return what the front page says: the length at which we come nearest to print, or nothing.

    ``find`` is the function ``trajectory`` of the paper's ``training.py``. Rows are chosen here as
    for the page on training, so that both say the same.
    """
    trajectory = find(real_rows(rows))
    if trajectory is None:
        return ()
    frame = distance_by_length(trajectory, name)
    if len(frame) < 2:
        return ()
    best, last = nearest(frame, "median")
    form = ".3f" if frame["median"].max() < 1 else ".1f"
    unit = "" if form == ".3f" else " points"  # shares and precisions have none
    told = {
        "cells": (best, "cells"), "there": (best, "median"), "low": (best, "median_low"),
        "high": (best, "median_high"), "best": (best, "length"), "after": (last, "median"),
        "last": (last, "length"),
    }  # fmt: skip
    said = Said(
        f"Half of {{cells:.0f}} printed numbers lie within {{there:{form}}}{unit} of ours "
        f"({{low:{form}}} to {{high:{form}}} with other runs) after {{best:g}} "
        f"{trajectory.length}, and within {{after:{form}}} after {{last:g}}. Found after seeing "
        "the paper's figures.",
        {name: float(row[column]) for name, (row, column) in told.items()},
    )
    return (Finding(LENGTH, said, page="training"),)


def margins_of(published: pd.DataFrame) -> dict[str, float]:
    """Return the margin of every metric of a paper."""
    margins = load_margins()
    return {m: margins.unit(m).margin for m in published["metric"].unique()}


def outcomes(paper: str, rows: pd.DataFrame) -> list[tuple[Hypothesis, Outcome]]:
    """Return a paper's hypotheses with what became of them, on rows of real data."""
    published = load_published(paper)
    margins = margins_of(published)

    def outcome(each: Hypothesis) -> Outcome:
        if each.search:
            return judge_search(each, search_cells(each, rows, published, margins), paper)
        return judge(each, compared_cells(each, rows, published, margins), paper)

    return [(each, outcome(each)) for each in load_hypotheses(paper, published)]


def hypotheses_table(found: Sequence[tuple[Hypothesis, Outcome]]) -> pd.DataFrame:
    """Every hypothesis tried: verdict, distances to print in margins, luck, held-out cells."""
    records = []
    for hypothesis, outcome in found:
        measured = hypothesis.has_rows and outcome.cells > 0
        nearest_one = f"The nearest of {outcome.readings} declared readings: {outcome.best}."
        held = outcome.held_out > 0
        records.append(
            {
                "hypothesis": hypothesis.what,
                "verdict": outcome.verdict,
                "readings tried": hypothesis.tried + outcome.readings,
                "cells": outcome.cells if measured else "",
                "RMS before": _margins(outcome.before, measured),
                "RMS under it": _margins(outcome.after, measured),
                "best of as many random readings": _margins(outcome.luck, measured),
                "p": chance(outcome.p_value) if measured else "",
                "held-out cells": outcome.held_out if held else "",
                "held out, before": _margins(outcome.held_out_before, held),
                "held out, under it": _margins(outcome.held_out_after, held),
                "evidence": hypothesis.evidence + (f" {nearest_one}" if outcome.best else ""),
            }
        )
    frame = pd.DataFrame(records)
    # a column without a single entry takes room from the words
    return frame.loc[:, [bool(frame[name].ne("").any()) for name in frame.columns]]


def chance(p_value: float) -> str:
    """Return a p-value as pages show it."""
    return f"{p_value:.3f}" if p_value >= 0.001 else "below 0.001"


def _margins(value: float, there: bool) -> str:
    return f"{value:.2f}" if there else ""


def summary_table(found: Mapping[str, Sequence[tuple[Hypothesis, Outcome]]]) -> pd.DataFrame:
    """How many hypotheses of every paper were supported, refuted, or stay undecided."""
    told = {paper: [outcome.verdict for _, outcome in each] for paper, each in found.items()}
    words = ("supported", "refuted", "undecided")
    return pd.DataFrame(
        [{"paper": key, **{word: each.count(word) for word in words}} for key, each in told.items()]
    )
