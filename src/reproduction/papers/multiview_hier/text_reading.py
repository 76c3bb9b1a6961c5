"""Table 2 as the text says: every open choice read by the paper's words, or by the field's default.

Labelled points are drawn over all classes together, the leaves are described by shape and texture,
and COTRAIN follows the paper it cites (Bickel and Scheffer): views take turns, and the label comes
from both. What the paper's words settle is as in Table 2. Scores are over all points and over the
unlabelled ones; the text speaks of the latter.
"""

from collections.abc import Mapping

import numpy as np

from manyviews.models.spherical_view import cosines
from reproduction.papers.multiview_hier.choices import uniform_draw
from reproduction.papers.multiview_hier.methods import FLAT_NAMES, VIEWS
from reproduction.papers.multiview_hier.protocol import (
    Case,
    Fit,
    Prepared,
    agreement,
    fit_flat,
    score,
    targets,
)
from reproduction.papers.multiview_hier.table2 import place
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

#: Reading of these rows.
TEXT = "text"

#: Views that the text names where Table 2 takes others.
TEXT_VIEWS: Mapping[str, tuple[str, str]] = {"leaves": ("shape", "texture")}


COTRAIN = "COTRAIN"


def smallest_angles(done: Fit, prepared: Prepared, given: np.ndarray) -> np.ndarray:
    """Return the class whose means are nearest, by the sum of the angles in both views.

    The means are those of the rows on which the views agree. This is how the public implementation
    of the cited method reads its clusters; labelled rows keep their labels.
    """
    sets = done.model.label_sets_
    agreed = sets[:, 0] & sets[:, 1]
    angles = [
        np.arccos(np.clip(cosines(view.X, view.centroids(agreed)), -1.0, 1.0))
        for view in prepared.pair
    ]
    return np.where(given >= 0, given, done.model.classes_[sum(angles).argmin(axis=1)])


def one_run(context: Context, prepared: Prepared, case: Case) -> list[Row]:
    """Return the rows of all methods on one partition."""
    given, most = case.given, context.settings.max_iter
    alone = [name for name in FLAT_NAMES if name != COTRAIN]
    fits = fit_flat(prepared, given, most, alone)
    labels = {name: done.labels for name, done in fits.items()}
    turns = fit_flat(prepared, given, most, (COTRAIN,), cotrain_order="alternating")[COTRAIN]
    labels[COTRAIN] = smallest_angles(turns, prepared, given)
    at, rows = place(case), []
    for name, guess in labels.items():
        rows += score("2", at, name, case.y, guess, case.known, run=case.run, reading=TEXT)
    for scored, value in agreement(labels["V1"], labels["V2"], case.known).items():
        rows.append(
            Row(
                "2", {**at, "scored": scored}, "V1 vs V2", "view_agreement", value,
                reading=TEXT, run=case.run,
            )
        )  # fmt: skip
    return rows


def run(context: Context) -> Result:
    """Run Table 2 on one data set, all shares and partitions."""
    data, settings, key = context.data, context.settings, context.job.dataset
    prepared = Prepared.of(data.Xs(*TEXT_VIEWS.get(key, VIEWS[key])))
    rows: list[Row] = []
    for target in targets(data):
        numbers = range(settings.partitions.of(key))
        plan = [(share, number) for share in settings.train for number in numbers]
        for share, number in context.progress(plan, f"{data.name} as the text says"):
            known = uniform_draw(key, share, number, target.y)
            rows += one_run(context, prepared, Case(target, share, number, known))
    return Result(rows)
