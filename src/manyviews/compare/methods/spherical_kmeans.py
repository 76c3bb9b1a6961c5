"""Cosine k-means on the concatenation."""

from typing import Any

from manyviews.baselines.spherical_kmeans import SphericalKMeans
from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the clusterer."""
    model = SphericalKMeans(facts.n_classes, random_state=seed)
    return Prepared(weighted(facts), model, joined=True)


METHOD = Method("Cosine k-means on the concatenation", ("cluster",), "paper", build, one_table=True)
