"""Tables 3 to 5 and Figure 3: MVPLSA, DPLSA on all features and on each view.

MVPLSA's figures stand in Tables 3 and 4; they are the same runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import scipy.sparse as sp

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA
from reproduction.papers.mvplsa.baselines import naive_bayes_rows, search_rows
from reproduction.papers.mvplsa.parts import PARTS, Part
from reproduction.papers.mvplsa.protocol import (
    Draw,
    Task,
    accuracy_row,
    as_read,
    both_scores,
    draws,
    fit,
    seed_of,
    statistics,
    task_of,
)
from reproduction.papers.mvplsa.split_views import table_5_rows
from reproduction.papers.mvplsa.topics import topic_rows
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


#: Rows of one run, by the names that parts have for them.
ROWS: dict[str, Callable[[Task, Draw], list[Row]]] = {
    "naive_bayes": naive_bayes_rows,
    "mvplsa": mvplsa_rows,
    "dplsa": dplsa_rows,
    "dplsa_v1_v2": partial(view_rows, views=(0, 1)),
    "dplsa_v3_v4": partial(view_rows, views=(2, 3)),
    "split_views": table_5_rows,
    "topics": topic_rows,
}


def compute(context: Context, part: Part) -> Result:
    """Compute a part of the tables and figures."""
    task = task_of(context, reading=part.reading)
    makers = [ROWS[method] for method in part.methods if method in ROWS]
    rows: list[Row] = []
    for drawn in draws(context, task, ", ".join(part.methods), part.share):
        rows += [row for make in makers for row in make(task, drawn)]
    details: dict[str, Any] = {}
    if "naive_bayes" in part.methods:
        details["statistics"] = statistics(task)
    if "cotraining" in part.methods:
        found, details["cotraining"] = search_rows(context, task)
        rows += found
    return Result(as_read(task, rows), details)


def run(context: Context) -> Result:
    """Compute the part that the job has."""
    return compute(context, PARTS[context.job.place])
