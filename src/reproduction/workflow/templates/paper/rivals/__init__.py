"""Methods that we or you add to Table 1: one file each, found by looking.

A file ``rivals/<name>.py`` has

``predict(Xs, y, seed) -> labels``
    the views, the labels (-1 where unknown) and a seed; returns a class for every row;
``run(context)``
    ``return compare(context, "<shown name>", predict)``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from reproduction.papers.my_paper.protocol import PAPER, cases, row

from manyviews.seeding import integer_seed
from reproduction.results.jobs import Context
from reproduction.results.rows import Result

DATASETS = ("my_dataset",)

Predict = Callable[[list[Any], np.ndarray, int], np.ndarray]


def compare(context: Context, name: str, predict: Predict, role: str = "ours") -> Result:
    """Return the method's scores on the paper's own draws, beside Table 1."""
    rows = []
    Xs = list(context.data.views.values())
    for train, run, known in context.progress(list(cases(context)), name):
        given = np.where(known, context.data.labels, -1)
        guess = predict(Xs, given, integer_seed(PAPER, name, f"{train:g}", run))
        rows.append(row(context, "1", name, train, run, known, np.asarray(guess), role=role))
    return Result(rows)
