"""What pages show of a paper declared in one file: every choice, every step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from reproduction.pages.data_names import data_name
from reproduction.pages.figures import curve, new_figure, series_styles
from reproduction.pages.tables import method_name, metric_name
from reproduction.pages.wording import words
from reproduction.results.published import load_published
from reproduction.results.study import Study
from reproduction.results.summary import mean_and_deviation
from reproduction.verdicts.claims import select


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
    return shown.reset_index().rename(columns={"reading": "taken", "": "as declared"})


def means(study: Study, rows: pd.DataFrame, table: str, across: str = "") -> pd.DataFrame:
    """Return mean and deviation of everything in a table, a column for each data set.

    The values of the setting ``across`` have columns of their own; other settings, and metrics and
    readings where there are several, tell lines apart.
    """
    part = rows[rows["table"] == table]
    sets = dict.fromkeys([*study.datasets, *part["dataset"]])
    order = {dataset: place for place, dataset in enumerate(sets)}
    places = [across] if across else []
    part = part.sort_values(["dataset", *places], key=lambda c: c.map(order).fillna(c))
    columns = {column.name: column for column in study.tables[table].columns}
    shown = part["dataset"].map(data_name)
    for name in places:
        shown = shown + ", " + part[name].map(partial(words, columns[name]))
    roles = zip(part["method"], part["role"], strict=True)
    part = part.assign(method=[method_name(*each) for each in roles], shown=shown)
    told = [name for name in ("reading", "metric") if len(set(part[name])) > 1]
    lines = ["method", *told, *(name for name in columns if name != across and name in part)]
    grouped = part.groupby([*lines, "shown"], dropna=False)["value"].apply(mean_and_deviation)
    wide = grouped.unstack("shown").reindex(columns=list(dict.fromkeys(part["shown"]))).fillna("")
    return wide.reset_index()


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


def curves(
    study: Study, rows: pd.DataFrame, tables: Sequence[str], across: str, methods: Sequence[str]
) -> Figure:
    """Draw methods against a setting, a panel for each data set; open marks are published.

    A method that several of the tables have is drawn once.
    """
    column = study.tables.columns[across]
    keys = ["dataset", across, "method"]
    ours = select(rows, table=list(tables)).drop_duplicates([*keys, "run"])
    theirs = load_published(study.key).reindex(columns=[*keys, "table", "mean"])
    theirs = theirs[theirs["table"].isin(tables)].drop_duplicates(keys)
    ours, theirs = (part.assign(shown=column.times * part[across]) for part in (ours, theirs))
    there = dict.fromkeys(ours["dataset"])
    datasets = [key for key in dict.fromkeys([*study.datasets, *there]) if key in there]
    figure, axes = new_figure(1, len(datasets), width=1.6 + 2 * len(datasets), squeeze=False)
    styles = series_styles(list(methods))
    for ax, dataset in zip(axes[0], datasets, strict=True):
        for method, style in styles.items():
            part, cells = (
                each[(each["dataset"] == dataset) & (each["method"] == method)]
                for each in (ours, theirs)
            )
            if part.empty:
                continue
            curve(ax, part, "shown", label=method, **style)
            open_marks = {**style, "linestyle": "", "markerfacecolor": "none", "markersize": 7}
            ax.plot(cells["shown"], cells["mean"], **open_marks)
        if part["shown"].max() > 50 * part["shown"].min():
            ax.set_xscale("log", base=2)
        ax.set_title(data_name(dataset))
        ax.set_xlabel(across + (" %" if column.times == 100 else ""))
    axes[0][0].set_ylabel(metric_name(str(ours["metric"].iloc[0])))
    axes[0][-1].legend(loc="lower right")
    return figure
