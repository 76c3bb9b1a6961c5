"""Figure 3: accuracy against the number of topics Y at the largest rate, with Y = Z added."""

from __future__ import annotations

from manyviews.models.mvplsa import MVPLSA
from reproduction.papers.mvplsa.protocol import Draw, Task, accuracy_row, fit, seed_of
from reproduction.results.rows import Row


def topic_rows(task: Task, drawn: Draw) -> list[Row]:
    """MVPLSA for every Y in one run of Table 3, if it belongs to the figure."""
    settings = task.settings
    if drawn.rate != max(settings.rates) or drawn.run >= task.own(settings.topic_runs):
        return []
    rows: list[Row] = []
    for count in sorted({task.n_classes, *task.own(settings.topic_grid)}):
        seed = seed_of(task, f"topics:{count}", drawn)
        found = fit(task, MVPLSA, task.Xs, seed, drawn.labels, n_topics=count)
        at = {"topics": count}
        rows.append(accuracy_row(task, drawn, "fig3", "MVPLSA", found.labels, at, **found.cost))
    return rows
