"""Two-view passive-aggressive learning (Nguyen et al. 2011), as printed: two views, two classes."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted
from manyviews.models.two_view_pa import TwoViewPassiveAggressive


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    model = TwoViewPassiveAggressive(
        settings["C"], settings["gamma"], max_iter=5, random_state=seed
    )
    return Prepared(weighted(facts), Signed(model))


class Signed(BaseEstimator):
    """Class numbers outside, -1 and 1 inside."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, Xs: Any, y: Any) -> Self:
        """Fit to labelled rows."""
        self.classes_ = np.unique(y)
        self.model.fit(Xs, np.where(np.asarray(y) == self.classes_[-1], "b", "a"))
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Predict class numbers."""
        return self.classes_[(self.model.predict(Xs) == "b").astype(int)]


def unfit(facts: Facts) -> str:
    """Say when there are not two views and two classes."""
    if facts.n_views != 2:
        return f"needs two views, there are {facts.n_views}"
    return "" if facts.n_classes == 2 else f"needs two classes, there are {facts.n_classes}"


GRID = tuple({"C": C, "gamma": gamma} for C in (0.1, 1.0) for gamma in (0.05, 0.5))
METHOD = Method("Two-view passive-aggressive", ("classify",), "paper", build, GRID, unfit=unfit)
