"""Ranking one modality for queries in the other, and the readings of "mean average precision"."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from manyviews.metrics import Ranking

KINDS = ("full", "11point", "top10", "first10relevant")


def centred_correlation(
    queries: np.ndarray, items: np.ndarray, query_mean: np.ndarray, item_mean: np.ndarray
) -> np.ndarray:
    """Return the cosine of the two modalities' vectors after taking off their training means."""
    a, b = queries - query_mean, items - item_mean
    a = a / np.maximum(np.linalg.norm(a, axis=1, keepdims=True), 1e-300)
    b = b / np.maximum(np.linalg.norm(b, axis=1, keepdims=True), 1e-300)
    return a @ b.T


def directions(
    similarity: np.ndarray, image_labels: np.ndarray, text_labels: np.ndarray
) -> Iterator[tuple[str, Ranking]]:
    """Both tasks from one matrix (images x texts): ``i2t`` and ``t2i``."""
    yield "i2t", Ranking.of(similarity, image_labels, text_labels)
    yield "t2i", Ranking.of(similarity.T, text_labels, image_labels)
