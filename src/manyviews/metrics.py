"""The papers' measures, as fractions (multiply by 100 for the tables)."""

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import f1_score, normalized_mutual_info_score

from manyviews.validation import check_choice


def _pair(y: Any, predicted: Any) -> tuple[np.ndarray, np.ndarray]:
    truth, guess = np.asarray(y), np.asarray(predicted)
    if truth.ndim != 1 or truth.shape != guess.shape:
        raise ValueError(
            f"truth and prediction must be equally long vectors, got {truth.shape} and "
            f"{guess.shape}"
        )
    if truth.size == 0:
        raise ValueError("there is nothing to score: both vectors are empty")
    return truth, guess


def contingency(y: Any, predicted: Any) -> np.ndarray:
    """Return the table of counts (true classes x predicted groups)."""
    truth, guess = _pair(y, predicted)
    _, row = np.unique(truth, return_inverse=True)
    _, column = np.unique(guess, return_inverse=True)
    table = np.zeros((row.max() + 1, column.max() + 1), dtype=np.int64)
    np.add.at(table, (row, column), 1)
    return table


def accuracy(y: Any, predicted: Any) -> float:
    """Return the share of equal labels."""
    truth, guess = _pair(y, predicted)
    return float(np.mean(truth == guess))


def clustering_accuracy(y: Any, predicted: Any) -> float:
    """Return the accuracy under the best one-to-one matching of clusters to classes."""
    table = contingency(y, predicted)
    rows, columns = linear_sum_assignment(-table)
    return float(table[rows, columns].sum() / table.sum())


def nmi(y: Any, predicted: Any, average: str = "arithmetic") -> float:
    """Return mutual information over the ``arithmetic`` mean or the ``max`` of the entropies."""
    truth, guess = _pair(y, predicted)
    check_choice("average", average, ("arithmetic", "max", "geometric", "min"))
    return float(normalized_mutual_info_score(truth, guess, average_method=average))


def pairwise_f(y: Any, predicted: Any) -> float:
    """Return the F measure of the decisions "same group" over all pairs of documents."""
    table = contingency(y, predicted).astype(np.float64)
    both = (table * (table - 1)).sum() / 2
    same_class = table.sum(axis=1)
    same_group = table.sum(axis=0)
    in_class = (same_class * (same_class - 1)).sum() / 2
    in_group = (same_group * (same_group - 1)).sum() / 2
    if in_class + in_group == 0:
        return 1.0  # all singletons on both sides: no pair to get wrong
    return float(2 * both / (in_class + in_group))


def macro_f1(y: Any, predicted: Any, classes: Any = None) -> float:
    """Return the unweighted mean of the classes' F1 (classes default to those in the truth)."""
    truth, guess = _pair(y, predicted)
    labels = np.unique(truth) if classes is None else np.asarray(classes)
    return float(f1_score(truth, guess, labels=labels, average="macro", zero_division=0))


def micro_f1(y: Any, predicted: Any, classes: Any = None) -> float:
    """Return F1 from the pooled counts of all classes."""
    truth, guess = _pair(y, predicted)
    labels = np.unique(truth) if classes is None else np.asarray(classes)
    return float(f1_score(truth, guess, labels=labels, average="micro", zero_division=0))


def f1_binary(y: Any, predicted: Any, positive: Any = 1) -> float:
    """Return F1 of the ``positive`` class; 0 if it is neither present nor predicted."""
    truth, guess = _pair(y, predicted)
    return float(f1_score(truth == positive, guess == positive, zero_division=0))


def retrieval_map(
    similarity: np.ndarray,
    query_labels: Any,
    item_labels: Any,
    *,
    kind: str = "full",
    top: int = 10,
    queries: np.ndarray | None = None,
) -> float:
    """Return mean average precision of ranking items for queries by ``similarity``.

    Parameters
    ----------
    similarity
        Queries x items; larger is better. Ties keep the items' order.
    kind
        ``"full"``: average precision over the whole list. ``"11point"``: mean of the interpolated
        precision at recall 0, .1, ..., 1. ``"top"``: precision averaged over the relevant items
        within the first ``top``, divided by their number. ``"top_total"``: the same sum divided
        by min(top, number of relevant items).
    queries
        Mask or positions of the queries to average over (all by default).
    """
    return float(
        np.mean(
            average_precisions(
                similarity, query_labels, item_labels, kind=kind, top=top, queries=queries
            )
        )
    )


def average_precisions(
    similarity: np.ndarray,
    query_labels: Any,
    item_labels: Any,
    *,
    kind: str = "full",
    top: int = 10,
    queries: np.ndarray | None = None,
) -> np.ndarray:
    """Return the average precision of every query (see :func:`retrieval_map`)."""
    check_choice("kind", kind, ("full", "11point", "top", "top_total"))
    scores = np.asarray(similarity, dtype=np.float64)
    wanted, offered = np.asarray(query_labels), np.asarray(item_labels)
    if scores.shape != (wanted.size, offered.size):
        raise ValueError(
            f"similarity has shape {scores.shape}, not ({wanted.size}, {offered.size})"
        )
    if queries is not None:
        scores, wanted = scores[queries], wanted[queries]
    order = np.argsort(-scores, axis=1, kind="stable")
    relevant = offered[order] == wanted[:, None]
    ranks = np.arange(1, offered.size + 1)
    precision = np.cumsum(relevant, axis=1) / ranks
    total = relevant.sum(axis=1)
    if kind == "11point":
        return _eleven_points(relevant, precision, total)
    if kind == "full":
        found, divisor = relevant, total
    else:
        found = relevant & (ranks <= top)
        divisor = found.sum(axis=1) if kind == "top" else np.minimum(total, top)
    hits = (precision * found).sum(axis=1)
    return np.divide(hits, divisor, out=np.zeros(len(hits)), where=divisor > 0)


def _eleven_points(relevant: np.ndarray, precision: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Return the mean interpolated precision at the eleven standard recall levels."""
    safe = np.maximum(total, 1)[:, None]
    recall = np.cumsum(relevant, axis=1) / safe
    ceiling = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    result = np.zeros(len(relevant))
    for level in np.linspace(0, 1, 11):
        # the first rank at which the recall level is reached (round-off must not push it on)
        reached = recall >= level - 1e-12
        first = reached.argmax(axis=1)
        result += np.where(total > 0, ceiling[np.arange(len(first)), first], 0.0)
    return result / 11
