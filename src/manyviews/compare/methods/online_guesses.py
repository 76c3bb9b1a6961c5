"""Controls of a stream: the class seen most so far, and the class seen last."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from manyviews.compare.method import Facts, Method, Settings


class Guess(BaseEstimator):
    """One class for all rows of a block, from the labels before it."""

    def __init__(self, n_classes: int, last: bool) -> None:
        self.n_classes = n_classes
        self.last = last
        self.counts_ = np.zeros(n_classes, dtype=np.int64)

    def partial_fit(self, Xs: Any, y: Any) -> Self:
        """Count the labels."""
        if self.last:
            self.counts_[:] = 0
            y = y[-1:]
        self.counts_ += np.bincount(y, minlength=self.n_classes)
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Tell the class with the largest count."""
        return np.full(len(Xs), int(self.counts_.argmax()))


def methods(facts: Facts) -> dict[str, Method]:
    """Return both."""

    def guess(last: bool) -> Any:
        def build(facts: Facts, settings: Settings, seed: int) -> Any:
            return Guess(facts.n_classes, last)

        return build

    return {
        "online_majority": Method("Majority so far", ("stream",), "control", guess(False)),
        "last_label": Method("The last label again", ("stream",), "control", guess(True)),
    }
