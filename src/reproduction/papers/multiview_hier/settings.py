"""Data sets, views, methods, columns and settings of the paper."""

from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field

from reproduction.results.settings import PerKind, Runs, Settings, setting
from reproduction.results.tables import number, text

PAPER = "multiview_hier"
SCORES = MACRO, MICRO = "macro_f1_pct", "micro_f1_pct"

#: Data sets of Table 2 that are real: what the paper leaves open is run on them.
OPEN = ("cora", "webkb", "citeseer", "wikipedia_linqs", "pubmed", "leaves")
FLAT = (*OPEN, "citeseer2")
TABLE2 = (*FLAT, "nell_mv")
#: Real trees that stand in for the paper's own, which was never published.
STAND_INS = ("newsgroups_tree", "amazon_tree", "cora_tree")
TREES = ("nell_mv", *STAND_INS)
#: Data sets that are never real.
SURROGATES = ("citeseer2", "nell_mv")

#: View 1 and view 2 of every data set; the paper orders them by their F1. Link views: first id of
#: a line = document, second id = feature, in all files alike; that reading gives the published
#: numbers of features (see the data sets' notes). Leaves: the two that alone reach print.
VIEWS = {
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
}

#: Method of Table 2 -> how the estimator combines views.
FLAT_METHODS = {
    "V1": "view1", "V2": "view2", "V12": "concat", "COTRAIN": "cotrain", "PRODSCORE": "prod",
    "SUMSCORE": "sum", "MAXAGREE": "maxagree",
}  # fmt: skip
#: Hierarchical method of Table 4 -> its flat counterpart, which combines views alike.
COUNTERPART = {f"Hier-{name}": name for name in ("SUMSCORE", "PRODSCORE", "MAXAGREE")}
FLAT_NAMES = tuple(FLAT_METHODS)
HIER_NAMES = tuple(COUNTERPART)
#: Methods that Table 4 ranks.
RANKED = ("V12", "COTRAIN", *(name for hier, flat in COUNTERPART.items() for name in (flat, hier)))
CONTROLS = ("majority", "random")
#: Name of the rows that say on how many points the single views agree, and their metric.
BOTH_VIEWS, AGREEMENT = "V1 vs V2", "view_agreement"
#: Method and baseline whose gain is correlated with view imbalance, in Table 3.
GAINS = (("PRODSCORE", "V12"), ("MAXAGREE", "V12"), ("MAXAGREE", "PRODSCORE"))
#: Reading found after seeing print, and the points it scores.
LINKED = "linked documents"
#: Readings of the ontology's constraints beside the paper's own, which counts all ancestors and
#: all disjoint pairs -> options of the estimator.
CONSTRAINTS: dict[str, dict[str, Any]] = {
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
#: Setting -> the column that shows what a table of scores varies.
COLUMNS = {"level": LEVEL, "share": TRAIN, "scored": SCORED}
BOTH = ALL_POINTS, UNLABELLED = "", "unlabelled"

OTHERS = "others"
#: Data set -> kind: those whose partitions are counted apart, sampled trees, all others.
KINDS = {
    **{key: key for key in ("webkb", "cora", "citeseer", "leaves", "pubmed", "cora_tree")},
    **dict.fromkeys(("wikipedia_linqs", "citeseer2", "nell_mv"), OTHERS),
    **dict.fromkeys(("newsgroups_tree", "amazon_tree"), "stand_ins"),
}

T = TypeVar("T")
Share = Annotated[float, Field(gt=0, lt=100)]
Shares = Annotated[list[Share], Field(min_length=1, max_length=20)]
Rows = Annotated[int, Field(ge=10, le=100_000)]
Count = Annotated[int, Field(ge=1, le=10_000)]


class PerSet(PerKind, Generic[T]):
    """A value for each data set of Table 2 whose scores differ much between draws, or are cheap."""

    webkb: T
    cora: T
    citeseer: T
    leaves: T
    pubmed: T
    others: T


class PerTree(PerKind, Generic[T]):
    """A value for the real trees that stand in, for Cora's, and for the surrogate of NELL_mv."""

    stand_ins: T
    cora_tree: T
    others: T


def on_sets(**values: int) -> dict[str, int]:
    """Return a value for each data set of Table 2; ``others`` is that of all not named."""
    return {kind: values.get(kind, values[OTHERS]) for kind in PerSet.model_fields}


# fmt: off
class PaperSettings(Settings):
    """Settings of the paper on label sets in several views."""

    partitions: PerSet[Annotated[int, Field(ge=2, le=1000)]] = setting(
        on_sets(webkb=240, cora=80, citeseer=80, leaves=40, pubmed=40, others=10),
        "Random partitions per training share in Table 2 (the paper has 10), by how much scores "
        "differ between them; others are parts of the paper's data, surrogates and stand-ins.",
        quick=on_sets(others=2))
    train: Shares = setting(
        [10, 30], "Training shares of Table 2 in per cent (the paper has 10 and 30).")
    tree_train: Shares = setting(
        [5, 10, 15, 20, 25, 30],
        "Training shares of Table 4 in per cent (the paper has 5 to 30 in steps of 5).",
        quick=[10, 30])
    tree_runs: PerTree[Runs] = setting(
        {"stand_ins": 3, "cora_tree": 10, "others": 3},
        "Partitions per share of Table 4: the trees that stand in for NELL_mv, Cora's topic tree, "
        "and NELL_mv itself, a surrogate whose figures never count.",
        quick={"stand_ins": 1, "cora_tree": 1, "others": 2})
    tree_rows: PerTree[Rows] = setting(
        {"stand_ins": 200, "cora_tree": 100, "others": 100_000},
        "Documents kept of every leaf of a tree, drawn once.",
        quick={"stand_ins": 12, "cora_tree": 12, "others": 100_000})
    constraint_runs: Runs = setting(
        1, "Partitions on which the other readings of the ontology's constraints run, at the "
        "shares of Table 2.")
    choice_runs: Runs = setting(
        3, "Partitions per share for every choice the paper leaves open.", quick=1)
    mip_points: Count = setting(
        25, "E-step problems per data set and programme that cvxpy solves as a check.", quick=3)
    hypothesis_runs: PerSet[Runs] = setting(
        on_sets(webkb=40, others=20),
        "Partitions per share of the readings found after seeing print.",
        quick=on_sets(others=2))
    short_run: Count = setting(
        8, "Iterations of the reading 'short run', found after seeing print (the paper runs EM "
        "until nothing changes).", quick=2)
    iterations: Count = setting(50, "Cap on the EM iterations.", quick=3)
# fmt: on
