"""The protocol: draw labelled documents, fit, score the others."""

from collections.abc import Iterator

import numpy as np

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from manyviews.seeding import generator
from reproduction.results.draws import draw_per_class
from reproduction.results.jobs import Context
from reproduction.results.rows import Row

PAPER = "my_paper"


def cases(context: Context) -> Iterator[tuple[float, int, np.ndarray]]:
    """Yield labelled share, run and mask of the labelled documents."""
    for train in context.settings.train:
        for run in range(context.settings.runs):
            rng = generator(PAPER, context.job.dataset, f"train={train:g}%", run)
            yield train, run, draw_per_class(context.data.labels, train / 100, rng)


def naive_bayes(context: Context, known: np.ndarray, smoothing: float) -> np.ndarray:
    """Return the classes that naive Bayes on all views gives."""
    given = np.where(known, context.data.labels, -1)
    Xs = list(context.data.views.values())
    return NaiveBayesEnsemble(alpha=smoothing).fit(Xs, given).predict(Xs)


def majority(context: Context, known: np.ndarray) -> np.ndarray:
    """Return the largest labelled class for every document: what a method must beat."""
    labels = context.data.labels
    return np.full(labels.size, np.bincount(labels[known]).argmax())


def accuracy(context: Context, known: np.ndarray, guess: np.ndarray) -> float:
    """Return the share of unlabelled documents named right, in per cent."""
    return 100 * float(np.mean(guess[~known] == context.data.labels[~known]))


def row(
    context: Context, table: str, method: str, train: float, run: int, known: np.ndarray,
    guess: np.ndarray, *, reading: str = "inferred", role: str = "published",
) -> Row:  # fmt: skip
    """Return one measured value."""
    value = accuracy(context, known, guess)
    at = {"train": train}
    return Row(table, at, method, "accuracy_pct", value, reading=reading, run=run, role=role)
