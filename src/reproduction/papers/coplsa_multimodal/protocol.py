"""What all methods of the paper share: the split, the start, folding in, the rows of a table.

Two protocols. *Honest*: every item is folded in from its own modality, as the paper's text says.
*Joint*: the two sides of an evaluated pair are folded in together, which is the only reading under
which the published figures (Link PLSA's i2t equal to t2i to the digit) appear; those are compared
with it, by average precision over the full list. Both are run for every cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from manyviews.baselines.scm import SemanticSpace
from manyviews.metrics import RECALL_LEVELS, Ranking
from manyviews.models.plsa import random_doc_topic, random_topic_word
from manyviews.preprocessing.sparse import row_normalise
from manyviews.seeding import generator, integer_seed
from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_multimodal.retrieval import KINDS, centred_correlation, directions
from reproduction.results.jobs import Row

PAPER = "coplsa_multimodal"
METRIC = "map_at_10"
MODALITIES = ("text", "image")
PAIR = list[np.ndarray]  # the text's and the image's vectors of the same entities


@dataclass
class Split:
    """Training and evaluated pairs: normalised views (text, image) and labels of each part."""

    name: str
    train: list[sparse.csr_matrix]
    test: list[sparse.csr_matrix]
    train_labels: np.ndarray
    test_labels: np.ndarray
    groups: dict[str, np.ndarray]
    class_names: list[str]
    test_ids: list[str]


def load_split(
    data: MultiViewData, settings: Mapping[str, Any], views: Sequence[str] = MODALITIES
) -> Split:
    """Return the published split as distributions; ``documents`` limits it (quick runs)."""
    test = data.rows["is_test"].astype(bool)
    parts = [np.flatnonzero(~test), np.flatnonzero(test)]
    limit = settings["documents"]
    if limit is not None:
        rng = generator(PAPER, data.name, "documents")
        sizes = (limit, max(20, limit // 3))
        parts = [
            np.sort(rng.choice(p, min(n, len(p)), replace=False))
            for p, n in zip(parts, sizes, strict=True)
        ]
    return _split(data, parts[0], parts[1], views)


def validation_split(
    data: MultiViewData, split_of: Mapping[str, Any], views: Sequence[str] = MODALITIES
) -> Split:
    """Return training pairs alone, a share of each class of them set aside to choose lambda."""
    train = np.flatnonzero(~data.rows["is_test"].astype(bool))
    rng = generator(PAPER, data.name, "validation")
    limit = split_of["documents"]
    if limit is not None:
        train = np.sort(rng.choice(train, min(limit, len(train)), replace=False))
    shuffled = rng.permutation(train)
    held = shuffled[: round(split_of["validation_share"] * len(train))]
    return _split(data, np.setdiff1d(train, held), np.sort(held), views)


def _split(data: MultiViewData, train: np.ndarray, test: np.ndarray, views: Sequence[str]) -> Split:
    matrices = [row_normalise(X, "l1") for X in data.Xs(*views)]
    groups = {}
    if "article" in data.rows:
        seen = np.isin(data.rows["article"][test], data.rows["article"][train])
        groups = {"article in training": seen, "article not in training": ~seen}
    return Split(
        name=data.name,
        train=[X[train] for X in matrices],
        test=[X[test] for X in matrices],
        train_labels=data.labels[train],
        test_labels=data.labels[test],
        groups=groups,
        class_names=data.class_names,
        test_ids=[data.ids[i] for i in test],
    )


def start(split: Split, n_topics: int, run: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the random start of a run, the same for every method: H and one W per modality."""
    rng = generator(PAPER, split.name, "start", n_topics, run)
    h = random_doc_topic(split.train[0].shape[0], n_topics, rng)
    return h, [random_topic_word(X.shape[1], n_topics, rng) for X in split.train]


