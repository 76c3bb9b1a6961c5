"""Complement naive Bayes (Rennie et al. 2003) on all views side by side."""

from typing import Any

from sklearn.naive_bayes import ComplementNB

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, as_counts


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    return Prepared(as_counts(facts), ComplementNB(alpha=settings["alpha"]), joined=True)


GRID = tuple({"alpha": alpha} for alpha in (1.0, 0.1, 0.01))
METHOD = Method("Complement naive Bayes", ("classify",), "plain", build, GRID, one_table=True)
