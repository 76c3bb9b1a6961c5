"""Tables and figures of the co-training page; everything is computed from the result rows."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from reproduction.pages.figures import curve, new_figure, series_styles
from reproduction.papers.cotraining.protocol import CLASSIFIERS
from reproduction.results.summary import mean_and_deviation

CHOICES = {
    "choice:words": "weights of the words",
    "choice:smoothing": "smoothing of naive Bayes",
}


def choices_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the error of every classifier under every choice."""
    part = rows[rows["table"].isin(list(CHOICES))]
    part = part.assign(choice=part["table"].map(CHOICES))
    keys = ["choice", "reading", "method", "classifier"]
    wide = part.groupby(keys, sort=False)["value"].apply(mean_and_deviation).unstack("classifier")
    return wide[list(CLASSIFIERS)].reset_index().rename(columns={"reading": "taken"})


def rounds_figure(rows: pd.DataFrame) -> Figure:
    """Figure 2: the error of the three classifiers, round by round."""
    figure, axes = new_figure(width=7.2, height=3.0)
    styles = series_styles(CLASSIFIERS)
    part = rows[rows["table"] == "fig2"]
    for name in CLASSIFIERS:
        curve(axes, part[part["classifier"] == name], "round", label=name, **styles[name])
    axes.set_xlabel("round of co-training")
    axes.set_ylabel("error %")
    axes.set_ylim(bottom=0)
    axes.legend()
    return figure
