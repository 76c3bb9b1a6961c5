"""Tables 3 to 5 as the text says: every open choice by the paper's words, or the field's default.

Labelled documents are drawn over all documents together; no message is dropped; a page's link
features are the pages it links to; DPLSA on a single view starts from that view's own naive Bayes.
What the paper's words settle is as in the tables. Where a draw lacks a class there is nothing to
learn: the class that is most among the labelled documents is the answer of every method.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from manyviews.models.dplsa import DPLSA
from reproduction.papers.mvplsa.baselines import naive_bayes_rows, search_rows
from reproduction.papers.mvplsa.choices import draw_by
from reproduction.papers.mvplsa.protocol import Draw, Task, accuracy_row, task_of
from reproduction.papers.mvplsa.split_views import split_rows, whole_view_rows
from reproduction.papers.mvplsa.tables import dplsa_rows, fit_rows, mvplsa_rows
from reproduction.results.jobs import Context
from reproduction.results.rows import INFERRED, Result, Row

#: Reading of these rows.
TEXT = "text"

#: View of the links that the text reading takes, and file of the news with all messages.
LINKS = "cites"
ALL_MESSAGES = "all_messages"


def text_task(context: Context) -> Task:
    """Return the data set as the text describes it."""
    key = context.job.dataset
    task = task_of(context, context.views.get(f"{key}.{ALL_MESSAGES}"))
    if not task.is_webkb:
        return task
    return replace(task, Xs=[task.Xs[0], context.data.views[LINKS]])


def text_draw(task: Task, rate: float, run: int) -> Draw:
    """Return labelled documents drawn over all documents together."""
    return draw_by(task, rate, run, "any")


def has_all_classes(task: Task, drawn: Draw) -> bool:
    """Whether every class has a labelled document."""
    return np.unique(drawn.labels[~drawn.hidden]).size == task.n_classes


def _guesses(task: Task, drawn: Draw) -> Iterator[Row]:
    """Rows of every method in a draw that lacks a class."""
    counts = np.bincount(drawn.labels[~drawn.hidden], minlength=task.n_classes)
    guess = np.full(task.y.size, counts.argmax())
    views = range(1, len(task.Xs) + 1)
    printed = {
        "3": [*(f"NBC_V{v}" for v in views), "NBC_E", "MVPLSA"],
        "4": [*(f"DPLSA_V{v}" for v in views), "DPLSA", "MVPLSA"],
    }
    for table, methods in printed.items():
        for method in methods:
            yield accuracy_row(task, drawn, table, method, guess)


def table_rows(task: Task, drawn: Draw) -> list[Row]:
    """Rows of Tables 3 and 4 in one run, co-training apart."""
    if not has_all_classes(task, drawn):
        return list(_guesses(task, drawn))
    rows = naive_bayes_rows(task, drawn) + mvplsa_rows(task, drawn) + dplsa_rows(task, drawn)
    for v, X in enumerate(task.Xs):
        rows += fit_rows(task, drawn, DPLSA, [X], f"DPLSA_V{v + 1}", ["4"])
    return rows


def split_view_rows(task: Task, drawn: Draw) -> list[Row]:
    """Rows of Table 5 in one run."""
    if has_all_classes(task, drawn):
        return whole_view_rows(task, drawn) + split_rows(task, drawn)
    counts = np.bincount(drawn.labels[~drawn.hidden], minlength=task.n_classes)
    guess = np.full(task.y.size, counts.argmax())
    return [
        accuracy_row(task, drawn, "5", method, guess, {"view": v + 1})
        for v in range(len(task.Xs))
        for method in ("NBC", "MVPLSA")
    ]


def has_table_5(task: Task, drawn: Draw) -> bool:
    """Whether a run belongs to Table 5: four views, the smallest rate."""
    return len(task.Xs) > 2 and drawn.rate == min(task.settings.rates)


def draws(context: Context, task: Task) -> Iterator[Draw]:
    """Yield all runs of all rates, drawn as the text says, with progress."""
    numbers = range(task.settings.runs)
    plan = [(rate, number) for rate in task.settings.rates for number in numbers]
    for rate, number in context.progress(plan, "as the text says"):
        yield text_draw(task, rate, number)


def _as_text(rows: list[Row]) -> Result:
    """Return the rows of printed methods under the reading of the text."""
    own = [row for row in rows if row.role == "published" and row.reading == INFERRED]
    return Result([replace(row, reading=TEXT) for row in own])


def run(context: Context) -> Result:
    """Tables 3 and 4, co-training where there are two views, Table 5 where there are four."""
    task = text_task(context)
    rows: list[Row] = []
    for drawn in draws(context, task):
        rows += table_rows(task, drawn)
        if has_table_5(task, drawn):
            rows += split_view_rows(task, drawn)
    if len(task.Xs) == 2:
        rows += search_rows(context, task, text_draw)[0]
    return _as_text(rows)
