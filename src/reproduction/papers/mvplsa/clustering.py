"""Figure 2: clustering without labels, NMI and pairwise F.

k-means is cosine k-means on each view (best and average view), MVC joins the views' k-means, and
MVPLSA starts from MVC's pattern. "Best view" is chosen by the score itself, view by view and
measure by measure, as a figure of the best result must have been; "best by criterion" (reading
"best=criterion") picks the view with the largest mean cosine and needs no label.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.mvc import MultiViewClustering
from manyviews.baselines.spherical_kmeans import SphericalKMeans
from manyviews.metrics import nmi, pairwise_f
from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA
from manyviews.preprocessing.sparse import idf_weight
from manyviews.seeding import generator
from reproduction.papers.mvplsa.protocol import Task, seed_of, task_of
from reproduction.results.jobs import Context, Result, Row, stopwatch

METRICS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {"NMI": nmi, "PF": pairwise_f}


def _score(
    task: Task, method: str, run: int, found: np.ndarray, reading: str = "paper"
) -> list[Row]:
    return [
        Row("fig2", "clustering", method, name, 100.0 * measure(task.y, found), reading, run)
        for name, measure in METRICS.items()
    ]


def _kmeans(
    task: Task, Xs: list[sp.csr_matrix], run: int, reading: str = "paper"
) -> list[SphericalKMeans]:
    """Cosine k-means on every view."""
    return [
        SphericalKMeans(
            task.n_classes, random_state=seed_of(task, f"kmeans:{reading}:{v}", "clustering", run)
        ).fit(X)
        for v, X in enumerate(Xs)
    ]


def _kmeans_rows(
    task: Task, fits: list[SphericalKMeans], run: int, reading: str = "paper"
) -> list[Row]:
    """Best and average view of k-means."""
    rows = []
    for name, measure in METRICS.items():
        scores = [100.0 * measure(task.y, fit.labels_) for fit in fits]
        for method, value in (("Kmeans_Best", max(scores)), ("Kmeans_Avg", float(np.mean(scores)))):
            rows.append(Row("fig2", "clustering", method, name, value, reading, run))
        if reading == "paper":
            rows += [
                Row("fig2", "clustering", f"Kmeans_V{v + 1}", name, value, reading, run)
                for v, value in enumerate(scores)
            ]
            chosen = scores[int(np.argmax([fit.criterion_ for fit in fits]))]
            rows.append(
                Row("fig2", "clustering", "Kmeans_Best", name, chosen, "best=criterion", run)
            )
    return rows


def _plsa_rows(
    context: Context,
    task: Task,
    run: int,
    model: type[MVPLSA],
    method: str,
    start: np.ndarray | str,
    reading: str,
) -> list[Row]:
    """One clustering by MVPLSA or DPLSA from the start given."""
    estimator = model(
        task.n_topics,
        n_classes=task.n_classes,
        n_iter=int(context.settings["iterations"]),
        floor=float(context.settings["floor"]),
        init=start,
        track_loglik=False,
        random_state=seed_of(task, f"{method}:{reading}", "clustering", run),
    )
    with stopwatch() as watch:
        found = estimator.fit(task.Xs).labels_
    rows = _score(task, method, run, found, reading)
    for row in rows:
        row.seconds, row.iterations = watch.seconds, estimator.n_iter_
    return rows


def run(context: Context) -> Result:
    """k-means, MVC, MVPLSA and DPLSA from MVC; starts other than MVC; controls."""
    task = task_of(context)
    runs = int(context.settings["runs"])
    weighted = [idf_weight(X) for X in task.Xs]
    rows: list[Row] = []
    for number in context.progress(range(runs), "clustering"):
        single = _kmeans(task, task.Xs, number)
        rows += _kmeans_rows(task, single, number)
        if task.is_webkb:  # the news views carry idf already; CLUTO adds it by default
            fits = _kmeans(task, weighted, number, "columns=idf")
            rows += _kmeans_rows(task, fits, number, "columns=idf")
        joint = MultiViewClustering(
            task.n_classes, random_state=seed_of(task, "MVC", "clustering", number)
        ).fit(task.Xs, view_labels=[fit.labels_ for fit in single])
        rows += _score(task, "MVC", number, joint.labels_)
        plans: list[tuple[type[MVPLSA], str, np.ndarray | str, str]] = [
            (MVPLSA, "MVPLSA", joint.pattern_, "paper")
        ]
        if number < int(context.settings["extra_runs"]):
            plans.append((DPLSA, "DPLSA", joint.pattern_, "paper"))
            plans.append((MVPLSA, "MVPLSA", "random", "start=random"))
        for plan in plans:
            rows += _plsa_rows(context, task, number, *plan)
        rng = generator("mvplsa", task.name, "control:random", "clustering", number)
        guess = rng.permutation(task.y)
        rows += _score(task, "control:random", number, guess)
    return Result(rows)
