"""Methods that you add to Table 1: a file here is found, run and shown beside the paper's methods.

A rival is one file, ``rivals/<name>.py``::

    from reproduction.papers.coplsa_multimodal.rivals import compare

    def predict(train, labels, test, rng):
        ...
        return [texts, images], [test_texts, test_images]

    def run(context):
        return compare(context, "the name on the page", predict)

``predict`` is given the training pairs (two sparse matrices, text and image, a row per pair, rows
that sum to one), their labels, the evaluated items in the same form, and a seeded generator. It
returns a vector for every item in a space that both modalities share: for the training pairs, and
for the evaluated items, each as ``[texts, images]``.

The evaluated images come in another order than the texts and no evaluated item has a label, so an
item can only be described from its own modality; both protocols then give the same, as for SCM.
Topic and semantic space, both directions and every average precision are made from the vectors as
for the paper's own methods. Rows have the role "ours": they change no verdict.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from manyviews.seeding import generator
from reproduction.papers.coplsa_multimodal import DATASETS, PAPER
from reproduction.papers.coplsa_multimodal.columns import READINGS
from reproduction.papers.coplsa_multimodal.protocol import (
    PAIR,
    Spaces,
    Split,
    load_split,
    table_rows,
    timed,
)
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import Result, Row

__all__ = ["DATASETS", "compare"]

Predict = Callable[
    [list[sparse.csr_matrix], np.ndarray, list[sparse.csr_matrix], np.random.Generator],
    tuple[PAIR, PAIR],
]


def compare(context: Context, name: str, predict: Predict, role: str = "ours") -> Result:
    """Run a method on Table 1 with the paper's split, spaces, metrics and number of runs.

    Parameters
    ----------
    context
        Of the job.
    name
        The method's name on the page.
    predict
        As the package says.
    role
        Who stands behind the method.
    """
    settings: PaperSettings = context.settings
    split = load_split(context.data, settings)
    rows: list[Row] = []
    for run in context.progress(range(settings.runs), name):
        with stopwatch() as watch:
            train, test = _vectors(split, name, predict, run)
        spaces = Spaces.of(train, test, split.train_labels, settings.regression_C)
        rankings = spaces.rankings(split.test_labels)
        made = [
            row
            for protocol in READINGS
            for row in table_rows(rankings, name, protocol, run, role=role)
        ]
        rows += timed(made, watch.seconds)
    return Result(rows)


def _vectors(split: Split, name: str, predict: Predict, run: int) -> tuple[PAIR, PAIR]:
    """Ask for vectors while it is hidden which evaluated text and image belong together."""
    order = generator(PAPER, split.name, "rival order", run).permutation(len(split.test_labels))
    text, image = split.test
    rng = generator(PAPER, split.name, "rival", name, run)
    train, test = predict(
        [X.copy() for X in split.train], split.train_labels.copy(), [text.copy(), image[order]], rng
    )
    _check(train, split.train, f"{name}, training pairs")
    _check(test, split.test, f"{name}, evaluated items")
    images = np.empty_like(test[1])
    images[order] = test[1]
    return train, [test[0], images]


def _check(vectors: PAIR, views: list[sparse.csr_matrix], where: str) -> None:
    """Check at the door what a method gave."""
    shapes = [np.shape(part) for part in vectors]
    rows = views[0].shape[0]
    sound = len(shapes) == 2 and shapes[0] == shapes[1] and len(shapes[0]) == 2
    if not sound or shapes[0][0] != rows:
        raise ValueError(
            f"{where}: predict gave arrays of shapes {shapes}; it must give [texts, images], both "
            f"with {rows} rows and the same number of columns"
        )
    if not all(np.isfinite(part).all() for part in vectors):
        raise ValueError(f"{where}: predict gave numbers that are not finite; mend the method")
