"""Table of methods that retrieve: common spaces, into which every view goes without the others."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, Normalizer

from manyviews.baselines.cca import CCA
from manyviews.compare.method import Facts, Method, Settings, grid
from manyviews.compare.prepare import as_counts, dense, weighted
from manyviews.models.coplsa import CoPLSA
from manyviews.views import Views

#: Columns from which a view is reduced, and to how many.
WIDE = 100
#: Views made ready; and what places rows that are seen through one of them alone.
Tables = list[Any]
Place = Callable[..., Any]


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
    weigh = next(iter(weighted(facts.only(v)).transformers.values()))
    table = weigh.fit_transform(X)
    rank = min(WIDE, table.shape[0] - 1)
    wide = table.shape[1] > rank
    last = TruncatedSVD(rank, random_state=seed) if wide else FunctionTransformer(dense)
    return make_pipeline(weigh, last.fit(table))


def shares(facts: Facts, v: int, X: Any, seed: int) -> Any:
    """Return what makes view ``v`` ready for topics, fitted: counts that add up to 1 in a row."""
    steps = as_counts(facts.only(v)).transformers.values()
    return make_pipeline(*steps, FunctionTransformer(sp.csr_matrix), Normalizer("l1")).fit(X)


@dataclass(eq=False)
class Space:
    """Views made ready one by one; what is learnt from the tables places each of them alone."""

    facts: Facts
    learn: Callable[[Settings, Tables, Any, int], list[Place]]
    ready: Callable[[Facts, int, Any, int], Any]
    settings: Settings
    seed: int

    def fit(self, Xs: Any, y: Any) -> Self:
        """Learn from rows that have all views, and their classes if there are any."""
        matrices = Views(Xs).matrices
        self.ready_ = [self.ready(self.facts, v, X, self.seed) for v, X in enumerate(matrices)]
        tables = [step.transform(X) for step, X in zip(self.ready_, matrices, strict=True)]
        self.places_ = self.learn(self.settings, tables, y, self.seed)
        return self

    def embed(self, v: int, X: Any) -> np.ndarray:
        """Return coordinates of rows that are seen through one view alone."""
        return np.asarray(self.places_[v](self.ready_[v].transform(X)))


def correlated(s: Settings, tables: Tables, y: Any, seed: int) -> list[Place]:
    """Learn canonical directions, each weighted by its correlation."""
    count = min(s["components"], *(T.shape[1] for T in tables))
    model = CCA(count, reg=s.get("reg", 1.0)).fit(tables)
    weight = np.maximum(model.correlations_, 0.0)
    return [
        lambda T, mean=mean, directions=directions: (T - mean) @ directions * weight
        for mean, directions in zip(model.means_, model.weights_, strict=True)
    ]


def matched(s: Settings, tables: Tables, y: Any, seed: int) -> list[Place]:
    """Learn class probabilities, one logistic regression a view, centred.

    Semantic matching of Rasiwasia et al. (2010), or with components their semantic correlation
    matching; with centred probabilities the centred correlation is the cosine.
    """
    spaces: list[Any] = [np.asarray] * len(tables)
    if "components" in s:
        spaces = correlated(s, tables, y, seed)
    found = []
    for space, table in zip(spaces, tables, strict=True):
        model = LogisticRegression(C=s["C"], max_iter=1000).fit(space(table), y)
        found.append(_centred(lambda T, s=space, m=model: m.predict_proba(s(T)), table))
    return found


def _centred(place: Place, table: Any) -> Place:
    """Return places less their mean over the table they were learnt from."""
    mean = place(table).mean(axis=0)
    return lambda T: place(T) - mean


def _scaled(tables: Tables) -> tuple[list[np.ndarray], list[float], list[np.ndarray]]:
    """Return means, total deviations, and tables of equal weight."""
    means = [T.mean(axis=0) for T in tables]
    scales = [float(np.sqrt((T - m).var(axis=0).sum())) or 1.0
              for T, m in zip(tables, means, strict=True)]  # fmt: skip
    return means, scales, [(T - m) / s for T, m, s in zip(tables, means, scales, strict=True)]


def covariant(s: Settings, tables: Tables, y: Any, seed: int) -> list[Place]:
    """Learn leading eigenvectors of the covariances between views: for two views, PLS-SVD."""
    means, scales, ready = _scaled(tables)  # views of other scales would rule them
    ends = np.cumsum([0, *(T.shape[1] for T in tables)])
    cross = np.zeros((ends[-1], ends[-1]))
    for a, b in permutations(range(len(ready)), 2):
        cross[ends[a] : ends[a + 1], ends[b] : ends[b + 1]] = ready[a].T @ ready[b]
    count = min(s["components"], *(T.shape[1] for T in tables))
    vectors = np.linalg.eigh(cross)[1][:, ::-1][:, :count]
    return [
        lambda T, v=v: (T - means[v]) / scales[v] @ vectors[ends[v] : ends[v + 1]]
        for v in range(len(ready))
    ]


def translated(s: Settings, tables: Tables, y: Any, seed: int) -> list[Place]:
    """Learn all views side by side from each of them, by ridge regression."""
    means, _, ready = _scaled(tables)
    found: list[Place] = []
    for T, mean in zip(tables, means, strict=True):
        penalty = s["alpha"] * float((T - mean).var(axis=0).sum()) * len(T) / T.shape[1]
        model = Ridge(penalty).fit(T - mean, np.hstack(ready))
        found.append(lambda T, mean=mean, model=model: model.predict(T - mean))
    return found


def composed(s: Settings, tables: Tables, y: Any, seed: int) -> list[Place]:
    """Learn topic compositions of every view (Jiang et al. 2012), alike but not identical."""
    model = CoPLSA(s["topics"], lam=s["lam"], max_iter=50, random_state=seed).fit(tables)
    return [
        _centred(lambda T, v=v: model.fold_in(T, v, max_iter=30), table)
        for v, table in enumerate(tables)
    ]


def in_space(learn: Any, ready: Any = reduction) -> Any:
    """Return how a space of views made ready is built from settings."""
    return lambda facts, settings, seed: Space(facts, learn, ready, settings, seed)


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
    Method("Translation by ridge regression", _TASK, "plain", in_space(translated),
           grid(alpha=(0.1, 1.0, 10.0)), key="translation"),
    Method("Co-PLSA", _TASK, "paper", in_space(composed, shares),
           grid(topics=(10, 30), lam=(0.1, 1.0)), key="coplsa"),
)  # fmt: skip
