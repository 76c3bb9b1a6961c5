"""Table of methods that retrieve: common spaces, into which every view goes without the others."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from manyviews.baselines.cca import CCA
from manyviews.compare.method import Facts, Method, Settings, grid
from manyviews.compare.prepare import as_counts, dense, one_view_facts, weighted
from manyviews.models.coplsa import CoPLSA
from manyviews.preprocessing.sparse import row_normalise
from manyviews.views import Views

#: Columns from which a view is reduced, and to how many.
WIDE = 100
#: Reduced views; and what places rows that are seen through one of them alone.
Tables = list[np.ndarray]
Place = Callable[[np.ndarray], np.ndarray]


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
    """Views reduced one by one; what is learnt from the tables places each of them alone.

    ``learn(tables, y)`` returns a function of a table for every view. It is made of functions of
    this module, so that a fitted space can be saved.
    """

    facts: Facts
    learn: Callable[[Tables, Any], list[Place]]
    random_state: int = 0

    def fit(self, Xs: Any, y: Any) -> Self:
        """Learn from rows that have all views, and their classes if there are any."""
        matrices = Views(Xs).matrices
        self.reductions_ = [
            reduction(self.facts, v, X, self.random_state) for v, X in enumerate(matrices)
        ]
        tables = [step.transform(X) for step, X in zip(self.reductions_, matrices, strict=True)]
        self.places_ = self.learn(tables, y)
        return self

    def embed(self, v: int, X: Any) -> np.ndarray:
        """Return coordinates of rows that are seen through one view alone."""
        return np.asarray(self.places_[v](self.reductions_[v].transform(X)))


def correlated(s: Settings, tables: Tables, y: Any = None) -> list[Place]:
    """Learn canonical directions, each weighted by its correlation."""
    count = min(s["components"], *(T.shape[1] for T in tables), len(tables[0]) - 1)
    model = CCA(count, reg=s.get("reg", 1.0)).fit(tables)
    sides = zip(model.means_, model.weights_, strict=True)
    return [partial(_variates, mean, weights, model.correlations_) for mean, weights in sides]


def _variates(mean: Any, weights: Any, correlations: Any, table: np.ndarray) -> np.ndarray:
    return np.asarray((table - mean) @ weights) * np.maximum(correlations, 0.0)


def matched(s: Settings, tables: Tables, y: Any) -> list[Place]:
    """Learn class probabilities, one logistic regression a view, centred.

    Semantic matching of Rasiwasia et al. (2010), or with components their semantic correlation
    matching; with centred probabilities the centred correlation is the cosine.
    """
    spaces: list[Any] = correlated(s, tables) if "components" in s else [np.asarray] * len(tables)
    found: list[Place] = []
    for space, table in zip(spaces, tables, strict=True):
        model = LogisticRegression(C=s["C"], max_iter=1000).fit(space(table), y)
        mean = model.predict_proba(space(table)).mean(axis=0)
        found.append(partial(_posteriors, space, model, mean))
    return found


def _posteriors(space: Place, model: Any, mean: np.ndarray, table: np.ndarray) -> np.ndarray:
    return np.asarray(model.predict_proba(space(table)) - mean)


def _scaled(tables: Tables) -> tuple[list[np.ndarray], list[float], list[np.ndarray]]:
    """Return means, total deviations, and tables of equal weight."""
    means = [T.mean(axis=0) for T in tables]
    scales = [float(np.sqrt((T - m).var(axis=0).sum())) or 1.0
              for T, m in zip(tables, means, strict=True)]  # fmt: skip
    return means, scales, [(T - m) / s for T, m, s in zip(tables, means, scales, strict=True)]


def covariant(s: Settings, tables: Tables, y: Any = None) -> list[Place]:
    """Learn leading eigenvectors of the covariances between views: for two views, PLS-SVD."""
    means, scales, ready = _scaled(tables)  # views of other scales would rule them
    ends = np.cumsum([0, *(T.shape[1] for T in tables)])
    cross = np.zeros((ends[-1], ends[-1]))
    for a, b in permutations(range(len(ready)), 2):
        cross[ends[a] : ends[a + 1], ends[b] : ends[b + 1]] = ready[a].T @ ready[b]
    count = min(s["components"], *(T.shape[1] for T in tables))
    vectors = np.linalg.eigh(cross)[1][:, ::-1][:, :count]
    return [partial(_directions, means[v], scales[v], vectors[ends[v] : ends[v + 1]])
            for v in range(len(ready))]  # fmt: skip


def _directions(mean: Any, scale: float, weights: Any, table: np.ndarray) -> np.ndarray:
    return np.asarray((table - mean) / scale @ weights)


def translated(s: Settings, tables: Tables, y: Any = None) -> list[Place]:
    """Learn all views side by side from each of them, by ridge regression."""
    means, _, ready = _scaled(tables)
    return [
        partial(_told, m, Ridge(
            s["alpha"] * float((T - m).var(axis=0).sum()) * len(T) / T.shape[1]
        ).fit(T - m, np.hstack(ready)))
        for T, m in zip(tables, means, strict=True)
    ]  # fmt: skip


def _told(mean: np.ndarray, model: Any, table: np.ndarray) -> np.ndarray:
    return np.asarray(model.predict(table - mean))


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


def in_space(learn: Any) -> Any:
    """Return how a space of reduced views is built from settings."""
    return lambda facts, settings, seed: Space(facts, partial(learn, settings), seed)


def _classes(facts: Facts) -> str:
    return "" if facts.n_classes > 1 else "needs classes"


_TASK = ("retrieve",)
METHODS = (
    Method("Chance", ("cluster", "retrieve"), "control",
           lambda facts, s, seed: Drawn(facts.n_classes, seed), key="chance"),
    Method("CCA", _TASK, "control", in_space(correlated),
           grid(components=(10, 30), reg=(0.1, 1.0)), one_table=True, key="cca"),
    Method("Partial least squares", _TASK, "plain", in_space(covariant),
           grid(components=(10, 30, 60)), key="pls"),
    Method("Semantic matching", _TASK, "plain", in_space(matched),
           grid(C=(1.0, 10.0, 0.1, 100.0)), unfit=_classes, key="semantic_matching"),
    Method("Semantic correlation matching", _TASK, "paper", in_space(matched),
           grid(components=(10, 30), C=(1.0, 10.0)), unfit=_classes, key="semantic_correlation"),
    Method("Translation by ridge regression", _TASK, "plain",
           in_space(translated), grid(alpha=(0.1, 1.0, 10.0)),
           key="translation"),
    Method("Co-PLSA", _TASK, "paper",
           lambda facts, s, seed: Topics(facts, s["topics"], s["lam"], seed),
           grid(topics=(10, 30), lam=(0.1, 1.0)), key="coplsa"),
)  # fmt: skip
