"""What can be set for this paper; defaults are the paper's own values where it gives one."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from reproduction.results.settings import Settings, section, setting

#: How the counts are rescaled before any method sees them.
Scale = Literal["raw", "l1", "l2", "sqrt", "binary"]
Positive = Annotated[float, Field(gt=0, le=1e4)]
Share = Annotated[float, Field(gt=0, le=1)]
Hidden = Annotated[float, Field(ge=0, lt=1)]
Iterations = Annotated[int, Field(ge=1, le=10_000)]


def _documents(default: int | None) -> Any:
    text = "Documents at most, drawn at random; null takes all."
    return setting(default, text, quick=300, ge=100, le=1_000_000)


def _iterations(default: int) -> Any:
    text = "Cap on the EM iterations of PLSA and CoPLSA (the paper gives none)."
    return setting(default, text, quick=5, ge=1, le=10_000)


def _lambda(default: float, said: str) -> Any:
    text = f"Weight of the co-regularisation in Table 1 ({said})."
    return setting(default, text, ge=0, le=1e4)


def _strong_lambda(default: float) -> Any:
    """Return the setting; where panels need it, it has a default and must be positive."""
    text = "A lambda at which the penalty is felt, for a reading of Table 1"
    if not default:
        return setting(default, f"{text}; 0 leaves it out.", ge=0, le=1e4)
    text = f"{text} and the panels on sigma, pairs and missing rows (rho about .04 on Reuters)."
    return setting(default, text, gt=0, le=1e4)


def _placebo_runs(default: int) -> Any:
    text = "Random starts of the placebo (partner view shuffled); never more than Table 1 has."
    return setting(default, text, quick=2, ge=1, le=1000)


def _choice_runs(default: int) -> Any:
    text = "Random starts behind Figure 2 and the panels on what the paper leaves open."
    return setting(default, text, quick=2, ge=1, le=1000)


def _scale_runs(default: int) -> Any:
    text = (
        "Random starts on every scale of the input, for every construction of SIFT words and for "
        "more iterations."
    )
    return setting(default, text, quick=1, ge=1, le=1000)


def _lambda_grid(default: list[float], quick: list[float]) -> Any:
    text = "Values of lambda in Figure 2, on the views as distributed."
    return setting(default, text, quick=quick, min_length=1, max_length=50)


def _unit_lambda_grid(default: list[float], quick: list[float]) -> Any:
    text = "Values of lambda in Figure 2, on rows that sum to one; none leaves that curve out."
    return setting(default, text, quick=quick, max_length=50)


class DataSettings(Settings):
    """What differs from data set to data set."""

    documents: int | None = _documents(None)
    iterations: int = _iterations(16)
    lambda_: float = _lambda(0.03, "not the paper's")
    strong_lambda: float = _strong_lambda(0.0)
    placebo_runs: int = _placebo_runs(5)
    choice_runs: int = _choice_runs(2)
    scale_runs: int = _scale_runs(2)
    lambda_grid: list[Positive] = _lambda_grid([0.003, 0.03, 0.3], [0.03])
    unit_lambda_grid: list[Positive] = _unit_lambda_grid([], [])


class Reuters(DataSettings):
    """Six hundred documents in three languages."""

    iterations: int = _iterations(50)
    lambda_: float = _lambda(0.07, "the paper has .07")
    strong_lambda: float = _strong_lambda(2.0)
    placebo_runs: int = _placebo_runs(20)
    choice_runs: int = _choice_runs(4)
    scale_runs: int = _scale_runs(4)
    lambda_grid: list[Positive] = _lambda_grid(
        [0.007, 0.02, 0.07, 0.2, 0.7, 2.0, 7.0, 20.0], [0.02, 0.07, 0.2]
    )
    unit_lambda_grid: list[Positive] = _unit_lambda_grid(
        [0.0007, 0.002, 0.007, 0.02, 0.07, 0.2], [0.007, 0.07]
    )


class Corel5K(DataSettings):
    """Five thousand photographs."""

    lambda_: float = _lambda(0.005, "the paper has .005")
    scale_runs: int = _scale_runs(1)
    lambda_grid: list[Positive] = _lambda_grid([0.0005, 0.005, 0.05, 50.0], [0.005, 0.05, 5.0])
    unit_lambda_grid: list[Positive] = _unit_lambda_grid([0.0005, 0.005], [0.005, 0.5])


class NusWide(DataSettings):
    """A surrogate, which is no reproduction: a part of it is enough."""

    documents: int | None = _documents(1200)
    lambda_: float = _lambda(0.03, "the paper has .03")


class Digits(DataSettings):
    """Our stand-in: two thousand handwritten digits."""

    iterations: int = _iterations(30)
    lambda_: float = _lambda(0.03, "our stand-in takes that of NUS-Wide")
    strong_lambda: float = _strong_lambda(0.3)
    placebo_runs: int = _placebo_runs(10)
    lambda_grid: list[Positive] = _lambda_grid([0.003, 0.03, 0.3, 3.0, 30.0], [0.03, 3.0])


class Reduction(Settings):
    """PLSA that makes Reuters narrow enough for CCAMC."""

    topics: int = setting(100, "Number of topics (the paper has 100).", quick=20, ge=2, le=10_000)
    iterations: int = setting(30, "EM iterations.", quick=3, ge=1, le=10_000)


class Spectral(Settings):
    """Co-regularised spectral clustering (PCoSC)."""

    lambda_: float = setting(
        0.025, "Weight of its co-regularisation (its authors use .01 to .05).", ge=0, le=1e4
    )
    rounds: int = setting(3, "Rounds over the views.", ge=0, le=1000)
    released_lambda: float = setting(
        0.5, "Weight in the example of its authors' released code, tried.", ge=0, le=1e4
    )
    released_rounds: int = setting(5, "Rounds in that example.", ge=0, le=1000)


class CostGrid(Settings):
    """Sizes at which the time of an iteration is measured."""

    pairs: list[Share] = setting(
        [0.01, 0.02, 0.05, 0.1], "Shares of the document pairs.", quick=[0.05, 0.2],
        min_length=2, max_length=50,
    )  # fmt: skip
    words: list[Share] = setting(
        [0.25, 0.5, 1.0], "Shares of the words.", quick=[0.5, 1.0], min_length=2, max_length=50
    )


class Trajectory(Settings):
    """PLSA started from k-means on square roots: a reading inferred from print."""

    runs: int = setting(4, "Starts.", quick=2, ge=1, le=1000)
    own_cluster: float = setting(
        0.9, "Probability of a document's own k-means cluster at the start.", gt=0, lt=1
    )
    steps: list[Iterations] = setting(
        [1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48],
        "EM steps after which PLSA is scored; the short run must be one of them.",
        quick=[1, 2, 4], min_length=1, max_length=100,
    )  # fmt: skip
    short_steps: int = setting(
        16, "EM steps of the reading of Table 1, inferred from print.", quick=2, ge=1, le=10_000
    )

    @model_validator(mode="after")
    def _recorded(self) -> "Trajectory":
        """Refuse a short run that is not recorded."""
        if self.short_steps not in self.steps:
            raise ValueError(f"steps must contain the short run of {self.short_steps} steps")
        return self


class PaperSettings(Settings):
    """Settings of co-regularised PLSA for clustering."""

    runs: int = setting(
        20, "Random starts of every method in Table 1 (the paper has 20).", quick=2, ge=2, le=1000
    )
    tolerance: float = setting(
        1e-6, "Relative change of the objective at which EM stops.", ge=0, lt=1
    )
    sigma: float = setting(
        1.0, "Width of the Gaussian similarity in Table 1 (the paper gives none).", gt=0, le=1e4
    )
    pair_share: float = setting(
        0.05, "Share of the document pairs in the co-regularisation (the paper has .05).",
        gt=0, le=1,
    )  # fmt: skip
    cca_ridge: float = setting(
        1e-3, "Ridge of the covariance matrices in CCAMC (the paper gives none).", gt=0, le=1e4
    )
    reduction: Reduction = section(Reduction, "PLSA that makes Reuters narrow enough for CCAMC.")
    spectral: Spectral = section(Spectral, "Co-regularised spectral clustering (PCoSC).")
    neighbours: int = setting(
        50, "Neighbours kept in the sparse-graph reading of PCoSC.", quick=20, ge=1, le=10_000
    )
    sigma_grid: list[Positive] = setting(
        [0.05, 0.2, 0.5, 1.0, 2.0, 5.0],
        "Widths of the Gaussian tried; the mean squared distance after five plain iterations is "
        "always tried too.",
        quick=[0.2, 1.0], min_length=1, max_length=50,
    )  # fmt: skip
    share_grid: list[Share] = setting(
        [0.01, 0.05, 0.2, 1.0], "Shares of the document pairs tried.", quick=[0.05, 0.2],
        min_length=1, max_length=50,
    )  # fmt: skip
    iteration_grid: list[Iterations] = setting(
        [10, 20, 40, 80, 160],
        "Numbers of EM iterations at which the fits of Table 1 are looked at again.",
        quick=[3, 6], min_length=1, max_length=50,
    )  # fmt: skip
    scales: list[Scale] = setting(
        ["raw", "l1", "l2", "sqrt", "binary"],
        "Scales of the input tried. raw: as distributed; l1: rows sum to one; l2: unit rows; "
        "sqrt: square roots; binary: 0/1.",
        quick=["raw", "l1"], min_length=1, max_length=5,
    )  # fmt: skip
    missing_grid: list[Hidden] = setting(
        [0.0, 0.1, 0.3, 0.5], "Shares of the best view's rows hidden.", quick=[0.0, 0.3],
        min_length=1, max_length=50,
    )  # fmt: skip
    trajectory: Trajectory = section(
        Trajectory, "PLSA started from k-means on square roots, recorded step by step."
    )
    cost_grid: CostGrid = section(CostGrid, "Sizes at which the time of an iteration is measured.")
    reuters: Reuters = section(Reuters, "What belongs to Reuters.")
    corel5k: Corel5K = section(Corel5K, "What belongs to Corel5K.")
    nus_wide: NusWide = section(NusWide, "What belongs to NUS-Wide.")
    digits: Digits = section(Digits, "What belongs to the digits.")

    def of(self, dataset: str) -> DataSettings:
        """Return what belongs to one data set."""
        own: DataSettings = getattr(self, dataset)
        return own
