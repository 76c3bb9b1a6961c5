"""Dalvi and Cohen (2015): optimal assignment of label sets in several views, flat and hierarchical.

Two readings of Table 2 share most choices. In the inferred one labelled points are drawn class by
class, Leaves are margin and texture, and COTRAIN is read from view 2. As the text says, they are
drawn over all classes together, Leaves are texture and shape, and COTRAIN follows the paper it
cites (Bickel and Scheffer): views take turns, and the label comes from both. All points are scored,
the labelled ones included, and the unlabelled ones alone, of which the text speaks.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from reproduction.papers.multiview_hier import protocol as base
from reproduction.papers.multiview_hier import settings as mh
from reproduction.papers.multiview_hier.summary import over_sets, over_shares
from reproduction.papers.multiview_hier.trees import checks, details, trees
from reproduction.results.rows import INFERRED
from reproduction.results.search import search_reading, search_table
from reproduction.results.study import Study
from reproduction.results.tables import text

study = Study(
    # the paper has both single views on the tree in Figure 11 and behind the view agreement
    mh.PAPER, mh.TABLE2, mh.PaperSettings, kinds=mh.KINDS, unprinted={"4": ("V1", "V2")},
)  # fmt: skip
study.views(base.views)
study.split(base.partition)
base.add_flat(study)


@study.metric("differs_from_sumscore_pct")
def not_sumscore(part: base.Draw, answer: base.Found, iterations: int) -> float:
    """Return the share of unlabelled points with another label than SUMSCORE's, in per cent."""
    return part.differing(answer, part.flat("SUMSCORE", iterations))


# -- Table 2, and what its fits tell besides

BY_SHARE = {"level": base.levels, "share": "train", "scored": mh.BOTH}
ON_ALL = {**BY_SHARE, "scored": [mh.ALL_POINTS]}

_two: dict[str, Any] = {"runs": "partitions", "job": "table2"}
table_2 = base.scores(study, "2", [*mh.FLAT_NAMES, *mh.CONTROLS], BY_SHARE, **_two)
base.table(
    study, "extra:maxagree", ["MAXAGREE"], {"level": base.levels, "share": "train"},
    metrics=["views_disagree_pct", "differs_from_sumscore_pct"], **_two,
)  # fmt: skip


@study.rival(table_2)
def rival(part: base.Draw, model: Any) -> base.Found:
    """Return the classes that a classifier gives; labelled rows keep theirs."""
    Xs = [view.raw.copy() for view in part.views.pair]
    labels = np.asarray(model.fit(Xs, part.given).predict(Xs))
    return base.Found(part.keep(labels))


# -- as the text says


@study.method("COTRAIN in turns, by angles")
def by_angles(part: base.Draw, iterations: int) -> base.Found:
    """Take the class whose means are nearest, by the sum of the angles in both views.

    The means are those of the rows on which the views agree. This is how the public implementation
    of the cited method reads its clusters; labelled rows keep their labels.
    """
    from manyviews.models.spherical_view import cosines

    model = part.model("COTRAIN", iterations, cotrain_order="alternating")
    agreed = model.label_sets_[:, 0] & model.label_sets_[:, 1]
    angles = [
        np.arccos(np.clip(cosines(view.X, view.centroids(agreed)), -1.0, 1.0))
        for view in part.views.pair
    ]
    return base.Found(part.keep(model.classes_[sum(angles).argmin(axis=1)]))


TEXT_METHODS = {name: name for name in mh.FLAT_NAMES} | {"COTRAIN": "COTRAIN in turns, by angles"}
# Section 4.2: view 1 is the one with the larger F1, so texture
for _datasets, _pair in ((mh.OPEN[:-1], ""), (["leaves"], "texture+shape")):
    base.scores(
        study, "2", TEXT_METHODS, BY_SHARE, given={"draw": "uniform", "pair": _pair},
        runs="partitions", job="text", reading="text", datasets=_datasets,
    )  # fmt: skip


# -- what the paper leaves open: what Table 2 takes, and every other sensible choice


def choice(
    topic: str, methods: Sequence[str], *others: Mapping[str, Any],
    own: Mapping[str, Any] | None = None, pair: str = "", **more: Any,
) -> None:  # fmt: skip
    """Declare an open choice: the ``own`` values of Table 2, and others; ``pair`` is its column."""
    taken: dict[str, Any] = {name: [base.TAKEN[name]] for other in others for name in other}
    taken |= own or {}
    shown = {name: pair if name == "pair" else name.removeprefix("cotrain_") for name in taken}
    words = {
        name: text(column, f"{column.replace('_', ' ')}={{}}") for name, column in shown.items()
    }
    for reading, chosen in ((INFERRED, taken), *(("other", {**taken, **each}) for each in others)):
        base.table(
            study, f"choice:{topic}", methods, {**chosen, "share": "train", "scored": mh.BOTH},
            metrics=mh.SCORES, runs="choice_runs", job="choices", given={"level": None},
            columns={**words, **mh.COLUMNS}, reading=reading, **{"datasets": mh.OPEN, **more},
        )  # fmt: skip


