"""Ranking one modality for queries in the other, and every reading of "mean average precision"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

KINDS = ("full", "11point", "top10", "first10relevant")
RECALL_LEVELS = np.linspace(0.0, 1.0, 11)


def centred_correlation(
    queries: np.ndarray, items: np.ndarray, query_mean: np.ndarray, item_mean: np.ndarray
) -> np.ndarray:
    """Return the cosine of the two modalities' vectors after taking off their training means."""
    a, b = queries - query_mean, items - item_mean
    a = a / np.maximum(np.linalg.norm(a, axis=1, keepdims=True), 1e-300)
    b = b / np.maximum(np.linalg.norm(b, axis=1, keepdims=True), 1e-300)
    return a @ b.T


@dataclass
class Ranking:
    """Relevance of the ranked items of every query, and what is measured from it."""

    relevant: np.ndarray

    @classmethod
    def of(
        cls, similarity: np.ndarray, query_labels: np.ndarray, item_labels: np.ndarray
    ) -> Ranking:
        """Rank by falling similarity; ties keep the items' order."""
        order = np.argsort(-similarity, axis=1, kind="stable")
        return cls(item_labels[order] == query_labels[:, None])

    def __post_init__(self) -> None:
        self.hits = np.cumsum(self.relevant, axis=1)
        self.precision = self.hits / np.arange(1, self.relevant.shape[1] + 1)
        self.total = self.hits[:, -1]

    def average_precision(self, kind: str) -> np.ndarray:
        """Average precision of every query.

        ``full``: over all relevant items. ``11point``: interpolated at recall 0, .1, ..., 1.
        ``top10``: over the relevant ones among the first ten. ``first10relevant``: over the first
        ten relevant ones, wherever they stand.
        """
        if kind == "11point":
            return self.interpolated().mean(axis=1)
        if kind == "full":
            counted = self.relevant
        elif kind == "top10":
            counted = self.relevant.copy()
            counted[:, 10:] = False
        else:
            counted = self.relevant & (self.hits <= 10)
        divisor = counted.sum(axis=1)
        score = (self.precision * counted).sum(axis=1)
        return np.divide(score, divisor, out=np.zeros(len(score)), where=divisor > 0)

    def interpolated(self) -> np.ndarray:
        """Interpolated precision of every query at the eleven recall levels."""
        ceiling = np.maximum.accumulate(self.precision[:, ::-1], axis=1)[:, ::-1]
        rows = np.arange(len(ceiling))
        result = np.zeros((len(ceiling), len(RECALL_LEVELS)))
        for i, level in enumerate(RECALL_LEVELS):
            # the rank at which ceil(level * total) relevant items have been seen
            needed = np.maximum(1, np.ceil(level * self.total - 1e-9)).astype(int)
            first = (self.hits >= needed[:, None]).argmax(axis=1)
            if i == 0:
                first[:] = 0
            result[:, i] = np.where(self.total > 0, ceiling[rows, first], 0.0)
        return result


def directions(
    similarity: np.ndarray, image_labels: np.ndarray, text_labels: np.ndarray
) -> Iterator[tuple[str, Ranking]]:
    """Both tasks from one matrix (images x texts): ``i2t`` and ``t2i``."""
    yield "i2t", Ranking.of(similarity, image_labels, text_labels)
    yield "t2i", Ranking.of(similarity.T, text_labels, image_labels)
