"""Tables 1 and 2 in the declared reading, with the controls that bound Table 2."""

import numpy as np

from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa.methods import ALL_POSITIVE, MAJORITY, role_of
from reproduction.papers.twoview_pa.protocol import (
    declared_folds,
    f1_pct,
    printed_setting,
    signs,
    table_scores,
)
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row


def run(context: Context) -> Result:
    """Measure both tables."""
    return Result(statistics(context.data) + table_2(context).rows)


def table_2(context: Context) -> Result:
    """Measure Table 2."""
    data, settings = context.data, context.settings
    y = signs(data)
    at = printed_setting(settings)
    rows: list[Row] = []
    for fold, views, order in declared_folds(context, settings.repetitions, "Table 2"):
        positive = y[fold.test] > 0
        scores = table_scores(views, y, order, np.ones(1, bool), fold.test, settings)
        values = {method: float(f1_pct(found[0], positive)) for method, found in scores.items()}
        values[ALL_POSITIVE] = float(f1_pct(np.ones(positive.size), positive))
        values[MAJORITY] = values[ALL_POSITIVE] if (y[fold.train] > 0).mean() > 0.5 else 0.0
        rows += [
            Row("2", at, method, "f1_pct", value, run=fold.run, role=role_of(method))
            for method, value in values.items()
        ]
    return Result(rows)


def statistics(data: MultiViewData) -> list[Row]:
    """Return the figures of Table 1, and the rows that are empty in a view."""
    counts = {"positive": int((data.labels == 1).sum()), "negative": int((data.labels == 0).sum())}
    counts["total"] = data.n_rows
    rows = [Row("1", {}, "data set", metric, float(value)) for metric, value in counts.items()]
    for place, (name, view) in enumerate(data.views.items(), start=1):
        empty = int((np.diff(view.indptr) == 0).sum())
        facts = {"dimension": view.shape[1], "empty_rows": empty, "nonzeros": view.nnz}
        rows += [
            Row("1", {"place": place, "view": name}, "data set", metric, float(value))
            for metric, value in facts.items()
        ]
    return rows
