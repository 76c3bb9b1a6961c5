"""Co-training (Blum and Mitchell 1998) with naive Bayes on two views."""

from typing import Any

from manyviews.baselines.cotraining import CoTraining
from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, as_counts


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    model = CoTraining((settings["per_class"],) * facts.n_classes, random_state=seed)
    return Prepared(as_counts(facts), model)


def unfit(facts: Facts) -> str:
    """Say when there are not two views."""
    return "" if facts.n_views == 2 else f"needs two views, there are {facts.n_views}"


GRID = ({"per_class": 1}, {"per_class": 3})
METHOD = Method("Co-training", ("classify",), "paper", build, GRID, transductive=True, unfit=unfit)
