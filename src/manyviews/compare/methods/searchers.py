"""Table of methods that retrieve: common spaces, into which every view goes without the others."""

from dataclasses import dataclass
from itertools import permutations
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from manyviews.baselines.cca import CCA
from manyviews.compare.method import Facts, Method, grid
from manyviews.compare.prepare import as_counts, dense, one_view_facts, weighted
from manyviews.models.coplsa import CoPLSA
from manyviews.preprocessing.sparse import row_normalise
from manyviews.views import Views

#: Columns from which a view is reduced, and to how many.
WIDE = 100


@dataclass(eq=False)
class Drawn:
    """Control: clusters or coordinates drawn at random."""

    n_clusters: int
    random_state: int

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Draw clusters."""
        rng = np.random.default_rng(self.random_state)
        self.labels_ = rng.integers(self.n_clusters, size=len(Xs))
        return self

    def embed(self, v: int, X: Any) -> np.ndarray:
        """Draw coordinates of rows seen through a view."""
        rng = np.random.default_rng([self.random_state, v])
        return rng.standard_normal((X.shape[0], 10))


def reduction(facts: Facts, v: int, X: Any, seed: int) -> Any:
    """Return what makes view ``v`` ready, fitted: weights, then at most 100 directions, dense."""
    weigh = next(iter(weighted(one_view_facts(facts, v)).transformers.values()))
    table = weigh.fit_transform(X)
    rank = min(WIDE, table.shape[0] - 1)
    wide = table.shape[1] > rank
    last = TruncatedSVD(rank, random_state=seed) if wide else FunctionTransformer(dense)
    last.fit(table)
    return Pipeline([("weigh", weigh), ("last", last)])


@dataclass(eq=False)
class Space:
    """Views reduced one by one; a model of the tables with ``project(v, table)`` of one alone."""

    facts: Facts
    model: Any
    random_state: int = 0

    def fit(self, Xs: Any, y: Any) -> Self:
        """Learn from rows that have all views, and their classes if there are any."""
        matrices = Views(Xs).matrices
        self.reductions_ = [
            reduction(self.facts, v, X, self.random_state) for v, X in enumerate(matrices)
        ]
        tables = [step.transform(X) for step, X in zip(self.reductions_, matrices, strict=True)]
        self.model.fit(tables, y)
        return self

    def embed(self, v: int, X: Any) -> np.ndarray:
        """Return coordinates of rows that are seen through one view alone."""
        return np.asarray(self.model.project(v, self.reductions_[v].transform(X)))


@dataclass(eq=False)
class Correlated:
    """Canonical directions, each weighted by its correlation."""

    n_components: int
    reg: float

    def fit(self, tables: list[np.ndarray], y: Any = None) -> Self:
        """Learn the directions."""
        count = min(self.n_components, *(T.shape[1] for T in tables), len(tables[0]) - 1)
        self.model_ = CCA(count, reg=self.reg).fit(tables)
        return self

    def project(self, v: int, table: np.ndarray) -> np.ndarray:
        """Return the canonical variates of one view."""
        centred = table - self.model_.means_[v]
        strength = np.maximum(self.model_.correlations_, 0.0)
        return np.asarray(centred @ self.model_.weights_[v]) * strength


@dataclass(eq=False)
class Posteriors:
    """Class probabilities of one logistic regression a view, centred; in a space if one is given.

    Semantic matching and semantic correlation matching of Rasiwasia et al. (2010); with centred
    probabilities their centred correlation is the cosine.
    """

    C: float
    space: Any = None

    def fit(self, tables: list[np.ndarray], y: Any) -> Self:
        """Fit the space, then a regression a view."""
        if self.space is not None:
            self.space.fit(tables)
        tables = [self._placed(v, T) for v, T in enumerate(tables)]
        self.models_ = [LogisticRegression(C=self.C, max_iter=1000).fit(T, y) for T in tables]
        self.means_ = [model.predict_proba(T).mean(axis=0)
                       for model, T in zip(self.models_, tables, strict=True)]  # fmt: skip
        return self

    def _placed(self, v: int, table: np.ndarray) -> np.ndarray:
        return table if self.space is None else self.space.project(v, table)

    def project(self, v: int, table: np.ndarray) -> np.ndarray:
        """Return centred probabilities of rows seen through one view."""
        return np.asarray(self.models_[v].predict_proba(self._placed(v, table)) - self.means_[v])


def _scaled(tables: list[np.ndarray]) -> tuple[list[np.ndarray], list[float], list[np.ndarray]]:
    """Return means, total deviations, and tables of equal weight."""
    means = [T.mean(axis=0) for T in tables]
    scales = [float(np.sqrt((T - m).var(axis=0).sum())) or 1.0
              for T, m in zip(tables, means, strict=True)]  # fmt: skip
    return means, scales, [(T - m) / s for T, m, s in zip(tables, means, scales, strict=True)]


@dataclass(eq=False)
class Covariant:
    """Leading eigenvectors of the covariances between views, which for two views is PLS-SVD."""

    n_components: int

    def fit(self, tables: list[np.ndarray], y: Any = None) -> Self:
        """Learn the directions; views of other scales would rule them."""
        self.means_, self.scales_, ready = _scaled(tables)
        ends = np.cumsum([0, *(T.shape[1] for T in tables)])
        cross = np.zeros((ends[-1], ends[-1]))
        for a, b in permutations(range(len(ready)), 2):
            cross[ends[a] : ends[a + 1], ends[b] : ends[b + 1]] = ready[a].T @ ready[b]
        count = min(self.n_components, *(T.shape[1] for T in tables))
        vectors = np.linalg.eigh(cross)[1][:, ::-1][:, :count]
        self.weights_ = [vectors[ends[v] : ends[v + 1]] for v in range(len(ready))]
        return self

    def project(self, v: int, table: np.ndarray) -> np.ndarray:
        """Return the coordinates of rows seen through one view."""
        return np.asarray((table - self.means_[v]) / self.scales_[v] @ self.weights_[v])


@dataclass(eq=False)
class Translation:
    """All views side by side; a view fills in what it lacks by ridge regression."""

    alpha: float

    def fit(self, tables: list[np.ndarray], y: Any = None) -> Self:
        """Learn one regression a view, into all views."""
        self.means_, _, ready = _scaled(tables)
        self.models_ = [
            Ridge(self.alpha * float((T - m).var(axis=0).sum()) * len(T) / T.shape[1])
            .fit(T - m, np.hstack(ready))
            for T, m in zip(tables, self.means_, strict=True)
        ]  # fmt: skip
        return self

    def project(self, v: int, table: np.ndarray) -> np.ndarray:
        """Return all views as one view tells them."""
        return np.asarray(self.models_[v].predict(table - self.means_[v]))


@dataclass(eq=False)
class Topics:
    """Topic compositions of every view (Jiang et al. 2012), alike but not identical, centred."""

    facts: Facts
    n_topics: int
    lam: float
    random_state: int

    def _shares(self, v: int, X: Any) -> sp.csr_matrix:
        views = Views({self.facts.names[v]: X})
        return row_normalise(sp.csr_matrix(self.counts_[v].transform(views).matrices[0]), "l1")

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Learn topics from rows that have all views."""
        views = Views(Xs)
        self.counts_ = [
            as_counts(one_view_facts(self.facts, v)).fit(views.select([name]))
            for v, name in enumerate(views.names)
        ]
        tables = [self._shares(v, X) for v, X in enumerate(views.matrices)]
        model = CoPLSA(self.n_topics, lam=self.lam, max_iter=50, random_state=self.random_state)
        self.model_ = model.fit(tables)
        self.means_ = [self._folded(v, T).mean(axis=0) for v, T in enumerate(tables)]
        return self

    def _folded(self, v: int, shares: sp.csr_matrix) -> np.ndarray:
        return np.asarray(self.model_.fold_in(shares, v, max_iter=30))

    def embed(self, v: int, X: Any) -> np.ndarray:
        """Return centred compositions of rows that are seen through one view alone."""
        return self._folded(v, self._shares(v, X)) - self.means_[v]


