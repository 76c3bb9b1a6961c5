"""Multinomial naive Bayes on a stream of counts."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.naive_bayes import MultinomialNB

from manyviews.compare.method import Facts, Method, Settings
from manyviews.preprocessing.per_view import SideBySide
from manyviews.views import Views


class Counts(BaseEstimator):
    """The views' counts side by side, as they are."""

    def __init__(self, n_classes: int) -> None:
        self.n_classes = n_classes
        self.model_ = MultinomialNB()

    def partial_fit(self, Xs: Any, y: Any) -> Self:
        """Learn a block."""
        table = SideBySide().fit_transform(Views(Xs))
        self.model_.partial_fit(table, y, classes=np.arange(self.n_classes))
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Tell the classes of rows."""
        return np.asarray(self.model_.predict(SideBySide().fit_transform(Views(Xs))))


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the learner."""
    return Counts(facts.n_classes)


def unfit(facts: Facts) -> str:
    """Say when there are no counts."""
    counted = all(kind in ("text", "counts", "categories") for kind in facts.kinds)
    return "" if counted and not any(facts.negative) else "needs counts in every view"


METHOD = Method("Online naive Bayes", ("stream",), "plain", build, unfit=unfit, one_table=True)
