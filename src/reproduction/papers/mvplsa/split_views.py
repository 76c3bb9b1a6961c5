"""Table 5: one view of NewsGv4 split at random into four.

The split is drawn anew in every run; the start is the mean of the four parts' naive Bayes
posteriors, as for any other views. Beside it: DPLSA on the unsplit view from the same start, which
shows what the splitting itself adds.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA
from manyviews.seeding import generator
from reproduction.papers.mvplsa.baselines import controls, view_posteriors
from reproduction.papers.mvplsa.protocol import (
    KEY,
    Draw,
    Task,
    accuracy_row,
    fit,
    seed_of,
)
from reproduction.results.rows import Row

PARTS = 4


def split_columns(X: sp.csr_matrix, parts: int, rng: np.random.Generator) -> list[sp.csr_matrix]:
    """Deal the columns at random into ``parts`` views of (nearly) equal width."""
    columns = rng.permutation(X.shape[1])
    by_column = X.tocsc()
    return [sp.csr_matrix(by_column[:, np.sort(chunk)]) for chunk in np.array_split(columns, parts)]


def whole_view_rows(task: Task, drawn: Draw) -> list[Row]:
    """Naive Bayes on each unsplit view (Table 3's, again) and the controls."""
    rows: list[Row] = []
    for v, posterior in enumerate(view_posteriors(task, drawn)):
        at = {"view": v + 1}
        rows.append(accuracy_row(task, drawn, "5", "NBC", posterior.argmax(axis=1), at))
        rows += [
            accuracy_row(task, drawn, "5", name, guess, at, role="control")
            for name, guess in controls(task, drawn).items()
        ]
    return rows


def split_rows(task: Task, drawn: Draw) -> list[Row]:
    """MVPLSA on the four parts of each view; in some runs DPLSA on what they make together."""
    plans = [(MVPLSA, "5", "published")]
    if drawn.run < task.settings.extra_runs:
        plans.append((DPLSA, "extra:split", "ours"))
    rows = []
    for v, X in enumerate(task.Xs):
        parts = split_columns(X, PARTS, generator(KEY, task.name, "split", v, drawn.run))
        for model, table, role in plans:
            method = model.__name__
            seed = seed_of(task, f"split:{method}:{v}", drawn)
            found = fit(task, model, parts, seed, drawn.labels)
            rows.append(
                accuracy_row(
                    task, drawn, table, method, found.labels, {"view": v + 1}, role=role,
                    **found.cost,
                )
            )  # fmt: skip
    return rows


def table_5_rows(task: Task, drawn: Draw) -> list[Row]:
    """Rows of Table 5 in one run; it has the smallest rate alone."""
    if drawn.rate != min(task.settings.rates):
        return []
    return whole_view_rows(task, drawn) + split_rows(task, drawn)
