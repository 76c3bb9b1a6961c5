"""Fit a method without ever seeing the labels it is scored on; tune it on training rows alone."""

import warnings
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, StratifiedShuffleSplit
from sklearn.pipeline import Pipeline

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.task import ranked
from manyviews.metrics import macro_f1
from manyviews.views import Views

#: Labelled rows from which one validation split takes the place of three folds.
MANY = 1000


def answered(
    method: Method, facts: Facts, settings: Settings, views: Views, shown: np.ndarray,
    rows: np.ndarray, seed: int,
) -> np.ndarray:  # fmt: skip
    """Return predictions of some rows, from labels of others; or views x rows x directions.

    ``shown`` are the class numbers that may be seen, -1 elsewhere. Nothing else about labels comes
    in here.
    """
    known = np.flatnonzero(shown >= 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a method that did not converge is scored as it is
        estimator = method.build(facts, settings, seed)
        if facts.kind == "cluster":
            estimator.fit(views)
        elif method.transductive:
            estimator.fit(views, shown)
        else:
            estimator.fit(views[known], shown[known])
        if facts.kind == "cluster" or method.transductive:
            while isinstance(estimator, Pipeline):
                estimator = estimator[-1]
            found = getattr(estimator, "transduction_", None)  # of label spreading
            return np.asarray(estimator.labels_ if found is None else found)[rows]
        if facts.kind == "retrieve":
            # a view is embedded without the others
            places = [estimator.embed(v, X) for v, X in enumerate(views[rows].matrices)]
            return np.stack(places)
        return np.asarray(estimator.predict(views[rows]))


def inner_splits(
    shown: np.ndarray, seed: int, *, one_class: bool = False
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return validation splits of the rows whose labels may be seen.

    Three folds; one split of a quarter with 1,000 rows or more; none if no class has two rows.
    Rows without classes (``one_class``) are split at random.
    """
    known = np.flatnonzero(shown >= 0)
    counts = np.unique(shown[known], return_counts=True)[1]
    splitter: Any
    if one_class:
        splitter = KFold(3, shuffle=True, random_state=seed)
    elif counts.size < 2 or counts.max() < 2:
        return []
    elif known.size >= MANY and counts.min() >= 2:
        splitter = StratifiedShuffleSplit(1, test_size=0.25, random_state=seed)
    else:
        splitter = StratifiedKFold(min(3, int(counts.max())), shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes with fewer rows than folds
        return [(known[a], known[b]) for a, b in splitter.split(known, shown[known])]


def tuned(
    method: Method, facts: Facts, views: Views, shown: np.ndarray, seed: int
) -> tuple[Settings, list[tuple[Settings, float]]]:
    """Choose settings on held-out training rows; the first of equals wins.

    The score is macro F1, for retrieval the mean average precision. Clusters have no score: the
    first setting is theirs.
    """
    splits = []
    if len(method.grid) > 1 and facts.kind != "cluster":
        splits = inner_splits(shown, seed, one_class=facts.n_classes < 2)
    if not splits:
        return method.grid[0], []
    tried = []
    for settings in method.grid:
        scores = []
        for train, test in splits:
            part = np.full_like(shown, -1)
            part[train] = shown[train]
            guess = answered(method, facts, settings, views, part, test, seed)
            if facts.kind == "retrieve":
                scores.append(ranked(guess, shown[test], facts.n_classes))
            else:
                scores.append(macro_f1(shown[test], guess))
        tried.append((settings, float(np.mean(scores))))
    return max(tried, key=lambda one: one[1])[0], tried
