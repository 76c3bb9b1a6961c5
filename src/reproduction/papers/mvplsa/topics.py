"""Figure 3: accuracy against the number of topics Y at the largest rate, with Y = Z added."""

from __future__ import annotations

from manyviews.models.mvplsa import MVPLSA
from reproduction.papers.mvplsa.protocol import accuracy_row, draw, fit, seed_of, task_of
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row


def run(context: Context) -> Result:
    """MVPLSA for every Y; the draws are those of Table 3."""
    task = task_of(context)
    rate = max(task.settings.rates)
    counts = sorted({task.n_classes, *task.own(task.settings.topic_grid)})
    rows: list[Row] = []
    for number in context.progress(range(task.own(task.settings.topic_runs)), "topics"):
        drawn = draw(task, rate, number)
        for count in counts:
            seed = seed_of(task, f"topics:{count}", drawn)
            found = fit(task, MVPLSA, task.Xs, seed, drawn.labels, n_topics=count)
            rows.append(
                accuracy_row(
                    task, drawn, "fig3", "MVPLSA", found.labels, {"topics": count}, **found.cost
                )
            )
    return Result(rows)
