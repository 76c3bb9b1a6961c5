"""Table 2 on data near to the paper's: all classes of Wikipedia, and NELL's entities.

``all classes``
    A reading of Table 2 on more of the paper's Wikipedia documents: 3,165 of 3,363, with all 19
    classes, some of them without counts of words and with links that have no direction.
Entities of NELL
    A flat stand-in for NELL_mv in a table of its own. Most of its entities have no known class:
    they take part in the fits, and only the others are scored.
"""

import numpy as np

from manyviews.metrics import macro_f1, micro_f1
from reproduction.papers.multiview_hier.columns import ALL_POINTS, UNLABELLED
from reproduction.papers.multiview_hier.methods import FLAT_NAMES, MACRO, MICRO, VIEWS
from reproduction.papers.multiview_hier.protocol import (
    Prepared,
    Target,
    cases,
    controls,
    fit_flat,
    share_name,
    statistics,
)
from reproduction.papers.multiview_hier.trajectory import reading_rows
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

ALL_CLASSES = "all classes"
TABLE = "extra:stand_in"


def run_all_classes(context: Context) -> Result:
    """Wikipedia with all its classes, in the cells of Table 2."""
    settings, key = context.settings, context.job.dataset
    data = context.data
    prepared = Prepared.of(data.Xs(*VIEWS[key]))
    target = Target(None, data.labels, data.class_names)
    rows: list[Row] = []
    plan = list(cases(data.name, target, settings.train, range(settings.partitions.others)))
    for case in context.progress(plan, data.name):
        fits = fit_flat(prepared, case.given, settings.max_iter)
        labels = {name: done.labels for name, done in fits.items()}
        rows += reading_rows(case, labels, ALL_CLASSES, case.percent)
    facts = {"documents": data.n_rows, "classes": len(data.class_names)}
    return Result(rows, facts)


def run_flat(context: Context) -> Result:
    """Run the flat methods on a stand-in, scored on the points whose class is known."""
    settings, data = context.settings, context.data
    key = context.job.dataset
    prepared = Prepared.of(data.Xs(*VIEWS[key]))
    target = Target(None, data.labels, data.class_names)
    true = data.labels >= 0
    y = data.labels[true]
    rows: list[Row] = statistics(data, prepared)
    plan = list(cases(key, target, settings.train, range(settings.partitions.others)))
    for case in context.progress(plan, data.name):
        fits = fit_flat(prepared, case.given, settings.max_iter)
        labels = {name: done.labels[true] for name, done in fits.items()}
        known = case.known[true]
        seed = (key, share_name(case.percent), case.run)
        guesses = controls(y, known, seed)
        masks = {ALL_POINTS: np.ones(y.size, dtype=bool), UNLABELLED: ~known}
        for name, found in {**labels, **guesses}.items():
            role = "published" if name in FLAT_NAMES else "control"
            for scored, mask in masks.items():
                at = {"train": case.percent, "scored": scored}
                for metric, measure in ((MACRO, macro_f1), (MICRO, micro_f1)):
                    value = 100 * measure(y[mask], found[mask])
                    rows.append(Row(TABLE, at, name, metric, value, run=case.run, role=role))
        for scored, mask in masks.items():
            at = {"train": case.percent, "scored": scored}
            same = float(np.mean((labels["V1"] == labels["V2"])[mask]))
            rows.append(Row(TABLE, at, "V1 vs V2", "view_agreement", same, run=case.run))
    return Result(rows, {"entities": data.n_rows, "with a known class": int(true.sum())})
