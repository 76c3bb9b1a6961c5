"""Names and settings of the clustering paper; defaults are its own values where it gives one."""

from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

from pydantic import Field

from reproduction.results.rows import INFERRED
from reproduction.results.settings import PerKind, Runs, Settings, section, setting

PAPER = "coplsa_clustering"

#: Views in the paper's order: first, second, third.
VIEWS = {
    "reuters": ("EN", "SP", "FR"),
    "corel5k": ("rgb", "sift", "lbp"),
    "nus_wide": ("rgb", "sift", "lbp"),
    # Kumar et al. (2011) take Fourier coefficients and profile correlations as the two views
    "digits": ("fou", "fac", "pix"),
}

#: The paper's own methods, on two and on three views; the control with the partner's rows shuffled.
TWO, THREE = "CoPLSA(2)", "CoPLSA(3)"
PLACEBO = "CoPLSA(2) shuffled"

#: Rules by which the best view may be chosen, the paper's and two that see no labels -> reading.
RULES = {
    "accuracy": INFERRED, "silhouette": "view by silhouette", "likelihood": "view by likelihood",
}  # fmt: skip
#: Readings of Table 1 with another update, or another strength of the penalty.
SAFEGUARDED, RESCALED, STRONG = "safeguarded update", "rescaled lambda", "strong lambda"

#: How the counts are rescaled before any method sees them.
Scale = Literal["raw", "l1", "l2", "sqrt", "binary"]
SCALES = get_args(Scale)
T = TypeVar("T")
Documents = Annotated[int, Field(ge=100, le=1_000_000)]
Weight = Annotated[float, Field(ge=0, le=1e4)]
Positive = Annotated[float, Field(gt=0, le=1e4)]
Grid = Annotated[list[Positive], Field(min_length=1, max_length=50)]
Share = Annotated[float, Field(gt=0, le=1)]
Count = Annotated[int, Field(ge=1, le=10_000)]


class ByData(PerKind, Generic[T]):
    """A value for each data set."""

    reuters: T
    corel5k: T
    nus_wide: T
    digits: T


def each(*values: Any) -> dict[str, Any]:
    """Return a value for every data set: Reuters, Corel5K, NUS-Wide, digits; or one for all."""
    return dict(zip(VIEWS, values if len(values) > 1 else values * len(VIEWS), strict=True))


# fmt: off
class Reduction(Settings):
    """PLSA that makes Reuters narrow enough for CCAMC."""

    topics: int = setting(100, "Number of topics (the paper has 100).", quick=20, ge=2, le=10_000)
    iterations: Count = setting(30, "EM iterations.", quick=3)


class Spectral(Settings):
    """Co-regularised spectral clustering (PCoSC)."""

    lambda_: Weight = setting(
        0.025, "Weight of its co-regularisation (its authors use .01 to .05).")
    rounds: int = setting(3, "Rounds over the views.", ge=0, le=1000)
    released_lambda: Weight = setting(
        0.5, "Weight in the example of its authors' released code, tried.")
    released_rounds: int = setting(5, "Rounds in that example.", ge=0, le=1000)


class CostGrid(Settings):
    """Sizes at which the work of an iteration is counted."""

    pairs: list[Share] = setting(
        [0.01, 0.02, 0.05, 0.1], "Shares of the document pairs.", quick=[0.05, 0.2],
        min_length=2, max_length=50)
    words: list[Share] = setting(
        [0.25, 0.5, 1.0], "Shares of the words.", quick=[0.5, 1.0], min_length=2, max_length=50)


class ShortRun(Settings):
    """PLSA started from k-means on square roots: a reading inferred from print."""

    runs: Runs = setting(4, "Starts.", quick=2)
    own_cluster: float = setting(
        0.9, "Probability of a document's own k-means cluster at the start.", gt=0, lt=1)
    steps: Count = setting(16, "EM steps, inferred from print.", quick=2)


