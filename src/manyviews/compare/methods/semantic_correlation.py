"""Semantic correlation matching (Rasiwasia et al. 2010): classes told in a correlation space."""

from typing import Any

import numpy as np

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.methods.cca import Correlated
from manyviews.compare.methods.semantic_matching import Posteriors, unfit
from manyviews.compare.spaces import Space


class Both(Posteriors):
    """Canonical variates first, then class probabilities in their space."""

    def __init__(self, C: float, n_components: int) -> None:
        super().__init__(C)
        self.n_components = n_components

    def fit(self, tables: list[np.ndarray], y: Any) -> Any:
        """Fit the correlations, then a regression a view."""
        self.space_ = Correlated(self.n_components, 1.0).fit(tables)
        return super().fit([self.space_.project(v, T) for v, T in enumerate(tables)], y)

    def project(self, v: int, table: np.ndarray) -> np.ndarray:
        """Return centred probabilities of rows seen through one view."""
        return super().project(v, self.space_.project(v, table))


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the space."""
    return Space(facts, Both(settings["C"], settings["components"]), seed)


GRID = tuple({"components": k, "C": C} for k in (10, 30) for C in (1.0, 10.0))
METHOD = Method("Semantic correlation matching", ("retrieve",), "paper", build, GRID, unfit=unfit)
