"""Names and columns that the declaration, the claims and the pages share."""

from reproduction.results.rows import INFERRED
from reproduction.results.tables import number, text

PAPER = "coplsa_multimodal"
WIKIPEDIA = "wikipedia_pairs"
#: The paper's own pairs, the surrogate of its other data set, and the real stand-in for that.
DATASETS = (WIKIPEDIA, "tvgraz", "web_news")

SCM, LINK, L1, L2, SKL = "SCM", "Link PLSA", "l1 coPLSA", "l2 coPLSA", "sKL coPLSA"
COUPLED = (L1, L2, SKL)
TOPIC_MODELS = (LINK, *COUPLED)
METHODS = (SCM, *TOPIC_MODELS)
#: Controls: two PLSAs that know nothing of each other, a random order.
ALONE, RANDOM = "independent PLSA", "random order"
#: The earlier l2 update that the paper criticises.
TWO_STEP = "l2, two-step update"
#: Both compositions at once, which the paper does not have.
JOINT_STEP = "l1, joint step"

SPACES = ("topic", "semantic")
DIRECTIONS = ("i2t", "t2i")
MODALITIES = ("text", "image")
METRIC = "map_at_10"
#: Average precisions; the first is compared with print.
KINDS = ("full", "11point", "top10", "first10relevant")

#: Protocol -> reading. Joint: the two sides of an evaluated pair are folded in together, which is
#: what the published figures show (Link PLSA's i2t equal to t2i to the digit). Honest: each from
#: its own modality, as the paper's text says.
READINGS = {"joint": INFERRED, "honest": "honest"}
#: Readings of Table 1 inferred from print: fewer sweeps and fold-in steps; besides, Link PLSA's
#: weights and the lambdas that bring the cells nearest to print.
SHORT, FITTED = "short run", "short run, fitted"
#: Reading of SCM with the penalty that the topic models have.
USUAL = "usual penalty"
#: An image's weight in Link PLSA, unless told.
EQUAL = 0.5

WORDS, RELEASED_TOPICS = "words", "released topics"
RANDOM_START, EXACT_SOLUTION = "random start", "from the exact solution"
#: Training items that classifiers learn from: folded in again, or as training left them.
REFOLDED, TRAINED = "refolded", "coupled"

PLACE = (
    text("space"),
    text("direction", shown={"i2t": "image to text", "t2i": "text to image"}),
)
LAMBDA = number("lambda_", "lambda={:g}")
PRECISION, TEXT_VIEW, START = text("precision"), text("text_view"), text("start")
SWEEP, STEPS = number("sweep", "sweep={:g}"), number("steps", "steps={:g}")
