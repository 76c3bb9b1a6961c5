"""Linear support vector machine on all views side by side."""

from typing import Any

from sklearn.svm import LinearSVC

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted
from manyviews.compare.row_space import InRowSpace


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    model = InRowSpace(LinearSVC(C=settings["C"], random_state=seed, max_iter=3000))
    return Prepared(weighted(facts), model, joined=True)


GRID = tuple({"C": C} for C in (1.0, 10.0, 0.1, 0.01))
METHOD = Method(
    "Linear SVM on the concatenation", ("classify",), "plain", build, GRID, one_table=True
)
