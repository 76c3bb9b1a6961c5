"""What the experiments read; defaults are the paper's."""

from typing import Annotated

from pydantic import Field

from reproduction.results.settings import Settings, setting


class PaperSettings(Settings):
    """Settings of my_paper."""

    runs: int = setting(10, "Random draws of the labelled documents.", quick=2, ge=2, le=1000)
    train: list[Annotated[float, Field(gt=0, lt=100)]] = setting(
        [10.0, 30.0], "Labelled shares in per cent.", min_length=1
    )
    smoothing: float = setting(1.0, "Additive smoothing of naive Bayes.", gt=0, le=10)
    smoothing_grid: list[Annotated[float, Field(gt=0, le=10)]] = setting(
        [0.1, 1.0], "Smoothings tried.", min_length=1
    )
