"""Naive Bayes a view, their posteriors averaged (a baseline of Zhuang et al. 2012)."""

from typing import Any

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, as_counts


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    return Prepared(as_counts(facts), NaiveBayesEnsemble(settings["alpha"], settings["combine"]))


GRID = tuple(
    {"alpha": alpha, "combine": combine} for combine in ("mean", "product") for alpha in (1.0, 0.1)
)
METHOD = Method("Naive Bayes of the views", ("classify",), "paper", build, GRID)
