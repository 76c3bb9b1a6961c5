"""Every number the paper's experiments read."""

from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator

from reproduction.results.settings import Settings, section, setting

Weight = Annotated[float, Field(gt=0, le=1e6)]
Count = Annotated[int, Field(ge=1, le=10_000)]


class _ByDataset(Settings):
    """A whole number for each data set."""

    wikipedia_pairs: int
    tvgraz: int
    web_news: int

    def of(self, dataset: str) -> int:
        """Return the value of one data set."""
        value: int = getattr(self, dataset)
        return value


class Topics(_ByDataset):
    """Number of topics (the paper has 50 for TVGraz and 100 for Wikipedia)."""

    wikipedia_pairs: int = setting(
        100, "Topics on Wikipedia (the paper has 100).", quick=10, ge=2, le=1000
    )
    tvgraz: int = setting(50, "Topics on TVGraz (the paper has 50).", quick=10, ge=2, le=1000)
    web_news: int = setting(50, "Topics on the stand-in for TVGraz.", quick=10, ge=2, le=1000)


class Iterations(_ByDataset):
    """Sweeps of training."""

    wikipedia_pairs: int = setting(40, "Sweeps of training on Wikipedia.", quick=8, ge=1, le=10_000)
    tvgraz: int = setting(15, "Sweeps of training on TVGraz.", quick=8, ge=1, le=10_000)
    web_news: int = setting(
        25, "Sweeps of training on the stand-in for TVGraz.", quick=8, ge=1, le=10_000
    )


class LambdaGrid(Settings):
    """Values of lambda to choose from."""

    skl: list[Weight] = setting(
        [0.1, 0.3, 1, 3], "Values of lambda to choose from, symmetric KL.", quick=[1], min_length=1
    )
    l2: list[Weight] = setting(
        [10, 30, 100],
        "Values of lambda to choose from, squared distance.",
        quick=[30],
        min_length=1,
    )
    l1: list[Weight] = setting(
        [0.2, 0.4, 0.8],
        "Values of lambda to choose from, absolute distance.",
        quick=[0.4],
        min_length=1,
    )

    def of(self, divergence: str) -> list[float]:
        """Return the values for one divergence."""
        values: list[float] = getattr(self, divergence)
        return values


class SCMGrid(Settings):
    """Settings of semantic correlation matching: its penalty, and what it chooses from."""

    C: float = setting(
        30.0,
        "Inverse ridge of SCM's logistic regressions (a public implementation of it has 30).",
        gt=0,
        le=1e6,
    )
    components: list[Annotated[int, Field(ge=1, le=1000)]] = setting(
        [5, 10, 20],
        "Numbers of canonical components of SCM to choose from.",
        quick=[5, 10],
        min_length=1,
    )
    ridge: list[Annotated[float, Field(ge=0, le=1e6)]] = setting(
        [1, 10, 100],
        "Ridges of SCM, relative to the mean variance, to choose from.",
        quick=[1],
        min_length=1,
    )


class Trace(Settings):
    """The objective traces."""

    runs: int = setting(2, "Random starts of the objective traces.", ge=1, le=1000)
    iterations: int = setting(40, "Sweeps of the objective traces.", quick=10, ge=2, le=10_000)


class FittedLambda(Settings):
    """Values of lambda that bring short runs nearest to print (found after seeing it)."""

    skl: Weight = setting(1.0, "Lambda of the symmetric KL.")
    l2: Weight = setting(100.0, "Lambda of the squared distance.", quick=30.0)
    l1: Weight = setting(0.2, "Lambda of the absolute distance.", quick=0.4)

    def of(self, divergence: str) -> float:
        """Return the value for one divergence."""
        value: float = getattr(self, divergence)
        return value