@dataclass
class Spaces:
    """Training and evaluated vectors of both modalities in the two spaces of Table 1."""

    topic: tuple[PAIR, PAIR]
    semantic: tuple[PAIR, PAIR]

    @classmethod
    def of(cls, train: PAIR, test: PAIR, labels: np.ndarray, c: float) -> Spaces:
        """Learn the semantic space from training items folded in like the evaluated ones."""
        if train[0] is train[1]:  # one H for both modalities: one classifier
            space = SemanticSpace(c).fit(train[0], labels)
            both = [space, space]
        else:
            both = [SemanticSpace(c).fit(h, labels) for h in train]
        semantic = (
            [s.transform(h) for s, h in zip(both, train, strict=True)],
            [s.transform(h) for s, h in zip(both, test, strict=True)],
        )
        return cls((train, test), semantic)

    def rankings(self, labels: np.ndarray) -> dict[tuple[str, str], Ranking]:
        """Rankings by (space, direction)."""
        result = {}
        for name in ("topic", "semantic"):
            train, test = getattr(self, name)
            means = [h.mean(axis=0) for h in train]
            similarity = centred_correlation(test[1], test[0], means[1], means[0])
            for direction, ranking in directions(similarity, labels, labels):
                result[name, direction] = ranking
        return result


def reading(protocol: str, kind: str) -> str:
    """Name of a reading; joint with full-list average precision is the one declared."""
    parts = []
    if protocol == "honest":
        parts.append("protocol=honest")
    if kind != "full":
        parts.append(f"map={kind}")
    return ",".join(parts) or "paper"


def table_rows(
    rankings: Mapping[tuple[str, str], Ranking],
    method: str,
    protocol: str,
    run: int,
    *,
    extra: str = "",
    kinds: Sequence[str] = KINDS,
) -> list[Row]:
    """Rows of Table 1 in all readings of average precision (``extra`` names a further reading)."""
    rows = []
    for (space, direction), ranking in rankings.items():
        for kind in kinds:
            name = reading(protocol, kind)
            if extra:
                name = extra if name == "paper" else f"{extra},{name}"
            value = float(ranking.average_precision(kind).mean())
            rows.append(Row("1", f"{space};{direction}", method, METRIC, value, name, run))
    return rows


def detail_rows(
    rankings: Mapping[tuple[str, str], Ranking],
    split: Split,
    method: str,
    protocol: str,
    run: int,
    *,
    curves: bool,
) -> list[Row]:
    """Articles on both sides of the split; per category and precision-recall if ``curves``."""
    rows = []
    name = reading(protocol, "full")
    for (space, direction), ranking in rankings.items():
        ap = ranking.average_precision("full")
        place = f"{space};{direction}"
        for group, mask in split.groups.items():
            if mask.any():
                setting = f"{place};{group}"
                value = float(ap[mask].mean())
                rows.append(Row("extra:articles", setting, method, METRIC, value, name, run))
        if not curves:
            continue
        for label, category in enumerate(split.class_names):
            mask = split.test_labels == label
            if mask.any():
                setting = f"{place};{category}"
                value = float(ap[mask].mean())
                rows.append(Row("extra:categories", setting, method, METRIC, value, name, run))
        for level, value in zip(RECALL_LEVELS, ranking.interpolated().mean(axis=0), strict=True):
            setting = f"{place};recall={level:.1f}"
            rows.append(
                Row(
                    "extra:precision_recall",
                    setting,
                    method,
                    "precision",
                    float(value),
                    name,
                    run,
                )
            )
    return rows


def random_rows(split: Split, run: int) -> list[Row]:
    """Control: a random order of the items."""
    rng = np.random.default_rng(integer_seed(PAPER, split.name, "random order", run))
    n = len(split.test_labels)
    rows = []
    for space in ("topic", "semantic"):
        similarity = rng.random((n, n))
        pairs = directions(similarity, split.test_labels, split.test_labels)
        rankings = {(space, direction): ranking for direction, ranking in pairs}
        for protocol in ("joint", "honest"):
            rows += table_rows(rankings, "control:random order", protocol, run)
    return rows


def mean_map(rankings: Mapping[tuple[str, str], Ranking]) -> float:
    """Mean over spaces and directions of the full-list MAP: what lambda is chosen by."""
    return float(np.mean([r.average_precision("full").mean() for r in rankings.values()]))
