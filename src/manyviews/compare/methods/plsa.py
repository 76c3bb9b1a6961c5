"""PLSA on the concatenation; its topics are the clusters."""

from typing import Any

from manyviews.baselines.one_table import PLSAClustering
from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, as_counts


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the clusterer."""
    model = PLSAClustering(facts.n_classes, random_state=seed)
    return Prepared(as_counts(facts), model, joined=True)


METHOD = Method("PLSA on the concatenation", ("cluster",), "paper", build, one_table=True)
