"""Passive-aggressive learners on a stream (Nguyen et al. 2011): one table, two views, several."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.methods.two_view_pa import unfit as unfit_for_two
from manyviews.compare.online import Online
from manyviews.models.multi_view_pa import MultiViewPassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive


class Two(BaseEstimator):
    """Class numbers outside, signs inside."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def partial_fit(self, Xs: Any, y: Any, classes: Any = None) -> Self:
        """Learn a block."""
        self.model.partial_fit(Xs, np.where(np.asarray(y) == 1, "b", "a"), classes=["a", "b"])
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Tell class numbers."""
        return (self.model.predict(Xs) == "b").astype(np.int64)


def two(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the learner of two views."""
    return Online(facts, Two(TwoViewPassiveAggressive(0.1, 0.05)), joined=False)


def several(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the learner of several views."""
    return Online(facts, MultiViewPassiveAggressive(0.1, 0.01), joined=False)


def methods(facts: Facts) -> dict[str, Method]:
    """Return both."""
    return {
        "online_two_view_pa": Method(
            "Two-view passive-aggressive", ("stream",), "paper", two, unfit=unfit_for_two
        ),
        "online_multi_view_pa": Method(
            "Multi-view passive-aggressive", ("stream",), "paper", several
        ),
    }
