"""The paper's protocol, as declared before any run, and what it leaves open.

Declared for ``reading="paper"``: views as distributed (no rescaling; the model is one of counts),
the paper's lambda per data set, sigma = 1 (the paper gives none), 5 % of the document pairs, equal
view weights, the printed update with negative entries clipped, 20 random starts that PLSA and
CoPLSA share, clusters read from the view on which k-means does best (the paper's rule, which looks
at the labels), among the first two views.

Not declared beforehand: the caps on EM iterations, set after short probes and lowered for time
(PLSA has not converged there), and ``strong_lambda``, set by rho after a probe on one start.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.cluster import KMeans

from manyviews import seeding
from manyviews.metrics import clustering_accuracy, nmi
from manyviews.models.pairwise_coplsa import PairwiseCoPLSA
from manyviews.models.plsa import random_doc_topic, random_topic_word
from manyviews.preprocessing.sparse import binarise, row_normalise
from reproduction.data.format import MultiViewData
from reproduction.results.jobs import Context, Result, Row

PAPER = "coplsa_clustering"
SETTING = "20 runs"
#: Views in the paper's order (first, second, third) and the published data set label.
VIEWS = {
    "reuters": (("EN", "SP", "FR"), "Reuters Multilingual"),
    "corel5k": (("rgb", "sift", "lbp"), "Corel5K"),
    "nus_wide": (("rgb", "sift", "lbp"), "NUS-Wide Object"),
    # Kumar et al. (2011) take Fourier coefficients and profile correlations as the two views
    "digits": (("fou", "fac", "pix"), ""),
}
_DENSE = 0.1
CHOICE_RULES = ("accuracy", "silhouette", "likelihood")
SCALES: dict[str, Callable[[sp.csr_matrix], sp.csr_matrix]] = {
    "raw": lambda X: X,
    "l1": partial(row_normalise, norm="l1"),
    "l2": partial(row_normalise, norm="l2"),
    "sqrt": lambda X: sp.csr_matrix(X.sqrt()),
    "binary": binarise,
}


@dataclass
class Task:
    """A data set as this paper sees it."""

    dataset: str
    label: str
    names: tuple[str, ...]
    Xs: list[sp.csr_matrix]
    y: np.ndarray
    n_clusters: int
    settings: Mapping[str, Any]

    @property
    def iterations(self) -> int:
        """Cap on EM iterations."""
        return int(self.settings["iterations"][self.dataset])

    @property
    def lam(self) -> float:
        """The paper's lambda."""
        return float(self.settings["lambda"][self.dataset])

    def scaled(self, scale: str) -> "Task":
        """The same task with every view rescaled."""
        Xs = [SCALES[scale](X) for X in self.Xs]
        return Task(
            self.dataset, self.label, self.names, Xs, self.y, self.n_clusters, self.settings
        )

    def seed(self, *names: str | int) -> int:
        """Integer seed that belongs to this data set and the names."""
        return seeding.integer_seed(PAPER, self.dataset, *names)

    def start(self, view: str, X: sp.csr_matrix, run: int) -> tuple[np.ndarray, np.ndarray]:
        """Random PLSA start of a view in a run: the same for every method."""
        rng = seeding.generator(PAPER, self.dataset, "start", view, run)
        k = self.n_clusters
        return random_doc_topic(X.shape[0], k, rng), random_topic_word(X.shape[1], k, rng)

    def starts(self, run: int, n_views: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Starts of the first ``n_views`` views."""
        return [
            self.start(name, X, run)
            for name, X in zip(self.names[:n_views], self.Xs[:n_views], strict=True)
        ]

    def kmeans(self, X: Any, *names: str | int) -> np.ndarray:
        """One k-means run from random rows; returns labels."""
        if sp.issparse(X) and X.nnz > _DENSE * X.shape[0] * X.shape[1]:
            X = X.toarray()  # scikit-learn is several times faster on dense rows
        model = KMeans(
            self.n_clusters, init="random", n_init=1, max_iter=60, random_state=self.seed(*names)
        )
        return model.fit(X).labels_

    def coplsa(self, run: int, n_views: int, **changes: Any) -> PairwiseCoPLSA:
        """CoPLSA as declared, apart from ``changes``, not yet fitted."""
        options: dict[str, Any] = {
            "lam": self.lam,
            "sigma": float(self.settings["sigma"]),
            "pair_share": float(self.settings["pair_share"]),
            "max_iter": self.iterations,
            "tol": float(self.settings["tolerance"]),
            "random_state": self.seed("pairs", run),
        }
        if "init" not in changes:
            options["init"] = self.starts(run, n_views)
        return PairwiseCoPLSA(self.n_clusters, **{**options, **changes})


def load_data(context: Context) -> MultiViewData:
    """Return the job's data set, or a random subset of it where the settings say so."""
    data = context.data
    limit = context.settings["documents"][context.job.dataset]
    if limit is not None and data.n_rows > limit:
        rng = seeding.generator(PAPER, context.job.dataset, "subset")
        data = data.subset(np.sort(rng.choice(data.n_rows, size=limit, replace=False)))
    return data


def make_task(context: Context) -> Task:
    """Return the job's data set with the paper's views in the paper's order."""
    data = load_data(context)
    names, label = VIEWS[context.job.dataset]
    data.require_nonnegative(*names)
    return Task(
        context.job.dataset,
        label,
        names,
        data.Xs(*names),
        data.labels,
        len(data.class_names),
        context.settings,
    )


def sensitivity_runs(task: Task) -> int:
    """Random starts behind the sensitivity panels."""
    return int(task.settings["sensitivity_runs"][task.dataset])


def scale_runs(task: Task) -> int:
    """Random starts on every scale of the input and every construction of words."""
    return int(task.settings["scale_runs"][task.dataset])


def scores(y: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """Accuracy (18) and NMI (20), in percent."""
    return {
        "accuracy_pct": 100 * clustering_accuracy(y, labels),
        "nmi_pct": 100 * nmi(y, labels, "max"),
    }


@dataclass(frozen=True)
class Place:
    """Where a value belongs: reading, table and setting."""

    reading: str = "paper"
    table: str = "1"
    setting: str = SETTING

    def read(self, reading: str) -> "Place":
        """The same place under another reading."""
        return Place(reading, self.table, self.setting)


TABLE_1 = Place()
DIAGNOSTICS = Place(table="extra:diagnostics")


@dataclass
class Recorder:
    """Collects rows of one task, with the views' choice applied."""

    task: Task
    choice: Mapping[str, str]
    rows: list[Row]

    def add(
        self,
        method: str,
        labels: np.ndarray,
        run: int,
        place: Place = TABLE_1,
        *,
        seconds: float = float("nan"),
        iterations: float = float("nan"),
    ) -> None:
        """Two rows (accuracy, NMI) of one clustering."""
        for metric, value in scores(self.task.y, labels).items():
            self.rows.append(
                Row(
                    place.table, place.setting, method, metric, value, place.reading, run,
                    self.task.label, seconds, iterations,
                )
            )  # fmt: skip
            seconds = iterations = float("nan")  # counted once a run

    def add_views(
        self,
        method: str,
        by_view: Mapping[str, np.ndarray],
        run: int,
        *,
        seconds: float = float("nan"),
        iterations: float = float("nan"),
    ) -> None:
        """Rows of a method with one clustering per view: the best view's, and every view's."""
        best = by_view[self.choice["accuracy"]]
        self.add(method, best, run, seconds=seconds, iterations=iterations)
        for name, labels in by_view.items():
            self.add(method, labels, run, TABLE_1.read(f"view={name}"))
        for rule in CHOICE_RULES[1:]:
            self.add(method, by_view[self.choice[rule]], run, TABLE_1.read(f"choice={rule}"))

    def values(
        self, method: str, values: Mapping[str, float], run: int, place: Place = DIAGNOSTICS
    ) -> None:
        """Rows of other quantities, one per metric."""
        for metric, value in values.items():
            self.rows.append(
                Row(
                    place.table, place.setting, method, metric, float(value), place.reading, run,
                    self.task.label,
                )
            )  # fmt: skip


def recorder(context: Context, task: Task) -> Recorder:
    """Recorder that knows which view each rule chose (from the k-means job)."""
    return Recorder(task, read_choice(context.results[f"{task.dataset}/kmeans"], task.names), [])


def read_choice(rows: pd.DataFrame, names: Iterable[str]) -> dict[str, str]:
    """View chosen by each rule among the first two: the largest score of table "choice"."""
    first = list(names)[:2]
    part = rows[(rows["table"] == "choice") & rows["method"].isin(first)]
    best = {}
    for rule in CHOICE_RULES:
        mean = part[part["setting"] == rule].groupby("method")["value"].mean()
        best[rule] = max(first, key=lambda name: float(mean[name]))
    return best


def diagnostics(model: PairwiseCoPLSA) -> dict[str, float]:
    """How strongly the penalty pulled, and whether the objective ever fell."""
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
    """One result of several parts of a job."""
    details: dict[str, Any] = {}
    for result in results:
        details.update(result.details)
    return Result([row for result in results for row in result.rows], details)
