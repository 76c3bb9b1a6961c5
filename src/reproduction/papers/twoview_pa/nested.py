"""C and gamma chosen by nested cross-validation: no test row takes part in any choice.

Inside every training fold an inner cross-validation scores the grid's values; the best mean F1
wins (ties: the first in the declared order), the winner is trained on the whole training fold.
"""

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa.protocol import (
    SINGLE_METHODS,
    TWO_VIEW_METHODS,
    Fold,
    f1_pct,
    folds,
    kept_passes,
    orders,
    scale_views,
    signs,
    single_scores,
    two_view_scores,
)
from reproduction.results.jobs import Context, Result, Row

Table = dict[tuple[str, str], np.ndarray]


def run(context: Context) -> Result:
    """Tune each method for each row scaling and number of passes, and once over these too."""
    data, settings = context.data, context.settings
    nested = settings["nested"]
    y = signs(data)
    rows: list[Row] = []
    choices: dict[str, dict[str, int]] = {}
    splits = list(folds(y, settings["folds"], nested["repetitions"], data.name))
    for fold in context.progress(splits, f"{data.name} nested"):
        number = fold.repetition * settings["folds"] + fold.number
        inner = _mean_inner(data, y, fold, settings)
        outer = _scores(data, y, fold, settings, (data.name,))
        for reading, method, value, choice in _select(inner, outer, settings):
            setting = f"{settings['folds']}-fold;nested"
            rows.append(Row("2", setting, method, "f1_pct", value, reading=reading, run=number))
            counts = choices.setdefault(f"{reading} | {method}", {})
            counts[choice] = counts.get(choice, 0) + 1
    return Result(rows, {"choices": choices})


def _methods() -> list[str]:
    return [*SINGLE_METHODS, *(m for m, (_, gate) in TWO_VIEW_METHODS.items() if gate == "loss")]


def _candidates(method: str, settings: Mapping[str, Any]) -> list[str]:
    """Return the names of the values a method chooses from, in the declared order."""
    grid = settings["grid"]
    if method in SINGLE_METHODS:
        return [f"C={C:g}" for C in grid["C"]]
    return [f"C={C:g};gamma={g:g}" for C, g in product(grid["C"], grid["gamma"])]


def _scores(
    data: MultiViewData,
    y: np.ndarray,
    fold: Fold,
    settings: Mapping[str, Any],
    names: tuple[str | int, ...],
) -> Table:
    """Return F1 (candidate x passes) of every method and row scaling on one split."""
    grid, passes = settings["grid"], settings["nested"]["passes"]
    positive = y[fold.test] > 0
    pairs = list(product(grid["C"], grid["gamma"]))
    table: Table = {}
    for rows in grid["rows"]:
        views = scale_views(data, rows, fold.train)
        sequence = orders(fold, max(passes), "shuffled", *names)
        point = (views, y, sequence, kept_passes(passes), fold.test)
        for method, scores in single_scores(*point, grid["C"]).items():
            table[method, rows] = f1_pct(scores, positive)
        for method in _methods()[len(SINGLE_METHODS) :]:
            variant, gate = TWO_VIEW_METHODS[method]
            scores = two_view_scores(*point, pairs, variant, gate)
            table[method, rows] = f1_pct(scores, positive)
    return table


def _mean_inner(
    data: MultiViewData, y: np.ndarray, fold: Fold, settings: Mapping[str, Any]
) -> Table:
    """Return the mean over the inner folds of a training fold."""
    names: tuple[str | int, ...] = (data.name, "inner", fold.repetition, fold.number)
    sums: Table = {}
    n_folds = settings["nested"]["inner_folds"]
    for split in folds(y[fold.train], n_folds, 1, *names):
        part = Fold(0, split.number, fold.train[split.train], fold.train[split.test])
        for key, value in _scores(data, y, part, settings, names).items():
            sums[key] = sums.get(key, 0.0) + value / n_folds
    return sums


def _select(
    inner: Table, outer: Table, settings: Mapping[str, Any]
) -> list[tuple[str, str, float, str]]:
    """Return (reading, method, test F1 of the winner, winner) for every reading and method."""
    passes = sorted(settings["nested"]["passes"])
    out = []
    for method in _methods():
        names = _candidates(method, settings)
        best: tuple[float, float, str] | None = None
        for rows, (j, count) in product(settings["grid"]["rows"], enumerate(passes)):
            column = inner[method, rows][:, j]
            k = int(np.argmax(column))
            value = float(outer[method, rows][k, j])
            out.append((f"tuned;rows={rows};passes={count}", method, value, names[k]))
            if best is None or column[k] > best[0]:
                best = (float(column[k]), value, f"rows={rows};passes={count};{names[k]}")
        assert best is not None
        out.append(("tuned;rows and passes too", method, best[1], best[2]))
    return out
