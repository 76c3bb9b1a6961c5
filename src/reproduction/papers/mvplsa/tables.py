"""Tables 3 and 4: MVPLSA, DPLSA on all features and on each view.

MVPLSA's figures stand in both tables; they are the same runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import scipy.sparse as sp

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA
from reproduction.papers.mvplsa.baselines import naive_bayes_rows, search_rows
from reproduction.papers.mvplsa.protocol import (
    Draw,
    Task,
    accuracy_row,
    both_scores,
    draws,
    fit,
    seed_of,
    statistics,
    task_of,
)
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row


def fit_rows(
    task: Task,
    drawn: Draw,
    model: type[MVPLSA],
    Xs: Sequence[sp.csr_matrix],
    method: str,
    tables: Sequence[str],
    start: Any = "naive_bayes",
) -> list[Row]:
    """Fit one model in one run and score it; ``start`` is that of p(z|d)."""
    found = fit(task, model, Xs, seed_of(task, method, drawn), drawn.labels, init=start)
    rows: list[Row] = []
    for table in tables:
        row = accuracy_row(task, drawn, table, method, found.labels, **found.cost)
        rows += both_scores(task, row, found.labels)
    return rows


def mvplsa_rows(task: Task, drawn: Draw) -> list[Row]:
    """MVPLSA in both tables."""
    return fit_rows(task, drawn, MVPLSA, task.Xs, "MVPLSA", ["3", "4"])


def dplsa_rows(task: Task, drawn: Draw) -> list[Row]:
    """DPLSA on the concatenated views."""
    return fit_rows(task, drawn, DPLSA, task.Xs, "DPLSA", ["4"])


def view_rows(task: Task, drawn: Draw, views: Sequence[int]) -> list[Row]:
    """DPLSA on single views, started like MVPLSA from the ensemble of all views."""
    start = NaiveBayesEnsemble().fit(task.Xs, drawn.labels).predict_proba(task.Xs)
    rows: list[Row] = []
    for v in views:
        rows += fit_rows(task, drawn, DPLSA, [task.Xs[v]], f"DPLSA_V{v + 1}", ["4"], start)
    return rows


def _views(context: Context, views: Sequence[int]) -> Result:
    """DPLSA on each of the views named by position."""
    task = task_of(context)
    runs = draws(context, task, "DPLSA on single views")
    return Result([row for drawn in runs for row in view_rows(task, drawn, views)])


def mvplsa(context: Context) -> Result:
    """MVPLSA for Tables 3 and 4."""
    task = task_of(context)
    runs = draws(context, task, "MVPLSA")
    return Result([row for drawn in runs for row in mvplsa_rows(task, drawn)])


def dplsa(context: Context) -> Result:
    """DPLSA on the concatenated views for Table 4."""
    task = task_of(context)
    runs = draws(context, task, "DPLSA")
    return Result([row for drawn in runs for row in dplsa_rows(task, drawn)])


def dplsa_views(context: Context) -> Result:
    """DPLSA on every single view for Table 4."""
    return _views(context, range(len(task_of(context).Xs)))


def dplsa_first_views(context: Context) -> Result:
    """DPLSA on views 1 and 2 of NewsGv4 for Table 4."""
    return _views(context, (0, 1))


def dplsa_last_views(context: Context) -> Result:
    """DPLSA on views 3 and 4 of NewsGv4 for Table 4."""
    return _views(context, (2, 3))


def both(context: Context) -> Result:
    """Tables 3 and 4 of a small data set."""
    task = task_of(context)
    rows: list[Row] = []
    for drawn in draws(context, task, "naive Bayes, DPLSA, MVPLSA"):
        rows += naive_bayes_rows(task, drawn)
        rows += mvplsa_rows(task, drawn)
        rows += dplsa_rows(task, drawn)
        rows += view_rows(task, drawn, range(len(task.Xs)))
    found, details = search_rows(context, task)
    return Result(rows + found, {"cotraining": details, "statistics": statistics(task)})
