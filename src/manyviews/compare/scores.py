"""How an answer is scored: classes, clusters, trees of classes, rankings."""

from collections.abc import Mapping
from itertools import permutations

import numpy as np

from manyviews.compare.reading.own import OwnData
from manyviews.compare.task import Task
from manyviews.metrics import Ranking, accuracy, clustering_accuracy, macro_f1, nmi


def ranked(spaces: np.ndarray, wanted: np.ndarray) -> float:
    """Return the mean average precision over all queries and ordered pairs of views.

    ``spaces`` are coordinates, views x rows x directions, compared by their cosine; a row is a hit
    for another if it is ``wanted`` alike.
    """
    found = [
        Ranking.of(similarities(spaces[a], spaces[b]), wanted, wanted).average_precision().mean()
        for a, b in permutations(range(len(spaces)), 2)
    ]
    return float(np.mean(found))


def similarities(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the cosine of every row of one table with every row of another."""
    units = []
    for table in (first, second):
        length = np.linalg.norm(table, axis=1, keepdims=True)
        units.append(table / np.where(length > 0, length, 1.0))
    return np.asarray(units[0] @ units[1].T)


def retrieved(task: Task, codes: np.ndarray, spaces: np.ndarray) -> dict[str, float]:
    """Return the scores of a common space: hits are rows of a class, or the row itself."""
    pairs = ranked(spaces, np.arange(spaces.shape[1]))  # one hit a query: mean reciprocal rank
    return {"map": ranked(spaces, codes) if task.n_classes > 1 else pairs, "reciprocal_rank": pairs}


def scored(
    task: Task, truth: np.ndarray, predicted: np.ndarray,
    ancestors: Mapping[int, frozenset[str]] | None = None,
) -> dict[str, float]:  # fmt: skip
    """Return the scores of an answer; the task's metric is among them."""
    if task.kind == "cluster":
        return {"nmi": nmi(truth, predicted), "accuracy": clustering_accuracy(truth, predicted)}
    found = {"macro_f1": macro_f1(truth, predicted), "accuracy": accuracy(truth, predicted)}
    if ancestors is not None:
        found["hierarchical_f1"] = hierarchical_f1(truth, predicted, ancestors)
    return found


def lineages(data: OwnData) -> dict[int, frozenset[str]] | None:
    """Return every class with its ancestors, by class number; None without an ontology.

    What is above every class, such as the root, says nothing and is left out.
    """
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
    shared = frozenset.intersection(*(found[code] for code in range(len(data.classes))))
    return {code: nodes - shared for code, nodes in found.items()}


def hierarchical_f1(
    truth: np.ndarray, predicted: np.ndarray, ancestors: Mapping[int, frozenset[str]]
) -> float:
    """Return F of the label sets with all ancestors (Kiritchenko et al. 2005)."""
    pairs = [(ancestors[t], ancestors[p]) for t, p in zip(truth, predicted, strict=True)]
    total = sum(len(a) + len(b) for a, b in pairs)
    return 2 * sum(len(a & b) for a, b in pairs) / total if total else 0.0
