"""Errors after every round, beside print."""

from __future__ import annotations

import pandas as pd

from reproduction.pages.training import Trajectory
from reproduction.papers.cotraining.protocol import CLASSIFIERS
from reproduction.papers.cotraining.settings import PaperSettings
from reproduction.papers.cotraining.trajectory import RECORDED
from reproduction.results.published import load_published

WORDS = "The paper says 30 rounds, and its Figure 2 shows them."


def trajectory(rows: pd.DataFrame) -> Trajectory | None:
    """Return the error of every classifier after every round."""
    part = rows[(rows["table"] == "trajectory") & (rows["reading"] == RECORDED)]
    if part.empty:
        return None
    cells = load_published("cotraining")
    cells = cells[cells["method"] == "co-training"]
    return Trajectory(
        length="rounds",
        score="error %",
        words=WORDS,
        # in the order of the page's other figures, so that colours mean the same
        rows=part.assign(
            panel="course pages", series=part["classifier"], length=part["round"]
        ).sort_values("series", key=lambda names: names.map(CLASSIFIERS.index), kind="stable"),
        printed=pd.DataFrame(
            {
                "panel": "course pages",
                "series": cells["classifier"],
                "published": cells["mean"],
                "deviation": cells["std"],
            }
        ),
        stops=True,
        inferred=float(PaperSettings().rounds),
    )
