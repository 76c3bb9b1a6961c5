"""Methods that the paper does not have, run on its Table 1: one file each, found by looking.

A rival is a file ``rivals/<name>.py`` with two functions:

``predict(Xs, n_clusters, seed)``
    takes the first two views (CSR matrices of counts, as distributed), the number of clusters and
    the seed of this run, and returns one cluster number per row. It is never given the labels.
``run(context)``
    is the job, and in general just ``return compare(context, "shown name", predict)``.

Its rows have the role ``"ours"``, so they stand in the table and decide no claim.
"""

from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse as sp

from reproduction.papers.coplsa_clustering.columns import TABLE_1
from reproduction.papers.coplsa_clustering.protocol import VIEWS, make_task, measured, scores
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import Result, Row

#: What a new method is by default here; see :mod:`reproduction.workflow.scaffold`.
KIND = "clusterer"
#: Data sets that a rival runs on.
DATASETS = tuple(VIEWS)

Predict = Callable[[list[sp.csr_matrix], int, int], Sequence[int] | np.ndarray]


def compare(context: Context, name: str, predict: Predict, role: str = "ours") -> Result:
    """Run a rival as every method of Table 1 is run: same documents, runs and scores.

    Parameters
    ----------
    context
        What the job is given.
    name
        Name of the method in the table.
    predict
        ``predict(Xs, n_clusters, seed)``, as the module says.
    role
        Who stands behind the method: ``"ours"`` or ``"modern"``.
    """
    task = make_task(context)
    rows: list[Row] = []
    for run in context.progress(range(task.settings.runs), name):
        Xs = [X.copy() for X in task.Xs[:2]]  # a rival may change what it is given
        with stopwatch() as watch:
            labels = np.asarray(predict(Xs, task.n_clusters, task.seed("rival", name, run)))
        if labels.shape != task.y.shape:
            raise ValueError(
                f"{name}: predict returned an array of shape {labels.shape} for {task.y.size} "
                "documents; return one cluster number per document"
            )
        found = scores(task.y, labels)
        rows += measured(TABLE_1, name, run, found, role=role, seconds=watch.seconds)
    return Result(rows)
