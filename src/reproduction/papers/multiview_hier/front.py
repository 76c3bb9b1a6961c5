"""What the front page says about this paper; every number comes from the rows."""

import math

import pandas as pd

from asprinted.claims import original_rows, select
from asprinted.words import TEXT
from reproduction.pages.said import BY_INFERRED, Finding, Front, Said, has
from reproduction.papers.multiview_hier.page import scoring_distance
from reproduction.papers.multiview_hier.settings import BOTH, UNLABELLED


def front(rows: pd.DataFrame) -> Front:
    """Return the advice and the finding."""
    own = original_rows(rows)
    if not has(own, "2", "scored"):
        return Front()
    told, unseen = (scoring_distance(rows).get(scored, math.nan) for scored in BOTH)
    in_text = select(own, table="2", reading=TEXT, metric="macro_f1_pct", scored=UNLABELLED)
    means = in_text.groupby(["method", "dataset"])["value"].mean().groupby("method").mean()
    means = means.reindex(["SUMSCORE", "V12"])
    found = Finding(
        "The hierarchical paper's scores come back only with its training labels scored.",
        Said(
            "Half of the printed scores lie within {all_points:.1f} points of ours if documents "
            "whose label the method was told are scored too, and within {unseen:.1f} if not.",
            {"all_points": told, "unseen": unseen},
        ),
        {
            "told labels scored": {BY_INFERRED: told},
            "unseen documents alone": {BY_INFERRED: unseen},
        },
        "median distance to print, points of macro F1",
    )
    return Front(
        Said(
            "Perhaps: macro F1 {ours:.1f} on unseen documents of its own data sets, the "
            "concatenation {plain:.1f}.",
            {"ours": means.iloc[0], "plain": means.iloc[1]},
        ),
        (found,),
    )
