"""Semantic correlation matching (Pereira et al. 2014), and what bounds every honest method.

SCM projects every item from its own modality, so the two protocols coincide for it. It has no
random part: one run. Its classifiers are penalised as in a public implementation of it; the penalty
of the topic models is tried too. On Wikipedia it is given the released features its own authors
used (10 text topics, 128 visual words); the words are the choice.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from reproduction.papers.coplsa_multimodal import protocol as base
from reproduction.papers.coplsa_multimodal import settings as cm
from reproduction.results.study import Protocol

#: Text view -> views that are read, and their kernels.
FEATURES: dict[str, tuple[Sequence[str], Sequence[Any]]] = {
    cm.WORDS: (cm.MODALITIES, ("hellinger", "chi2")),
    cm.RELEASED_TOPICS: (("topics", "image"), ("chi2", "chi2")),
}

matching = Protocol(cm.PAPER, cm.DATASETS, cm.PaperSettings)
matching.views(base.Pairs)
matching.split(lambda views: views)
matching.metric(cm.METRIC, *cm.PLACE)(base.mean_precision)


def whatever(rankings: base.Rankings) -> base.Answer:
    """Return rankings that do not depend on how items are folded in."""
    return lambda *how: rankings


class Matcher:
    """SCM on one split; components and ridges are changed on the same kernels."""

    def __init__(self, split: base.Split, kernels: Sequence[Any], C: float) -> None:
        from manyviews.baselines import scm

        dense = [[X.toarray() for X in part] for part in (split.train, split.test)]
        self.split, self.model = split, scm.SCM(2, kernels=kernels, C=C)
        self.model.fit(dense[0], split.train_labels)
        self.coordinates = self.model.kcca_.coordinates(dense[1])

    def rankings(self, components: int, ridge: float) -> base.Rankings:
        """Return the rankings of the evaluated items."""
        model = self.model.refit(components, ridge, self.split.train_labels)
        test = model.kcca_.cca_.transform(self.coordinates)
        spaces = {
            "topic": (model.train_, test),
            "semantic": (model.semantic(model.train_), model.semantic(test)),
        }
        return base.rankings_in(spaces, self.split.test_labels)


def matched(
    part: base.Pairs, text_view: str, scm: cm.SCMGrid, usual: float
) -> dict[str, base.Answer]:
    """Return SCM's answer, and that of the usual penalty, where its classifiers matter.

    Components and ridge have the best mean MAP on held-out training pairs.
    """
    views, kernels = FEATURES[text_view]
    held = Matcher(part.held_out(views), kernels, scm.C)
    tried = product(scm.ridge, scm.components)
    scores = {(c, ridge): base.mean_map(held.rankings(c, ridge)) for ridge, c in tried}
    best = max(scores, key=lambda key: scores[key])
    matcher = Matcher(part.published(views), kernels, scm.C)
    found = {cm.SCM: whatever(matcher.rankings(*best))}
    matcher.model.set_params(C=usual)
    semantic = {at: r for at, r in matcher.rankings(*best).items() if at[0] == "semantic"}
    return {**found, cm.USUAL: whatever(semantic)}


@matching.several([cm.SCM, cm.USUAL])
def on_its_own_features(
    part: base.Pairs, scm: cm.SCMGrid, regression_C: float
) -> dict[str, base.Answer]:
    """Match the features SCM's authors had, where they are released."""
    text_view = cm.RELEASED_TOPICS if "topics" in part.data.views else cm.WORDS
    return matched(part, text_view, scm, regression_C)


@matching.several({cm.WORDS: cm.SCM})
def on_words(part: base.Pairs, scm: cm.SCMGrid, regression_C: float) -> dict[str, base.Answer]:
    """Match the words and the visual words, as the topic models have them."""
    return matched(part, cm.WORDS, scm, regression_C)


RAW, TRUE_CLASS = "raw features", "true class of the text"


@matching.several([RAW, TRUE_CLASS], role="control")
def bounds(part: base.Pairs, regression_C: float) -> dict[str, base.Answer]:
    """Rank by class posteriors from raw features, and by texts whose class is known."""
    from sklearn.linear_model import LogisticRegression

    split, found = part.table, []
    for train, test in zip(split.train, split.test, strict=True):
        # the square root of a distribution has length one and is what a linear classifier likes
        model = LogisticRegression(C=regression_C, max_iter=500, tol=1e-3)
        model.fit(train.sqrt(), split.train_labels)
        posteriors = [model.predict_proba(X.sqrt()) for X in (test, train)]
        found.append((posteriors[0], posteriors[1].mean(axis=0)))
    classes = np.unique(split.train_labels)
    known, of = ((y[:, None] == classes) for y in (split.test_labels, split.train_labels))
    texts = {RAW: found[0], TRUE_CLASS: (known.astype(float), of.mean(axis=0))}
    image, image_mean = found[1]
    answers = {}
    for name, (text, mean) in texts.items():
        similarity = base.centred_correlation(image, text, image_mean, mean)
        answers[name] = whatever(base.directions("semantic", similarity, split.test_labels))
    return answers


def _table(name: str, methods: Any, protocol: str, **how: Any) -> None:
    how = {"reading": cm.READINGS[protocol], **how}
    matching.table(name, methods, runs=1, job="scm", given={"protocol": protocol}, **how)


_full: dict[str, Any] = {"vary": {"precision": cm.KINDS[:1]}}
_others: dict[str, Any] = {
    "vary": {"precision": cm.KINDS[1:]},
    "columns": {"precision": cm.PRECISION},
}
for _protocol, _methods in {"joint": [cm.SCM], "honest": [cm.SCM, RAW, TRUE_CLASS]}.items():
    _table("1", _methods, _protocol, **_full)
    _table("choice:precision", _methods, _protocol, **_others)
    _table(
        "choice:text_view", {cm.SCM: cm.WORDS}, _protocol, datasets=[cm.WIKIPEDIA],
        vary={"precision": cm.KINDS, "text_view": [cm.WORDS]},
        columns={"text_view": cm.TEXT_VIEW, "precision": cm.PRECISION},
    )  # fmt: skip
_table("1", {cm.SCM: cm.USUAL}, "honest", **{**_full, "reading": cm.USUAL})
