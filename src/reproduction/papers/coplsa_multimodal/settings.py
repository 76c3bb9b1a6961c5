"""Names, columns and settings that the declaration, the claims and the pages share."""

from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field

from reproduction.results.rows import INFERRED
from reproduction.results.settings import PerKind, Runs, Settings, section, setting
from reproduction.results.tables import number, text

PAPER = "coplsa_multimodal"
WIKIPEDIA = "wikipedia_pairs"
#: The paper's own pairs, the surrogate of its other data set, and the real stand-in for that.
DATASETS = (WIKIPEDIA, "tvgraz", "web_news")

SCM, LINK, L1, L2, SKL = "SCM", "Link PLSA", "l1 coPLSA", "l2 coPLSA", "sKL coPLSA"
#: Divergence -> the method it makes.
DIVERGENCES = {"skl": SKL, "l2": L2, "l1": L1}
COUPLED = (L1, L2, SKL)
TOPIC_MODELS = (LINK, *COUPLED)
#: Controls: two PLSAs that know nothing of each other, a random order.
ALONE, RANDOM = "independent PLSA", "random order"
#: The earlier l2 update that the paper criticises; both compositions at once, which it has not.
TWO_STEP, JOINT_STEP = "l2, two-step update", "l1, joint step"

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
#: Table of Link PLSA's scores along its training.
TRAINING = "extra:training"
#: Reading of SCM with the penalty that the topic models have.
USUAL = "usual penalty"
#: An image's weight in Link PLSA, unless told.
EQUAL = 0.5

WORDS, RELEASED_TOPICS = "words", "released topics"
RANDOM_START, EXACT_SOLUTION = "random start", "from the exact solution"

PLACE = text("space"), text("direction", shown={"i2t": "image to text", "t2i": "text to image"})
LAMBDA = number("lambda_", "lambda={:g}")
PRECISION, TEXT_VIEW, START = text("precision"), text("text_view"), text("start")
SWEEP = number("sweep", "sweep={:g}")

T = TypeVar("T")
Count = Annotated[int, Field(ge=1, le=10_000)]
Counts = Annotated[list[Count], Field(min_length=1)]
Topics = Annotated[int, Field(ge=2, le=1000)]
Weight = Annotated[float, Field(gt=0, le=1e6)]
Weights = Annotated[list[Weight], Field(min_length=1)]


class PerDataset(PerKind, Generic[T]):
    """A value for each data set."""

    wikipedia_pairs: T
    tvgraz: T
    web_news: T


def each(*values: Any) -> dict[str, Any]:
    """Return a value for each data set, or the same for all."""
    return dict(zip(DATASETS, values if len(values) > 1 else 3 * values, strict=True))


# fmt: off
class LambdaGrid(Settings):
    """Values of lambda to choose from."""

    skl: Weights = setting(
        [0.1, 0.3, 1, 3], "Values of lambda to choose from, symmetric KL.", quick=[1])
    l2: Weights = setting(
        [10, 30, 100], "Values of lambda to choose from, squared distance.", quick=[30])
    l1: Weights = setting(
        [0.2, 0.4, 0.8], "Values of lambda to choose from, absolute distance.", quick=[0.4])


class SCMGrid(Settings):
    """Settings of semantic correlation matching: its penalty, and what it chooses from."""

    C: Weight = setting(
        30.0, "Inverse ridge of SCM's logistic regressions (a public implementation has 30).")
    components: Counts = setting(
        [5, 10, 20], "Numbers of canonical components of SCM to choose from.", quick=[5, 10])
    ridge: list[Annotated[float, Field(ge=0, le=1e6)]] = setting(
        [1, 10, 100], "Ridges of SCM, relative to the mean variance, to choose from.", quick=[1],
        min_length=1)


class Trace(Settings):
    """The objective traces."""

    runs: Runs = setting(2, "Random starts of the objective traces.")
    iterations: Annotated[Count, Field(ge=2)] = setting(
        40, "Sweeps of the objective traces.", quick=10)


class FittedLambda(Settings):
    """Values of lambda that bring short runs nearest to print (found after seeing it)."""

    skl: Weight = setting(1.0, "Lambda of the symmetric KL.")
    l2: Weight = setting(100.0, "Lambda of the squared distance.", quick=30.0)
    l1: Weight = setting(0.2, "Lambda of the absolute distance.", quick=0.4)


class ShortRun(Settings):
    """Short training: the readings inferred from print, and the curve beside it."""

    runs: Runs = setting(10, "Random starts of the short runs.", quick=2)
    curve: Counts = setting(
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20],
        "Sweeps after which Link PLSA is scored.", quick=[1, 4])
    sweeps: Count = setting(
        12, "Sweeps of the reading 'short run', inferred from print.", quick=4)
    steps: Count = setting(
        3, "Fold-in steps of the reading 'short run', inferred from print.", quick=2)
    image_share: Annotated[float, Field(gt=0, lt=1)] = setting(
        0.7, "Image's weight in Link PLSA that fits print best in short runs.")
    fitted_lambda: FittedLambda = section(
        FittedLambda, "Values of lambda that fit print best in short runs.")


class PaperSettings(Settings):
    """Settings of co-regularised PLSA for cross-modal retrieval."""

    runs: PerDataset[Annotated[int, Field(ge=2, le=1000)]] = setting(
        each(10, 3, 10), "Random starts of every topic model in Table 1 (the paper gives one "
        "figure); few on TVGraz, a surrogate whose figures never count.", quick=each(2))
    documents: int | None = setting(
        None, "Training pairs at most, drawn at random, and a third as many test pairs (null takes "
        "all; for tests only).", quick=150, ge=60, le=1_000_000)
    topics: PerDataset[Topics] = setting(
        each(100, 50, 50),
        "Number of topics (the paper has 100 for Wikipedia and 50 for TVGraz).", quick=each(10))
    iterations: PerDataset[Count] = setting(
        each(40, 15, 25), "Sweeps of training (the paper says 5 to 10 steps are enough; these are "
        "fixed so that all methods get the same).", quick=each(8))
    fold_iterations: Count = setting(
        12, "Steps with fixed topics when items are folded in.", quick=8)
    validation_share: float = setting(
        0.2, "Share of the training pairs set aside to choose lambda and SCM's settings.",
        gt=0, le=0.5)
    lambda_grid: LambdaGrid = section(
        LambdaGrid, "Values of lambda to choose from, per divergence.")
    regression_C: Weight = setting(  # noqa: N815 - the name logistic regression gives it
        1.0, "Inverse ridge of the logistic regressions behind the semantic space.")
    scm: SCMGrid = section(SCMGrid, "Settings of semantic correlation matching.")
    control_runs: Runs = setting(2, "Runs of the uncoupled PLSAs.")
    detail_runs: Runs = setting(
        2, "Runs that also give precision-recall curves and MAP per category.", quick=1)
    choice_runs: Runs = setting(
        2, "Runs with the released topics as the text view, and of the search for l2.")
    topic_grid: Annotated[list[Topics], Field(min_length=1)] = setting(
        [10, 25, 50], "Further numbers of topics on Wikipedia (one run).", quick=[5, 20])
    trace: Trace = section(Trace, "The objective traces.")
    short_run: ShortRun = section(ShortRun, "Short training, inferred from print.")
    figure_images: int = setting(
        6, "Test images in Figure 2, each of another category.", quick=2, ge=1, le=10)
# fmt: on
