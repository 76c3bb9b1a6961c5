"""Methods that the paper does not have, on the paper's Table 2; one file each.

A rival is a file ``rivals/<name>.py`` and nothing else::

    from reproduction.papers.twoview_pa.rivals import compare

    def predict(train, y, test, rng):
        '''Return one score for each test row; above zero means positive.'''

    def run(context):
        return compare(context, "Shown name", predict)

It becomes the job ``rival_<name>`` on every data set of ``DATASETS``. :func:`compare` gives it the
folds, the row scaling and the order of the paper's own methods, and scores it with the same F1.
Its rows have the role ``ours`` (or ``modern``), so it changes no verdict.
"""

from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse as sp

from manyviews.seeding import generator
from reproduction.papers.twoview_pa import DATASETS
from reproduction.papers.twoview_pa.methods import PAPER
from reproduction.papers.twoview_pa.protocol import declared_folds, f1_pct, printed_setting, signs
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import Result, Row

__all__ = ["DATASETS", "Predict", "compare"]

#: ``predict(train, y, test, rng)``: two views of the training rows in the order of the stream,
#: their labels (+1, -1), two views of the test rows, a seeded generator -> a score per test row.
Predict = Callable[
    [Sequence[sp.csr_matrix], np.ndarray, Sequence[sp.csr_matrix], np.random.Generator], np.ndarray
]


def compare(context: Context, name: str, predict: Predict, role: str = "ours") -> Result:
    """Run a rival on Table 2.

    Parameters
    ----------
    context
        Of the job.
    name
        Method as tables show it.
    predict
        The rival; it never sees the label of a test row.
    role
        ``"ours"`` or ``"modern"``.
    """
    data, settings = context.data, context.settings
    y = signs(data)
    rows = []
    for fold, views, order in declared_folds(context, settings.repetitions, name):
        rng = generator(PAPER, data.name, "rival", name, fold.repetition, fold.number)
        pair, stream = views.matrices[:2], order[0]
        with stopwatch() as watch:
            scores = predict(
                [X[stream] for X in pair], y[stream], [X[fold.test] for X in pair], rng
            )
        found = np.asarray(scores, dtype=float)
        if found.shape != fold.test.shape or not np.isfinite(found).all():
            raise ValueError(
                f"{name} returned scores of shape {found.shape} for {fold.test.size} test rows, or "
                "some that are not finite; predict must return one finite score per test row"
            )
        value = float(f1_pct(found, y[fold.test] > 0))
        rows.append(
            Row("2", printed_setting(settings), name, "f1_pct", value,
                run=fold.run, role=role, seconds=watch.seconds)
        )  # fmt: skip
    return Result(rows)
