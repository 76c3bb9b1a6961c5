"""Semantic correlation matching (Pereira et al. 2014), and what bounds every honest method.

SCM projects every item from its own modality, so the two protocols coincide for it. It has no
random part: one run. On Wikipedia it is given the released features its own authors used (10 text
topics, 128 visual words); the words are a further reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from manyviews.baselines.scm import SCM
from manyviews.metrics import Ranking
from reproduction.papers.coplsa_multimodal.protocol import (
    MODALITIES,
    Spaces,
    Split,
    centred_correlation,
    directions,
    load_split,
    mean_map,
    table_rows,
    validation_split,
)
from reproduction.results.jobs import Context, Result, Row

METHOD = "SCM"


def _dense(views: Sequence[Any]) -> list[np.ndarray]:
    return [X.toarray() for X in views]


def _rankings(
    model: SCM, coordinates: list[np.ndarray], split: Split
) -> dict[tuple[str, str], Ranking]:
    projected = model.kcca_.cca_.transform(coordinates)
    topic = (model.train_, projected)
    semantic = (model.semantic(model.train_), model.semantic(projected))
    return Spaces(topic, semantic).rankings(split.test_labels)


def _choose(
    context: Context, views: Sequence[str], kernels: tuple[str, str]
) -> tuple[int, float, dict[str, float]]:
    """Components and ridge with the best mean MAP on held-out training pairs."""
    settings = context.settings
    split = validation_split(context.data, settings, views)
    model = SCM(2, kernels=kernels, C=settings["regression_C"])
    model.fit(_dense(split.train), split.train_labels)
    coordinates = model.kcca_.coordinates(_dense(split.test))
    scores: dict[tuple[int, float], float] = {}
    for ridge in settings["scm"]["ridge"]:
        for components in settings["scm"]["components"]:
            model.refit(int(components), float(ridge), split.train_labels)
            scores[int(components), float(ridge)] = mean_map(_rankings(model, coordinates, split))
    components, ridge = max(scores, key=lambda key: scores[key])
    listed = {f"components={c};ridge={r:g}": round(v, 4) for (c, r), v in scores.items()}
    return components, ridge, listed


def _run_features(
    context: Context, views: Sequence[str], kernels: tuple[str, str], extra: str
) -> tuple[list[Row], dict[str, Any]]:
    components, ridge, search = _choose(context, views, kernels)
    split = load_split(context.data, context.settings, views)
    model = SCM(components, reg=ridge, kernels=kernels, C=context.settings["regression_C"])
    model.fit(_dense(split.train), split.train_labels)
    rankings = _rankings(model, model.kcca_.coordinates(_dense(split.test)), split)
    rows = []
    for protocol in ("joint", "honest"):
        rows += table_rows(rankings, METHOD, protocol, 0, extra=extra)
    chosen = {"components": components, "ridge": ridge, "kernels": list(kernels), "search": search}
    return rows, chosen


def _posteriors(split: Split, modality: int, c: float) -> tuple[np.ndarray, np.ndarray]:
    """Class posteriors from the raw features of one modality (training mean, evaluated items).

    The square root of a distribution has length one and is what a linear classifier likes.
    """
    X, Y = split.train[modality].sqrt(), split.test[modality].sqrt()
    model = LogisticRegression(C=c, max_iter=500, tol=1e-3).fit(X, split.train_labels)
    return model.predict_proba(X).mean(axis=0), model.predict_proba(Y)


def control_rows(split: Split, settings: Mapping[str, Any]) -> list[Row]:
    """Controls in the semantic space: raw features, and texts whose class is known."""
    c = settings["regression_C"]
    text_mean, text = _posteriors(split, 0, c)
    image_mean, image = _posteriors(split, 1, c)
    classes = np.unique(split.train_labels)
    known = (split.test_labels[:, None] == classes).astype(float)
    known_mean = (split.train_labels[:, None] == classes).mean(axis=0)
    rows = []
    for name, vectors, mean in (
        ("control:raw features", text, text_mean),
        ("control:true class of the text", known, known_mean),
    ):
        similarity = centred_correlation(image, vectors, image_mean, mean)
        pairs = directions(similarity, split.test_labels, split.test_labels)
        rankings = {("semantic", direction): ranking for direction, ranking in pairs}
        rows += table_rows(rankings, name, "honest", 0)
    return rows


def run(context: Context) -> Result:
    """SCM and the honest bounds."""
    details: dict[str, Any] = {}
    words = ("hellinger", "chi2")
    if "topics" in context.data.views:
        rows, details["released topics"] = _run_features(
            context, ("topics", "image"), ("chi2", "chi2"), ""
        )
        more, details["words"] = _run_features(context, MODALITIES, words, "text=words")
        rows += more
    else:
        rows, details["words"] = _run_features(context, MODALITIES, words, "")
    rows += control_rows(load_split(context.data, context.settings), context.settings)
    return Result(rows, details)
