"""What all methods of the paper share: the split, the start, folding in, the two spaces, rankings.

The library is imported where it is called: every plan reads this file, few need the compiled loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from manyviews.seeding import generator
from reproduction.papers.coplsa_multimodal import settings as cm
from reproduction.results.study import Protocol

if TYPE_CHECKING:
    from manyviews.metrics import Ranking
    from reproduction.data.format import MultiViewData

Pair = list[np.ndarray]  # the text's and the image's vectors of the same entities
Rankings = Mapping[tuple[str, str], "Ranking"]  # by space and direction
#: Of protocol, fold-in steps and inverse ridge of the classifiers.
Answer = Callable[[str, int, float], Rankings]


@dataclass(eq=False)
class Split:
    """Training and evaluated pairs: normalised views (text, image) and labels of each part."""

    data: MultiViewData
    rows: Sequence[np.ndarray]
    views: Sequence[str]
    #: Rankings that are remembered, those of the last models: they are large.
    kept: int = 2

    def __post_init__(self) -> None:
        from manyviews.preprocessing.sparse import row_normalise

        matrices = [row_normalise(X, "l1") for X in self.data.Xs(*self.views)]
        self.train, self.test = ([X[part] for X in matrices] for part in self.rows)
        self.train_labels, self.test_labels = (self.data.labels[part] for part in self.rows)
        self.remembered = lru_cache(self.kept)(Trained.rankings)

    def start(self, topics: int, run: int) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return the random start of a run, the same for every method: H and a W per modality."""
        from manyviews.models.plsa import random_doc_topic, random_topic_word

        rng = generator(cm.PAPER, self.data.name, "start", topics, run)
        h = random_doc_topic(self.train[0].shape[0], topics, rng)
        return h, [random_topic_word(X.shape[1], topics, rng) for X in self.train]


