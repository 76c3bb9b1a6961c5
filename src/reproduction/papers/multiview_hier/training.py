"""Scores after every iteration, beside print: how long EM may have run."""

from __future__ import annotations

import pandas as pd

from reproduction.pages.data_names import DataNames
from reproduction.pages.training import Trajectory
from reproduction.papers.multiview_hier import OPEN, PAPER
from reproduction.papers.multiview_hier.columns import TRAIN
from reproduction.papers.multiview_hier.methods import FLAT_NAMES, MACRO
from reproduction.papers.multiview_hier.trajectory import RECORDED, TABLE
from reproduction.results.published import load_published
from reproduction.rooms import settings_class

#: View 2 alone hardly moves; its curve would only hide others.
SHOWN = tuple(name for name in FLAT_NAMES if name != "V2")
WORDS = (
    "The paper says that the algorithm runs until no label changes, which speaks against a short "
    "run; it prints no number of iterations."
)


def _panels(rows: pd.DataFrame) -> pd.Series:
    names = rows["dataset"].map(DataNames(PAPER, OPEN).plain)
    return names + ", " + rows["train"].map(TRAIN.write)


def trajectory(rows: pd.DataFrame) -> Trajectory | None:
    """Return macro F1 of the flat methods after every iteration, on the real data sets."""
    part = rows[(rows["table"] == TABLE) & (rows["reading"] == RECORDED)]
    part = part[(part["metric"] == MACRO) & part["method"].isin(SHOWN)]
    if part.empty:
        return None
    cells = load_published(PAPER)
    cells = cells[(cells["table"] == "2") & (cells["metric"] == MACRO)]
    cells = cells[cells["dataset"].isin(OPEN) & cells["method"].isin(SHOWN)]
    names = {"method": "series", "iteration": "length"}
    return Trajectory(
        length="EM iterations",
        score="macro F1 %",
        words=WORDS,
        rows=part.assign(panel=_panels(part)).rename(columns=names),
        printed=pd.DataFrame(
            {
                "panel": _panels(cells),
                "series": cells["method"],
                "published": cells["mean"],
                "deviation": cells["std"],
            }
        ),
        stops=True,
        inferred=float(settings_class(PAPER)().short_run),  # type: ignore[attr-defined]
    )
