"""Control: all views side by side in one table, logistic regression with a tuned penalty."""

from typing import Any

from sklearn.linear_model import LogisticRegression

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted
from manyviews.compare.row_space import InRowSpace


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    model = InRowSpace(LogisticRegression(C=settings["C"], max_iter=1000))
    return Prepared(weighted(facts), model, joined=True)


GRID = tuple({"C": C} for C in (1.0, 10.0, 0.1, 100.0))
METHOD = Method(
    "Logistic regression on the concatenation", ("classify",), "control", build, GRID,
    one_table=True,
)  # fmt: skip
