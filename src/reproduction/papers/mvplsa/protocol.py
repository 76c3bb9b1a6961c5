"""Labelled draws, fits and clusterings of the multi-view PLSA paper.

The library is imported where it is called: every plan reads this file, few need the estimators.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from reproduction.papers.mvplsa.settings import (
    HUGE,
    JOINT_START,
    MEAN_START,
    OWN_START,
    PAGES,
    UNIT,
    WORDS,
)

if TYPE_CHECKING:
    from reproduction.data.format import MultiViewData

COTRAINED = ("CoTr_V1", "CoTr_V2", "CoTr_E")


def view_names(method: str, count: int) -> list[str]:
    """Return the names of a method on every view."""
    return [f"{method}_V{v + 1}" for v in range(count)]


def named(rate: float) -> str:
    """Return the name of a rate in seeds; its form decides the draws and stays as it is."""
    return f"r={rate:.2f}"


def integer(rng: np.random.Generator) -> int:
    """Return the integer seed that a generator's names have (``manyviews.seeding``)."""
    seeds: Any = rng.bit_generator.seed_seq
    return int(seeds.generate_state(1)[0] >> 1)


def views(
    files: dict[str, MultiViewData], dataset_kind: str, links: str, treatment: str, cut: float
) -> tuple[list[Any], np.ndarray]:
    """Return the views in the paper's order, and the classes."""
    from manyviews.preprocessing.sparse import document_frequency, row_normalise

    data = files[{**HUGE, **WORDS}[treatment]]
    Xs = data.Xs("content", links) if dataset_kind == PAGES else data.Xs(*sorted(data.views))
    if treatment == UNIT:
        Xs = [row_normalise(X) for X in Xs]
    if cut < 1:
        Xs = [X[:, np.flatnonzero(document_frequency(X) < cut * X.shape[0])] for X in Xs]
    return Xs, data.labels


@dataclass
class Draw:
    """Views, classes of the labelled documents (-1 elsewhere), and the truth."""

    Xs: list[Any]
    given: np.ndarray
    truth: np.ndarray
    known: dict[float, list[np.ndarray]] = field(default_factory=dict)

    @property
    def labelled(self) -> np.ndarray:
        """Labelled documents of every class."""
        return np.bincount(self.given[self.given >= 0])

    def posteriors(self, smoothing: float) -> list[np.ndarray]:
        """Return naive Bayes' posterior of every view."""
        from manyviews.baselines.naive_bayes import NaiveBayesEnsemble

        if smoothing not in self.known:
            model = NaiveBayesEnsemble(alpha=smoothing).fit(self.Xs, self.given)
            self.known[smoothing] = model.view_posteriors(self.Xs)
        return self.known[smoothing]

    def start(self, how: str, smoothing: float) -> Any:
        """Return the start of p(z|d): what the model has a name for, or probabilities."""
        from manyviews.parts.naive_bayes import combine_posteriors, naive_bayes_posterior
        from manyviews.preprocessing.sparse import hstack_csr

        if how == JOINT_START:
            joined, classes = hstack_csr(self.Xs), self.labelled.size
            return naive_bayes_posterior(joined, self.given, classes, smoothing)
        if how == MEAN_START:
            return combine_posteriors(self.posteriors(smoothing))
        return "naive_bayes" if how == OWN_START else how


def draw_over_all(y: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    """Return a mask of round(r n) labelled documents, drawn again until every class has one.

    Fewer documents than classes could never hold every class: then there are as many as classes.
    """
    classes = np.unique(y).size
    count = max(classes, round(rate * y.size))
    while True:
        mask = np.zeros(y.size, dtype=bool)
        mask[rng.choice(y.size, size=count, replace=False)] = True
        if np.unique(y[mask]).size == classes:
            return mask


def plsa(model: str, Xs: Sequence[Any], given: Any, rng: Any, **options: Any) -> np.ndarray:
    """Return the classes that MVPLSA or DPLSA finds."""
    from manyviews.models.dplsa import DPLSA
    from manyviews.models.mvplsa import MVPLSA

    kind = MVPLSA if model == "MVPLSA" else DPLSA
    fitted = kind(track_loglik=False, random_state=integer(rng), **options).fit(list(Xs), given)
    return fitted.labels_


def deal_columns(X: Any, parts: int, rng: np.random.Generator) -> list[Any]:
    """Deal the columns of a view at random into views of (nearly) equal width."""
    by_column = X.tocsc()
    dealt = np.array_split(rng.permutation(X.shape[1]), parts)
    return [by_column[:, np.sort(columns)].tocsr() for columns in dealt]


def cotraining_answers(
    part: Draw, wanted: Sequence[int], pool: int, smoothing: float, rng: Any, rounds: int = 0
) -> Iterator[dict[str, np.ndarray]]:
    """Yield classes of both classifiers and of their mean, after so many rounds or after each."""
    from manyviews.baselines.cotraining import cotrain_rounds, cotrain_views
    from manyviews.parts.naive_bayes import combine_posteriors

    told = (part.Xs, part.given, np.array(wanted), pool)
    how = (smoothing, np.random.default_rng(integer(rng)))
    models = (
        iter([cotrain_views(*told, rounds, *how)])
        if rounds
        else cotrain_rounds(*told, part.given.size, *how)
    )
    for model in models:
        one, two = model.posteriors(part.Xs)
        found = zip(COTRAINED, (one, two, combine_posteriors([one, two])), strict=True)
        yield {name: posterior.argmax(axis=1) for name, posterior in found}
