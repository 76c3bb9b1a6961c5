"""The papers' measures, as fractions (multiply by 100 for the tables)."""

import re
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from manyviews.validation import check_choice

#: Where the eleven-point average reads the interpolated precision.
RECALL_LEVELS = np.linspace(0.0, 1.0, 11)
_DEPTH = re.compile(r"top(?P<top>[1-9]\d*)|first(?P<first>[1-9]\d*)relevant")


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
    return np.asarray(contingency_matrix(*_pair(y, predicted)))


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
    both, in_class, in_group = (
        (sizes * (sizes - 1)).sum() / 2 for sizes in (table, table.sum(axis=1), table.sum(axis=0))
    )
    if in_class + in_group == 0:
        return 1.0  # all singletons on both sides: no pair to get wrong
    return float(2 * both / (in_class + in_group))


def _class_counts(y: Any, predicted: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return hits, rows and predictions of every class of the truth."""
    truth, guess = _pair(y, predicted)
    for values in (truth, guess):
        if values.dtype.kind == "f" and not np.array_equal(values, np.floor(values)):
            raise ValueError("classes must be whole numbers or words, got numbers with a fraction")
    if (truth.dtype.kind in "US") != (guess.dtype.kind in "US"):
        raise ValueError(
            f"truth and prediction must name classes alike, got {truth.dtype} and {guess.dtype}"
        )
    names = np.unique(truth)

    def count(values: np.ndarray) -> np.ndarray:
        place = np.searchsorted(names, values).clip(max=names.size - 1)
        return np.bincount(place[names[place] == values], minlength=names.size)

    return count(truth[truth == guess]), count(truth), count(guess)


def macro_f1(y: Any, predicted: Any) -> float:
    """Return the unweighted mean of F1 of the truth's classes.

    What ``f1_score`` of scikit-learn returns, without checks that cost more than some fits.
    """
    hits, rows, told = _class_counts(y, predicted)
    return float((2.0 * hits / (rows + told)).mean())


def micro_f1(y: Any, predicted: Any) -> float:
    """Return F1 from the pooled counts of the truth's classes."""
    hits, rows, told = (part.sum() for part in _class_counts(y, predicted))
    return float(2.0 * hits / (rows + told))


@dataclass
class Ranking:
    """Relevance of the ranked items of every query (queries x ranks), and what it amounts to.

    Examples
    --------
    >>> import numpy as np
    >>> ranking = Ranking.of(np.array([[0.9, 0.5, 0.1]]), [1], [1, 0, 1])
    >>> ranking.average_precision("full").round(3)
    array([0.833])
    """

    relevant: np.ndarray

    @classmethod
    def of(cls, similarity: np.ndarray, query_labels: Any, item_labels: Any) -> Self:
        """Rank the items by falling similarity (queries x items); ties keep the items' order."""
        scores = np.asarray(similarity)
        wanted, offered = np.asarray(query_labels), np.asarray(item_labels)
        if scores.shape != (wanted.size, offered.size):
            raise ValueError(
                f"similarity has shape {scores.shape}, not ({wanted.size}, {offered.size})"
            )
        order = np.argsort(-scores, axis=1, kind="stable")
        return cls(offered[order] == wanted[:, None])

    def __post_init__(self) -> None:
        self.hits = np.cumsum(self.relevant, axis=1)
        self.precision = self.hits / np.arange(1, self.relevant.shape[1] + 1)
        self.total = self.hits[:, -1]

    def average_precision(self, kind: str = "full") -> np.ndarray:
        """Return the average precision of every query; 0 without a relevant item.

        ``full``: over all relevant items. ``11point``: interpolated at recall 0, .1, ..., 1.
        ``top10``, ``top5``, ...: over the relevant ones among the first ten (five, ...).
        ``first10relevant``, ...: over the first ten relevant ones, wherever they stand.
        """
        if kind == "11point":
            return self.interpolated().mean(axis=1)
        if kind == "full":
            counted = self.relevant
        elif match := _DEPTH.fullmatch(kind):
            ranks = np.arange(1, self.relevant.shape[1] + 1) if match["top"] else self.hits
            counted = self.relevant & (ranks <= int(match["top"] or match["first"]))
        else:
            raise ValueError(
                f"kind must be 'full', '11point', 'top10' or 'first10relevant' (any number for "
                f"10); got {kind!r}"
            )
        divisor = counted.sum(axis=1)
        score = (self.precision * counted).sum(axis=1)
        return np.divide(score, divisor, out=np.zeros(len(score)), where=divisor > 0)

    def interpolated(self) -> np.ndarray:
        """Return the interpolated precision of every query at the eleven recall levels."""
        ceiling = np.maximum.accumulate(self.precision[:, ::-1], axis=1)[:, ::-1]
        rows = np.arange(len(ceiling))
        result = np.zeros((len(ceiling), len(RECALL_LEVELS)))
        for i, level in enumerate(RECALL_LEVELS):
            # the rank at which ceil(level * total) relevant items have been seen; round-off must
            # not ask for one more. Recall 0 is reached before the first rank.
            needed = np.ceil(level * self.total - 1e-9).astype(int)
            first = (self.hits >= needed[:, None]).argmax(axis=1)
            result[:, i] = np.where(self.total > 0, ceiling[rows, first], 0.0)
        return result
