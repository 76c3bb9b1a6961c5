"""Table of methods of other packages, which run where these are installed.

cca-zoo: multiset CCA, a common space of all views. hiclass: a regression at every inner node of
the tree of classes. imml: clusterers made for rows that lack views.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression

from manyviews.compare.method import Facts, Method, Settings, grid
from manyviews.compare.methods.clusterers import several, several_of
from manyviews.compare.prepare import dense, prepared
from manyviews.views import Views

#: Columns from which a view is reduced before dense algebra, and rows from which that takes long.
WIDE, MANY = 100, 3000


def reductions(views: Views, seed: int) -> list[Any]:
    """Return what makes every view narrow: singular directions, or nothing for narrow ones."""
    return [
        TruncatedSVD(WIDE, random_state=seed).fit(X) if min(X.shape) > WIDE else None
        for X in views.matrices
    ]


def reduced(views: Views, steps: list[Any]) -> list[np.ndarray]:
    """Return the views as narrow, dense tables."""
    return [
        np.array(dense(X) if step is None else step.transform(X), dtype=float)
        for X, step in zip(views.matrices, steps, strict=True)
    ]


class CommonSpace(BaseEstimator):
    """Views reduced, projected by multiset CCA, side by side, and a model on them."""

    def __init__(self, model: Any, n_components: int, shrinkage: float, random_state: int) -> None:
        self.model = model
        self.n_components = n_components
        self.shrinkage = shrinkage
        self.random_state = random_state

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Learn the space from all rows given, and the model in it."""
        from cca_zoo.linear import MCCA

        self.steps_ = reductions(Views(Xs), self.random_state)
        tables = reduced(Views(Xs), self.steps_)
        kept = min(self.n_components, *(T.shape[1] for T in tables), len(tables[0]) - 1)
        self.space_ = MCCA(n_components=kept, shrinkage=self.shrinkage).fit(tables)
        self.model.fit(np.hstack(self.space_.transform(tables)), y)
        self.labels_ = getattr(self.model, "labels_", None)
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Predict new rows."""
        tables = reduced(Views(Xs), self.steps_)
        return np.asarray(self.model.predict(np.hstack(self.space_.transform(tables))))


def multiset_cca(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return regression or k-means in the common space."""
    model: Any = LogisticRegression(C=10.0, max_iter=1000)
    if facts.clustering:
        model = KMeans(facts.n_classes, n_init=10, random_state=seed)
    return CommonSpace(model, settings["components"], settings["shrinkage"], seed)


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
        paths = np.asarray(self.model_.predict(X), dtype=str)
        return np.array([([-1] + [place[n] for n in path if n in place])[-1] for path in paths])


class Incomplete(BaseEstimator):
    """A clusterer of imml on narrow, non-negative tables; rows that lack a view are NaN there."""

    def __init__(self, name: str, n_clusters: int, random_state: int) -> None:
        self.name = name
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster the rows."""
        import imml.cluster

        views = Views(Xs)
        tables = reduced(views, reductions(views, self.random_state))
        for v, table in enumerate(tables):
            table -= table.min(axis=0)  # factors of some of them are non-negative
            table[~views.observed[:, v]] = np.nan
        known = getattr(imml.cluster, self.name)
        model = known(n_clusters=self.n_clusters, random_state=self.random_state)
        self.labels_ = np.asarray(model.fit_predict(tables)).ravel().astype(np.int64)
        return self


def _imml(name: str) -> Any:
    return lambda facts, s, seed: Incomplete(name, facts.n_classes, seed)


METHODS = (
    Method("Multiset CCA (cca-zoo)", ("classify", "cluster"), "plain", prepared(multiset_cca),
           grid(components=(10, 30), shrinkage=(0.5, 0.1)), needs=("cca_zoo",), unfit=several,
           key="cca_zoo"),
    Method("A classifier a node (hiclass)", ("classify",), "plain",
           prepared(lambda facts, s, seed: PerParent(
               facts.classes, dict(facts.ontology or {}), s["C"]), table=True),
           grid(C=(1.0, 10.0)), needs=("hiclass", "networkx"), one_table=True,
           unfit=lambda facts: "" if facts.ontology is not None else "needs an ontology",
           key="hiclass"),
    *(Method(f"{name} (imml)", ("cluster",), "plain", prepared(_imml(name)), needs=("imml",),
             unfit=several_of(MANY), key=f"imml.{name}")
      for name in ("DAIMC", "NEMO", "OPIMC", "PIMVC", "SIMCADC")),
)  # fmt: skip
