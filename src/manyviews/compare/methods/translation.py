"""Retrieval by translation: ridge regression from every view into the directions of the others."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model import Ridge

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.spaces import Space


class Translation(BaseEstimator):
    """All views side by side; a view fills in what it lacks by regression."""

    def __init__(self, alpha: float) -> None:
        self.alpha = alpha

    def fit(self, tables: list[np.ndarray], y: Any = None) -> Self:
        """Learn one regression a view, into all views."""
        self.means_ = [T.mean(axis=0) for T in tables]
        whole = np.hstack([(T - m) / (np.sqrt((T - m).var(axis=0).sum()) or 1.0)
                           for T, m in zip(tables, self.means_, strict=True)])  # fmt: skip
        self.models_ = [
            Ridge(self.alpha * float((T - m).var(axis=0).sum()) * len(T) / T.shape[1])
            .fit(T - m, whole)
            for T, m in zip(tables, self.means_, strict=True)
        ]  # fmt: skip
        return self

    def project(self, v: int, table: np.ndarray) -> np.ndarray:
        """Return all views as one view tells them."""
        return np.asarray(self.models_[v].predict(table - self.means_[v]))


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the space."""
    return Space(facts, Translation(settings["alpha"]), seed)


GRID = tuple({"alpha": alpha} for alpha in (0.1, 1.0, 10.0))
METHOD = Method("Translation by ridge regression", ("retrieve",), "plain", build, GRID)
