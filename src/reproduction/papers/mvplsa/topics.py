"""Figure 3: accuracy against the number of topics Y at the largest rate, with Y = Z added."""

from __future__ import annotations

from manyviews.models.mvplsa import MVPLSA
from reproduction.papers.mvplsa.protocol import draw, percent, seed_of, task_of
from reproduction.results.jobs import Context, Result, Row, stopwatch


def run(context: Context) -> Result:
    """MVPLSA for every Y; the draws are those of Table 3."""
    task = task_of(context)
    kind = "webkb" if task.is_webkb else "news"
    rate = max(context.settings["rates"])
    numbers = sorted({task.n_classes, *context.settings["topic_grid"][kind]})
    rows: list[Row] = []
    for number in context.progress(range(int(context.settings["topic_runs"][kind])), "topics"):
        drawn = draw(task, rate, number)
        for count in numbers:
            model = MVPLSA(
                count,
                n_iter=int(context.settings["iterations"]),
                floor=float(context.settings["floor"]),
                random_state=seed_of(task, f"topics:{count}", drawn.setting, number),
                track_loglik=False,
            )
            with stopwatch() as watch:
                model.fit(task.Xs, drawn.labels)
            setting = f"{drawn.setting};Y={count}"
            rows.append(
                Row("fig3", setting, "MVPLSA", "accuracy_pct", percent(task, drawn, model.labels_),
                    run=number, seconds=watch.seconds, iterations=model.n_iter_)
            )  # fmt: skip
    return Result(rows)
