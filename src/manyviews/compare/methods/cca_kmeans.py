"""Canonical correlation of two views, then k-means (baseline of Jiang et al. 2012)."""

from typing import Any

from manyviews.baselines.cca_kmeans import CCAKMeans
from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, as_counts, weighted

#: Columns from which a view is reduced to topics first.
WIDE = 300


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the clusterer."""
    wide = max(facts.widths) > WIDE
    model = CCAKMeans(facts.n_classes, n_topics=50 if wide else None, random_state=seed)
    return Prepared(as_counts(facts) if wide else weighted(facts), model)


def unfit(facts: Facts) -> str:
    """Say when there are not two views."""
    return "" if facts.n_views == 2 else f"needs two views, there are {facts.n_views}"


METHOD = Method("CCA and k-means", ("cluster",), "paper", build, unfit=unfit)
