"""Multi-view clustering by matched patterns of the views' clusters (baseline of Zhuang 2012)."""

from typing import Any

from manyviews.baselines.mvc import MultiViewClustering
from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the clusterer."""
    model = MultiViewClustering(facts.n_classes, n_init=3, n_restarts=3, random_state=seed)
    return Prepared(weighted(facts), model)


def unfit(facts: Facts) -> str:
    """Say when there is nothing to combine."""
    return "" if facts.n_views > 1 else "there is one view only"


METHOD = Method("MVC", ("cluster",), "paper", build, unfit=unfit)
