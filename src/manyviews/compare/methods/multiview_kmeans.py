"""Semi-supervised multi-view k-means (Dalvi and Cohen 2015), rule chosen by validation."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted
from manyviews.models.multiview_kmeans import MultiViewKMeans


class OnTree(BaseEstimator):
    """The hierarchical variant: class numbers in and out, names of the tree inside."""

    def __init__(self, model: Any, classes: tuple[str, ...]) -> None:
        self.model = model
        self.classes = classes

    def fit(self, Xs: Any, y: Any) -> Self:
        """Fit to all rows; -1 is unlabelled."""
        names = np.array([self.classes[c] if c >= 0 else None for c in y], dtype=object)
        self.model.fit(Xs, names)
        self.labels_ = self._codes(self.model.labels_)
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Predict class numbers; a node that is no class of the data counts as -1."""
        return self._codes(self.model.predict(Xs))

    def _codes(self, names: Any) -> np.ndarray:
        place = {name: c for c, name in enumerate(self.classes)}
        return np.array([place.get(str(name), -1) for name in names])


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    return Prepared(weighted(facts), MultiViewKMeans(settings["combine"]))


def on_tree(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the hierarchical classifier."""
    model = MultiViewKMeans(settings["combine"], ontology=dict(facts.ontology or {}))
    return Prepared(weighted(facts), OnTree(model, facts.classes))


def unfit(facts: Facts) -> str:
    """Say when there is nothing to combine."""
    return "" if facts.n_views > 1 else "there is one view only"


def methods(facts: Facts) -> dict[str, Method]:
    """Return the flat method, and with an ontology the hierarchical one."""
    rules = ("maxagree", "sum", "prod", "cotrain")
    flat = Method(
        "Multi-view k-means", ("classify",), "paper", build,
        tuple({"combine": rule} for rule in rules), transductive=True, unfit=unfit,
    )  # fmt: skip
    found = {"multiview_kmeans": flat}
    if facts.ontology is not None:
        found["multiview_kmeans_tree"] = Method(
            "Hierarchical multi-view k-means", ("classify",), "paper", on_tree,
            tuple({"combine": rule} for rule in rules[:3]), transductive=True, unfit=unfit,
        )  # fmt: skip
    return found
