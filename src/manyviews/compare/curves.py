"""How the leading methods fare with fewer labels, and with views hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from manyviews.compare.comparison import Comparison, Curve, Point
from manyviews.compare.statistics import leader_of
from manyviews.compare.task import Split
from manyviews.seeding import generator
from manyviews.views import Views

#: Shares of the training labels that are shown.
BUDGETS = (0.1, 0.25, 0.5, 1.0)
#: Shares of the rows that lose one of their views, in training and in test.
HIDDEN = (0.0, 0.25, 0.5)
#: Splits a point is averaged over.
SPLITS = 3


def shown_methods(found: Comparison) -> list[str]:
    """Return the leader, the best of the papers' methods and plain concatenation."""
    scores = found.scores()
    keys = [leader_of(scores)]
    papers = {key: values for key, values in scores.items() if _family(found, key) == "paper"}
    keys += [leader_of(papers)] if papers else []
    keys += ["concatenation"] if "concatenation" in scores else []
    return list(dict.fromkeys(keys))


def _family(found: Comparison, key: str) -> str:
    return found.methods[key].family


def budget_rows(codes: np.ndarray, train: np.ndarray, share: float, name: str) -> np.ndarray:
    """Return a share of the training rows, drawn by class, at least one of each class."""
    rng = generator("compare", "budget", name)
    kept = []
    for c in np.unique(codes[train]):
        rows = rng.permutation(train[codes[train] == c])
        kept.append(rows[: max(1, round(share * rows.size))])
    return np.sort(np.concatenate(kept))


def with_hidden(views: Views, share: float, name: str) -> Views:
    """Return the views with one view hidden, drawn at random, in a share of the rows."""
    if share == 0:
        return views
    rng = generator("compare", "hidden", name)
    observed = views.observed.copy()
    rows = rng.permutation(len(views))[: round(share * len(views))]
    which = rng.integers(views.n_views, size=rows.size)
    enough = observed[rows].sum(axis=1) > 1  # no row loses its last view
    observed[rows[enough], which[enough]] = False
    return Views(views, observed=observed)


def curve_jobs(found: Comparison) -> list[Curve]:
    """Return the curves with what is to be fitted; settings are those chosen on the split."""
    codes, views = found.data.codes, found.data.views
    labels = Curve("Fewer labels", "share of the training labels")
    hidden = Curve("Views hidden", "share of rows that lose a view")
    for split in _first(found.splits):
        for key in shown_methods(found):
            settings = _settings(found, key, split.name)
            for share in BUDGETS:
                rows = budget_rows(codes, split.train, share, split.name)
                shown = np.full_like(codes, -1)
                shown[rows] = codes[rows]
                name = f"labels-{share:g}-{split.name}"
                labels.points.append(Point(key, share, name, split, shown, views, settings))
            if views.n_views < 2:
                continue
            shown = np.full_like(codes, -1)
            shown[split.train] = codes[split.train]
            for share in HIDDEN:
                part = with_hidden(views, share, split.name)
                name = f"hidden-{share:g}-{split.name}"
                hidden.points.append(Point(key, share, name, split, shown, part, settings))
    return [labels, *([hidden] if hidden.points else [])]


def _first(splits: Sequence[Split]) -> Sequence[Split]:
    return splits[:SPLITS]


def _settings(found: Comparison, key: str, split: str) -> dict[str, Any]:
    record = next(r for r in found.by_method(key) if r["split"] == split)
    return dict(record["settings"])
