"""Methods beside the paper's own on Table 3: one file a method, found by looking.

A rival is ``rivals/<name>.py`` with two functions::

    def predict(Xs, labels, n_classes, rng): ...


    def run(context):
        return compare(context, "My method", predict)

``predict`` is given the views (CSR matrices, a document a row), the class of every labelled
document with -1 for the others, the number of classes, and a generator seeded for the run. It
returns the class of every document. It gets copies and may change them.

Draws, rates, runs and the score (accuracy over the unlabelled documents) are those of every method
of the table. Claims do not see a rival's rows: its role is not "published".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.papers.mvplsa.protocol import KEY, accuracy_row, draws, seed_of, task_of
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import Result, Row
from reproduction.rooms import find_paper

#: Data sets a rival runs on.
DATASETS = find_paper(KEY).datasets

Predict = Callable[[list[sp.csr_matrix], np.ndarray, int, np.random.Generator], Any]


def compare(context: Context, name: str, predict: Predict, role: str = "ours") -> Result:
    """Run a method on all draws of Table 3.

    Parameters
    ----------
    context
        Of the job.
    name
        The method's name for readers.
    predict
        The method; see above.
    role
        Role of its rows.
    """
    task = task_of(context)
    rows: list[Row] = []
    for drawn in draws(context, task, name):
        rng = np.random.default_rng(seed_of(task, name, drawn))
        views = [X.copy() for X in task.Xs]
        with stopwatch() as watch:
            found = predict(views, drawn.labels.copy(), task.n_classes, rng)
        found = _checked(name, found, task.y.size, task.n_classes)
        rows.append(accuracy_row(task, drawn, "3", name, found, role=role, seconds=watch.seconds))
    return Result(rows)


def _checked(name: str, found: Any, documents: int, classes: int) -> np.ndarray:
    """Return a method's answer; anything but a class for every document is an error."""
    answer = np.asarray(found)
    if answer.shape != (documents,) or not np.isin(answer, np.arange(classes)).all():
        raise ValueError(
            f"{name}: predict() must return a class from 0 to {classes - 1} for each of the "
            f"{documents} documents; it returned {answer.dtype} of shape {answer.shape}"
        )
    return answer.astype(int)