class Trajectory(Settings):
    """Short training: where scores are recorded, and the setting inferred from print."""

    runs: int = setting(10, "Random starts of the short runs.", quick=2, ge=1, le=1000)
    sweeps: list[Count] = setting(
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20],
        "Sweeps after which Link PLSA is scored.",
        quick=[1, 4],
        min_length=1,
    )
    coupled_runs: int = setting(
        5,
        "Starts on which the co-regularised PLSAs are scored along their training.",
        quick=1,
        ge=1,
        le=1000,
    )
    coupled_sweeps: list[Count] = setting(
        [2, 4, 6, 8, 10, 12, 16, 24],
        "Sweeps after which the co-regularised PLSAs are scored.",
        quick=[1, 4],
        min_length=1,
    )
    fold_runs: int = setting(
        2, "Starts on which other numbers of fold-in steps are tried.", quick=1, ge=1, le=1000
    )
    fold_steps: list[Count] = setting(
        [1, 2, 3, 6, 12], "Numbers of fold-in steps tried.", quick=[1, 2], min_length=1
    )
    short_sweeps: int = setting(
        12, "Sweeps of the reading 'short run', inferred from print.", quick=4, ge=1, le=10_000
    )
    short_steps: int = setting(
        3, "Fold-in steps of the reading 'short run', inferred from print.", quick=2, ge=1, le=1000
    )
    image_share: float = setting(
        0.7, "Image's weight in Link PLSA that fits print best in short runs.", gt=0, lt=1
    )
    fitted_lambda: FittedLambda = section(
        FittedLambda, "Values of lambda that fit print best in short runs."
    )
    penalties: list[Annotated[float, Field(gt=0, le=1e6)]] = setting(
        [0.01, 0.1, 10],
        "Inverse ridges of the classifiers with which the short runs are scored again.",
        quick=[0.1],
        min_length=1,
    )


class PaperSettings(Settings):
    """Settings of co-regularised PLSA for cross-modal retrieval."""

    runs: int = setting(
        10,
        "Random starts of every topic model in Table 1 (the paper gives one figure).",
        quick=2,
        ge=2,
        le=1000,
    )
    surrogate_runs: int = setting(
        3,
        "Random starts of every topic model on TVGraz, which is a surrogate: its figures never "
        "count.",
        quick=2,
        ge=2,
        le=1000,
    )
    documents: int | None = setting(
        None,
        "Training pairs at most, drawn at random, and a third as many test pairs (null takes all; "
        "for tests only).",
        quick=150,
        ge=60,
        le=1_000_000,
    )
    topics: Topics = section(
        Topics,
        "Number of topics per data set (the paper has 50 for TVGraz and 100 for Wikipedia).",
    )
    iterations: Iterations = section(
        Iterations,
        "Sweeps of training per data set (the paper says 5 to 10 steps are enough; these are fixed "
        "so that all methods get the same).",
    )
    fold_iterations: int = setting(
        12, "Steps with fixed topics when items are folded in.", quick=8, ge=1, le=10_000
    )
    validation_share: float = setting(
        0.2,
        "Share of the training pairs set aside to choose lambda and SCM's settings.",
        gt=0,
        le=0.5,
    )
    lambda_grid: LambdaGrid = section(
        LambdaGrid, "Values of lambda to choose from, per divergence."
    )
    regression_C: float = setting(  # noqa: N815 - the name logistic regression gives it
        1.0,
        "Inverse ridge of the logistic regressions behind the semantic space.",
        gt=0,
        le=1e6,
    )
    scm: SCMGrid = section(SCMGrid, "Settings of semantic correlation matching.")
    control_runs: int = setting(
        2, "Runs of the uncoupled PLSAs, no more than of the topic models.", ge=1, le=1000
    )
    detail_runs: int = setting(
        2,
        "Runs that also give precision-recall curves and MAP per category, no more than of the "
        "topic models.",
        quick=1,
        ge=1,
        le=1000,
    )
    choice_runs: int = setting(2, "Runs with the released topics as the text view.", ge=1, le=1000)
    topic_grid: list[Annotated[int, Field(ge=2, le=1000)]] = setting(
        [10, 25, 50], "Further numbers of topics on Wikipedia (one run).", quick=[5, 20],
        min_length=1,
    )  # fmt: skip
    trace: Trace = section(Trace, "The objective traces.")
    trajectory: Trajectory = section(Trajectory, "Short training, recorded along the way.")
    figure_images: int = setting(
        6, "Test images in Figure 2, each of another category.", quick=2, ge=1, le=10
    )

    @field_validator("control_runs", "detail_runs")
    @classmethod
    def _among_the_runs(cls, value: int, info: ValidationInfo) -> int:
        """Refuse more runs of a part than there are runs at all."""
        runs = info.data.get("runs", value)
        if value > runs:
            raise ValueError(f"there are only {runs} runs; raise them or lower this")
        return value
