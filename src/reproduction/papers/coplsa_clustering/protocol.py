"""Views, starts and fits of the clustering paper.

The reading compared with print has views as distributed (no rescaling; the model is one of
counts), the paper's lambda per data set, sigma = 1 (the paper gives none), 5 % of the document
pairs, equal view weights, the printed update with negative entries clipped, 20 random starts that
PLSA and CoPLSA share, clusters read from the view on which k-means does best (the paper's rule,
which looks at the labels), among the first two views. Set later: the caps on EM iterations, after
short probes and lowered for time (PLSA has not converged there), and the strong lambda, by rho
after a probe on one start.

The library is imported where it is called: every plan reads this file, few need the estimators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from manyviews.seeding import integer_of
from reproduction.papers.coplsa_clustering.settings import RULES, VIEWS, ShortRun

if TYPE_CHECKING:
    import pandas as pd

    from reproduction.data.format import MultiViewData

#: Views side by side, as rows and seeds name them -> how many.
CONCATENATION, FIRST_TWO, ALL_THREE = "concatenation", "first two", "all three"
JOINED = {CONCATENATION: 2, FIRST_TWO: 2, "both": 2, ALL_THREE: 3}

SCORES = ("accuracy_pct", "nmi_pct")

Start = tuple[np.ndarray, np.ndarray]


class Found(dict[Any, Any]):
    """A memory: what is missing is made of its key."""

    def __init__(self, make: Callable[[Any], Any], known: Mapping[Any, Any] | None = None) -> None:
        super().__init__(known or {})
        self.make = make

    def __missing__(self, key: Any) -> Any:
        """Make it and keep it."""
        self[key] = self.make(key)
        return self[key]


@dataclass
class Clusters:
    """Labels by view, or by what else tells them apart, and what the fit tells about itself."""

    labels: dict[Any, np.ndarray]
    told: dict[Any, float] = field(default_factory=dict)


def always(labels: np.ndarray) -> Clusters:
    """Return clusters that are the same whichever view is asked for."""
    return Clusters(Found(lambda _: labels))


def measure(name: str, truth: np.ndarray, labels: np.ndarray) -> float:
    """Return the accuracy (18) or the NMI (20), in per cent."""
    from manyviews import metrics

    if name == "accuracy_pct":
        return 100 * metrics.clustering_accuracy(truth, labels)
    return 100 * metrics.nmi(truth, labels, "max")


def rescaled(X: Any, scale: str) -> Any:
    """Return a view on another scale."""
    import scipy.sparse as sp

    from manyviews.preprocessing.sparse import binarise, row_normalise

    how: dict[str, Callable[[Any], Any]] = {
        "raw": lambda X: X, "l1": partial(row_normalise, norm="l1"), "binary": binarise,
        "l2": partial(row_normalise, norm="l2"), "sqrt": lambda X: sp.csr_matrix(X.sqrt()),
    }  # fmt: skip
    return how[scale](X)


@dataclass
class Task:
    """A data set as this paper sees it.

    ``inputs`` are views and views side by side by name, ``choice`` is the view of every rule,
    ``embedded`` has the graphs of PCoSC by their options, which no run changes.
    """

    names: tuple[str, ...]
    inputs: Found
    truth: np.ndarray
    clusters: int
    choice: Mapping[str, str]
    embedded: Found

    def views(self, count: int) -> list[Any]:
        """Return the first views."""
        return [self.inputs[name] for name in self.names[:count]]

    @property
    def best(self) -> int:
        """Place of the view whose clusters count: the one the paper's rule chooses."""
        return self.names.index(self.choice["accuracy"])


def names_of(data: MultiViewData, dataset_kind: str, sift: str) -> tuple[str, ...]:
    """Return the names of the views in the paper's order, with the SIFT words asked for."""
    instead = {"sift": sift} if sift in data.views else {}
    return tuple(instead.get(name, name) for name in VIEWS[dataset_kind])


def views(
    data: MultiViewData, dataset_kind: str, earlier: pd.DataFrame | None, seeded: Any,
    documents: int | None, scale: str, sift: str,
) -> Task:  # fmt: skip
    """Return the views in the paper's order, of a random subset where the settings say so."""
    from manyviews.baselines.coreg_spectral import CoRegularisedSpectral
    from manyviews.preprocessing.sparse import hstack_csr

    if documents is not None and data.n_rows > documents:
        rows = seeded("subset").choice(data.n_rows, size=documents, replace=False)
        data = data.subset(np.sort(rows))
    names = names_of(data, dataset_kind, sift)
    data.require_nonnegative(*names)

    def make(name: str) -> Any:
        if name in JOINED:
            return hstack_csr(task.views(JOINED[name]))
        return rescaled(data.views[name], scale)

    def embed(options: tuple[tuple[str, Any], ...]) -> Any:
        return CoRegularisedSpectral(task.clusters, **dict(options)).embed(task.views(2))

    choice = {} if earlier is None else read_choice(earlier, names)
    task = Task(names, Found(make), data.labels, len(data.class_names), choice, Found(embed))
    return task


