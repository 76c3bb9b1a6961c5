"""The shape of the paper's tables, and the names that jobs, claims and page share."""

from reproduction.results import rows
from reproduction.results.tables import Table, Tables, number, text

PAPER = "coplsa_clustering"
TABLE_1 = "1"
FIGURE_2 = "fig2"

#: The paper's own methods: on two and on three views.
TWO, THREE = "CoPLSA(2)", "CoPLSA(3)"
#: The control with the partner view's rows shuffled.
PLACEBO = "CoPLSA(2) shuffled"

#: The reading compared with print, and others.
INFERRED = rows.INFERRED
SAFEGUARDED = "safeguarded update"
RESCALED = "rescaled lambda"
STRONG = "strong lambda"

#: Rules by which the best view may be chosen: the paper's, and two that see no labels.
RULES = ("accuracy", "silhouette", "likelihood")

_VIEW = text("view")
_SCALE = text("scale", "scale={}")
_SHARE = number("share", "share={:g}")
_SWEEP = text("sweep")
#: Which lambda a panel has: the paper's, a strong one, a strong one for each pair.
_STRENGTH = (text("strength"), number("lambda_", "lambda={:g}"))

TABLES = Tables(
    Table(TABLE_1),
    # readings of declared searches that stand for cells of Table 1
    Table("search:1"),
    Table(FIGURE_2, (number("lambda_", "lambda={:g}"), _SCALE), methods=(TWO,)),
    # which view is the best: the rules' scores, and every view's clusters
    Table("choice:best_view", (text("rule"), _VIEW)),
    Table("choice:view", (_VIEW,)),
    # the width is a number, or measured
    Table(
        "choice:sigma",
        (
            number("sigma", "sigma={:g}", optional=True),
            text("width", "sigma={}", optional=True),
            *_STRENGTH,
        ),
    ),
    Table("choice:pairs", (_SHARE, *_STRENGTH)),
    Table("choice:iterations", (number("steps", "iterations={:g}"),)),
    Table("choice:scale", (_SCALE, text("view", optional=True))),
    Table("choice:sift", (_VIEW, _SCALE)),
    # PLSA started from k-means on square roots, step by step
    Table("trajectory", (number("steps", "iterations={:g}"), _VIEW)),
    Table("extra:diagnostics"),
    Table("extra:missing", (number("missing", "missing={:g}"), text("scored"))),
    Table("extra:cost", (_SWEEP, _SHARE)),
    Table("extra:cost_time", (_SWEEP, _SHARE), timed=True),
)
