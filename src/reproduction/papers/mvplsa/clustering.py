"""Figure 2: clustering without labels, NMI and pairwise F.

k-means is cosine k-means on each view (best and average view), MVC joins the views' k-means, and
MVPLSA starts from MVC's pattern. "Best view" is chosen by the score itself, view by view and
measure by measure, as a figure of the best result must have been; the reading "best by criterion"
picks the view with the largest mean cosine and needs no label.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.mvc import MultiViewClustering
from manyviews.baselines.spherical_kmeans import SphericalKMeans
from manyviews.metrics import nmi, pairwise_f
from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA
from manyviews.preprocessing.sparse import idf_weight
from manyviews.seeding import generator, integer_seed
from reproduction.papers.mvplsa.parts import TEXT
from reproduction.papers.mvplsa.protocol import KEY, Task, as_read, fit, task_of
from reproduction.results.jobs import Context
from reproduction.results.rows import INFERRED, Result, Row

TABLE = "fig2"
METRICS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {"NMI": nmi, "PF": pairwise_f}

IDF = "idf weights"
BY_CRITERION = "best by criterion"
RANDOM_START = "random start"

#: Names of readings in seeds: those of the first runs, so that their numbers stay.
_IN_SEEDS = {INFERRED: "paper", IDF: "columns=idf", RANDOM_START: "start=random"}


def _seed(task: Task, what: str, run: int) -> int:
    return integer_seed(KEY, task.name, what, "clustering", run)


def _score(task: Task, method: str, run: int, found: np.ndarray, **more: Any) -> list[Row]:
    return [
        Row(TABLE, {}, method, name, 100.0 * measure(task.y, found), run=run, **more)
        for name, measure in METRICS.items()
    ]


def _kmeans(
    task: Task, Xs: list[sp.csr_matrix], run: int, reading: str = INFERRED
) -> list[SphericalKMeans]:
    """Cosine k-means on every view."""
    return [
        SphericalKMeans(
            task.n_classes, random_state=_seed(task, f"kmeans:{_IN_SEEDS[reading]}:{v}", run)
        ).fit(X)
        for v, X in enumerate(Xs)
    ]


def _kmeans_rows(
    task: Task, fits: list[SphericalKMeans], run: int, reading: str = INFERRED
) -> list[Row]:
    """Best and average view of k-means; in the paper's reading every view, and another best."""
    rows = []
    for name, measure in METRICS.items():
        scores = [100.0 * measure(task.y, fitted.labels_) for fitted in fits]
        for method, value in (("Kmeans_Best", max(scores)), ("Kmeans_Avg", float(np.mean(scores)))):
            rows.append(Row(TABLE, {}, method, name, value, reading, run))
        if reading == INFERRED:
            rows += [
                Row(TABLE, {}, f"Kmeans_V{v + 1}", name, value, reading, run, "ours")
                for v, value in enumerate(scores)
            ]
            chosen = scores[int(np.argmax([fitted.criterion_ for fitted in fits]))]
            rows.append(Row(TABLE, {}, "Kmeans_Best", name, chosen, BY_CRITERION, run))
    return rows


def _plsa_rows(task: Task, pattern: np.ndarray, run: int) -> list[Row]:
    """MVPLSA from MVC's pattern; in some runs DPLSA too, and MVPLSA from a random start."""
    plans: list[tuple[type[MVPLSA], np.ndarray | str, str, str]] = [
        (MVPLSA, pattern, INFERRED, "published")
    ]
    if run < task.settings.extra_runs:
        plans.append((DPLSA, pattern, INFERRED, "ours"))
        plans.append((MVPLSA, "random", RANDOM_START, "published"))
    rows = []
    for model, start, reading, role in plans:
        method = model.__name__
        seed = _seed(task, f"{method}:{_IN_SEEDS[reading]}", run)
        found = fit(task, model, task.Xs, seed, init=start, n_classes=task.n_classes)
        rows += _score(task, method, run, found.labels, reading=reading, role=role, **found.cost)
    return rows


def cluster(context: Context, task: Task) -> list[Row]:
    """k-means, MVC, MVPLSA and DPLSA from MVC; starts other than MVC; controls."""
    weighted = [idf_weight(X) for X in task.Xs]
    rows: list[Row] = []
    runs = range(task.own(task.settings.clustering_runs))
    for number in context.progress(runs, "clustering"):
        single = _kmeans(task, task.Xs, number)
        rows += _kmeans_rows(task, single, number)
        if task.is_webkb:  # the news views carry idf already; CLUTO adds it by default
            fits = _kmeans(task, weighted, number, IDF)
            rows += _kmeans_rows(task, fits, number, IDF)
        joint = MultiViewClustering(task.n_classes, random_state=_seed(task, "MVC", number)).fit(
            task.Xs, view_labels=[fitted.labels_ for fitted in single]
        )
        rows += _score(task, "MVC", number, joint.labels_)
        rows += _plsa_rows(task, joint.pattern_, number)
        rng = generator(KEY, task.name, "control:random", "clustering", number)
        rows += _score(task, "random", number, rng.permutation(task.y), role="control")
    return rows


def run(context: Context) -> Result:
    """Figure 2 under both readings; nothing is drawn, so the news are the same under both."""
    task, text = task_of(context), task_of(context, reading=TEXT)
    rows = cluster(context, task)
    return Result(rows + as_read(text, cluster(context, text) if text.is_webkb else rows))
