"""Figure 2: topic compositions of test images, tags sampled from them, the topics' words."""

from __future__ import annotations

from typing import Any

import numpy as np

from manyviews.seeding import generator
from reproduction.papers.coplsa_multimodal import PAPER
from reproduction.papers.coplsa_multimodal.columns import READINGS, SKL
from reproduction.papers.coplsa_multimodal.models import fit, folded
from reproduction.papers.coplsa_multimodal.protocol import load_split
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.papers.coplsa_multimodal.tables import chosen_lambda
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

TOPICS_SHOWN, TAGS_SHOWN, WORDS_SHOWN = 8, 12, 10


def run(context: Context) -> Result:
    """Describe some test images, one of each category drawn, under both protocols."""
    settings: PaperSettings = context.settings
    split = load_split(context.data, settings)
    lam = chosen_lambda(context, "skl")
    model = fit(split, settings, 0, divergence="skl", lam=lam)
    unnamed = [f"word{i}" for i in range(split.train[0].shape[1])]  # a surrogate has no words
    words = np.array(context.data.feature_names.get("text", unnamed))
    text_topics = model.topic_word_[0]
    rng = generator(PAPER, split.name, "figure 2")
    classes = rng.permutation(np.unique(split.test_labels))
    images = {
        protocol: folded(model, split, protocol, settings.fold_iterations)[1][1]
        for protocol in READINGS
    }
    rows: list[Row] = []
    examples = []
    for label in classes[: settings.figure_images]:
        image = int(rng.choice(np.flatnonzero(split.test_labels == label)))
        name = split.test_ids[image]
        example: dict[str, Any] = {"id": name, "category": split.class_names[label]}
        for protocol, reading in READINGS.items():
            h = images[protocol][image]
            leading = np.argsort(-h, kind="stable")[:TOPICS_SHOWN].tolist()
            mixture = h @ text_topics
            tags = rng.choice(words, size=TAGS_SHOWN, p=mixture / mixture.sum())
            example[protocol] = {
                "topics": leading,
                "shares": [round(float(h[k]), 4) for k in leading],
                "tags": [str(t) for t in tags],
            }
            for k in leading:
                at = {"image": name, "topic": k}
                rows.append(Row("fig2", at, SKL, "share", float(h[k]), reading))
        examples.append(example)
    top = [words[np.argsort(-t, kind="stable")[:WORDS_SHOWN]].tolist() for t in text_topics]
    return Result(rows, {"lambda": lam, "top_words": top, "examples": examples})
