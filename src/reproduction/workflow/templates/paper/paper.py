"""my_paper: FILL-IN: say here what the paper is.

The library is imported where it is called: every plan reads this file, few need the estimators.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field

from reproduction.results.draws import draw_per_class
from reproduction.results.settings import Settings, setting
from reproduction.results.study import Study
from reproduction.results.tables import number

if TYPE_CHECKING:
    from reproduction.data.format import MultiViewData

Smoothing = Annotated[float, Field(gt=0, le=10)]


class PaperSettings(Settings):
    """Settings of my_paper; defaults are the paper's."""

    runs: int = setting(10, "Random draws of the labelled documents.", quick=2, ge=2, le=1000)
    shares: list[Annotated[float, Field(gt=0, lt=100)]] = setting(
        [10.0, 30.0], "Labelled shares in per cent.", min_length=1
    )
    smoothing: Smoothing = setting(1.0, "Additive smoothing of naive Bayes.")
    smoothing_grid: list[Smoothing] = setting([0.1, 1.0], "Smoothings tried.", min_length=1)


study = Study("my_paper", ("my_dataset",), PaperSettings)


@dataclass
class Part:
    """Views of all documents, classes of the labelled ones (-1 elsewhere), and the truth."""

    Xs: list[Any]
    given: np.ndarray
    truth: np.ndarray


@study.split
def draw(data: MultiViewData, run: int, seeded: Any, train: float) -> Part:
    """Label a share of every class at random."""
    known = draw_per_class(data.labels, train / 100, seeded(f"train={train:g}%", run))
    return Part(list(data.views.values()), np.where(known, data.labels, -1), data.labels)


@study.method("FILL-IN naive Bayes")
def naive_bayes(part: Part, smoothing: float) -> np.ndarray:
    """Return the classes that naive Bayes on all views gives."""
    from manyviews.baselines.naive_bayes import NaiveBayesEnsemble

    return NaiveBayesEnsemble(alpha=smoothing).fit(part.Xs, part.given).predict(part.Xs)


@study.method("majority", role="control")
def majority(part: Part) -> np.ndarray:
    """Return the largest labelled class for every document: what a method must beat."""
    return np.full(part.truth.size, np.bincount(part.given[part.given >= 0]).argmax())


@study.metric("accuracy_pct")
def accuracy(part: Part, answer: np.ndarray) -> float:
    """Return the share of unlabelled documents named right, in per cent."""
    hidden = part.given < 0
    return 100 * float(np.mean(answer[hidden] == part.truth[hidden]))


TRAIN = number("train", "train={:g}%", shown="{:g} % labelled")

table_1 = study.table("1", runs="runs", vary={"train": "shares"}, columns={"train": TRAIN})
study.choice("smoothing", "smoothing_grid", of=table_1)


@study.rival(table_1)
def rival(part: Part, model: Any) -> np.ndarray:
    """Return the classes that a classifier of the library gives."""
    return np.asarray(model.fit(part.Xs, part.given).predict(part.Xs))
