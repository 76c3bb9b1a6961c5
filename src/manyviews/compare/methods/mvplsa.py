"""MVPLSA (Zhuang et al. 2012): classes shared by the views, topics of their own."""

from typing import Any

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, as_counts
from manyviews.models.mvplsa import MVPLSA


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the estimator."""
    model = MVPLSA(
        settings["topics"], n_classes=facts.n_classes if facts.clustering else None,
        max_iter=60, tol=1e-5,
        view_weights=settings["weights"], random_state=seed,
    )  # fmt: skip
    return Prepared(as_counts(facts), model)


GRID = (
    {"topics": 32, "weights": None},
    {"topics": 32, "weights": "balanced"},
    {"topics": 96, "weights": None},
)
METHOD = Method("MVPLSA", ("classify", "cluster"), "paper", build, GRID, transductive=True)
