"""Data sets, views, methods and columns of the paper; light, because claims and pages need them."""

from collections.abc import Mapping
from typing import Any

from reproduction.results.tables import number, text

PAPER = "multiview_hier"
MACRO, MICRO = "macro_f1_pct", "micro_f1_pct"

#: Data sets of Table 2 that are real: what the paper leaves open is run on them.
OPEN = ("cora", "webkb", "citeseer", "wikipedia_linqs", "pubmed", "leaves")
FLAT = (*OPEN, "citeseer2")
TABLE2 = (*FLAT, "nell_mv")
#: Real trees that stand in for the paper's own, which was never published.
STAND_INS = ("newsgroups_tree", "amazon_tree", "cora_tree")
TREES = ("nell_mv", *STAND_INS)
#: Data sets that are never real.
SURROGATES = ("citeseer2", "nell_mv")

#: View 1 and view 2 of every data set. The paper orders views by their
#: F1. Link views: first id of a line = document, second id = feature, in all files alike; that
#: reading gives the published numbers of features (see the data sets' notes). Leaves: margin and
#: texture, which alone reach the published figures.
VIEWS: Mapping[str, tuple[str, str]] = {
    "cora": ("content", "cited"),
    "webkb": ("content", "cited"),
    "citeseer": ("content", "cited"),
    "wikipedia_linqs": ("content", "cites"),
    "pubmed": ("content", "cites"),
    "leaves": ("margin", "texture"),
    "citeseer2": ("content", "links"),
    "nell_mv": ("text", "table"),
    "newsgroups_tree": ("body", "subject"),
    "amazon_tree": ("title", "text"),
    "cora_tree": ("authors", "content"),
    "nell_entities": ("relations", "text"),
}

#: Method of Table 2 -> how the estimator combines views.
FLAT_METHODS: Mapping[str, str] = {
    "V1": "view1",
    "V2": "view2",
    "V12": "concat",
    "COTRAIN": "cotrain",
    "PRODSCORE": "prod",
    "SUMSCORE": "sum",
    "MAXAGREE": "maxagree",
}
#: Hierarchical method of Table 4 -> its flat counterpart, which combines views alike.
COUNTERPART: Mapping[str, str] = {
    "Hier-SUMSCORE": "SUMSCORE",
    "Hier-PRODSCORE": "PRODSCORE",
    "Hier-MAXAGREE": "MAXAGREE",
}
FLAT_NAMES = tuple(FLAT_METHODS)
HIER_NAMES = tuple(COUNTERPART)
#: Methods that Table 4 ranks.
RANKED = (
    "V12", "COTRAIN", "SUMSCORE", "Hier-SUMSCORE", "PRODSCORE", "Hier-PRODSCORE", "MAXAGREE",
    "Hier-MAXAGREE",
)  # fmt: skip
CONTROLS = ("majority", "random")
#: Name of the rows that say on how many points the single views agree, and their metric.
BOTH_VIEWS, AGREEMENT = "V1 vs V2", "view_agreement"
#: Method and baseline whose gain is correlated with view imbalance: Table 3, and one of ours.
GAINS = (("PRODSCORE", "V12"), ("MAXAGREE", "V12"), ("MAXAGREE", "PRODSCORE"))
OWN_GAINS = (("SUMSCORE", "V12"),)
#: Readings: ranks and correlations without the surrogates; what Table 2 does not take; as the
#: text says; four found after seeing print; more of the paper's Wikipedia.
REAL_ONLY, OTHER, TEXT = "real data only", "other", "text"
SHORT, LINKED = "short run", "linked documents"
MISLABELLED, AGAIN, ALL_CLASSES = "share mislabelled", "predicted again", "all classes"
#: Readings of the ontology's constraints beside the paper's own, which counts all ancestors and
#: all disjoint pairs -> options of the estimator.
CONSTRAINTS: Mapping[str, Mapping[str, Any]] = {
    "parents+siblings": {"subset": "parents", "mutex": "siblings"},
    "hard": {"consistency": "hard"},
}

#: Level of the class tree (the root is 1); flat data sets have none.
LEVEL = number("level", "level={:g}", optional=True, part=True, shown="level {:g}")
#: Labelled share in per cent; ranks over all shares have none.
TRAIN = number("train", "train={:g}%", optional=True, shown="{:g} % labelled")
#: Points that were scored; empty for all of them, as the published tables have it.
SCORED = text("scored", "scored={}", optional=True)
ITERATION = number("iteration", "iteration={:02g}")
ALL_POINTS, UNLABELLED = "", "unlabelled"


def comparison_name(method: str, base: str) -> str:
    """Return how Table 3 names a comparison."""
    return f"{method} over {base}"
