"""DPLSA (Yoo and Choi 2009), the single-table relative of MVPLSA, on the concatenation."""

from typing import Any

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, as_counts
from manyviews.models.dplsa import DPLSA


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the estimator."""
    model = DPLSA(
        settings["topics"],
        n_classes=facts.n_classes if facts.clustering else None,
        max_iter=60,
        tol=1e-5,
        random_state=seed,
    )
    return Prepared(as_counts(facts), model)


GRID = ({"topics": 32}, {"topics": 96})
METHOD = Method(
    "DPLSA", ("classify", "cluster"), "paper", build, GRID, transductive=True, one_table=True
)