@dataclass
class Pairs:
    """A data set as jobs have it; what is found on training pairs set aside is found once."""

    data: MultiViewData
    documents: int | None
    validation_share: float
    #: What fits tell besides their answers.
    told: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.validated, self.chosen = cache(self.train_aside), cache(self.choose)

    @cached_property
    def table(self) -> Split:
        """The published split."""
        return self.published(cm.MODALITIES)

    def published(self, views: Sequence[str]) -> Split:
        """Return the published split of some views, or a part of it where pairs are limited."""
        test = self.data.rows["is_test"].astype(bool)
        parts = [np.flatnonzero(~test), np.flatnonzero(test)]
        if self.documents is not None:
            rng = generator(cm.PAPER, self.data.name, "documents")
            sizes = (self.documents, max(20, self.documents // 3))
            parts = [
                np.sort(rng.choice(p, min(n, len(p)), replace=False))
                for p, n in zip(parts, sizes, strict=True)
            ]
        return Split(self.data, parts, views)

    @cached_property
    def aside(self) -> Split:
        """Training pairs alone, a share of them set aside to choose lambda."""
        return self.held_out(cm.MODALITIES)

    def held_out(self, views: Sequence[str]) -> Split:
        """Return training pairs alone, a share of them set aside."""
        train = np.flatnonzero(~self.data.rows["is_test"].astype(bool))
        rng = generator(cm.PAPER, self.data.name, "validation")
        if self.documents is not None:
            train = np.sort(rng.choice(train, min(self.documents, len(train)), replace=False))
        shuffled = rng.permutation(train)
        held = shuffled[: round(self.validation_share * len(train))]
        # a small part, and both protocols of a grid
        return Split(self.data, [np.setdiff1d(train, held), np.sort(held)], views, kept=16)

    def train_aside(self, divergence: str, lam: float, topics: int, iterations: int) -> Trained:
        """Train a co-regularised PLSA that does not see the pairs set aside."""
        return train(self.aside, 0, topics, iterations, divergence, lam)

    def choose(
        self, divergence: str, grid: tuple[float, ...], topics: int, iterations: int, *how: Any
    ) -> float:
        """Choose the lambda with the best mean MAP, joint protocol, on the pairs set aside."""
        models = {lam: self.validated(divergence, lam, topics, iterations) for lam in grid}
        scores = {lam: mean_map(model("joint", *how)) for lam, model in models.items()}
        return max(scores, key=lambda lam: (scores[lam], -lam))


def by_validation(
    views: Pairs, lambda_grid: cm.LambdaGrid, topics: int, iterations: int, fold_iterations: int,
    regression_C: float, *, divergence: str,
) -> list[float]:  # fmt: skip
    """Return lambda as Table 1 has it: chosen on training pairs set aside."""
    grid = tuple(getattr(lambda_grid, divergence))
    return [views.chosen(divergence, grid, topics, iterations, fold_iterations, regression_C)]


def by_short_validation(
    views: Pairs, lambda_grid: cm.LambdaGrid, topics: int, short_run: cm.ShortRun,
    regression_C: float, *, divergence: str,
) -> list[float]:  # fmt: skip
    """Return lambda chosen under short training."""
    length = short_run.sweeps, short_run.steps
    return by_validation(views, lambda_grid, topics, *length, regression_C, divergence=divergence)


#: Divergence -> lambda of Table 1, one object each.
CHOSEN = {name: partial(by_validation, divergence=name) for name in cm.DIVERGENCES}


@dataclass(eq=False)
class Trained:
    """A trained topic model; called, it answers with rankings in both spaces."""

    model: Any
    split: Split

    def __call__(self, protocol: str, steps: int, C: float) -> Rankings:
        """Return rankings, which the split remembers of its last models."""
        return self.split.remembered(self, protocol, steps, C)

    def rankings(self, protocol: str, steps: int, C: float) -> Rankings:
        """Rank by the compositions that evaluated items have when they are folded in."""
        sides = self.split.test, self.split.train
        test, train = (self.folded(views, protocol, steps) for views in sides)
        return ranked(train, test, self.split, C)

    def folded(self, views: Sequence[Any], protocol: str, steps: int) -> Pair:
        """Fold items in: both sides of a pair together (joint) or each alone (honest)."""
        from manyviews.models.link_plsa import LinkPLSA
        from manyviews.models.plsa import fold_in

        model: Any = self.model
        if protocol == "honest":
            known = zip(views, model.topic_word_, strict=True)
            return [fold_in(X, topics, max_iter=steps) for X, topics in known]
        if isinstance(model, LinkPLSA):
            h = model.transform(views, max_iter=steps, tol=1e-5)
            return [h, h]
        found: Pair = model.transform(views, max_iter=steps, tol=0.0)
        return found


def train(
    split: Split, run: int, topics: int, iterations: int, divergence: str, lam: float,
    h_step: str = "exact", init: Any = None,
) -> Trained:  # fmt: skip
    """Train one co-regularised PLSA, by default from the run's common start."""
    from manyviews.models.coplsa import CoPLSA

    if init is None:
        h, ws = split.start(topics, run)
        init = ([h, h], ws)
    model = CoPLSA(
        topics, divergence=divergence, lam=lam, h_step=h_step, max_iter=iterations, tol=0.0,
        init=init,
    )  # fmt: skip
    return Trained(model.fit(split.train), split)


def train_linked(
    split: Split, run: int, topics: int, iterations: int, image_share: float
) -> Trained:
    """Train Link PLSA from the run's common start."""
    from manyviews.models.link_plsa import LinkPLSA

    model = LinkPLSA(
        topics, alpha=(1 - image_share, image_share), max_iter=iterations, tol=0.0,
        init=split.start(topics, run),
    )  # fmt: skip
    return Trained(model.fit(split.train), split)


#: Method -> fit, one object each: a fit is made once for all protocols that have it.
MODELS: dict[str, Callable[..., Trained]] = {
    **{name: partial(train, divergence=key) for key, name in cm.DIVERGENCES.items()},
    cm.LINK: partial(train_linked, image_share=cm.EQUAL),
    cm.ALONE: partial(train, divergence="l2", lam=0.0),
}


def as_published(views: Pairs) -> Split:
    """Take the published split."""
    return views.table


def with_models(protocol: Protocol, split: Callable[..., Split] = as_published) -> None:
    """Let a protocol have the data set and the topic models."""
    protocol.views(Pairs)
    protocol.split(split)
    for name, fit in MODELS.items():
        protocol.method(name, "control" if name == cm.ALONE else "published")(fit)


def ranked(train: Pair, test: Pair, split: Split, C: float) -> Rankings:
    """Rank in the topic space, and in the semantic one that training items teach."""
    from manyviews.baselines.scm import SemanticSpace

    labels = split.train_labels
    if train[0] is train[1]:  # one H for both modalities: one classifier
        both = 2 * [SemanticSpace(C).fit(train[0], labels)]
    else:
        both = [SemanticSpace(C).fit(h, labels) for h in train]
    semantic = (
        [s.transform(h) for s, h in zip(both, train, strict=True)],
        [s.transform(h) for s, h in zip(both, test, strict=True)],
    )
    return rankings_in({"topic": (train, test), "semantic": semantic}, split.test_labels)


def rankings_in(spaces: Mapping[str, tuple[Pair, Pair]], labels: np.ndarray) -> Rankings:
    """Return the rankings of evaluated vectors, centred by the means of the training ones."""
    found: dict[tuple[str, str], Ranking] = {}
    for space, (train, test) in spaces.items():
        means = [h.mean(axis=0) for h in train]
        found |= directions(space, centred_correlation(test[1], test[0], *means[::-1]), labels)
    return found


def centred_correlation(
    queries: np.ndarray, items: np.ndarray, query_mean: np.ndarray, item_mean: np.ndarray
) -> np.ndarray:
    """Return the cosine of the two modalities' vectors after taking off their training means."""
    a, b = queries - query_mean, items - item_mean
    a = a / np.maximum(np.linalg.norm(a, axis=1, keepdims=True), 1e-300)
    b = b / np.maximum(np.linalg.norm(b, axis=1, keepdims=True), 1e-300)
    return a @ b.T


def directions(space: str, similarity: np.ndarray, labels: np.ndarray) -> Rankings:
    """Return both tasks from one matrix (images x texts): ``i2t`` and ``t2i``."""
    from manyviews.metrics import Ranking

    return {
        (space, "i2t"): Ranking.of(similarity, labels, labels),
        (space, "t2i"): Ranking.of(similarity.T, labels, labels),
    }


def mean_map(rankings: Rankings) -> float:
    """Mean over spaces and directions of the full-list MAP: what lambda is chosen by."""
    return float(np.mean([r.average_precision("full").mean() for r in rankings.values()]))


def mean_precision(
    part: Any, answer: Answer, precision: str, protocol: str, fold_iterations: int,
    regression_C: float,
) -> Iterator[tuple[dict[str, str], float]]:  # fmt: skip
    """Yield the mean average precision of every space and direction."""
    found = answer(protocol, fold_iterations, regression_C)
    for (space, direction), ranking in found.items():
        place = {"space": space, "direction": direction}
        yield place, ranking.average_precision(precision).mean()
