"""Where the paper is silent about NewsGv2's text: huge messages, headers, tokens, weights.

In comp.os.ms-windows.misc a few uuencoded files hold most of the tokens. Four treatments: keep
all messages; drop those over 20 kB in that group (the tables' choice); drop them in every group;
keep the tables' choice but scale every row to length one.
"""

from __future__ import annotations

from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA
from manyviews.preprocessing.sparse import row_normalise
from reproduction.papers.mvplsa.protocol import Draw, Task, draw, percent, seed_of, task_of
from reproduction.results.jobs import Context, Result, Row

#: panel, reading, view file's variant ("" = the tables' file), rows scaled to length one
TREATMENTS = (
    ("huge", "messages=all", "all_messages", False),
    ("huge", "messages=over 20 kB dropped in one group", "", False),
    ("huge", "messages=over 20 kB dropped everywhere", "drop_huge_everywhere", False),
    ("huge", "rows=unit length", "", True),
    ("text", "text=as in the tables", "", False),
    ("text", "text=no headers", "no_headers", False),
    ("text", "text=letters only", "letters", False),
    ("text", "weights=counts", "counts", False),
)


def _fits(context: Context, task: Task, drawn: Draw, unit: bool) -> dict[str, float]:
    """Accuracy of MVPLSA and DPLSA in one run."""
    Xs = [row_normalise(X) for X in task.Xs] if unit else task.Xs
    values = {}
    for model in (MVPLSA, DPLSA):
        estimator = model(
            task.n_topics,
            n_iter=int(context.settings["iterations"]),
            floor=float(context.settings["floor"]),
            track_loglik=False,
            random_state=seed_of(task, model.__name__, drawn.setting, drawn.run),
        )
        found = estimator.fit(Xs, drawn.labels).labels_
        values[model.__name__] = percent(task, drawn, found)
    return values


def text(context: Context) -> Result:
    """MVPLSA and DPLSA on every treatment of the text."""
    rate = min(context.settings["rates"])
    rows: list[Row] = []
    done: dict[tuple[str, bool, int], dict[str, float]] = {}
    plan = [
        (treatment, run)
        for treatment in TREATMENTS
        for run in range(int(context.settings["text_runs"]))
    ]
    for (panel, reading, variant, unit), run in context.progress(plan, "treatments of the text"):
        key = context.job.dataset + (f".{variant}" if variant else "")
        task = task_of(context, context.views[key])
        drawn = draw(task, rate, run)
        if (key, unit, run) not in done:
            done[key, unit, run] = _fits(context, task, drawn, unit)
        rows += [
            Row(f"silent:{panel}", drawn.setting, method, "accuracy_pct", value,
                reading=reading, run=run)
            for method, value in done[key, unit, run].items()
        ]  # fmt: skip
    return Result(rows, {"features": _features(context)})


def _features(context: Context) -> dict[str, list[int]]:
    """Dimensions of every treatment, to compare with the published 3837 and 7452."""
    return {
        key: [int(X.shape[1]) for X in task_of(context, data).Xs]
        for key, data in context.views.items()
    }
