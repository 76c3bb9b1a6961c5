"""What the experiments read; defaults are the paper's."""

from typing import Annotated

from pydantic import Field

from reproduction.results.settings import Settings, setting


class PaperSettings(Settings):
    """Settings of the co-training paper."""

    draws: int = setting(
        40,
        "Random draws of test pages and labelled pages in Table 2 (the paper has 5).",
        quick=5,
        ge=2,
        le=1000,
    )
    figure_draws: int = setting(
        5, "The first of these draws, on which Figure 2 is run (the paper has 5).", ge=1, le=1000
    )
    choice_draws: int = setting(
        20, "Draws behind what the paper leaves open.", quick=2, ge=1, le=1000
    )
    held_out: float = setting(
        0.25, "Share of the pages kept for testing (the paper has a quarter).", gt=0, lt=1
    )
    positive: int = setting(3, "Labelled course pages (the paper has 3).", ge=1, le=100)
    negative: int = setting(9, "Labelled other pages (the paper has 9).", ge=1, le=400)
    rounds: int = setting(30, "Rounds of co-training (the paper has 30).", quick=5, ge=1, le=500)
    pool: int = setting(75, "Pages in the pool (the paper has 75).", ge=1, le=1000)
    label_positive: int = setting(
        1, "Course pages each classifier labels in a round (the paper has 1).", ge=1, le=50
    )
    label_negative: int = setting(
        3, "Other pages each classifier labels in a round (the paper has 3).", ge=1, le=50
    )
    trajectory_draws: int = setting(
        20, "Draws on which the errors are recorded after every round.", quick=2, ge=1, le=1000
    )
    smoothing: float = setting(1.0, "Additive smoothing of naive Bayes.", gt=0, le=10)
    smoothing_grid: list[Annotated[float, Field(gt=0, le=10)]] = setting(
        [0.01, 0.1, 1.0], "Smoothings tried.", quick=[0.1, 1.0], min_length=1
    )
