"""Semantic correlation matching (Pereira et al. 2014), and what bounds every honest method.

SCM projects every item from its own modality, so the two protocols coincide for it. It has no
random part: one run. Its classifiers are penalised as in a public implementation of it; the penalty
of the topic models is tried too. On Wikipedia it is given the released features its own authors
used (10 text topics, 128 visual words); the words are the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from manyviews.baselines import scm
from reproduction.papers.coplsa_multimodal.columns import READINGS, RELEASED_TOPICS, SCM, WORDS
from reproduction.papers.coplsa_multimodal.protocol import (
    MODALITIES,
    Rankings,
    Spaces,
    Split,
    load_split,
    map_rows,
    mean_map,
    table_rows,
    validation_split,
)
from reproduction.papers.coplsa_multimodal.retrieval import KINDS, centred_correlation, directions
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

#: Reading of SCM with the penalty that the topic models have.
USUAL = "usual penalty"
#: Text view -> views that are read, and their kernels.
FEATURES = {
    WORDS: (MODALITIES, ("hellinger", "chi2")),
    RELEASED_TOPICS: (("topics", "image"), ("chi2", "chi2")),
}


def _dense(views: Sequence[Any]) -> list[np.ndarray]:
    return [X.toarray() for X in views]


def _rankings(model: scm.SCM, coordinates: list[np.ndarray], split: Split) -> Rankings:
    projected = model.kcca_.cca_.transform(coordinates)
    topic = (model.train_, projected)
    semantic = (model.semantic(model.train_), model.semantic(projected))
    return Spaces(topic, semantic).rankings(split.test_labels)


def _choose(context: Context, text_view: str) -> tuple[int, float, list[dict[str, float]]]:
    """Components and ridge with the best mean MAP on held-out training pairs."""
    settings: PaperSettings = context.settings
    views, kernels = FEATURES[text_view]
    split = validation_split(context.data, settings, views)
    model = scm.SCM(2, kernels=kernels, C=settings.scm.C)
    model.fit(_dense(split.train), split.train_labels)
    coordinates = model.kcca_.coordinates(_dense(split.test))
    scores: dict[tuple[int, float], float] = {}
    for ridge in settings.scm.ridge:
        for components in settings.scm.components:
            model.refit(components, ridge, split.train_labels)
            scores[components, ridge] = mean_map(_rankings(model, coordinates, split))
    components, ridge = max(scores, key=lambda key: scores[key])
    search = [
        {"components": c, "ridge": r, "mean_map": round(v, 4)} for (c, r), v in scores.items()
    ]
    return components, ridge, search


def _matched(context: Context, text_view: str) -> tuple[Rankings, Rankings, dict[str, Any]]:
    """Rankings of the evaluated items, with the usual penalty too, and what was chosen."""
    settings: PaperSettings = context.settings
    views, kernels = FEATURES[text_view]
    components, ridge, search = _choose(context, text_view)
    split = load_split(context.data, settings, views)
    model = scm.SCM(components, reg=ridge, kernels=kernels, C=settings.scm.C)
    model.fit(_dense(split.train), split.train_labels)
    coordinates = model.kcca_.coordinates(_dense(split.test))
    rankings = _rankings(model, coordinates, split)
    model.set_params(C=settings.regression_C).refit(components, ridge, split.train_labels)
    usual = _rankings(model, coordinates, split)
    chosen = {"components": components, "ridge": ridge, "kernels": list(kernels), "search": search}
    return rankings, usual, chosen


def _posteriors(split: Split, modality: int, c: float) -> tuple[np.ndarray, np.ndarray]:
    """Class posteriors from the raw features of one modality (training mean, evaluated items).

    The square root of a distribution has length one and is what a linear classifier likes.
    """
    X, Y = split.train[modality].sqrt(), split.test[modality].sqrt()
    model = LogisticRegression(C=c, max_iter=500, tol=1e-3).fit(X, split.train_labels)
    return model.predict_proba(X).mean(axis=0), model.predict_proba(Y)


def control_rows(split: Split, settings: PaperSettings) -> list[Row]:
    """Controls in the semantic space: raw features, and texts whose class is known."""
    c = settings.regression_C
    text_mean, text = _posteriors(split, 0, c)
    image_mean, image = _posteriors(split, 1, c)
    classes = np.unique(split.train_labels)
    known = (split.test_labels[:, None] == classes).astype(float)
    known_mean = (split.train_labels[:, None] == classes).mean(axis=0)
    rows = []
    for name, vectors, mean in (
        ("raw features", text, text_mean),
        ("true class of the text", known, known_mean),
    ):
        similarity = centred_correlation(image, vectors, image_mean, mean)
        pairs = directions(similarity, split.test_labels, split.test_labels)
        rankings = {("semantic", direction): ranking for direction, ranking in pairs}
        rows += table_rows(rankings, name, "honest", role="control")
    return rows


def run(context: Context) -> Result:
    """SCM and the honest bounds."""
    released = "topics" in context.data.views
    main = RELEASED_TOPICS if released else WORDS
    details: dict[str, Any] = {}
    rankings, usual, details[main] = _matched(context, main)
    rows = [row for protocol in READINGS for row in table_rows(rankings, SCM, protocol)]
    rows += [  # the topic space has no classifier
        replace(row, reading=USUAL)
        for row in map_rows(usual, "1", SCM, "honest")
        if row.at["space"] == "semantic"
    ]
    if released:
        rankings, _, details[WORDS] = _matched(context, WORDS)
        for protocol in READINGS:
            for precision in KINDS:
                at = {"text_view": WORDS, "precision": precision}
                rows += map_rows(
                    rankings, "choice:text_view", SCM, protocol, precision=precision, at=at
                )
    rows += control_rows(load_split(context.data, context.settings), context.settings)
    return Result(rows, details)
