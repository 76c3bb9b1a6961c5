"""Readings of the tables that were found after seeing print, and the sweeps behind them.

``counts without common words``
    Naive Bayes on word counts, without the words of many documents, in place of tf-idf (found on
    NewsGv4; NewsGv2 is the test of it).
``few rounds``
    Co-training stopped after a few rounds (found on Cornell; Washington and NewsGv2 are the test).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.cotraining import cotrain_rounds
from manyviews.parts.naive_bayes import combine_posteriors
from manyviews.preprocessing.sparse import document_frequency
from reproduction.data.format import MultiViewData
from reproduction.papers.mvplsa.baselines import ORIGINAL, view_posteriors
from reproduction.papers.mvplsa.protocol import (
    Draw,
    Task,
    accuracy_row,
    draw,
    seed_of,
    task_of,
)
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

COUNTS, FEW_ROUNDS = "counts without common words", "few rounds"
RECORDED = "recorded"


def without_common_words(X: sp.csr_matrix, share: float) -> sp.csr_matrix:
    """Return the columns that fewer than ``share`` of the documents have (1 keeps them all)."""
    if share >= 1:
        return X
    return sp.csr_matrix(X[:, np.flatnonzero(document_frequency(X) < share * X.shape[0])])


def bayes_rows(task: Task, drawn: Draw) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the classes that naive Bayes finds on every view and on all together."""
    posteriors = view_posteriors(task, drawn)
    for v, posterior in enumerate(posteriors):
        yield f"NBC_V{v + 1}", posterior.argmax(axis=1)
    yield "NBC_E", combine_posteriors(posteriors).argmax(axis=1)


def count_rows(context: Context, counts: MultiViewData) -> list[Row]:
    """Naive Bayes on counts under every cut, and the reading of the tables at one of them."""
    task = task_of(context, counts)
    settings = task.settings
    grid = [(rate, run) for rate in settings.rates for run in range(task.own(settings.runs))]
    cut_tasks = {
        cut: replace(task, Xs=[without_common_words(X, cut) for X in task.Xs])
        for cut in sorted({*settings.common_words.grid, settings.common_words.cut})
    }
    rows: list[Row] = []
    for rate, run in context.progress(grid, "naive Bayes on counts"):
        drawn = draw(task, rate, run)
        for cut, cut_task in cut_tasks.items():
            for name, found in bayes_rows(cut_task, drawn):
                at = {"cut": cut}
                rows.append(
                    accuracy_row(
                        task, drawn, "choice:cut", name, found, at, reading=RECORDED, role="ours"
                    )
                )
                if cut == settings.common_words.cut:
                    rows += _table_rows(task, drawn, name, found)
    return rows


def _table_rows(task: Task, drawn: Draw, name: str, found: np.ndarray) -> list[Row]:
    """Rows of Table 3, and of Table 5, which repeats the single views of NewsGv4."""
    rows = [accuracy_row(task, drawn, "3", name, found, reading=COUNTS)]
    repeated = task.name == "newsgv4" and drawn.rate == min(task.settings.rates)
    if repeated and name != "NBC_E":
        at = {"view": int(name.removeprefix("NBC_V"))}
        rows.append(accuracy_row(task, drawn, "5", "NBC", found, at, reading=COUNTS))
    return rows


def cotraining_rows(context: Context, task: Task) -> list[Row]:
    """Co-training as its authors had it, scored after every round."""
    settings = task.settings
    # the class that p counts: course pages, else the first
    pair = (ORIGINAL.n, ORIGINAL.p) if task.is_webkb else (ORIGINAL.p, ORIGINAL.n)
    wanted = np.array(pair)
    runs = task.own(settings.few_rounds.runs)
    grid = [(rate, run) for rate in settings.rates for run in range(runs)]
    rows: list[Row] = []
    for rate, run in context.progress(grid, "co-training, round by round"):
        drawn = draw(task, rate, run)
        rng = np.random.default_rng(seed_of(task, "CoTr", drawn))
        rounds = settings.cotraining.rounds
        trail = cotrain_rounds(task.Xs, drawn.labels, wanted, ORIGINAL.u, rounds, 1.0, rng)
        short: dict[str, np.ndarray] = {}
        for number, model in enumerate(trail, start=1):
            first, second = model.posteriors(task.Xs)
            found = {
                "CoTr_V1": first.argmax(axis=1),
                "CoTr_V2": second.argmax(axis=1),
                "CoTr_E": combine_posteriors([first, second]).argmax(axis=1),
            }
            for name, labels in found.items():
                at = {"round": number}
                rows.append(
                    accuracy_row(
                        task, drawn, "trajectory", name, labels, at, reading=RECORDED, role="ours"
                    )
                )
            if number <= settings.few_rounds.rounds:
                short = found
        rows += [
            accuracy_row(task, drawn, "3", name, labels, reading=FEW_ROUNDS)
            for name, labels in short.items()
        ]
    return rows


def run(context: Context) -> Result:
    """Cornell and Washington: co-training round by round."""
    return Result(cotraining_rows(context, task_of(context)))


def two_views(context: Context) -> Result:
    """NewsGv2: naive Bayes on counts, co-training round by round."""
    return Result(four_views(context).rows + cotraining_rows(context, task_of(context)))


def four_views(context: Context) -> Result:
    """NewsGv4: naive Bayes on counts."""
    return Result(count_rows(context, context.views[f"{context.job.dataset}.counts"]))
