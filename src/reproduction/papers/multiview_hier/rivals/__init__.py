"""Other methods on Table 2: one file each, found by looking.

A rival is a file ``rivals/<name>.py`` with two functions::

    def predict(Xs, y, seed):
        ...
        return labels

    def run(context):
        return compare(context, "Name on the pages", predict)

``predict`` gets the two views (CSR matrices, which it must not change), the class of every
labelled row with -1 for the unlabelled ones, and a seed; it returns a class for every row. It is
called once for every partition of Table 2, the same that the paper's methods get. Labelled rows
keep the labels they were given, as they do in the paper's methods.
"""

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from manyviews.seeding import integer_seed
from reproduction.papers.multiview_hier import PAPER, TABLE2
from reproduction.papers.multiview_hier.protocol import (
    Case,
    cases,
    paper_matrices,
    score,
    share_name,
    targets,
)
from reproduction.papers.multiview_hier.table2 import place
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import Result, Row

#: Data sets that every rival runs on.
DATASETS = TABLE2

Predict = Callable[[list[sp.csr_matrix], np.ndarray, int], np.ndarray]


def compare(context: Context, name: str, predict: Predict, role: str = "ours") -> Result:
    """Run a method on one data set of Table 2: same partitions, seeds, scores and settings.

    Parameters
    ----------
    context
        What the job was given.
    name
        Name of the method in rows and on pages; it keys the method's seeds.
    predict
        The method; see the package's text for what it gets and returns.
    role
        Who stands behind it: ``"ours"`` or ``"modern"``.
    """
    data, settings, key = context.data, context.settings, context.job.dataset
    Xs = paper_matrices(data)
    rows: list[Row] = []
    for target in targets(data):
        plan = list(cases(key, target, settings.train, range(settings.partitions.of(key))))
        for case in context.progress(plan, f"{data.name} {name}"):
            names = (key, target.name, share_name(case.percent), case.run)
            seed = integer_seed(PAPER, *names, name)
            with stopwatch() as watch:
                guess = predict(Xs, case.given, seed)
            found = _checked(name, case, guess)
            rows += score(
                "2", place(case), name, case.y, found, case.known,
                run=case.run, role=role, seconds=watch.seconds,
            )  # fmt: skip
    return Result(rows)


def _checked(name: str, case: Case, guess: np.ndarray) -> np.ndarray:
    """Return a rival's labels, with those of the labelled rows as they were given."""
    labels = np.asarray(guess)
    n_classes = len(case.target.names)
    if labels.shape != case.y.shape or labels.dtype.kind not in "iu":
        raise ValueError(
            f"{name}: predict returned {labels.dtype} of shape {labels.shape}; it must return one "
            f"whole number for each of the {case.y.size} rows"
        )
    if labels.min() < 0 or labels.max() >= n_classes:
        raise ValueError(
            f"{name}: predict returned classes {labels.min()} to {labels.max()}; they must lie in "
            f"0 to {n_classes - 1}"
        )
    return np.where(case.known, case.y, labels)
