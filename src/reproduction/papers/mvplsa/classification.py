"""Tables 3 and 4: MVPLSA, DPLSA on all features and on each view.

MVPLSA's figures stand in both tables; they are the same runs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from manyviews.metrics import accuracy
from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA
from reproduction.papers.mvplsa.protocol import (
    Draw,
    Task,
    accuracy_row,
    draws,
    seed_of,
    statistics,
    task_of,
)
from reproduction.papers.mvplsa.rivals import rival_rows, search_rows
from reproduction.results.jobs import Context, Result, Row, stopwatch


def fit_rows(
    context: Context,
    task: Task,
    drawn: Draw,
    model: type[MVPLSA],
    Xs: Sequence[sp.csr_matrix],
    method: str,
    tables: Sequence[str],
    start: np.ndarray | str = "naive_bayes",
) -> list[Row]:
    """Fit one model in one run and score it; ``start`` is that of p(z|d)."""
    estimator = model(
        task.n_topics,
        n_iter=int(context.settings["iterations"]),
        floor=float(context.settings["floor"]),
        init=start,
        track_loglik=False,
        random_state=seed_of(task, method, drawn.setting, drawn.run),
    )
    with stopwatch() as watch:
        found = estimator.fit(list(Xs), drawn.labels).labels_
    rows = [
        accuracy_row(
            task, drawn, table, method, found,
            seconds=watch.seconds, iterations=estimator.n_iter_,
        )
        for table in tables
    ]  # fmt: skip
    everything = 100.0 * accuracy(task.y, found)
    rows += [
        Row(table, drawn.setting, method, "accuracy_pct", everything, reading="scored=all",
            run=drawn.run)
        for table in tables
    ]  # fmt: skip
    return rows


def view_rows(context: Context, task: Task, drawn: Draw, views: Sequence[int]) -> list[Row]:
    """DPLSA on single views, started like MVPLSA from the ensemble of all views."""
    start = NaiveBayesEnsemble().fit(task.Xs, drawn.labels).predict_proba(task.Xs)
    rows = []
    for v in views:
        name = f"DPLSA_V{v + 1}"
        rows += fit_rows(context, task, drawn, DPLSA, [task.Xs[v]], name, ["4"], start)
    return rows


def _views(context: Context, views: Sequence[int]) -> Result:
    """DPLSA on each of the views named by position."""
    task, rows = task_of(context), []
    for drawn in draws(context, task, int(context.settings["runs"]), "DPLSA on single views"):
        rows += view_rows(context, task, drawn, views)
    return Result(rows)


def mvplsa(context: Context) -> Result:
    """MVPLSA for Tables 3 and 4."""
    task, rows = task_of(context), []
    for drawn in draws(context, task, int(context.settings["runs"]), "MVPLSA"):
        rows += fit_rows(context, task, drawn, MVPLSA, task.Xs, "MVPLSA", ["3", "4"])
    return Result(rows)


def dplsa(context: Context) -> Result:
    """DPLSA on the concatenated views for Table 4."""
    task, rows = task_of(context), []
    for drawn in draws(context, task, int(context.settings["runs"]), "DPLSA"):
        rows += fit_rows(context, task, drawn, DPLSA, task.Xs, "DPLSA", ["4"])
    return Result(rows)


def dplsa_views(context: Context) -> Result:
    """DPLSA on every single view for Table 4."""
    return _views(context, range(len(task_of(context).Xs)))


def dplsa_first_views(context: Context) -> Result:
    """DPLSA on views 1 and 2 of NewsGv4 for Table 4."""
    return _views(context, (0, 1))


def dplsa_last_views(context: Context) -> Result:
    """DPLSA on views 3 and 4 of NewsGv4 for Table 4."""
    return _views(context, (2, 3))


def tables(context: Context) -> Result:
    """Tables 3 and 4 of a small data set."""
    task = task_of(context)
    rows: list[Row] = []
    runs = int(context.settings["runs"])
    for drawn in draws(context, task, runs, "naive Bayes, DPLSA, MVPLSA"):
        rows += rival_rows(task, drawn)
        rows += fit_rows(context, task, drawn, MVPLSA, task.Xs, "MVPLSA", ["3", "4"])
        rows += fit_rows(context, task, drawn, DPLSA, task.Xs, "DPLSA", ["4"])
        rows += view_rows(context, task, drawn, range(len(task.Xs)))
    found, details = search_rows(context, task)
    return Result(rows + found, {"cotraining": details, "statistics": statistics(task)})
