"""What all methods of the paper share: the split, the start, the two spaces, the rows of a table.

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
from reproduction.papers.coplsa_multimodal import PAPER
from reproduction.papers.coplsa_multimodal.columns import READINGS, SPACES
from reproduction.papers.coplsa_multimodal.retrieval import KINDS, centred_correlation, directions
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.results.rows import Row

METRIC = "map_at_10"
FULL = "full"  # the average precision that is compared with print
MODALITIES = ("text", "image")
PAIR = list[np.ndarray]  # the text's and the image's vectors of the same entities
Rankings = Mapping[tuple[str, str], Ranking]  # by space and direction


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
    data: MultiViewData, settings: PaperSettings, views: Sequence[str] = MODALITIES
) -> Split:
    """Return the published split as distributions, or a part of it where pairs are limited."""
    test = data.rows["is_test"].astype(bool)
    parts = [np.flatnonzero(~test), np.flatnonzero(test)]
    limit = settings.documents
    if limit is not None:
        rng = generator(PAPER, data.name, "documents")
        sizes = (limit, max(20, limit // 3))
        parts = [
            np.sort(rng.choice(p, min(n, len(p)), replace=False))
            for p, n in zip(parts, sizes, strict=True)
        ]
    return _split(data, parts[0], parts[1], views)


def validation_split(
    data: MultiViewData, settings: PaperSettings, views: Sequence[str] = MODALITIES
) -> Split:
    """Return training pairs alone, a share of them set aside to choose lambda."""
    train = np.flatnonzero(~data.rows["is_test"].astype(bool))
    rng = generator(PAPER, data.name, "validation")
    limit = settings.documents
    if limit is not None:
        train = np.sort(rng.choice(train, min(limit, len(train)), replace=False))
    shuffled = rng.permutation(train)
    held = shuffled[: round(settings.validation_share * len(train))]
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
        for name in SPACES:
            train, test = getattr(self, name)
            means = [h.mean(axis=0) for h in train]
            similarity = centred_correlation(test[1], test[0], means[1], means[0])
            for direction, ranking in directions(similarity, labels, labels):
                result[name, direction] = ranking
        return result


def map_rows(
    rankings: Rankings,
    table: str,
    method: str,
    protocol: str,
    run: int = 0,
    *,
    role: str = "published",
    precision: str = FULL,
    at: Mapping[str, Any] | None = None,
) -> list[Row]:
    """Mean average precision for one table, a row per space and direction.

    Parameters
    ----------
    rankings
        By space and direction.
    table, method, run, role
        As the rows shall have them.
    protocol
        ``"joint"`` or ``"honest"``.
    precision
        Which average precision, of ``retrieval.KINDS``.
    at
        Further settings of the table.
    """
    return [
        Row(
            table,
            {**(at or {}), "space": space, "direction": direction},
            method,
            METRIC,
            float(ranking.average_precision(precision).mean()),
            READINGS[protocol],
            run,
            role,
        )
        for (space, direction), ranking in rankings.items()
    ]


def table_rows(
    rankings: Rankings, method: str, protocol: str, run: int = 0, *, role: str = "published"
) -> list[Row]:
    """Rows of Table 1, and what other definitions of average precision give."""
    rows = map_rows(rankings, "1", method, protocol, run, role=role)
    for precision in KINDS:
        if precision != FULL:
            at = {"precision": precision}
            rows += map_rows(
                rankings, "choice:precision", method, protocol, run,
                role=role, precision=precision, at=at,
            )  # fmt: skip
    return rows


def detail_rows(
    rankings: Rankings,
    split: Split,
    method: str,
    protocol: str,
    run: int,
    *,
    curves: bool,
    role: str = "published",
) -> list[Row]:
    """Articles on both sides of the split; per category and precision-recall if ``curves``."""
    reading = READINGS[protocol]
    rows: list[Row] = []
    for (space, direction), ranking in rankings.items():
        place = {"space": space, "direction": direction}
        ap = ranking.average_precision(FULL)
        parts = [("extra:articles", "article", name, mask) for name, mask in split.groups.items()]
        if curves:
            parts += [
                ("extra:categories", "category", name, split.test_labels == label)
                for label, name in enumerate(split.class_names)
            ]
            levels = zip(RECALL_LEVELS.tolist(), ranking.interpolated().mean(axis=0), strict=True)
            for level, value in levels:
                at = {**place, "recall": level}
                table, metric = "extra:precision_recall", "precision"
                rows.append(Row(table, at, method, metric, float(value), reading, run, role))
        for table, column, name, mask in parts:
            if mask.any():
                at = {**place, column: name}
                value = float(ap[mask].mean())
                rows.append(Row(table, at, method, METRIC, value, reading, run, role))
    return rows


def random_rows(split: Split, run: int) -> list[Row]:
    """Control: a random order of the items."""
    rng = np.random.default_rng(integer_seed(PAPER, split.name, "random order", run))
    n = len(split.test_labels)
    rows = []
    for space in SPACES:
        similarity = rng.random((n, n))
        pairs = directions(similarity, split.test_labels, split.test_labels)
        rankings = {(space, direction): ranking for direction, ranking in pairs}
        for protocol in READINGS:
            rows += table_rows(rankings, "random order", protocol, run, role="control")
    return rows


def timed(rows: list[Row], seconds: float, sweeps: float = float("nan")) -> list[Row]:
    """Note what training took at the first row of a run."""
    rows[0].seconds, rows[0].iterations = seconds, sweeps
    return rows


def mean_map(rankings: Rankings) -> float:
    """Mean over spaces and directions of the full-list MAP: what lambda is chosen by."""
    return float(np.mean([r.average_precision(FULL).mean() for r in rankings.values()]))
