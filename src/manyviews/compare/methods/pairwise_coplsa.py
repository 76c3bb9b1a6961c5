"""Pairwise co-regularised PLSA (Jiang et al. 2012)."""

from typing import Any

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, as_counts
from manyviews.models.pairwise_coplsa import PairwiseCoPLSA

#: Pairs of rows in the penalty at most.
PAIRS = 100_000


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the clusterer."""
    pairs = min(PAIRS, facts.n_rows * (facts.n_rows - 1) // 4)
    model = PairwiseCoPLSA(facts.n_classes, pair_share=pairs, random_state=seed)
    return Prepared(as_counts(facts), model)


def unfit(facts: Facts) -> str:
    """Say when there is nothing to regularise."""
    return "" if facts.n_views > 1 else "there is one view only"


METHOD = Method("Pairwise Co-PLSA", ("cluster",), "paper", build, unfit=unfit)
