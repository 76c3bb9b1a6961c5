"""The paper's protocol, written once: views, label draws, seeds, fits, scores.

Two readings share all of it but two choices; ``readings.yaml`` says of every choice when it was
made, how many were tried and whether it is inferred.

* labelled documents are drawn over all documents together, again until every class has one (text),
  or per class, ceil(r n_c) of each (inferred; 1 % of 195 documents is 2);
* the second view of the WebKB pages is the pages they link to (text), or the link matrix made
  symmetric (inferred);
* p(z|d) starts from the mean of the views' naive Bayes posteriors (add-one smoothing), floored at
  1e-3, for MVPLSA and for DPLSA on all features and on one view: the paper names the ensemble and
  no other start (the choice "start" has DPLSA on one view from that view's own posterior);
* accuracy is taken over the unlabelled documents.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import numpy as np
import scipy.sparse as sp

from manyviews.metrics import accuracy
from manyviews.models.mvplsa import MVPLSA
from manyviews.seeding import generator, integer_seed
from reproduction.data.format import MultiViewData
from reproduction.papers.mvplsa.columns import ALL_SCORED, OVER_ALL, PER_CLASS
from reproduction.papers.mvplsa.parts import TEXT
from reproduction.papers.mvplsa.settings import PaperSettings
from reproduction.results.draws import draw_per_class
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import INFERRED, Row

KEY = "mvplsa"


@dataclass(frozen=True)
class Reading:
    """How the labelled documents are drawn, and which links make the features of a web page."""

    name: str
    sampling: str
    links: str


READINGS = {
    INFERRED: Reading(INFERRED, PER_CLASS, "links"),
    TEXT: Reading(TEXT, OVER_ALL, "cites"),
}

T_co = TypeVar("T_co", covariant=True)


class ByKind(Protocol[T_co]):
    """A section of the settings with one value for web pages and one for news."""

    @property
    def webkb(self) -> T_co:
        """Value for web pages."""

    @property
    def news(self) -> T_co:
        """Value for news text."""


@dataclass(frozen=True)
class Task:
    """Views and classes of one data set, and the settings of its experiments."""

    name: str
    Xs: list[sp.csr_matrix]
    y: np.ndarray
    is_webkb: bool
    settings: PaperSettings
    reading: Reading = READINGS[INFERRED]

    @property
    def n_classes(self) -> int:
        """Classes Z."""
        return int(self.y.max()) + 1

    def own(self, section: ByKind[T_co]) -> T_co:
        """Return the value of a section for this kind of documents."""
        return section.webkb if self.is_webkb else section.news


@dataclass(frozen=True)
class Draw:
    """One run: which documents are labelled."""

    rate: float
    run: int
    labels: np.ndarray

    @property
    def hidden(self) -> np.ndarray:
        """Mask of the unlabelled documents."""
        return self.labels < 0


@dataclass(frozen=True)
class Fit:
    """What a fit found and what it took."""

    labels: np.ndarray
    seconds: float
    iterations: int

    @property
    def cost(self) -> dict[str, Any]:
        """Seconds and iterations, as a row takes them."""
        return {"seconds": self.seconds, "iterations": self.iterations}


def task_of(context: Context, data: MultiViewData | None = None, reading: str = INFERRED) -> Task:
    """Return the job's data set, or another file of it, with the views in the paper's order."""
    source = context.data if data is None else data
    read = READINGS[reading]
    is_webkb = "content" in source.views
    names = ("content", read.links) if is_webkb else tuple(sorted(source.views))
    settings: PaperSettings = context.settings
    return Task(context.job.dataset, source.Xs(*names), source.labels, is_webkb, settings, read)


def rate_key(rate: float) -> str:
    """Return the name of a rate in seeds; its form decides the draws and stays as it is."""
    return f"r={rate:.2f}"


def draw_over_all(y: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    """Return a mask of round(r n) labelled documents, drawn again until every class has one.

    Fewer documents than classes could never hold every class: then there are as many as classes.
    """
    classes = np.unique(y).size
    count = max(classes, round(rate * y.size))
    while True:
        mask = np.zeros(y.size, dtype=bool)
        mask[rng.choice(y.size, size=count, replace=False)] = True
        if np.unique(y[mask]).size == classes:
            return mask


def draw(task: Task, rate: float, run: int) -> Draw:
    """Draw the labelled documents of one run; the same for every method and every job."""
    if task.reading.sampling == PER_CLASS:
        rng = generator(KEY, task.name, "labels", rate_key(rate), run)
        mask = draw_per_class(task.y, rate, rng)
    else:
        rng = generator(KEY, task.name, f"labels:{OVER_ALL}", rate_key(rate), run)
        mask = draw_over_all(task.y, rate, rng)
    return Draw(rate, run, np.where(mask, task.y, -1))


def draws(
    context: Context, task: Task, what: str, share: tuple[int, int] = (1, 1)
) -> Iterator[Draw]:
    """Yield all runs of all rates, or one of so many shares of them, with progress."""
    first, step = share
    numbers = range(first - 1, task.own(task.settings.runs), step)
    grid = [(rate, run) for rate in task.settings.rates for run in numbers]
    for rate, run in context.progress(grid, what):
        yield draw(task, rate, run)


def as_read(task: Task, rows: Iterable[Row]) -> list[Row]:
    """Return rows under the task's reading; of the text's, the printed methods alone."""
    if task.reading.name == INFERRED:
        return list(rows)
    own = (row for row in rows if row.role == "published" and row.reading == INFERRED)
    return [replace(row, reading=task.reading.name) for row in own]


def seed_of(task: Task, method: str, drawn: Draw) -> int:
    """Return the seed of a method's own random numbers in one run."""
    return integer_seed(KEY, task.name, method, rate_key(drawn.rate), drawn.run)