LINKS = ("cited", "cites", "links")
PAIRS = ["margin+texture", "shape+texture", "margin+shape"]
WITH_LINKS = ("V2", "V12", "COTRAIN", "PRODSCORE", "SUMSCORE")
#: They have words and links; Leaves have neither.
LINKED_SETS: dict[str, Any] = {"datasets": mh.OPEN[:-1]}
# fmt: off
choice("cotrain", ["COTRAIN"], {"readout": ["view1", "sum"]},
       {"readout": ["view1", "view2", "sum"], "cotrain_order": ["alternating"]},
       own={"readout": ["view2"]})
choice("readout", ["MAXAGREE"], {"readout": ["view1", "view2"]}, own={"readout": ["sum"]})
choice("link", WITH_LINKS,
       {"pair": lambda data: [link for link in LINKS if link != mh.VIEWS[data.name][1]]},
       own={"pair": lambda data: [mh.VIEWS[data.name][1]]}, pair="link", **LINKED_SETS)
choice("weights", ["V1", "V12", "SUMSCORE"],
       {"words": ["0/1", "1+idf"]}, {"centroids": ["raw rows"]}, **LINKED_SETS)
choice("concat", ["V12"], {"concat": ["scaled views"]})
choice("zero_products", ["PRODSCORE"], {"zero_products": ["sum"]})
choice("draw", ["V1", "SUMSCORE"], {"draw": ["uniform"]})
# rows without links all fall to the first class: which class comes first matters
choice("class_order", ["V1", *WITH_LINKS], {"first_class": lambda data: data.class_names[1:]},
       own={"first_class": lambda data: data.class_names[:1]}, datasets=["pubmed"])
choice("leaves", mh.FLAT_NAMES, {"pair": PAIRS[1:]}, {"pair": PAIRS, "join": ["line"]},
       own={"pair": PAIRS[:1]}, pair="views", datasets=["leaves"], files=["by_line"])
# fmt: on


# -- a declared search: how may SUMSCORE and MAXAGREE have been computed?
#
# On WebKB and Leaves print has both lower than we do, and no reading tried before explains it. The
# readings were written down before any of them was run; all of them are shown, and what the
# nearest one is worth is judged against the best of as many random readings. Cora and CiteSeer are
# searched too, where print is met already: a reading that explains WebKB must not lose them.

SEARCHED = ("webkb", "leaves", "cora", "citeseer")
BY_SUM = ("SUMSCORE", "MAXAGREE")


@study.several({f"{name}, views apart": name for name in BY_SUM})
def apart(part: base.Draw, iterations: int) -> dict[str, base.Found]:
    """Train each view alone; then the cosines are summed, or the surer view decides."""
    one, two = (part.model(name, iterations).scores_[:, 0] for name in ("V1", "V2"))
    surer = np.where(one.max(axis=1) >= two.max(axis=1), one.argmax(axis=1), two.argmax(axis=1))
    found = {"SUMSCORE": (one + two).argmax(axis=1), "MAXAGREE": surer}
    return {name: base.Found(part.keep(labels)) for name, labels in found.items()}


def read_otherwise(part: base.Draw, iterations: int, *, method: str) -> dict[str, base.Found]:
    """Fit as declared; then the largest cosine of any view decides, or all points are predicted."""
    model = part.model(method, iterations)
    surest = part.keep(model.scores_.max(axis=1).argmax(axis=1))
    again = model.predict([view.raw for view in part.views.pair])
    return {"surest view": base.Found(surest), "predicted again": base.Found(again)}


for _name in BY_SUM:
    study.several({f"{_name}, {how}": how for how in ("surest view", "predicted again")})(
        partial(read_otherwise, method=_name)
    )


def of_both(variant: str) -> dict[str, str]:
    """Return both methods in a variant."""
    return {name: f"{name}, {variant}" for name in BY_SUM}


