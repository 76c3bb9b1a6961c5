"""Stacking: a logistic regression a view, and one on their class probabilities."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import weighted
from manyviews.compare.row_space import InRowSpace
from manyviews.views import Views


class Stacked(BaseEstimator):
    """Per-view models whose out-of-fold log-probabilities a second model reads."""

    def __init__(self, preparation: Any, C: float = 1.0, random_state: int = 0) -> None:
        self.preparation = preparation
        self.C = C
        self.random_state = random_state

    def _logs(self, models: list[Any], views: Views) -> np.ndarray:
        parts = [
            np.log(np.maximum(model.predict_proba(X), 1e-6))
            for model, X in zip(models, views.matrices, strict=True)
        ]
        return np.hstack(parts)

    def _models(self, views: Views, y: np.ndarray) -> list[Any]:
        return [
            InRowSpace(LogisticRegression(C=self.C, max_iter=1000)).fit(X, y)
            for X in views.matrices
        ]

    def fit(self, Xs: Any, y: Any) -> Self:
        """Fit the views' models in folds, then the second model, then the views' models on all."""
        y = np.asarray(y)
        views = self.preparation.fit(Views(Xs)).transform(Views(Xs))
        smallest = int(np.unique(y, return_counts=True)[1].min())
        self.classes_ = np.unique(y)
        if smallest >= 2:
            folds = StratifiedKFold(min(3, smallest), shuffle=True, random_state=self.random_state)
            logs = np.zeros((len(y), views.n_views * self.classes_.size))
            for train, test in folds.split(np.zeros(len(y)), y):
                logs[test] = self._logs(self._models(views[train], y[train]), views[test])
            self.top_ = LogisticRegression(max_iter=1000).fit(logs, y)
        else:
            self.top_ = None  # a class of one row cannot be held out: mean of the views
        self.models_ = self._models(views, y)
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Predict new rows."""
        logs = self._logs(self.models_, self.preparation.transform(Views(Xs)))
        if self.top_ is not None:
            return np.asarray(self.top_.predict(logs))
        shape = (len(logs), len(self.models_), self.classes_.size)
        return self.classes_[logs.reshape(shape).mean(axis=1).argmax(axis=1)]


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    return Stacked(weighted(facts), settings["C"], seed)


def unfit(facts: Facts) -> str:
    """Say when there is nothing to stack."""
    return "" if facts.n_views > 1 else "there is one view only"


GRID = tuple({"C": C} for C in (10.0, 1.0, 100.0))
METHOD = Method("Stacking of the views", ("classify",), "plain", build, GRID, unfit=unfit)
