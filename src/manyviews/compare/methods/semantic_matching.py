"""Semantic matching (Rasiwasia et al. 2010): a row is what each view says about its class."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.spaces import Space


class Posteriors(BaseEstimator):
    """Class probabilities of one logistic regression a view, centred."""

    def __init__(self, C: float) -> None:
        self.C = C

    def fit(self, tables: list[np.ndarray], y: Any) -> Self:
        """Fit a regression a view."""
        self.models_ = [LogisticRegression(C=self.C, max_iter=1000).fit(T, y) for T in tables]
        self.means_ = [model.predict_proba(T).mean(axis=0)
                       for model, T in zip(self.models_, tables, strict=True)]  # fmt: skip
        return self

    def project(self, v: int, table: np.ndarray) -> np.ndarray:
        """Return centred probabilities: the paper's centred correlation is then the cosine."""
        return np.asarray(self.models_[v].predict_proba(table) - self.means_[v])


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the space."""
    return Space(facts, Posteriors(settings["C"]), seed)


def unfit(facts: Facts) -> str:
    """Say when there are no classes."""
    return "" if facts.n_classes > 1 else "needs classes"


GRID = tuple({"C": C} for C in (1.0, 10.0, 0.1, 100.0))
METHOD = Method("Semantic matching", ("retrieve",), "plain", build, GRID, unfit=unfit)
