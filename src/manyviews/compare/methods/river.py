"""Stream learners of river: a Hoeffding tree, an adaptive forest, softmax regression."""

from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.online import Online

#: Columns, over all views, from which trees take too long: every leaf watches every column.
WIDE = 300


class Riverbed(BaseEstimator):
    """A model of river behind blocks of rows: learns them one by one."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn a block, row by row."""
        self.first_ = getattr(self, "first_", int(y[0]))
        for row, label in zip(rows_of(X), y, strict=True):
            self.model.learn_one(row, int(label))
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Tell the classes of rows; a model that cannot tell yet says the first class it saw."""
        found = (self.model.predict_one(row) for row in rows_of(X))
        return np.array([self.first_ if one is None else int(one) for one in found])


def rows_of(X: Any) -> Iterator[dict[int, float]]:
    """Return every row as column -> value; zeros of a sparse table are left out."""
    if sp.issparse(X):
        table = sp.csr_matrix(X)
        for a, b in zip(table.indptr, table.indptr[1:], strict=False):
            yield dict(zip(table.indices[a:b].tolist(), table.data[a:b].tolist(), strict=True))
    else:
        for row in np.asarray(X):
            yield dict(enumerate(row.tolist()))


def tree(seed: int) -> Any:
    """Return a Hoeffding tree."""
    from river.tree import HoeffdingTreeClassifier

    return HoeffdingTreeClassifier(grace_period=50)


def forest(seed: int) -> Any:
    """Return an adaptive random forest."""
    from river.forest import ARFClassifier

    return ARFClassifier(n_models=5, grace_period=50, seed=seed)


def regression(seed: int) -> Any:
    """Return softmax regression; the rows are scaled already."""
    from river.linear_model import SoftmaxRegression

    return SoftmaxRegression()


def builder(model: Callable[[int], Any]) -> Callable[[Facts, Settings, int], Any]:
    """Return how a learner is built."""

    def build(facts: Facts, settings: Settings, seed: int) -> Any:
        return Online(facts, Riverbed(model(seed)))

    return build


def too_wide(facts: Facts) -> str:
    """Say when trees would take too long."""
    width = sum(facts.widths)
    return f"{width:,} columns take too long ({WIDE} at most)" if width > WIDE else ""


def methods(facts: Facts) -> dict[str, Method]:
    """Return all of them."""
    needs, task = ("river",), ("stream",)
    return {
        "river.tree": Method(
            "Hoeffding tree (river)",
            task,
            "plain",
            builder(tree),
            needs=needs,
            unfit=too_wide,
            one_table=True,
        ),
        "river.forest": Method(
            "Adaptive forest (river)",
            task,
            "plain",
            builder(forest),
            needs=needs,
            unfit=too_wide,
            one_table=True,
        ),
        "river.regression": Method(
            "Softmax regression (river)",
            task,
            "plain",
            builder(regression),
            needs=needs,
            one_table=True,
        ),
    }