#: Reading -> what it changes: settings, or what print calls by the name of a method.
SEARCH: dict[str, dict[str, Any]] = {
    "one iteration": {"iterations": 1},
    "three iterations": {"iterations": 3},
    "eight iterations": {"iterations": 8},
    "views trained apart": of_both("views apart"),
    "the surest view decides": of_both("surest view"),
    "centroids of rows as they are": {"centroids": "raw rows"},
    "rows that lack a view are masked": {"missing": "mask"},
    "labelled points predicted again": of_both("predicted again"),
    "labelled points drawn over all classes": {"draw": "uniform"},
    "unlabelled points scored": {"scored": mh.UNLABELLED},
    "words as 0/1": {"words": "0/1"},
    "words times 1 + idf": {"words": "1+idf"},
    "another second view": {"pair": "cites"},
    "read from view 1": {"readout": "view1"},
    "read from view 2": {"readout": "view2"},
    "labels of the concatenation": dict.fromkeys(BY_SUM, "V12"),
    "disagreement costs nothing": {"alphas": (0.5, 0.0, 1.0)},
    "disagreement costs ten times as much": {"alphas": (0.5, 1.0, 1.0)},
}
#: Leaves have no words and another third view, and an exact solver that takes minutes on a
#: partition with a hundred classes is left out there.
ON_LEAVES = {
    "words as 0/1": None, "words times 1 + idf": None,
    "another second view": {"pair": "shape"}, "disagreement costs ten times as much": None,
}  # fmt: skip
for _reading, _changes in SEARCH.items():
    for _dataset in SEARCHED:
        _own = ON_LEAVES.get(_reading, _changes) if _dataset == "leaves" else _changes
        if _own is not None:
            _given = {name: v for name, v in _own.items() if name not in BY_SUM}
            base.table(
                study, search_table("2"), {name: _own.get(name, name) for name in BY_SUM}, ON_ALL,
                metrics=[mh.MACRO], runs="choice_runs", job="search", role="ours", given=_given,
                datasets=[_dataset], reading=search_reading("sum_scores", _reading),
            )  # fmt: skip


# -- readings found after seeing print
#
# The paper says that EM runs until nothing changes; its figures lie nearer to fits of a few
# iterations. Other readings: the views' agreement over documents that have links; PubMed's cells of
# the largest share from runs at the smallest, or with labelled points predicted again, where points
# without a view fall to the largest class.


@study.several({f"{name} predicted again": name for name in (*mh.FLAT_NAMES, mh.BOTH_VIEWS)})
def predicted_again(part: base.Draw, iterations: int) -> dict[str, Any]:
    """Return labels that are predicted for labelled points too; ties go to the largest class."""
    first = int(base.counts(part).argmax())
    found: dict[str, Any] = {}
    for name in mh.FLAT_NAMES:
        model = part.model(name, iterations, first)
        used = [part.views.both] if name == "V12" else part.views.pair
        labels = model.predict([view.raw for view in used])
        found[name] = base.Found((labels + first) % len(part.views.data.class_names))
    return {**found, mh.BOTH_VIEWS: found["V1"].labels == found["V2"].labels}


_after: dict[str, Any] = {"runs": "hypothesis_runs", "datasets": mh.OPEN, "job": "hypotheses"}


def reading(name: str, vary: Mapping[str, Any], variant: str = "{}", **more: Any) -> None:
    """Declare a reading of Table 2: every method, and the views' agreement, over all points."""
    base.scores(
        study, "2", {own: variant.format(own) for own in mh.FLAT_NAMES}, {**ON_ALL, **vary},
        [mh.MACRO], variant.format(mh.BOTH_VIEWS), reading=name, **more,
    )  # fmt: skip


reading("short run", {"iterations": lambda short_run: [short_run]}, **_after)
base.table(
    study, "2", [mh.BOTH_VIEWS], ON_ALL, metrics=[mh.AGREEMENT], reading=mh.LINKED,
    given={"scored": mh.LINKED}, **_after,
)  # fmt: skip
_after["datasets"] = ["pubmed"]
reading(
    "share mislabelled",
    {"share": lambda train: [min(train)], "cells": lambda train: [max(train)]},
    columns={"level": mh.LEVEL, "cells": mh.TRAIN, "scored": mh.SCORED}, **_after,
)  # fmt: skip
reading("predicted again", {"share": lambda train: [max(train)]}, "{} predicted again", **_after)


# -- more of the paper's Wikipedia: of its 3,363 documents 3,165, with all 19 classes, some of them
# without counts of words and with links that have no direction

reading(
    "all classes", {"join": ["more rows"]}, runs="partitions", datasets=["wikipedia_linqs"],
    job="all_classes", files=["all_classes"],
)  # fmt: skip


# -- trees, the check of the solvers, and what is made of rows

study.include(trees, checks)
study.details("table4")(details)
study.summary("table4", {"4": (mh.TRAIN, mh.SCORED)})(over_shares)
study.summary("summary", {"2": (mh.SCORED,), "3": (mh.SCORED,)}, after=["table2"])(over_sets)
