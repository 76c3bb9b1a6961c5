"""The paper's protocol as we read it, and what it leaves open.

Declared for the reading compared with print: views as distributed (no rescaling; the model is one
of counts), the paper's lambda per data set, sigma = 1 (the paper gives none), 5 % of the document
pairs, equal view weights, the printed update with negative entries clipped, 20 random starts that
PLSA and CoPLSA share, clusters read from the view on which k-means does best (the paper's rule,
which looks at the labels), among the first two views.

Set later: the caps on EM iterations, set after short probes and lowered for time
(PLSA has not converged there), and the strong lambda, set by rho after a probe on one start.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.cluster import KMeans

from manyviews import seeding
from manyviews.baselines.one_table import PLSAClustering
from manyviews.baselines.view_selection import sampled_silhouette
from manyviews.metrics import clustering_accuracy, nmi
from manyviews.models.pairwise_coplsa import PairwiseCoPLSA
from manyviews.models.plsa import random_doc_topic, random_topic_word
from manyviews.preprocessing.sparse import binarise, row_normalise
from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_clustering.columns import PAPER, RULES, TABLE_1
from reproduction.papers.coplsa_clustering.settings import DataSettings, PaperSettings, Scale
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

#: Views in the paper's order: first, second, third.
VIEWS = {
    "reuters": ("EN", "SP", "FR"),
    "corel5k": ("rgb", "sift", "lbp"),
    "nus_wide": ("rgb", "sift", "lbp"),
    # Kumar et al. (2011) take Fourier coefficients and profile correlations as the two views
    "digits": ("fou", "fac", "pix"),
}
_DENSE = 0.1
_SILHOUETTE_ROWS = 1000
SCALES: dict[Scale, Callable[[sp.csr_matrix], sp.csr_matrix]] = {
    "raw": lambda X: X,
    "l1": partial(row_normalise, norm="l1"),
    "l2": partial(row_normalise, norm="l2"),
    "sqrt": lambda X: sp.csr_matrix(X.sqrt()),
    "binary": binarise,
}


@dataclass(frozen=True)
class Task:
    """A data set as this paper sees it; ``choice`` is the view each rule prefers."""

    dataset: str
    names: tuple[str, ...]
    Xs: list[sp.csr_matrix]
    y: np.ndarray
    n_clusters: int
    settings: PaperSettings
    choice: Mapping[str, str] = field(default_factory=dict)

    @property
    def own(self) -> DataSettings:
        """Settings that belong to this data set."""
        return self.settings.of(self.dataset)

    @property
    def best(self) -> int:
        """Place of the view whose clusters count: the one the paper's rule chooses."""
        return self.names.index(self.choice[RULES[0]])

    def scaled(self, scale: Scale) -> "Task":
        """Return the same task with every view rescaled."""
        return replace(self, Xs=[SCALES[scale](X) for X in self.Xs])

    def seed(self, *names: str | int) -> int:
        """Return the integer seed that belongs to this data set and the names."""
        return seeding.integer_seed(PAPER, self.dataset, *names)

    def start(self, view: str, X: sp.csr_matrix, run: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the random PLSA start of a view in a run: the same for every method."""
        rng = seeding.generator(PAPER, self.dataset, "start", view, run)
        k = self.n_clusters
        return random_doc_topic(X.shape[0], k, rng), random_topic_word(X.shape[1], k, rng)

    def starts(self, run: int, n_views: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the starts of the first ``n_views`` views."""
        return [
            self.start(name, X, run)
            for name, X in zip(self.names[:n_views], self.Xs[:n_views], strict=True)
        ]

    def kmeans(self, X: Any, *names: str | int) -> np.ndarray:
        """Run k-means once from random rows; return labels."""
        if sp.issparse(X) and X.nnz > _DENSE * X.shape[0] * X.shape[1]:
            X = X.toarray()  # scikit-learn is several times faster on dense rows
        model = KMeans(
            self.n_clusters, init="random", n_init=1, max_iter=60, random_state=self.seed(*names)
        )
        return model.fit(X).labels_

    def silhouette(self, X: sp.csr_matrix, labels: np.ndarray, run: int) -> float:
        """Return the silhouette of some rows, the same for every clustering of a run."""
        return sampled_silhouette(X, labels, _SILHOUETTE_ROWS, self.seed("rows", run))

    def plsa(self, view: str, X: sp.csr_matrix, run: int, **changes: Any) -> PLSAClustering:
        """Return PLSA of one view as declared, apart from ``changes``, not yet fitted."""
        options: dict[str, Any] = {
            "max_iter": self.own.iterations,
            "tol": self.settings.tolerance,
        }
        if "init" not in changes:
            options["init"] = self.start(view, X, run)
        return PLSAClustering(self.n_clusters, **{**options, **changes})

    def coplsa(self, run: int, n_views: int, **changes: Any) -> PairwiseCoPLSA:
        """Return CoPLSA as declared, apart from ``changes``, not yet fitted."""
        options: dict[str, Any] = {
            "lam": self.own.lambda_,
            "sigma": self.settings.sigma,
            "pair_share": self.settings.pair_share,
            "max_iter": self.own.iterations,
            "tol": self.settings.tolerance,
            "random_state": self.seed("pairs", run),
        }
        if "init" not in changes:
            options["init"] = self.starts(run, n_views)
        return PairwiseCoPLSA(self.n_clusters, **{**options, **changes})


def load_data(context: Context) -> MultiViewData:
    """Return the job's data set, or a random subset of it where the settings say so."""
    data = context.data
    limit = context.settings.of(context.job.dataset).documents
    if limit is not None and data.n_rows > limit:
        rng = seeding.generator(PAPER, context.job.dataset, "subset")
        data = data.subset(np.sort(rng.choice(data.n_rows, size=limit, replace=False)))
    return data


def make_task(context: Context) -> Task:
    """Return the job's data set with the paper's views in the paper's order.

    A job that comes after k-means also knows which view each rule chose.
    """
    dataset = context.job.dataset
    data = load_data(context)
    names = VIEWS[dataset]
    data.require_nonnegative(*names)
    return Task(
        dataset,
        names,
        data.Xs(*names),
        data.labels,
        len(data.class_names),
        context.settings,
        read_choice(context.results[f"{dataset}/kmeans"], names) if context.job.after else {},
    )


def read_choice(rows: pd.DataFrame, names: tuple[str, ...]) -> dict[str, str]:
    """Return the view each rule chooses among the first two: the one with the largest score."""
    part = rows[rows["table"] == "choice:best_view"]
    mean = part.groupby(["rule", "view"])["value"].mean()
    return {rule: max(names[:2], key=lambda name: float(mean[rule, name])) for rule in RULES}


def scores(y: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """Return accuracy (18) and NMI (20), in percent."""
    return {
        "accuracy_pct": 100 * clustering_accuracy(y, labels),
        "nmi_pct": 100 * nmi(y, labels, "max"),
    }


def measured(
    table: str,
    method: str,
    run: int,
    values: Mapping[str, float],
    *,
    seconds: float = math.nan,
    iterations: float = math.nan,
    at: Mapping[str, Any] | None = None,
    **place: Any,
) -> list[Row]:
    """Return one row per value of a run; what the fit took is told once, in the first.

    ``place`` takes ``reading`` and ``role``, as :class:`~reproduction.results.rows.Row` does.
    """
    rows = [
        Row(table, at or {}, method, metric, float(value), run=run, **place)
        for metric, value in values.items()
    ]
    rows[0].seconds, rows[0].iterations = seconds, iterations
    return rows


def view_rows(
    task: Task, method: str, run: int, by_view: Mapping[str, np.ndarray], **took: Any
) -> list[Row]:
    """Return the rows of a method with one clustering per view.

    Table 1 reads the best view, and in other readings the views other rules choose; every view's
    clusters stand beside it.
    """
    best, *others = RULES
    rows = measured(TABLE_1, method, run, scores(task.y, by_view[task.choice[best]]), **took)
    for rule in others:
        found = scores(task.y, by_view[task.choice[rule]])
        rows += measured(TABLE_1, method, run, found, reading=f"view by {rule}")
    return rows + every_view(task, method, run, by_view)


def every_view(
    task: Task, method: str, run: int, by_view: Mapping[str, np.ndarray], **place: Any
) -> list[Row]:
    """Return the rows of every view's clusters."""
    return [
        row
        for name, labels in by_view.items()
        for row in measured(
            "choice:view", method, run, scores(task.y, labels), at={"view": name}, **place
        )
    ]


def diagnostics(model: PairwiseCoPLSA) -> dict[str, float]:
    """Return how strongly the penalty pulled, and whether the objective ever fell."""
    change = np.diff(model.objective_)
    slack = 1e-12 * np.abs(model.objective_[:-1])
    return {
        "rho_mean": float(model.rho_.mean()),
        "rho_max": float(model.rho_.max()),
        "negative_pct": 100 * float(model.negative_share_.max()),
        "decreases": float((change < -slack).sum()),
        "unsafe_steps": float(model.unsafe_steps_),
    }


def merge(*results: Result) -> Result:
    """Return one result of several parts of a job."""
    details: dict[str, Any] = {}
    for result in results:
        details.update(result.details)
    return Result([row for result in results for row in result.rows], details)
