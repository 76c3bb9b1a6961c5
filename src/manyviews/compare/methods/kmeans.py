"""K-means on all views side by side, numbers standardised, words weighted by tf-idf."""

from typing import Any

from sklearn.cluster import KMeans

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the clusterer."""
    return Prepared(weighted(facts), KMeans(facts.n_classes, n_init=10, random_state=seed),
                    joined=True)  # fmt: skip


METHOD = Method("K-means on the concatenation", ("cluster",), "control", build, one_table=True)