def read_choice(rows: pd.DataFrame, names: Sequence[str]) -> dict[str, str]:
    """Return the view each rule chooses among the first two: the one with the largest score."""
    part = rows[rows["table"] == "choice:best_view"]
    mean = part.groupby(["rule", "view"])["value"].mean()
    # other SIFT words than those of Table 1 have no score there
    return {rule: max(names[:2], key=lambda v: mean.get((rule, v), -np.inf)) for rule in RULES}


def kmeans(X: Any, clusters: int, seed: int) -> np.ndarray:
    """Run k-means once from random rows; return labels."""
    import scipy.sparse as sp
    from sklearn.cluster import KMeans

    if sp.issparse(X) and X.nnz > 0.1 * X.shape[0] * X.shape[1]:
        X = X.toarray()  # scikit-learn is several times faster on dense rows
    return KMeans(clusters, init="random", n_init=1, max_iter=60, random_state=seed).fit(X).labels_


@dataclass
class Run:
    """One random start, the same for every method: k-means and PLSA of every input by name."""

    task: Task
    number: int
    seeded: Callable[..., np.random.Generator]
    iterations: int
    tolerance: float

    def __post_init__(self) -> None:
        task = self.task
        self.seeds = Found(lambda names: integer_of(self.seeded(*names, self.number)))
        self.starts = Found(self.random_start)
        self.kmeans = Found(
            lambda name: kmeans(task.inputs[name], task.clusters, self.seeds["kmeans", name])
        )
        self.plsa = Found(
            lambda name: self.fitted(name, self.starts[name], self.iterations, self.tolerance)
        )
        self.from_kmeans = cache(self.short)

    def random_start(self, name: str) -> Start:
        """Return the random start of PLSA on an input."""
        from manyviews.models.plsa import random_doc_topic, random_topic_word

        rng, k = self.seeded("start", name, self.number), self.task.clusters
        rows, words = self.task.inputs[name].shape
        return random_doc_topic(rows, k, rng), random_topic_word(words, k, rng)

    def soft_start(self, name: str, partition: str, own: float) -> Start:
        """Return a start of PLSA on an input from the k-means clusters of some input.

        A document's own cluster has the probability ``own``, the others share the rest; the topics
        are the weighted means that follow.
        """
        labels, clusters = self.kmeans[partition], self.task.clusters
        h = np.full((labels.size, clusters), (1 - own) / (clusters - 1))
        h[np.arange(labels.size), labels] = own
        words = np.asarray((self.task.inputs[name].T @ h).T)
        return h, words / words.sum(axis=1, keepdims=True)

    def fitted(
        self, name: str, start: Start, iterations: int, tolerance: float = 0.0, **how: bool
    ) -> Any:
        """Return PLSA of an input."""
        from manyviews.baselines.one_table import PLSAClustering

        k, X = self.task.clusters, self.task.inputs[name]
        return PLSAClustering(k, init=start, max_iter=iterations, tol=tolerance, **how).fit(X)

    def short(self, name: str, short_run: ShortRun) -> Any:
        """Return PLSA that started from k-means of its own input and took few steps."""
        begin = self.soft_start(name, name, short_run.own_cluster)
        return self.fitted(name, begin, short_run.steps, track_loglik=False)

    @cached_property
    def shuffled_partner(self) -> list[Any]:
        """The first two views, the rows of the one that is not the best permuted."""
        Xs, other = self.task.views(2), 1 - self.task.best
        Xs[other] = Xs[other][self.seeded("placebo", self.number).permutation(Xs[other].shape[0])]
        return Xs

    def score(self, rule: str, view: str) -> float:
        """Return the score by which a rule chooses a view."""
        from manyviews.baselines.view_selection import information_per_word, sampled_silhouette
        from manyviews.metrics import clustering_accuracy

        X = self.task.inputs[view]
        if rule == "accuracy":
            return clustering_accuracy(self.task.truth, self.kmeans[view])
        if rule == "silhouette":  # of some rows, the same for every clustering of a run
            return sampled_silhouette(X, self.kmeans[view], 1000, self.seeds["rows",])
        return information_per_word(X, self.plsa[view].loglik_[-1])


def start(views: Task, run: int, seeded: Any, iterations: int, tolerance: float) -> Run:
    """Take all documents; runs differ by their random starts."""
    return Run(views, run, seeded, iterations, tolerance)
