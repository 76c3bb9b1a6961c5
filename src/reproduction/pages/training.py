"""What was tried to explain the cells that differ, how long the authors trained among it.

A paper that declares recorded training in its study has its scores drawn along the way, with print
as a line. Hypotheses come from ``hypotheses.yaml``; all were found after seeing print.
"""

import pandas as pd
from IPython.display import Markdown, display
from matplotlib.figure import Figure

from asprinted.claims import real_rows
from asprinted.margins import load_margins
from reproduction.pages.declared import curves, labels
from reproduction.pages.figures import show_figure
from reproduction.pages.results import load_results
from reproduction.pages.tables import show_table
from reproduction.results.published import load_published
from reproduction.results.study import RECORDED, TRAJECTORY, Study
from reproduction.rooms import study_of
from reproduction.verdicts.cells import records
from reproduction.verdicts.hypotheses import (
    Hypothesis,
    Outcome,
    compared_cells,
    judge,
    load_hypotheses,
)

Found = list[tuple[Hypothesis, Outcome]]


def recorded(study: Study, rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the recorded scores of a study, and the printed figures they are held against.

    Fits stop by themselves: their last value stands for all greater lengths. More may be recorded
    than is held against print.
    """
    if study.training is None:
        return rows[:0], rows[:0]
    plan, along, *_ = study.training
    (metric,), step = plan.metrics, plan.columns[along].name
    part = rows[(rows["table"] == TRAJECTORY) & (rows["reading"] == RECORDED)]
    names = [method.name for method in plan.methods]
    part = part[(part["metric"] == metric.name) & part["method"].isin(names)]
    if part.empty:
        return part, part
    own = [column.name for column in (*plan.columns.values(), *metric.columns)]
    keys = ["dataset", "method", "metric", *(name for name in own if name != step)]
    wide = part.pivot_table(index=[*keys, "run"], columns=step, values="value").ffill(axis=1)
    filled = wide.reset_index().melt([*keys, "run"], var_name=step).dropna(subset="value")
    cells = load_published(study.key).merge(filled[keys].drop_duplicates(), on=keys)
    return filled.assign(table=TRAJECTORY, reading=RECORDED), cells


def curves_figure(study: Study, rows: pd.DataFrame) -> Figure | None:
    """Draw scores along the training; dotted lines are print, the other one is the length taken."""
    part, cells = recorded(study, rows)
    if study.training is None or part.empty:
        return None
    plan, along, taken, _ = study.training
    step = plan.columns[along].name
    series = [column.name for column in plan.metrics[0].columns] or ["method"]
    panel = ["dataset", *(c.name for c in plan.columns.values() if c.name != step)]
    fig = curves(study, part, step, series, panel)
    cells = cells.assign(on=labels(study, cells, panel), series=labels(study, cells, series))
    for ax in fig.axes:
        colours = {line.get_label(): line.get_color() for line in ax.lines}
        for cell in records(cells[cells["on"] == ax.get_title()]):
            ax.axhline(cell["mean"], color=colours[cell["series"]], linestyle=":", linewidth=1)
        ax.axvline(float(getattr(study.settings(), taken)), color="#6b7f99", linewidth=0.8)
    return fig


def outcomes(paper: str, rows: pd.DataFrame) -> Found:
    """Return a paper's hypotheses with what became of them, on rows of real data."""
    published = load_published(paper)
    margins = {m: load_margins().unit(m).margin for m in published["metric"].unique()}

    def outcome(each: Hypothesis) -> Outcome:
        return judge(each, compared_cells(each, rows, published, margins), paper)

    return [(each, outcome(each)) for each in load_hypotheses(paper, published)]


def _nearest(outcome: Outcome) -> str:
    if not outcome.best:
        return ""
    return f" The nearest of {outcome.readings} readings: {outcome.best}."


def hypotheses_table(found: Found) -> pd.DataFrame:
    """Every hypothesis tried: verdict, distances to print in margins, luck, held-out cells."""
    shown = {
        "cells": "cells", "before": "RMS before", "after": "RMS under it",
        "luck": "best of as many random readings", "p_value": "p", "held_out": "held-out cells",
        "held_out_before": "held out, before", "held_out_after": "held out, under it",
    }  # fmt: skip
    frame = pd.DataFrame(
        {
            "hypothesis": each.what,
            "verdict": outcome.verdict,
            "readings tried": each.tried + outcome.readings,
            **{title: getattr(outcome, name) for name, title in shown.items()},
            "evidence": each.evidence + _nearest(outcome),
        }
        for each, outcome in found
    )
    for title in ("cells", "held-out cells"):
        frame[title] = frame[title].astype(object).where(frame[title] != 0, None)
    return frame.dropna(axis=1, how="all")  # an empty column takes room from the words


def show_tried(paper: str) -> None:
    """Show what was tried to explain the cells that differ, and the recorded training."""
    rows = real_rows(load_results(paper))
    if found := outcomes(paper, rows):
        held = sum(outcome.verdict == "supported" for _, outcome in found)
        display(
            Markdown(
                f"{held} of {len(found)} explanations bring the cells nearer to print than the "
                "best of as many random readings would, also on data they were not found on. All "
                "were found after seeing print; distances are root mean squares in margins."
            )
        )
        show_table(hypotheses_table(found), f"hypotheses-{paper}", "Explanations that were tried")
    study = study_of(paper)
    if study.training is not None and (fig := curves_figure(study, rows)) is not None:
        told = (
            "Scores along the training, with one standard deviation; dotted: print; the vertical "
            "line is the length of the inferred reading."
        )
        display(Markdown(study.training.says))
        show_figure(fig, f"training-{paper}", told, told)
