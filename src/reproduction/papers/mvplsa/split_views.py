"""Table 5: one view of NewsGv4 split at random into four.

The split is drawn anew in every run; the start is the mean of the four parts' naive Bayes
posteriors, as for any other views. Beside it: DPLSA on the unsplit view from the same start, which
shows what the splitting itself adds.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA
from manyviews.seeding import generator
from reproduction.papers.mvplsa.protocol import accuracy_row, draw, seed_of, task_of
from reproduction.results.jobs import Context, Result, Row, stopwatch

PARTS = 4


def split_columns(X: sp.csr_matrix, parts: int, rng: np.random.Generator) -> list[sp.csr_matrix]:
    """Deal the columns at random into ``parts`` views of (nearly) equal width."""
    columns = rng.permutation(X.shape[1])
    by_column = X.tocsc()
    return [sp.csr_matrix(by_column[:, np.sort(chunk)]) for chunk in np.array_split(columns, parts)]


def run(context: Context) -> Result:
    """MVPLSA on the four parts of each view at the smallest rate."""
    task = task_of(context)
    rate = min(context.settings["rates"])
    rows: list[Row] = []
    for number in context.progress(range(int(context.settings["runs"])), "split views"):
        drawn = draw(task, rate, number)
        for v, X in enumerate(task.Xs):
            rng = generator("mvplsa", task.name, "split", v, number)
            parts = split_columns(X, PARTS, rng)
            setting = f"{drawn.setting};view={v + 1}"
            for model, method, reading in (
                (MVPLSA, "MVPLSA", "paper"),
                (DPLSA, "DPLSA", "extra"),
            ):
                if reading == "extra" and number >= int(context.settings["extra_runs"]):
                    continue
                estimator = model(
                    task.n_topics,
                    n_iter=int(context.settings["iterations"]),
                    floor=float(context.settings["floor"]),
                    track_loglik=False,
                    random_state=seed_of(task, f"split:{method}:{v}", drawn.setting, number),
                )
                with stopwatch() as watch:
                    found = estimator.fit(parts, drawn.labels).labels_
                row = accuracy_row(
                    task, drawn, "5" if reading == "paper" else "extra:split", method, found,
                    seconds=watch.seconds, iterations=estimator.n_iter_,
                )  # fmt: skip
                row.setting = setting
                rows.append(row)
    return Result(rows)
