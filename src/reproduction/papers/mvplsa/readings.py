"""Readings of the tables that were found after seeing print, and the sweeps behind them.

``counts without common words``
    Naive Bayes on word counts, without the words of many documents, in place of tf-idf (found on
    NewsGv4; NewsGv2 is the test of it).
``few rounds``
    Co-training stopped after a few rounds (found on Cornell; Washington and NewsGv2 are the test).

Beside them a curve: MVPLSA on one view of NewsGv4, split in four, against the number of huge
messages among its documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.cotraining import cotrain_rounds
from manyviews.models.mvplsa import MVPLSA
from manyviews.parts.naive_bayes import combine_posteriors
from manyviews.preprocessing.sparse import document_frequency
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.mvplsa.baselines import ORIGINAL, view_posteriors
from reproduction.papers.mvplsa.protocol import (
    KEY,
    Draw,
    Task,
    accuracy_row,
    draw,
    fit,
    seed_of,
    task_of,
)
from reproduction.papers.mvplsa.split_views import PARTS, split_columns
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

COUNTS, FEW_ROUNDS = "counts without common words", "few rounds"
RECORDED = "recorded"
#: The only group of NewsGv4's first view that has huge messages, as its documents are named.
_FIRST = "message_v1"


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
    grid = [(rate, run) for rate in settings.rates for run in range(settings.runs)]
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


def huge_documents(usual: MultiViewData, everything: MultiViewData) -> np.ndarray:
    """Return the documents whose first message is huge: drawn only when none is left out.

    Both files draw from every group in the same order, so what the usual file lacks was left out
    for its size.
    """
    if _FIRST not in everything.rows or _FIRST not in usual.rows:
        return np.empty(0, dtype=int)  # a surrogate has no messages
    return np.flatnonzero(~np.isin(everything.rows[_FIRST], usual.rows[_FIRST]))


def huge_rows(context: Context, everything: MultiViewData) -> tuple[list[Row], int]:
    """MVPLSA on the first view, split in four, with so many of the huge messages kept."""
    huge = huge_documents(context.data, everything)
    settings = context.settings
    rate = min(settings.rates)
    rows: list[Row] = []
    kept_counts = sorted({n for n in settings.huge_messages.grid if n < huge.size} | {huge.size})
    plan = [(n, run) for n in kept_counts for run in range(settings.huge_messages.runs)]
    for n_kept, run in context.progress(plan, "huge messages"):
        rng = generator(KEY, context.job.dataset, "huge messages", run)
        dropped = rng.permutation(huge)[n_kept:]
        data = everything.subset(np.setdiff1d(np.arange(everything.n_rows), dropped))
        task = task_of(context, data)
        drawn = draw(task, rate, run)
        parts = split_columns(task.Xs[0], PARTS, generator(KEY, task.name, "split", 0, run))
        seed = seed_of(task, "split:MVPLSA:0", drawn)
        found = fit(task, MVPLSA, parts, seed, drawn.labels)
        at = {"view": 1, "huge": n_kept}
        rows.append(
            accuracy_row(
                task, drawn, "choice:huge_messages", "MVPLSA", found.labels, at,
                reading=RECORDED, role="ours",
            )
        )  # fmt: skip
    return rows, int(huge.size)


def web_pages(context: Context) -> Result:
    """Cornell and Washington: co-training round by round."""
    return Result(cotraining_rows(context, task_of(context)))


def two_views(context: Context) -> Result:
    """NewsGv2: naive Bayes on counts, co-training round by round."""
    counts = context.views[f"{context.job.dataset}.counts"]
    rows = count_rows(context, counts)
    return Result(rows + cotraining_rows(context, task_of(context)))


def four_views(context: Context) -> Result:
    """NewsGv4: naive Bayes on counts, and the number of huge messages."""
    key = context.job.dataset
    rows = count_rows(context, context.views[f"{key}.counts"])
    more, huge = huge_rows(context, context.views[f"{key}.all_messages"])
    return Result(rows + more, {"huge messages in the draw": huge})