def in_space(make: Any) -> Any:
    """Return how a model of reduced views is built from settings."""
    return lambda facts, settings, seed: Space(facts, make(settings), seed)


def _classes(facts: Facts) -> str:
    return "" if facts.n_classes > 1 else "needs classes"


_TASK = ("retrieve",)
METHODS = (
    Method("Chance", ("cluster", "retrieve"), "control",
           lambda facts, s, seed: Drawn(facts.n_classes, seed), key="chance"),
    Method("CCA", _TASK, "control", in_space(lambda s: Correlated(s["components"], s["reg"])),
           grid(components=(10, 30), reg=(0.1, 1.0)), one_table=True, key="cca"),
    Method("Partial least squares", _TASK, "plain", in_space(lambda s: Covariant(s["components"])),
           grid(components=(10, 30, 60)), key="pls"),
    Method("Semantic matching", _TASK, "plain", in_space(lambda s: Posteriors(s["C"])),
           grid(C=(1.0, 10.0, 0.1, 100.0)), unfit=_classes, key="semantic_matching"),
    Method("Semantic correlation matching", _TASK, "paper",
           in_space(lambda s: Posteriors(s["C"], Correlated(s["components"], 1.0))),
           grid(components=(10, 30), C=(1.0, 10.0)), unfit=_classes, key="semantic_correlation"),
    Method("Translation by ridge regression", _TASK, "plain",
           in_space(lambda s: Translation(s["alpha"])), grid(alpha=(0.1, 1.0, 10.0)),
           key="translation"),
    Method("Co-PLSA", _TASK, "paper",
           lambda facts, s, seed: Topics(facts, s["topics"], s["lam"], seed),
           grid(topics=(10, 30), lam=(0.1, 1.0)), key="coplsa"),
)  # fmt: skip
