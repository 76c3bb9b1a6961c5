"""PLSA from the k-means partition, step by step, beside print."""

from __future__ import annotations

import pandas as pd
from IPython.display import Markdown, display

from reproduction.pages.training import Trajectory
from reproduction.papers.coplsa_clustering.page import METRICS
from reproduction.papers.coplsa_clustering.paper import ON_COLOUR, SEARCHED, SIFT
from reproduction.papers.coplsa_clustering.protocol import FIRST_TWO
from reproduction.papers.coplsa_clustering.settings import PAPER, TABLE_1, VIEWS, PaperSettings
from reproduction.results.published import load_published
from reproduction.results.search import split_reading
from reproduction.results.study import RECORDED, TRAJECTORY

DATASET = "corel5k"


def best_view(rows: pd.DataFrame) -> str:
    """Return which of the first two views k-means clusters best: the start of the curves."""
    start = rows[(rows["steps"] == 0) & (rows["metric"] == "accuracy_pct")]
    means = start.groupby("view")["value"].mean()
    return max(VIEWS[DATASET][:2], key=lambda name: float(means[name]))


def sift_sentence(rows: pd.DataFrame) -> str:
    """Say in how many readings of the search SIFT is above colour on the same scale."""
    part = rows[(rows["table"] == SEARCHED["name"]) & (rows["metric"] == "accuracy_pct")]
    part = part[part["reading"].map(lambda text: split_reading(text)[0]) == SIFT]
    if part.empty:
        return ""
    wide = part.pivot_table(index="reading", columns="method", values="value")
    lead = wide["K-means + BOVF"] - wide[ON_COLOUR]
    best = split_reading(str(lead.idxmax()))[1].replace("_", " ")
    return (
        f"Is SIFT the best view? In {int((lead > 0).sum())} of {len(lead)} readings k-means does "
        f"better on SIFT words than on colour of the same scale; the largest lead is "
        f"{lead.max():+.1f} points ({best})."
    )


def show_more(rows: pd.DataFrame) -> None:
    """Show what the search says about the order of the views."""
    display(Markdown(sift_sentence(rows)))


def trajectory(rows: pd.DataFrame) -> Trajectory | None:
    """Return accuracy and NMI of PLSA on the best view and on both, after every step."""
    part = rows[(rows["table"] == TRAJECTORY) & (rows["reading"] == RECORDED)]
    if part.empty:
        return None
    methods = {best_view(part): "PLSA + BOVF", FIRST_TWO: "PLSA + CTVF"}
    part = part[part["view"].isin(list(methods))]
    cells = load_published(PAPER)
    cells = cells[(cells["table"] == TABLE_1) & (cells["dataset"] == DATASET)]
    cells = cells[cells["method"].isin(list(methods.values()))]
    return Trajectory(
        length="EM steps",
        score="%",
        words="The paper says neither from where PLSA started nor how many steps it took.",
        rows=part.assign(
            panel=part["metric"].map(METRICS),
            series=part["view"].map(methods),
            length=part["steps"],
        ),
        printed=cells.assign(
            panel=cells["metric"].map(METRICS),
            series=cells["method"],
            published=cells["mean"],
            deviation=cells["std"],
        ),
        stops=False,
        inferred=float(PaperSettings().trajectory.short_steps),
    )