class PaperSettings(Settings):
    """Settings of co-regularised PLSA for clustering."""

    runs: int = setting(
        20, "Random starts of every method in Table 1 (the paper has 20).", quick=2, ge=2, le=1000)
    placebo_runs: ByData[Runs] = setting(
        each(20, 5, 5, 10), "Random starts of the placebo (partner view shuffled).", quick=each(2))
    choice_runs: ByData[Runs] = setting(
        each(4, 2, 2, 2), "Random starts behind Figure 2 and the panels on what the paper leaves "
        "open.", quick=each(2))
    scale_runs: ByData[Runs] = setting(
        each(4, 1, 2, 2), "Random starts on every scale of the input, for every construction of "
        "SIFT words and for more iterations.", quick=each(1))
    documents: ByData[Documents | None] = setting(
        each(None, None, 1200, None), "Documents at most, drawn at random; null takes all. A part "
        "of NUS-Wide, a surrogate, is enough.", quick=each(300))
    scale: Scale = setting("raw", "Scale of the input in Table 1 (see `scales`).")
    sift: Literal["sift", "sift_opponent"] = setting(
        "sift", "SIFT words of Corel5K: of grey photographs, or of the opponent colours.")
    iterations: ByData[Count] = setting(
        each(50, 16, 16, 30), "Cap on the EM iterations of PLSA and CoPLSA (the paper gives none).",
        quick=each(5))
    tolerance: float = setting(
        1e-6, "Relative change of the objective at which EM stops.", ge=0, lt=10)
    lambda_: ByData[Weight] = setting(
        each(0.07, 0.005, 0.03, 0.03), "Weight of the co-regularisation in Table 1 (the paper has "
        ".07, .005 and .03; the digits take that of NUS-Wide).")
    strong_lambda: ByData[Weight] = setting(
        each(2.0, 0.0, 0.0, 0.3), "A lambda at which the penalty is felt, for a reading of Table 1 "
        "and the panels on sigma and pairs (rho about .04 on Reuters); 0 leaves it out.")
    sigma: Positive = setting(
        1.0, "Width of the Gaussian similarity in Table 1 (the paper gives none).")
    pair_share: Share = setting(
        0.05, "Share of the document pairs in the co-regularisation (the paper has .05).")
    cca_ridge: Positive = setting(
        1e-3, "Ridge of the covariance matrices in CCAMC (the paper gives none).")
    reduction: Reduction = section(Reduction, "PLSA that makes Reuters narrow enough for CCAMC.")
    spectral: Spectral = section(Spectral, "Co-regularised spectral clustering (PCoSC).")
    neighbours: Count = setting(
        50, "Neighbours kept in the sparse-graph reading of PCoSC.", quick=20)
    lambda_grid: ByData[Grid] = setting(
        each([0.007, 0.02, 0.07, 0.2, 0.7, 2.0, 7.0, 20.0], [0.0005, 0.005, 0.05, 50.0],
             [0.003, 0.03, 0.3], [0.003, 0.03, 0.3, 3.0, 30.0]),
        "Values of lambda in Figure 2, on the views as distributed.",
        quick=each([0.02, 0.07, 0.2], [0.005, 0.05, 5.0], [0.03], [0.03, 3.0]))
    unit_lambda_grid: ByData[Annotated[list[Positive], Field(max_length=50)]] = setting(
        each([0.0007, 0.002, 0.007, 0.02, 0.07, 0.2], [0.0005, 0.005], [], []),
        "Values of lambda in Figure 2, on rows that sum to one; none leaves that curve out.",
        quick=each([0.007, 0.07], [0.005, 0.5], [], []))
    sigma_grid: Grid = setting(
        [0.05, 0.2, 0.5, 1.0, 2.0, 5.0],
        "Widths of the Gaussian tried; the mean squared distance after five plain iterations is "
        "always tried too.", quick=[0.2, 1.0])
    share_grid: list[Share] = setting(
        [0.01, 0.05, 0.2, 1.0], "Shares of the document pairs tried.", quick=[0.05, 0.2],
        min_length=1, max_length=50)
    iteration_grid: list[Count] = setting(
        [10, 20, 40, 80, 160],
        "Numbers of EM iterations at which the fits of Table 1 are looked at again.",
        quick=[3, 6], min_length=1, max_length=50)
    scales: list[Scale] = setting(
        list(SCALES), "Scales of the input tried. raw: as distributed; l1: rows sum to one; l2: "
        "unit rows; sqrt: square roots; binary: 0/1.", quick=["raw", "l1"], min_length=1,
        max_length=5)
    short_run: ShortRun = section(
        ShortRun, "PLSA of few steps, started from k-means on square roots.")
    cost_grid: CostGrid = section(CostGrid, "Sizes at which the work of an iteration is counted.")
# fmt: on
