"""hiclass: a logistic regression at every inner node of the tree of classes."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted


def path_to(name: str, tree: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the nodes from the root to a class; of several parents the first."""
    path = [name]
    while tree.get(path[0]):
        path.insert(0, tree[path[0]][0])
    return path


class PerParent(BaseEstimator):
    """Class numbers outside, paths of the tree inside."""

    def __init__(
        self, classes: tuple[str, ...], tree: Mapping[str, tuple[str, ...]], C: float
    ) -> None:
        self.classes = classes
        self.tree = tree
        self.C = C

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to labelled rows."""
        from hiclass import LocalClassifierPerParentNode

        paths = [path_to(name, self.tree) for name in self.classes]
        depth = max(map(len, paths))
        padded = np.array([[*path, *[""] * (depth - len(path))] for path in paths], dtype=object)
        local = LogisticRegression(C=self.C, max_iter=1000)
        self.model_ = LocalClassifierPerParentNode(local_classifier=local).fit(X, padded[y])
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict the deepest node that is a class; -1 if none on the path is."""
        place = {name: c for c, name in enumerate(self.classes)}
        found = []
        for path in np.asarray(self.model_.predict(X), dtype=str):
            known = [place[node] for node in path if node in place]
            found.append(known[-1] if known else -1)
        return np.array(found)


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    model = PerParent(facts.classes, dict(facts.ontology or {}), settings["C"])
    return Prepared(weighted(facts), model, joined=True)


def unfit(facts: Facts) -> str:
    """Say when there is no tree."""
    return "" if facts.ontology is not None else "needs an ontology"


GRID = tuple({"C": C} for C in (1.0, 10.0))
METHOD = Method(
    "A classifier a node (hiclass)", ("classify",), "plain", build, GRID,
    needs=("hiclass", "networkx"), unfit=unfit, one_table=True,
)  # fmt: skip
