"""Controls: each view alone, by logistic regression or by k-means."""

from typing import Any

from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import OneView, Prepared, one_view_facts, weighted
from manyviews.compare.row_space import InRowSpace

GRID = ({"C": 1.0}, {"C": 10.0}, {"C": 0.1}, {"C": 100.0})


def methods(facts: Facts) -> dict[str, Method]:
    """Return a classifier and a clusterer for every view; none if there is but one view."""
    if facts.n_views == 1:
        return {}
    found = {}
    for v, name in enumerate(facts.names):
        alone = one_view_facts(facts, v)

        def classifier(facts: Facts, settings: Settings, seed: int, alone: Facts = alone) -> Any:
            model = InRowSpace(LogisticRegression(C=settings["C"], max_iter=1000))
            return OneView(Prepared(weighted(alone), model, joined=True), alone.names[0])

        def clusterer(facts: Facts, settings: Settings, seed: int, alone: Facts = alone) -> Any:
            model = KMeans(facts.n_classes, n_init=3, random_state=seed)
            return OneView(Prepared(weighted(alone), model, joined=True), alone.names[0])

        found[f"single_view.{name}"] = Method(
            f"View '{name}' alone, logistic regression", ("classify",), "control", classifier, GRID
        )
        found[f"single_view_kmeans.{name}"] = Method(
            f"View '{name}' alone, k-means", ("cluster",), "control", clusterer
        )
    return found
