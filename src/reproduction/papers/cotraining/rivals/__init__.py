"""Methods that we or you add to Table 2: one file each, found by looking.

A file ``rivals/<name>.py`` has

``predict(Xs, y, Xs_new, seed) -> posterior``
    views of the training pages, their labels (-1 where unknown), views of the test pages, a seed;
    returns one row per test page with the probability of either class;
``run(context)``
    ``return compare(context, "<shown name>", predict)``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from manyviews.seeding import integer_seed
from reproduction.papers.cotraining.protocol import PAPER, draw, words_of
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

DATASETS = ("webkb_course",)

Predict = Callable[[list[Any], np.ndarray, list[Any], int], np.ndarray]


def compare(context: Context, name: str, predict: Predict, role: str = "ours") -> Result:
    """Return the method's errors on the paper's own draws, beside Table 2's combined classifier."""
    Xs, truth = words_of(context.data), context.data.labels
    rows = []
    for number in context.progress(range(context.settings.draws), name):
        part = draw(Xs, truth, context.settings, number)
        seen, given = part.seen()
        found = predict(seen, given, part.held_out(), integer_seed(PAPER, name, number))
        wrong = np.asarray(found).argmax(axis=1) != truth[part.test]
        rows.append(
            Row(
                "2", {"classifier": "combined"}, name, "error_pct", 100 * float(wrong.mean()),
                run=number, role=role,
            )
        )  # fmt: skip
    return Result(rows)
