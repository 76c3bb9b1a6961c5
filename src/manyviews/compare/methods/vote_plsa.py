"""Vote-based PLSA (Kim et al. 2010)."""

from typing import Any

from manyviews.baselines.vote_plsa import VotePLSA
from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, as_counts


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the clusterer."""
    return Prepared(as_counts(facts), VotePLSA(facts.n_classes, random_state=seed))


def unfit(facts: Facts) -> str:
    """Say when there is nothing to vote on."""
    return "" if facts.n_views > 1 else "there is one view only"


METHOD = Method("Vote-based PLSA", ("cluster",), "paper", build, unfit=unfit)
