"""Passive-aggressive learning from several views that are asked to agree (after Nguyen 2011)."""

from typing import Any

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted
from manyviews.models.multi_view_pa import MultiViewPassiveAggressive


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    model = MultiViewPassiveAggressive(
        settings["C"], settings["gamma"], max_iter=5, random_state=seed
    )
    return Prepared(weighted(facts), model)


GRID = tuple({"C": C, "gamma": gamma} for C in (0.1, 1.0) for gamma in (0.01, 0.1))
METHOD = Method("Multi-view passive-aggressive", ("classify",), "paper", build, GRID)
