"""The paper's protocol, written once: views, label draws, seeds, scores.

The reading "paper", fixed before any run:

* labelled documents are drawn per class, ceil(r n_c) of each (the paper only says "with the rate
  r"; 1 % of 195 documents is 2);
* the second view of the WebKB pages is the link matrix made symmetric;
* p(z|d) starts from the mean of the views' naive Bayes posteriors (add-one smoothing), floored at
  1e-3, for MVPLSA and for DPLSA on all features and on one view: the paper names the ensemble and
  no other start (the panel "start" has DPLSA on one view from that view's own posterior);
* accuracy is taken over the unlabelled documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from manyviews.metrics import accuracy
from manyviews.seeding import generator, integer_seed
from reproduction.data.format import MultiViewData
from reproduction.results.jobs import Context, Row, draw_per_class

#: View names of the WebKB files used in the tables.
WEBKB_VIEWS = ("content", "links")


@dataclass(frozen=True)
class Task:
    """Views and classes of one data set."""

    name: str
    Xs: list[sp.csr_matrix]
    y: np.ndarray
    n_topics: int

    @property
    def n_classes(self) -> int:
        """Classes Z."""
        return int(self.y.max()) + 1

    @property
    def is_webkb(self) -> bool:
        """Whether the documents are web pages with links (else news text)."""
        return self.name in ("cornell", "washington")


@dataclass(frozen=True)
class Draw:
    """One run: which documents are labelled."""

    setting: str
    rate: float
    run: int
    labels: np.ndarray

    @property
    def hidden(self) -> np.ndarray:
        """Mask of the unlabelled documents."""
        return self.labels < 0


def view_names(data: MultiViewData) -> tuple[str, ...]:
    """Views of a file in the paper's order."""
    return WEBKB_VIEWS if "content" in data.views else tuple(sorted(data.views))


def task_of(context: Context, data: MultiViewData | None = None) -> Task:
    """Return the job's data set with the paper's number of topics."""
    source = context.data if data is None else data
    name = context.job.dataset
    kind = "webkb" if "content" in source.views else "news"
    topics = int(context.settings["topics"][kind])
    return Task(name, source.Xs(*view_names(source)), source.labels, topics)


def draw(task: Task, rate: float, run: int) -> Draw:
    """Draw the labelled documents of one run; the same for every method and every job."""
    setting = f"r={rate:.2f}"
    rng = generator("mvplsa", task.name, "labels", setting, run)
    mask = draw_per_class(task.y, rate, rng)
    return Draw(setting, rate, run, np.where(mask, task.y, -1))


def draws(context: Context, task: Task, runs: int, what: str) -> Iterator[Draw]:
    """All runs of all rates, with progress."""
    grid = [(rate, run) for rate in context.settings["rates"] for run in range(runs)]
    for rate, run in context.progress(grid, what):
        yield draw(task, rate, run)


def seed_of(task: Task, method: str, setting: str, run: int) -> int:
    """Seed of a method's own random numbers in one run."""
    return integer_seed("mvplsa", task.name, method, setting, run)


def percent(task: Task, drawn: Draw, predicted: np.ndarray) -> float:
    """Accuracy on the unlabelled documents in percent."""
    return 100.0 * accuracy(task.y[drawn.hidden], predicted[drawn.hidden])


def accuracy_row(
    task: Task,
    drawn: Draw,
    table: str,
    method: str,
    predicted: np.ndarray,
    *,
    reading: str = "paper",
    seconds: float = float("nan"),
    iterations: float = float("nan"),
) -> Row:
    """One row of Tables 3, 4 or 5."""
    return Row(
        table,
        drawn.setting,
        method,
        "accuracy_pct",
        percent(task, drawn, predicted),
        reading=reading,
        run=drawn.run,
        seconds=seconds,
        iterations=iterations,
    )


def statistics(task: Task) -> dict[str, object]:
    """Size, classes, dimensions and non-zeros, for Table 2."""
    return {
        "documents": int(task.y.size),
        "classes": task.n_classes,
        "per_class": [int(n) for n in np.bincount(task.y)],
        "features": [int(X.shape[1]) for X in task.Xs],
        "nonzeros": [int(X.nnz) for X in task.Xs],
        "empty_documents": [int((np.diff(X.indptr) == 0).sum()) for X in task.Xs],
    }
