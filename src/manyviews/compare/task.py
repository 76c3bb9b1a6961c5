"""Which task own data pose, how it is split, and how an answer is scored.

Splits depend on the data and on names alone, never on methods or cores: every method sees the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from manyviews.compare.reading.errors import DataError
from manyviews.compare.reading.own import OwnData
from manyviews.metrics import accuracy, clustering_accuracy, nmi
from manyviews.seeding import generator, integer_seed

#: Folds, label draws or samples of one round.
PER_ROUND = 5
#: Share of the rows in a sample that is clustered.
SAMPLED = 0.8


@dataclass(frozen=True)
class Split:
    """Rows whose labels may be used, rows that are scored, rows that take part at all."""

    name: str
    train: np.ndarray
    test: np.ndarray
    rows: np.ndarray


@dataclass(frozen=True)
class Task:
    """What is asked of the methods.

    Attributes
    ----------
    kind
        ``classify`` or ``cluster``: which methods can answer.
    name
        ``full labels``, ``few labels``, ``hierarchy``, ``clustering`` or ``clustering without
        labels``.
    metric
        The score that decides.
    text
        The task and its splits in a sentence.
    label_share
        Share of the labelled rows that methods see, where labels are drawn.
    overlap
        How much splits share, for the corrected test: added to 1 / splits in the variance.
    n_classes
        Classes, or clusters asked for.
    """

    kind: str
    name: str
    metric: str
    text: str
    overlap: float
    n_classes: int
    label_share: float | None = None


def recognise(data: OwnData) -> Task:
    """Return the task that the data pose: what the user asks for, or what the labels allow."""
    labelled = int((data.codes >= 0).sum())
    asked = data.task
    if asked in ("classify", "few labels", "hierarchy") and not labelled:
        raise DataError(f"{data.name}: the task {asked!r} needs labels; name them in data.yaml")
    if asked == "hierarchy" and data.ontology is None:
        raise DataError(f"{data.name}: the task 'hierarchy' needs an ontology in data.yaml")
    if asked == "cluster" or not labelled:
        return _clustering(data, labelled)
    name = asked if asked in ("hierarchy",) else None
    if name is None and data.ontology is not None:
        name = "hierarchy"
    if data.label_share is not None:
        share = data.label_share
        text = (
            f"{share:.0%} of {labelled} labelled rows are drawn by class and shown, all others are "
            f"predicted; {PER_ROUND} draws a round."
        )
        overlap = share / (1 - share)
        return Task("classify", name or "few labels", "macro_f1", text, overlap,
                    len(data.classes), share)  # fmt: skip
    unlabelled = len(data) - labelled
    text = (
        f"{PER_ROUND} folds of {labelled} labelled rows, by class; each fold is predicted once a "
        "round."
    )
    if unlabelled:
        text += f" {unlabelled} rows without a label lend their features to methods that use them."
    name = name or ("few labels" if unlabelled > labelled else "full labels")
    return Task("classify", name, "macro_f1", text, 1 / (PER_ROUND - 1), len(data.classes))


def _clustering(data: OwnData, labelled: int) -> Task:
    overlap = SAMPLED / (1 - SAMPLED)
    if labelled:
        text = (
            f"Clusters of samples of {SAMPLED:.0%} of the rows, {PER_ROUND} samples a round; "
            "labels are used for the score alone."
        )
        count = data.clusters or len(data.classes)
        return Task("cluster", "clustering", "nmi", text, overlap, count)
    count = data.clusters or guessed_clusters(data)
    text = (
        f"Clusters of samples of {SAMPLED:.0%} of the rows into {count}, {PER_ROUND} samples a "
        "round. There are no labels: the score is the mean silhouette over the views, which "
        "favours round clusters and says nothing about meaning."
    )
    return Task("cluster", "clustering without labels", "silhouette", text, overlap, count)


def guessed_clusters(data: OwnData) -> int:
    """Return the number of clusters from 2 to 10 with the best silhouette of k-means, aloud."""
    from sklearn.cluster import KMeans

    from manyviews.compare.diagnose import prepared_views, silhouette

    tables = prepared_views(data)
    rng = generator("compare", "clusters")
    rows = np.sort(rng.permutation(len(data))[:1000])
    scores = {}
    for k in range(2, min(11, len(rows) // 3)):
        model = KMeans(k, n_init=3, random_state=0)
        labels = model.fit(np.hstack([T[rows] for T in tables])).labels_
        scores[k] = np.mean([silhouette(T[rows], labels) for T in tables])
    best = max(scores, key=lambda k: scores[k])
    data.notes.append(f"{best} clusters are looked for: the best silhouette of 2 to 10")
    return best


def splits_of(task: Task, codes: np.ndarray, number: int) -> list[Split]:
    """Return the splits of one round, the same for every method."""
    seed = integer_seed("compare", "split", number)
    every = np.arange(len(codes))
    if task.kind == "cluster":
        size = round(SAMPLED * len(codes))
        found = []
        for i in range(PER_ROUND):
            rng = generator("compare", "sample", number, i)
            rows = np.sort(rng.permutation(len(codes))[:size])
            scored = rows[codes[rows] >= 0] if (codes >= 0).any() else rows
            found.append(Split(f"{number}-{i}", every[:0], scored, rows))
        return found
    known = np.flatnonzero(codes >= 0)
    if task.label_share is None:
        folds = StratifiedKFold(PER_ROUND, shuffle=True, random_state=seed)
    else:
        least = task.n_classes / known.size
        folds = StratifiedShuffleSplit(
            PER_ROUND, train_size=max(task.label_share, 1.5 * least), random_state=seed
        )
    return [
        Split(f"{number}-{i}", known[train], known[test], every)
        for i, (train, test) in enumerate(folds.split(known, codes[known]))
    ]


def scored(
    task: Task, truth: np.ndarray, predicted: np.ndarray,
    ancestors: Mapping[int, frozenset[str]] | None = None,
) -> dict[str, float]:  # fmt: skip
    """Return the scores of an answer; the task's metric is among them."""
    if task.kind == "cluster":
        return {
            "nmi": nmi(truth, predicted),
            "accuracy": clustering_accuracy(truth, predicted),
        }
    found = {
        "macro_f1": float(
            f1_score(truth, predicted, average="macro", labels=np.unique(truth), zero_division=0)
        ),
        "accuracy": accuracy(truth, predicted),
    }
    if ancestors is not None:
        found["hierarchical_f1"] = hierarchical_f1(truth, predicted, ancestors)
    return found


def lineages(data: OwnData) -> dict[int, frozenset[str]] | None:
    """Return every class with its ancestors, by class number; None without an ontology."""
    if data.ontology is None:
        return None
    found = {-1: frozenset[str]()}
    for code, name in enumerate(data.classes):
        seen, waiting = set(), [name]
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting.extend(data.ontology.get(node, ()))
        found[code] = frozenset(seen)
    return found


def hierarchical_f1(
    truth: np.ndarray, predicted: np.ndarray, ancestors: Mapping[int, frozenset[str]]
) -> float:
    """Return F of the label sets with all ancestors (Kiritchenko et al. 2005)."""
    both = sum(len(ancestors[t] & ancestors[p]) for t, p in zip(truth, predicted, strict=True))
    total = sum(
        len(ancestors[t]) + len(ancestors[p]) for t, p in zip(truth, predicted, strict=True)
    )
    return 2 * both / total if total else 0.0
