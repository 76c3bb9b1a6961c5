"""The protocol: draw test and labelled pages, fit both ways, measure the errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.cotraining import CoTraining, cotrain_rounds
from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from manyviews.parts.naive_bayes import combine_posteriors
from manyviews.preprocessing.sparse import binarise
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.cotraining.settings import PaperSettings
from reproduction.results.rows import Row

PAPER = "cotraining"
VIEWS = ("page", "link")
CLASSIFIERS = ("page", "links", "combined")
COURSE = 1

Posteriors = Sequence[np.ndarray]


@dataclass
class Draw:
    """One random draw: views, labels with -1 for unknown ones, the pages to test on."""

    Xs: list[sp.csr_matrix]
    truth: np.ndarray
    given: np.ndarray
    test: np.ndarray
    number: int

    @property
    def training(self) -> np.ndarray:
        """Pages that methods may see: all but the test pages."""
        return ~self.test

    def seen(self) -> tuple[list[sp.csr_matrix], np.ndarray]:
        """Return views and labels of the training pages."""
        return [X[self.training] for X in self.Xs], self.given[self.training]

    def held_out(self) -> list[sp.csr_matrix]:
        """Return views of the test pages."""
        return [X[self.test] for X in self.Xs]


def words_of(data: MultiViewData, weights: str = "presence") -> list[sp.csr_matrix]:
    """Return words of the pages and of the links to them: their presence, or as released."""
    Xs = data.Xs(*VIEWS)
    return [binarise(X) for X in Xs] if weights == "presence" else Xs


def draw(Xs: list[sp.csr_matrix], truth: np.ndarray, settings: PaperSettings, run: int) -> Draw:
    """Hold out a share of the pages, label a few of the others, all at random.

    Seeds are keyed by the run alone, so every choice sees the same pages.
    """
    rng = generator(PAPER, "webkb_course", run)
    order = rng.permutation(truth.size)
    test = np.zeros(truth.size, dtype=bool)
    test[order[: round(settings.held_out * truth.size)]] = True
    given = np.full(truth.size, -1)
    rest = order[~test[order]]
    for label, count in ((COURSE, settings.positive), (1 - COURSE, settings.negative)):
        members = rest[truth[rest] == label]
        if members.size < count:
            raise ValueError(f"{count} labelled pages of class {label} asked, {members.size} left")
        given[members[:count]] = label
    return Draw(Xs, truth, given, test, run)


def supervised(part: Draw, smoothing: float) -> Posteriors:
    """Return the views' posteriors of the test pages, learnt from the labelled pages alone."""
    Xs, given = part.seen()
    return NaiveBayesEnsemble(alpha=smoothing).fit(Xs, given).view_posteriors(part.held_out())


def cotrained(
    part: Draw, settings: PaperSettings, *, rounds: int | None = None, smoothing: float = 1.0
) -> Posteriors:
    """Return the views' posteriors of the test pages after co-training (Table 1 of the paper)."""
    Xs, given = part.seen()
    model = CoTraining(
        (settings.label_negative, settings.label_positive),
        pool_size=settings.pool,
        max_iter=settings.rounds if rounds is None else rounds,
        alpha=smoothing,
        random_state=generator(PAPER, "webkb_course", part.number, "pool"),
    )
    return model.fit(Xs, given).view_posteriors(part.held_out())


def cotrained_rounds(part: Draw, settings: PaperSettings) -> Iterator[Posteriors]:
    """Yield the views' posteriors of the test pages after every round, all from one run."""
    Xs, given = part.seen()
    wanted = np.array([settings.label_negative, settings.label_positive])
    rng = generator(PAPER, "webkb_course", part.number, "pool")
    held_out = part.held_out()
    models = cotrain_rounds(
        Xs, given, wanted, settings.pool, settings.rounds, settings.smoothing, rng
    )
    for model in models:
        yield model.posteriors(held_out)


def errors(
    part: Draw, posteriors: Posteriors, table: str, method: str, *,
    reading: str = "inferred", role: str = "published", **at: float,
) -> list[Row]:  # fmt: skip
    """Return the error in per cent of either classifier and of the two combined.

    The paper multiplies the two classifiers' probabilities; with two classes and two classifiers
    their mean decides alike.
    """
    together = [*posteriors, combine_posteriors(list(posteriors), "product")]
    truth = part.truth[part.test]
    return [
        Row(
            table, {"classifier": name, **at}, method, "error_pct",
            100 * float(np.mean(found.argmax(axis=1) != truth)),
            reading=reading, run=part.number, role=role,
        )
        for name, found in zip(CLASSIFIERS, together, strict=True)
    ]  # fmt: skip
