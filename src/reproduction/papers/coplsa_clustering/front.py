"""What the front page says about this paper; every number comes from the rows."""

import pandas as pd

from asprinted.claims import real_rows, select
from reproduction.pages.said import FORMULAS, INERT, Finding, Front, Said, mean
from reproduction.papers.coplsa_clustering.page import STRENGTHS, differences
from reproduction.papers.coplsa_clustering.settings import PLACEBO, TWO
from reproduction.results.rows import INFERRED

COREL = "corel5k"


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the card and the findings."""
    real = real_rows(rows)
    real = real[real["dataset"] == COREL]
    gains = differences(real).reindex(columns=["metric", "lambda", "method", "value"])
    gains = gains[(gains["metric"] == "accuracy_pct") & (gains["lambda"] == STRENGTHS[INFERRED])]
    pulls = select(real, table="extra:diagnostics", method=TWO)

    sentence = Said(
        "On Corel5K a second view of the images changes the accuracy of clustering by {gain:.3f} "
        "points; a second view with its rows shuffled, which says nothing, by {placebo:.3f}.",
        {
            name: mean(gains.loc[gains["method"] == method, "value"])
            for name, method in (("gain", TWO), ("placebo", PLACEBO))
        },
    )
    inert = Said(
        "At the paper's strength the tie between the views moves the topics of Corel5K by "
        "{pull:.2g} % of what the words do, so it can carry next to nothing from one view to the "
        "other.",
        {"pull": 100 * mean(pulls.loc[pulls["metric"] == "rho_mean", "value"])},
    )
    unsafe = Said(
        "The printed update has no safeguard: {negative:.2g} % of its entries on Corel5K come out "
        "negative and must be cut off.",
        {"negative": mean(pulls.loc[pulls["metric"] == "negative_pct", "value"])},
    )
    shown = (Finding(INERT, inert), Finding(FORMULAS, unsafe))
    # a share of zero says nothing against the update
    return Front(sentence, shown if unsafe.numbers["negative"] > 0 else shown[:1])
