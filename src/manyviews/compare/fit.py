"""Fit a method without ever seeing the labels it is scored on; tune it on training rows alone."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from manyviews.compare.method import Facts, Method, Settings
from manyviews.seeding import integer_seed
from manyviews.views import Views

#: Labelled rows from which one validation split takes the place of three folds.
MANY = 1000


@dataclass
class Answer:
    """What a method predicted on a split, with the settings it chose and tried.

    Seconds are those of the processor; memory is what came on top of what was used before.
    """

    predicted: np.ndarray
    settings: Settings
    tried: list[tuple[Settings, float]]
    tune_seconds: float
    fit_seconds: float
    memory_mb: float | None


def fitted(
    method: Method, facts: Facts, settings: Settings, views: Views, shown: np.ndarray, seed: int
) -> Any:
    """Return a fitted estimator.

    Parameters
    ----------
    method, facts, settings, seed
        What is fitted.
    views
        All rows.
    shown
        Class numbers that may be seen, -1 elsewhere. Nothing else about labels comes in here.
    """
    estimator = method.build(facts, settings, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a method that did not converge is scored as it is
        if facts.clustering:
            return estimator.fit(views)
        if method.transductive:
            return estimator.fit(views, shown)
        known = np.flatnonzero(shown >= 0)
        return estimator.fit(views[known], shown[known])


def answered(
    method: Method, facts: Facts, settings: Settings, views: Views, shown: np.ndarray,
    rows: np.ndarray, seed: int,
) -> np.ndarray:  # fmt: skip
    """Return the predictions of some rows, from labels of others."""
    estimator = fitted(method, facts, settings, views, shown, seed)
    if facts.clustering or method.transductive:
        return np.asarray(estimator.labels_)[rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(estimator.predict(views[rows]))


def inner_splits(shown: np.ndarray, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return validation splits of the rows whose labels may be seen.

    Three folds; one split of a quarter with 1,000 rows or more; none if no class has two rows.
    """
    known = np.flatnonzero(shown >= 0)
    counts = np.unique(shown[known], return_counts=True)[1]
    if counts.size < 2 or counts.max() < 2:
        return []
    splitter: Any
    if known.size >= MANY and counts.min() >= 2:
        splitter = StratifiedShuffleSplit(1, test_size=0.25, random_state=seed)
    else:
        n_folds = min(3, int(counts.max()))
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes with fewer rows than folds
        pairs = list(splitter.split(known, shown[known]))
    return [(known[train], known[test]) for train, test in pairs]


def tuned(
    method: Method, facts: Facts, views: Views, shown: np.ndarray, seed: int
) -> tuple[Settings, list[tuple[Settings, float]]]:
    """Choose settings by macro F1 on held-out training rows; the first of equals wins."""
    grid = list(method.grid)
    splits = inner_splits(shown, seed) if len(grid) > 1 and not facts.clustering else []
    if not splits:
        return grid[0], []
    tried = []
    for settings in grid:
        scores = []
        for train, test in splits:
            part = np.full_like(shown, -1)
            part[train] = shown[train]
            guess = answered(method, facts, settings, views, part, test, seed)
            scores.append(
                f1_score(shown[test], guess, average="macro", labels=np.unique(shown[test]),
                         zero_division=0)
            )  # fmt: skip
        tried.append((settings, float(np.mean(scores))))
    best = max(range(len(tried)), key=lambda i: (tried[i][1], -i))
    return tried[best][0], tried


def evaluate(
    method: Method, facts: Facts, views: Views, shown: np.ndarray, rows: np.ndarray, split: str,
    settings: Settings | None = None,
) -> Answer:  # fmt: skip
    """Tune on what is shown (unless settings are given), fit and predict some rows."""
    seed = integer_seed("compare", "method", method.key, split)
    base = reset_peak()
    start = time.process_time()
    tried: list[tuple[Settings, float]] = []
    if settings is None:
        settings, tried = tuned(method, facts, views, shown, seed)
    middle = time.process_time()
    predicted = answered(method, facts, settings, views, shown, rows, seed)
    end = time.process_time()
    peak = peak_mb()
    extra = None if base is None or peak is None else max(0.0, peak - base)
    return Answer(predicted, settings, tried, middle - start, end - middle, extra)


def reset_peak() -> float | None:
    """Start measuring the peak of this process's memory anew; return what it uses now, in MB."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:  # not Linux, or not allowed
        return None
    return peak_mb()


def peak_mb() -> float | None:
    """Return the peak of this process's memory since :func:`reset_peak`; None if unknown."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            line = next(line for line in file if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return None
    return int(line.split()[1]) / 1024


def settings_text(settings: Mapping[str, Any]) -> str:
    """Return settings as one text, the same every time."""
    return json.dumps(dict(settings), sort_keys=True)
