"""Which task own data pose, how it is split, and how an answer is scored.

Splits depend on the data and on names alone, never on methods or cores: every method sees the same.
"""

from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.model_selection import KFold, StratifiedKFold, StratifiedShuffleSplit

from manyviews.compare.diagnose import prepared_views, silhouette
from manyviews.compare.reading.guard import DataError
from manyviews.compare.reading.own import OwnData
from manyviews.metrics import Ranking
from manyviews.seeding import generator, integer_seed

#: Folds, label draws or samples of one round.
PER_ROUND = 5
#: Share of the rows that a split is scored on: what differs between splits shows what chance does.
PART = 1 / PER_ROUND
#: Rows a sample to cluster has at least, and those for every cluster, as long as two samples fit.
SAMPLE, PER_CLUSTER = 50, 10


@dataclass(frozen=True)
class Split:
    """Rows whose labels may be used, rows that are scored, rows that take part at all."""

    name: str
    train: np.ndarray
    test: np.ndarray
    rows: np.ndarray


@dataclass(frozen=True)
class Task:
    """What is asked of the methods, in a name and a text, and the score that decides.

    ``kind`` (``classify``, ``cluster``, ``retrieve``) says which methods can answer,
    ``label_share`` how many labels they see where labels are drawn, ``share`` on how many of the
    rows a split is scored.
    """

    kind: str
    name: str
    metric: str
    text: str
    n_classes: int
    label_share: float | None = None
    share: float = PART

    @property
    def overlap(self) -> float:
        """How much splits share, for the test: added to 1 / splits in the variance.

        Doubled for retrieval: its space is learnt, which ties the splits more than the rows they
        are scored on (8.1 % of equal methods were called better without it, by 1,000 data sets).
        """
        return self.share / (1 - self.share) * (2 if self.kind == "retrieve" else 1)


def recognise(data: OwnData) -> Task:
    """Return the task that the data pose: what the user asks for, or what the labels allow."""
    labelled = int((data.codes >= 0).sum())
    asked = data.task
    if asked in ("classify", "few labels") and not labelled:
        raise DataError(f"{data.name}: the task {asked!r} needs labels; name them in data.yaml")
    if asked == "retrieval":
        return _retrieval(data, labelled)
    if asked == "cluster" or not labelled:
        return _clustering(data, labelled)
    unlabelled, share = len(data) - labelled, data.label_share
    text = f"{PER_ROUND} folds of {labelled} labelled rows, by class; each fold is predicted once "
    text += "a round."
    if share is not None:
        text = (
            f"{share:.0%} of {labelled} labelled rows are drawn by class and shown, a fifth of the "
            f"rows is drawn from the others and predicted; {PER_ROUND} draws a round."
        )
    elif unlabelled:
        text += f" {unlabelled} rows without a label lend their features to methods that use them."
    few = share is not None or unlabelled > labelled
    name = "few labels" if few else "full labels"
    return Task("classify", name, "macro_f1", text, len(data.classes), share)


def _retrieval(data: OwnData, labelled: int) -> Task:
    able, least = paired_rows(data).size, 4 * PER_ROUND
    whole = "have all views and a label" if labelled else "have all views"
    if data.views.n_views < 2 or able < least:
        raise DataError(
            f"{data.name}: the task 'retrieval' needs two views and {least} rows that {whole}; "
            f"there are {data.views.n_views} views and {able} such rows"
        )
    if able < len(data):
        data.notes.append(f"{len(data) - able} rows do not {whole}: they take no part")
    hit = "a row of the same class" if labelled else "the row itself, seen through that view"
    text = (
        f"{PER_ROUND} folds of {able} rows. A test row seen through one view is the query, the "
        f"test rows seen through another are ranked; a hit is {hit}. The score is the mean average "
        "precision over all queries and all ordered pairs of views."
    )
    # without labels there is one class: every row that may be learnt from
    return Task("retrieve", "retrieval", "map", text, len(data.classes) if labelled else 1)


def paired_rows(data: OwnData) -> np.ndarray:
    """Return the rows that have all views, and a class if there are classes."""
    able = data.views.observed.all(axis=1)
    return np.flatnonzero(able & (data.codes >= 0) if data.classes else able)


def _clustering(data: OwnData, labelled: int) -> Task:
    count = data.clusters or (len(data.classes) if labelled else guessed_clusters(data))
    least = max(SAMPLE, PER_CLUSTER * count) / len(data)
    share = max(PART, min(least, 1 / 2))
    text = (
        f"Clusters of random samples, {share:.0%} of the rows each, into {count}; {PER_ROUND} "
        "samples a round. "
    )
    if labelled:
        text += "Labels are used for the score alone."
        return Task("cluster", "clustering", "nmi", text, count, share=share)
    text += (
        "There are no labels: the score is the mean silhouette over the views, which favours round "
        "clusters and says nothing about meaning."
    )
    return Task("cluster", "clustering without labels", "silhouette", text, count, share=share)


def guessed_clusters(data: OwnData) -> int:
    """Return the number of clusters from 2 to 10 with the best silhouette of k-means, aloud."""
    rows = np.sort(generator("compare", "clusters").permutation(len(data))[:1000])
    tables = [T[rows] for T in prepared_views(data)]
    scores = {}
    for k in range(2, min(11, len(rows) // 3)):
        labels = KMeans(k, n_init=3, random_state=0).fit(np.hstack(tables)).labels_
        scores[k] = np.mean([silhouette(T, labels) for T in tables])
    best = max(scores, key=lambda k: scores[k])
    data.notes.append(f"{best} clusters are looked for: the best silhouette of 2 to 10")
    return best


def splits_of(task: Task, data: OwnData, number: int) -> list[Split]:
    """Return the splits of a round by its number, the same for every method."""
    codes, every = data.codes, np.arange(len(data))
    if task.kind == "cluster":
        size = round(task.share * len(codes))
        found = []
        for i in range(PER_ROUND):
            rng = generator("compare", "sample", number, i)
            rows = np.sort(rng.permutation(len(codes))[:size])
            scored = rows[codes[rows] >= 0] if (codes >= 0).any() else rows
            found.append(Split(f"{number}-{i}", every[:0], scored, rows))
        return found
    known = paired_rows(data) if task.kind == "retrieve" else np.flatnonzero(codes >= 0)
    seed, most = integer_seed("compare", "split", number), known.size
    folds: Any
    if (codes[known] < 0).any():
        folds = KFold(PER_ROUND, shuffle=True, random_state=seed)
    elif task.label_share is None:
        folds = StratifiedKFold(PER_ROUND, shuffle=True, random_state=seed)
    else:
        least = task.n_classes / known.size
        folds = StratifiedShuffleSplit(
            PER_ROUND, train_size=max(task.label_share, 1.5 * least), random_state=seed
        )
        most = round(task.share * known.size)  # of rows that come in random order
    return [
        Split(f"{number}-{i}", known[train], known[test[:most]], every)
        for i, (train, test) in enumerate(folds.split(known, codes[known]))
    ]


def ranked(spaces: np.ndarray, codes: np.ndarray, n_classes: int) -> float:
    """Return the mean average precision over all queries and ordered pairs of views.

    ``spaces`` are coordinates, views x rows x directions, compared by their cosine; hits are the
    rows of the class or, without classes, the row itself.
    """
    wanted = codes if n_classes > 1 else np.arange(len(codes))
    found = [
        Ranking.of(cosine_similarity(one, two), wanted, wanted).average_precision().mean()
        for one, two in permutations(spaces, 2)
    ]
    return float(np.mean(found))
