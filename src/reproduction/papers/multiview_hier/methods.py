"""What is compared with what: views and methods, partly inferred from print."""

from collections.abc import Mapping

MACRO, MICRO = "macro_f1_pct", "micro_f1_pct"

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

#: Stand-ins whose released views are plain word counts; they get tf-idf weights, because the
#: commonest words of running text would drown everything else.
WEIGHTED = ("newsgroups_tree", "amazon_tree")

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
#: Method and baseline whose gain is correlated with view imbalance: Table 3, and one of ours.
GAINS = (("PRODSCORE", "V12"), ("MAXAGREE", "V12"), ("MAXAGREE", "PRODSCORE"))
OWN_GAINS = (("SUMSCORE", "V12"),)
#: Reading of ranks and correlations without the surrogates.
REAL_ONLY = "real data only"


def comparison_name(method: str, base: str) -> str:
    """Return how Table 3 names a comparison."""
    return f"{method} over {base}"
