"""The paper's topic models: trained from a run's common start, folded in, placed in both spaces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manyviews.models.coplsa import CoPLSA
from manyviews.models.link_plsa import LinkPLSA
from manyviews.models.plsa import fold_in
from reproduction.papers.coplsa_multimodal.columns import L1, L2, SKL
from reproduction.papers.coplsa_multimodal.protocol import PAIR, Ranking, Spaces, Split, start
from reproduction.papers.coplsa_multimodal.settings import PaperSettings

#: Divergence -> the method it makes.
METHODS = {"skl": SKL, "l2": L2, "l1": L1}

TopicModel = CoPLSA | LinkPLSA
Start = tuple[Sequence[np.ndarray], Sequence[np.ndarray]]


def fit(
    split: Split,
    settings: PaperSettings,
    run: int,
    *,
    divergence: str,
    lam: float,
    n_topics: int | None = None,
    h_step: str = "exact",
    sweeps: int | None = None,
    init: Start | None = None,
) -> CoPLSA:
    """Train one co-regularised PLSA, by default from the run's common start.

    Parameters
    ----------
    split, settings, run
        What it is trained on, and which of the repetitions this is.
    divergence, lam, h_step
        Of :class:`manyviews.models.coplsa.CoPLSA`.
    n_topics, sweeps
        Other numbers than the data set's own.
    init
        Another start: compositions and topics of both modalities.
    """
    n_topics = n_topics or settings.topics.of(split.name)
    if init is None:
        h, ws = start(split, n_topics, run)
        init = ([h, h], ws)
    model = CoPLSA(
        n_topics,
        divergence=divergence,
        lam=lam,
        h_step=h_step,
        max_iter=sweeps or settings.iterations.of(split.name),
        tol=0.0,
        init=init,
    )
    return model.fit(split.train)


def fit_link(
    split: Split, settings: PaperSettings, run: int, *, n_topics: int | None = None
) -> LinkPLSA:
    """Train Link PLSA (equal weights) from the run's common start."""
    n_topics = n_topics or settings.topics.of(split.name)
    model = LinkPLSA(
        n_topics,
        max_iter=settings.iterations.of(split.name),
        tol=0.0,
        init=start(split, n_topics, run),
    )
    return model.fit(split.train)


def folded(model: TopicModel, split: Split, protocol: str, steps: int) -> tuple[PAIR, PAIR]:
    """Fold training and evaluated items in the same way: together (joint) or alone (honest)."""
    parts: list[PAIR] = []
    for views in (split.train, split.test):
        if protocol == "honest":
            pair = [
                fold_in(X, topics, max_iter=steps)
                for X, topics in zip(views, model.topic_word_, strict=True)
            ]
        elif isinstance(model, LinkPLSA):
            h = model.transform(views, max_iter=steps, tol=1e-5)
            pair = [h, h]
        else:
            pair = model.transform(views, max_iter=steps, tol=0.0)
        parts.append(pair)
    return parts[0], parts[1]


def rankings_of(
    model: TopicModel, split: Split, protocol: str, settings: PaperSettings
) -> dict[tuple[str, str], Ranking]:
    """Rankings of the evaluated items in both spaces under one protocol."""
    train, test = folded(model, split, protocol, settings.fold_iterations)
    spaces = Spaces.of(train, test, split.train_labels, settings.regression_C)
    return spaces.rankings(split.test_labels)
