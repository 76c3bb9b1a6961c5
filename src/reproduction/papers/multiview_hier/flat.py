"""Table 2: seven flat methods, macro and micro F1, view agreement."""

import numpy as np

from manyviews.assignment.ontology import Ontology
from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier.common import (
    Prepared,
    agreement,
    controls,
    fit_flat,
    paper_views,
    partition,
    score,
    setting_name,
    statistics,
)
from reproduction.results.jobs import Context, Result, Row


def labels_at_level(data: MultiViewData, level: int) -> tuple[np.ndarray, list[str]]:
    """Return each row's label at a level of the tree (the root is level 1) and their names."""
    assert data.ontology is not None
    ontology = Ontology(data.ontology)
    column = []
    for name in data.class_names:
        above = ontology.above[ontology.index[name]]
        column.append(int(np.flatnonzero(above & (ontology.depth == level - 1))[0]))
    used = sorted(set(column))
    of_leaf = np.array([used.index(c) for c in column])
    return of_leaf[data.labels], [ontology.names[c] for c in used]


def targets(data: MultiViewData) -> dict[str, tuple[np.ndarray, list[str]]]:
    """Return label of Table 2's rows -> classes; trees give one entry per level below the root."""
    if data.ontology is None:
        return {"": (data.labels, data.class_names)}
    depth = int(Ontology(data.ontology).depth.max())
    return {f"NELL_mv level={k}": labels_at_level(data, k) for k in range(2, depth + 2)}


def one_run(
    context: Context, prepared: Prepared, y: np.ndarray, label: str, percent: float, run: int
) -> list[Row]:
    """Return all rows of one partition."""
    setting = setting_name(percent)
    known = partition(context.job.dataset, percent, run, y)
    fits = fit_flat(prepared, y, known, context.settings["max_iter"])
    rows = []
    for name, done in fits.items():
        rows += score("2", setting, name, y, done.labels, known, run=run, label=label, source=done)
    for name, guess in controls(y, known, (context.job.dataset, label, setting, run)).items():
        rows += score("2", setting, name, y, guess, known, run=run, label=label)
    for reading, value in agreement(fits["V1"].labels, fits["V2"].labels, known).items():
        rows.append(Row("2", setting, "V1 vs V2", "view_agreement", value, reading, run, label))
    sets = fits["MAXAGREE"].model.label_sets_[~known]
    apart = (sets[:, 0] != sets[:, 1]).any(axis=1)
    differ = agreement(fits["MAXAGREE"].labels, fits["SUMSCORE"].labels, known)
    extra = {
        "views_disagree_pct": 100 * float(apart.mean()),
        "differs_from_sumscore_pct": 100 * (1 - differ["scored=unlabelled"]),
    }
    for metric, value in extra.items():
        rows.append(Row("extra:maxagree", setting, "MAXAGREE", metric, value, run=run, label=label))
    for name, done in fits.items():
        rows.append(
            Row(
                "extra:convergence", setting, name, "iterations", float(done.model.n_iter_),
                run=run, label=label,
            )
        )  # fmt: skip
        rows.append(
            Row(
                "extra:convergence", setting, name, "cycle_length",
                float(done.model.cycle_length_), run=run, label=label,
            )
        )  # fmt: skip
    return rows


def run(context: Context) -> Result:
    """Run Table 2 on one data set, all shares and partitions."""
    data = context.data
    prepared = paper_views(data)
    rows = statistics(data, prepared)
    details: dict[str, object] = {}
    plan = [
        (percent, number)
        for percent in context.settings["train"]
        for number in range(context.settings["runs"])
    ]
    for label, (y, names) in targets(data).items():
        counts = np.bincount(y, minlength=len(names)).tolist()
        details[label or data.name] = dict(zip(names, counts, strict=True))
        for percent, number in context.progress(plan, f"{data.name} {label}"):
            rows += one_run(context, prepared, y, label, percent, number)
    return Result(rows, details)
