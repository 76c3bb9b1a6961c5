"""Settings of the experiments; defaults are the paper's own where it gives them."""

from collections.abc import Hashable
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field

from reproduction.results.settings import Settings, section, setting

T = TypeVar("T", bound=Hashable)


def _distinct(values: list[T]) -> list[T]:
    if len(set(values)) != len(values):
        raise ValueError("a value is there twice; list each once")
    return values


#: At least one value, each once.
Several = Annotated[list[T], Field(min_length=1), AfterValidator(_distinct)]
Count = Annotated[int, Field(ge=1, le=1000)]
Aggressiveness = Annotated[float, Field(gt=0, le=1e6)]
Agreement = Annotated[float, Field(ge=0, le=1e6)]
Scaling = Literal["binary", "unit", "idf"]
Order = Literal["shuffled", "given"]
EmptyRule = Literal["zero", "exact", "single", "skip", "limit"]


class Choices(Settings):
    """What the paper leaves open: the alternatives that are run."""

    repetitions: Count = setting(
        3, "Repetitions of the cross-validation where all choices are combined.", quick=1
    )
    passes: Several[Count] = setting(
        [1, 2, 5, 10], "Numbers of passes after which the test fold is scored.", quick=[1, 2]
    )
    scalings: Several[Scaling] = setting(
        ["binary", "unit", "idf"], "Row scalings: 0/1, unit norm, or 0/1 times idf."
    )
    orders: Several[Order] = setting(
        ["shuffled", "given"],
        "Orders of the training rows: shuffled in every pass, or as in the file.",
    )
    empty: Several[EmptyRule] = setting(
        ["zero", "exact", "single", "skip", "limit"],
        "Rules of the printed update for rows that are empty in a view; the first one is used "
        "where no row is.",
    )
    C: Several[Aggressiveness] = setting(
        [0.01, 0.03, 0.1, 0.3, 1.0], "Values of C, combined and tuned.", quick=[0.03, 0.1]
    )
    gamma: Several[Agreement] = setting(
        [0.005, 0.015, 0.05, 0.15, 0.5], "Values of gamma, combined and tuned.", quick=[0.05, 0.5]
    )


class Tuned(Settings):
    """Cross-validation inside the training folds, which chooses C and gamma."""

    repetitions: Count = setting(3, "Repetitions of the outer cross-validation.", quick=1)
    inner_folds: int = setting(3, "Folds inside every training fold.", quick=2, ge=2, le=20)
    passes: Several[Count] = setting([1, 5], "Numbers of passes that are tuned for.", quick=[1])


class Extra(Settings):
    """The paper's open problems: more views, more classes, view weights."""

    repetitions: Count = setting(4, "Repetitions of the cross-validation.", quick=1)
    gamma: Several[Agreement] = setting(
        [0.0, 0.005, 0.05],
        "Values of gamma; with V views there are V(V-1)/2 agreements.",
        quick=[0.0, 0.05],
    )


class PaperSettings(Settings):
    """All settings of the paper."""

    folds: int = setting(
        5, "Folds of the stratified cross-validation (the paper has 5).", ge=2, le=20
    )
    repetitions: Count = setting(
        80, "How often the cross-validation of Table 2 is repeated with new folds.", quick=2
    )
    C: Aggressiveness = setting(
        0.1, "Aggressiveness in Table 2 and the figures (the paper has 0.1)."
    )
    gamma: Agreement = setting(0.5, "Agreement in Table 2 and the figures (the paper has 0.5).")
    figure_runs: Count = setting(40, "Random orders of the stream behind Figures 1 to 3.", quick=2)
    scaling: Scaling = setting("binary", "Row scaling in Table 2 and the figures.")
    order: Order = setting("shuffled", "Order of the training rows in Table 2.")
    passes: Count = setting(1, "Passes over the training rows in Table 2.")
    empty: EmptyRule = setting(
        "zero", "What the printed update does with a row that is empty in a view, in Table 2."
    )
    scored: Literal["held out", "progressive"] = setting(
        "held out", "Predictions that F1 is taken on: of the test fold, or made during training."
    )
    f1_of: Literal["positive", "both"] = setting(
        "positive", "F1 of the positive class, or the mean of both classes."
    )
    choices: Choices = section(Choices, "What the paper leaves open.")
    tuned: Tuned = section(Tuned, "C and gamma chosen inside the training folds.")
    extra: Extra = section(Extra, "The paper's open problems.")
