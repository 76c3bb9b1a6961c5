"""What the front page says about this paper; every number comes from the rows."""

from __future__ import annotations

import math

import pandas as pd

from reproduction.pages.said import FORMULAS, INERT, Finding, Front, Said, mean
from reproduction.pages.training import length_findings
from reproduction.papers.coplsa_clustering.page import NAMES, STRENGTHS, differences
from reproduction.papers.coplsa_clustering.settings import PAPER, TWO
from reproduction.papers.coplsa_clustering.training import trajectory
from reproduction.results.rows import INFERRED
from reproduction.verdicts.claims import real_rows

COREL = "corel5k"


def _gain(table: pd.DataFrame, method: str) -> float:
    if table.empty:
        return math.nan
    at = (table["data set"] == NAMES[COREL]) & (table["lambda"] == STRENGTHS[INFERRED])
    return mean(table.loc[at & (table["method"] == method), "difference"])


def _pull(rows: pd.DataFrame, metric: str) -> float:
    part = rows[(rows["table"] == "extra:diagnostics") & (rows["dataset"] == COREL)]
    part = part[(part["method"] == TWO) & (part["reading"] == INFERRED)]
    return mean(part.loc[part["metric"] == metric, "value"])


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the card and the findings."""
    real = real_rows(rows)
    table = differences(real)
    gain, placebo = _gain(table, TWO), _gain(table, "placebo")
    sentence = Said(
        "On Corel5K a second view of the images changes the accuracy of clustering by {gain:.3f} "
        "points; a second view with its rows shuffled, which says nothing, by {placebo:.3f}.",
        {"gain": gain, "placebo": placebo},
    )
    inert = Said(
        "At the paper's strength the tie between the views moves the topics of Corel5K by "
        "{pull:.2g} % of what the words do, so it can carry next to nothing from one view to the "
        "other.",
        {"pull": 100 * _pull(real, "rho_mean")},
    )
    unsafe = Said(
        "The printed update has no safeguard: {negative:.2g} % of its entries on Corel5K come out "
        "negative and must be cut off.",
        {"negative": _pull(real, "negative_pct")},
    )
    shown = (Finding(INERT, inert), Finding(FORMULAS, unsafe))
    # a share of zero says nothing against the update
    kept = shown if unsafe.numbers["negative"] > 0 else shown[:1]
    return Front(sentence, (*kept, *length_findings(trajectory, rows, PAPER)))
