"""What pages show of a paper declared in one file: every choice, every step."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from reproduction.pages.figures import curve, new_figure, series_styles
from reproduction.pages.tables import metric_name
from reproduction.results.published import load_published
from reproduction.results.study import Study
from reproduction.results.summary import mean_and_deviation


def in_printed_order(study: Study, found: pd.Series) -> list[str]:
    """Return the values of a column, those that print has in the order of print."""
    printed = load_published(study.key)[str(found.name)]
    there = set(found)
    return [name for name in dict.fromkeys([*printed, *found]) if name in there]


def choice_means(study: Study, rows: pd.DataFrame) -> pd.DataFrame:
    """Return mean and deviation of every method under every choice, a column for each setting."""
    part = rows[rows["table"].str.startswith("choice:")]
    part = part.assign(choice=part["table"].str.removeprefix("choice:"))
    keys = ["choice", "reading", "method", "setting"]
    wide = part.groupby(keys, sort=False)["value"].apply(mean_and_deviation).unstack("setting")
    shown = wide[in_printed_order(study, part["setting"])]
    return shown.reset_index().rename(columns={"reading": "taken"})


def steps_figure(study: Study, rows: pd.DataFrame, table: str) -> Figure:
    """Draw a table that has a value after every step, a curve for each of the metric's places."""
    (plan,) = (plan for plan in study.plans if plan.name == table)
    (step,) = (column.name for column in plan.columns.values())
    (metric,) = plan.metrics
    (place,) = (column.name for column in metric.columns)
    part = rows[rows["table"] == table]
    figure, axes = new_figure(width=7.2, height=3.0)
    for name, style in series_styles(in_printed_order(study, part[place])).items():
        curve(axes, part[part[place] == name], step, label=name, **style)
    axes.set_xlabel(f"{step} of {', '.join(method.name for method in plan.methods)}")
    axes.set_ylabel(metric_name(metric.name))
    axes.set_ylim(bottom=0)
    axes.legend()
    return figure
