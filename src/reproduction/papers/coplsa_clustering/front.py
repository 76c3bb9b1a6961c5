"""What the front page says about this paper; every number comes from the rows."""

import pandas as pd

from asprinted.claims import real_rows, select
from reproduction.pages.said import BESIDE, BY_INFERRED, PRINTED, Finding, Front, Said, mean
from reproduction.papers.coplsa_clustering.page import STRENGTHS, differences
from reproduction.papers.coplsa_clustering.settings import PLACEBO, TWO
from reproduction.results.published import load_published
from reproduction.results.rows import INFERRED

COREL, ACCURACY = "corel5k", "accuracy_pct"
ONE = "PLSA + BOVF"


def front(rows: pd.DataFrame) -> Front:
    """Return the advice and the finding."""
    everything = real_rows(rows)
    real = everything[everything["dataset"] == COREL]
    gains = differences(real).reindex(columns=["metric", "lambda", "method", "value"])
    gains = gains[(gains["metric"] == ACCURACY) & (gains["lambda"] == STRENGTHS[INFERRED])]
    gain, placebo = (
        mean(gains.loc[gains["method"] == method, "value"]) for method in (TWO, PLACEBO)
    )
    pulls = select(everything, table="extra:diagnostics", method=TWO, metric="rho_mean")
    force = 100 * pulls.groupby("dataset")["value"].mean().reindex([COREL, "reuters"])
    printed = load_published("coplsa_clustering")
    printed = printed[(printed["dataset"] == COREL) & (printed["metric"] == ACCURACY)]
    means = printed.set_index("method")["mean"]
    table = select(real, table="1", metric=ACCURACY, reading=INFERRED)
    ours = table.groupby("method")["value"].mean().reindex([TWO, "K-means + CTVF"])
    found = Finding(
        "In co-regularised clustering the second view does nothing at the printed strength.",
        Said(
            "The tie between the views pulls the topics of Corel5K with {pull:.2g} % of the force "
            "of the data, those of Reuters with {reuters:.2g} %.",
            {"pull": force.iloc[0], "reuters": force.iloc[1]},
        ),
        {
            "printed gain": {PRINTED: float(means[TWO] - means[ONE])},
            "ours": {BY_INFERRED: gain},
            "ours, second view shuffled": {BESIDE: placebo},
        },
        "points of accuracy over one view, Corel5K",
    )
    return Front(
        Said(
            "No. K-means on the concatenation has {kmeans:.1f} % on Corel5K, it has {ours:.1f} %.",
            {"ours": ours.iloc[0], "kmeans": ours.iloc[1]},
        ),
        (found,),
    )
