"""Figure 2: topic compositions of test images, tags sampled from them, the topics' words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from manyviews.seeding import generator
from reproduction.papers.coplsa_multimodal.names import PAPER, READINGS, SKL, WIKIPEDIA
from reproduction.papers.coplsa_multimodal.protocol import Pairs, by_validation, pairs, train
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.results.study import Protocol
from reproduction.results.tables import number, text

TOPICS_SHOWN, TAGS_SHOWN, WORDS_SHOWN = 8, 12, 10
#: Protocol -> image, topic and share, as rows have them.
Shares = dict[str, list[tuple[dict[str, Any], float]]]

compositions = Protocol(PAPER, (WIKIPEDIA,), PaperSettings)
compositions.views(pairs)
compositions.split(lambda views: views)


@compositions.method(SKL)
def described(
    part: Pairs, run: int, lam: float, topics: int, iterations: int, fold_iterations: int,
    figure_images: int,
) -> Shares:  # fmt: skip
    """Describe some test images, one of each category drawn, under both protocols."""
    split = part.table
    trained = train(split, run, topics, iterations, "skl", lam)
    unnamed = [f"word{i}" for i in range(split.train[0].shape[1])]  # a surrogate has no words
    words = np.array(part.data.feature_names.get("text", unnamed))
    text_topics = trained.model.topic_word_[0]
    rng = generator(PAPER, split.name, "figure 2")
    classes = rng.permutation(np.unique(split.test_labels))
    images = {way: trained.folded(split.test, way, fold_iterations)[1] for way in READINGS}
    shares: Shares = {way: [] for way in READINGS}
    examples = []
    for label in classes[:figure_images]:
        image = int(rng.choice(np.flatnonzero(split.test_labels == label)))
        name = split.test_ids[image]
        example: dict[str, Any] = {"id": name, "category": split.class_names[label]}
        for way, folded in images.items():
            h = folded[image]
            leading = np.argsort(-h, kind="stable")[:TOPICS_SHOWN].tolist()
            mixture = h @ text_topics
            tags = rng.choice(words, size=TAGS_SHOWN, p=mixture / mixture.sum())
            example[way] = {
                "topics": leading,
                "shares": [round(float(h[k]), 4) for k in leading],
                "tags": [str(t) for t in tags],
            }
            shares[way] += [({"image": name, "topic": k}, float(h[k])) for k in leading]
        examples.append(example)
    top = [words[np.argsort(-t, kind="stable")[:WORDS_SHOWN]].tolist() for t in text_topics]
    part.told.update({"lambda": lam, "top_words": top, "examples": examples})
    return shares


@compositions.metric("share", text("image"), number("topic", "topic={:g}"))
def leading_shares(
    part: Pairs, answer: Shares, protocol: str
) -> Iterator[tuple[dict[str, Any], float]]:
    """Yield the shares of the leading topics of every image."""
    yield from answer[protocol]


for _protocol, _reading in READINGS.items():
    compositions.table(
        "fig2", runs=1, vary={"lam": by_validation("skl")}, given={"protocol": _protocol},
        reading=_reading, job="figure2",
    )  # fmt: skip
