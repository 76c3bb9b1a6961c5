"""Co-training after every round, beside print."""

from __future__ import annotations

import pandas as pd

from reproduction.pages.data_names import DataNames
from reproduction.pages.training import Trajectory
from reproduction.papers.mvplsa.columns import RATE
from reproduction.papers.mvplsa.protocol import KEY
from reproduction.papers.mvplsa.readings import RECORDED
from reproduction.papers.mvplsa.settings import PaperSettings
from reproduction.results.published import load_published

DATASETS = ("cornell", "washington", "newsgv2")
METHODS = ("CoTr_V1", "CoTr_V2", "CoTr_E")
WORDS = "The paper gives no number of rounds; Blum and Mitchell, whom it cites, have 30."


def _panels(rows: pd.DataFrame) -> pd.Series:
    return rows["dataset"].map(DataNames(KEY, DATASETS).plain) + ", " + rows["rate"].map(RATE.write)


def trajectory(rows: pd.DataFrame) -> Trajectory | None:
    """Return the accuracy of co-training after every round."""
    part = rows[(rows["table"] == "trajectory") & (rows["reading"] == RECORDED)]
    if part.empty:
        return None
    cells = load_published(KEY)
    cells = cells[(cells["table"] == "3") & cells["method"].isin(METHODS)]
    cells = cells[
        cells["dataset"].isin(set(part["dataset"])) & cells["rate"].isin(set(part["rate"]))
    ]
    names = {"method": "series", "round": "length"}
    return Trajectory(
        length="rounds",
        score="accuracy %",
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
        inferred=float(PaperSettings().few_rounds.rounds),
    )