def fit(
    task: Task,
    model: type[MVPLSA],
    Xs: Sequence[sp.csr_matrix],
    seed: int,
    labels: np.ndarray | None = None,
    **changes: Any,
) -> Fit:
    """Fit MVPLSA or DPLSA with the paper's settings, changed as told.

    Parameters
    ----------
    task
        Data set; it decides the number of topics.
    model
        ``MVPLSA`` or ``DPLSA``.
    Xs
        Views.
    seed
        Of the model's random numbers.
    labels
        Class of each document, -1 where unknown; without them the documents are clustered.
    **changes
        Parameters of the model that differ from the paper's.
    """
    options: dict[str, Any] = {
        "n_topics": task.own(task.settings.topics),
        "max_iter": task.settings.iterations,
        "floor": task.settings.floor,
        "track_loglik": False,
        "random_state": seed,
        **changes,
    }
    estimator = model(**options)
    with stopwatch() as watch:
        estimator.fit(list(Xs), labels)
    return Fit(estimator.labels_, watch.seconds, estimator.n_iter_)


def percent(task: Task, drawn: Draw, predicted: np.ndarray) -> float:
    """Return the accuracy on the unlabelled documents in per cent."""
    return 100.0 * accuracy(task.y[drawn.hidden], predicted[drawn.hidden])


def accuracy_row(
    task: Task,
    drawn: Draw,
    table: str,
    method: str,
    predicted: np.ndarray,
    at: Mapping[str, Any] | None = None,
    **more: Any,
) -> Row:
    """Return the accuracy of one run as a row.

    Parameters
    ----------
    task, drawn, table, method
        Where the row belongs.
    predicted
        Class of every document.
    at
        Settings besides the rate.
    **more
        Reading, role or cost of the row.
    """
    place = {"rate": drawn.rate, **(at or {})}
    value = percent(task, drawn, predicted)
    return Row(table, place, method, "accuracy_pct", value, run=drawn.run, **more)


def both_scores(task: Task, row: Row, predicted: np.ndarray) -> list[Row]:
    """Return a row and its like over all documents (a reading; its cost is told once)."""
    value = 100.0 * accuracy(task.y, predicted)
    everyone = replace(row, value=value, reading=ALL_SCORED, seconds=math.nan, iterations=math.nan)
    return [row, everyone]


def statistics(task: Task) -> dict[str, object]:
    """Return size, classes, dimensions and non-zeros, for Table 2."""
    return {
        "documents": int(task.y.size),
        "classes": task.n_classes,
        "per_class": [int(n) for n in np.bincount(task.y)],
        "features": [int(X.shape[1]) for X in task.Xs],
        "nonzeros": [int(X.nnz) for X in task.Xs],
        "empty_documents": [int((np.diff(X.indptr) == 0).sum()) for X in task.Xs],
    }
