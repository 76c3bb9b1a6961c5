"""The shape of the paper's tables, and the names that stand in their columns."""

from reproduction.results.rows import INFERRED
from reproduction.results.tables import Table, Tables, number, text

SCM, LINK, L1, L2, SKL = "SCM", "Link PLSA", "l1 coPLSA", "l2 coPLSA", "sKL coPLSA"
COUPLED = (L1, L2, SKL)
TOPIC_MODELS = (LINK, *COUPLED)
METHODS = (SCM, *TOPIC_MODELS)

#: The earlier l2 update that the paper criticises.
TWO_STEP = "l2, two-step update"
#: Both compositions at once, which the paper does not have.
JOINT_STEP = "l1, joint step"

SPACES = ("topic", "semantic")
DIRECTIONS = ("i2t", "t2i")

#: Protocol -> reading. Joint: the two sides of an evaluated pair are folded in together, which is
#: what the published figures show. Honest: each from its own modality, as the paper's text says.
READINGS = {"joint": INFERRED, "honest": "honest"}

WORDS, RELEASED_TOPICS = "words", "released topics"
RANDOM_START, EXACT_SOLUTION = "random start", "from the exact solution"

_PLACE = (
    text("space"),
    text("direction", shown={"i2t": "image to text", "t2i": "text to image"}),
)
_PRECISION = text("precision")
_START = text("start")
_TRACED = (*COUPLED, TWO_STEP)

TABLES = Tables(
    Table("1", _PLACE),
    # readings of a declared search that stand for cells of Table 1
    Table("search:1", _PLACE),
    Table("fig2", (text("image"), number("topic", "topic={:g}")), (SKL,)),
    Table("choice:precision", (_PRECISION, *_PLACE), METHODS),
    Table("choice:text_view", (text("text_view"), _PRECISION, *_PLACE), METHODS),
    Table("choice:lambda", (number("lambda_", "lambda={:g}"), *_PLACE), COUPLED),
    Table("choice:lambda_chosen", (), COUPLED),
    Table("choice:topics", (number("topics", "topics={:g}"), *_PLACE), (LINK, SKL)),
    # scores after few sweeps and fold-in steps; either an image's weight or a lambda
    Table(
        "trajectory",
        (
            number("sweep", "sweep={:g}"),
            number("steps", "steps={:g}"),
            number("image_share", "image share={:g}", optional=True),
            number("lambda_", "lambda={:g}", optional=True),
            *_PLACE,
        ),
    ),
    Table("choice:short_lambda", (number("lambda_", "lambda={:g}"), *_PLACE)),
    Table("choice:short_run", (text("items"), number("penalty", "C={:g}"), *_PLACE)),
    Table("extra:articles", (*_PLACE, text("article")), TOPIC_MODELS),
    Table("extra:categories", (*_PLACE, text("category")), TOPIC_MODELS),
    Table("extra:precision_recall", (*_PLACE, number("recall", "recall={:.1f}")), TOPIC_MODELS),
    Table("extra:agreement", (), COUPLED),
    Table("extra:objective", (_START, number("sweep", "sweep={:g}")), _TRACED),
    Table("extra:monotone", (_START,), _TRACED),
    # without a share: steps for the multiplier of one column
    Table("extra:convergence", (number("share", "share={:g}", optional=True),), _TRACED),
)
