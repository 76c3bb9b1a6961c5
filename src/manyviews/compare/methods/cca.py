"""The plain way to retrieve: regularised canonical correlations of the views."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from manyviews.baselines.cca import CCA
from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.spaces import Space


class Correlated(BaseEstimator):
    """Canonical directions, each weighted by its correlation."""

    def __init__(self, n_components: int, reg: float) -> None:
        self.n_components = n_components
        self.reg = reg

    def fit(self, tables: list[np.ndarray], y: Any = None) -> Self:
        """Learn the directions."""
        count = min(self.n_components, *(T.shape[1] for T in tables), len(tables[0]) - 1)
        self.model_ = CCA(count, reg=self.reg).fit(tables)
        return self

    def project(self, v: int, table: np.ndarray) -> np.ndarray:
        """Return the canonical variates of one view."""
        centred = table - self.model_.means_[v]
        return np.asarray(centred @ self.model_.weights_[v]) * np.maximum(
            self.model_.correlations_, 0.0
        )


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the space."""
    return Space(facts, Correlated(settings["components"], settings["reg"]), seed)


GRID = tuple({"components": k, "reg": reg} for k in (10, 30) for reg in (0.1, 1.0))
METHOD = Method("CCA", ("retrieve",), "control", build, GRID, one_table=True)
