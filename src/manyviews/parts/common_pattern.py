r"""Multi-view clustering by a common pattern (Long, Yu and Zhang 2008).

Every view v is clustered on its own; its result is the pattern matrix :math:`A^{(v)}` (D x k_v,
one-hot rows for k-means). One non-negative pattern B (D x k) and mappings :math:`P^{(v)}` (k x
k_v) are sought that bring B close to all of them in the generalised I-divergence

.. math:: \sum_v w_v \sum_{d,j} A^{(v)}_{dj} \log \frac{A^{(v)}_{dj}}{(B P^{(v)})_{dj}}
          - A^{(v)}_{dj} + (B P^{(v)})_{dj}

by multiplicative updates, each of which cannot increase it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.kernels import common_pattern as kernels
from manyviews.parts.blocks import in_order
from manyviews.parts.cosine_kmeans import cosine_kmeans


def one_hot(labels: np.ndarray, k: int) -> np.ndarray:
    """Return the D x k indicator matrix of a clustering; -1 is a row of zeros."""
    return np.eye(k)[labels] if labels.min(initial=0) >= 0 else np.eye(k + 1)[labels][:, :k]


def common_pattern(
    patterns: Sequence[np.ndarray],
    B: np.ndarray,
    mappings: Sequence[np.ndarray],
    *,
    weights: Sequence[float],
    max_iter: int,
    tol: float,
    observed: np.ndarray | None = None,
) -> tuple[np.ndarray, list[np.ndarray], list[float]]:
    """Run the multiplicative updates; return B, the mappings and the objective's trace.

    With ``observed`` (D, V) a view's divergence runs over the rows that have it; the row of B of
    a document without any view is zero.
    """
    B = B.copy()
    maps = [P.copy() for P in mappings]
    rows: list[Any] = [slice(None)] * len(maps)
    if observed is not None:
        rows = [np.flatnonzero(here) for here in observed.T]
    known = [A[here] for A, here in zip(patterns, rows, strict=True)]

    def objective() -> float:
        parts = zip(weights, known, maps, rows, strict=True)
        return sum(w * kernels.divergence(A, B[here], P) for w, A, P, here in parts)

    trace = [objective()]
    for _ in range(max_iter):
        numerator, denominator = np.zeros_like(B), np.zeros_like(B)
        for w, A, P, here in zip(weights, known, maps, rows, strict=True):
            part = numerator[here]
            kernels.add_numerator(A, B[here], P, w, part)
            numerator[here] = part
            denominator[here] += w * P.sum(axis=1)
        B *= numerator / np.maximum(denominator, kernels.TINY)
        for A, P, here in zip(known, maps, rows, strict=True):
            kernels.renew_mapping(A, B[here], P)
        trace.append(objective())
        if trace[-2] - trace[-1] <= tol * max(1.0, abs(trace[-2])):
            break
    return B, maps, trace


def pattern_to_probabilities(B: np.ndarray, maps: Sequence[np.ndarray]) -> np.ndarray:
    """Return B with each column weighted by the mass its mappings carry, rows summing to 1.

    B P is unchanged when a column of B and the row of every P are scaled against each other, so
    the columns of B can be compared only after the scale has been moved into B.
    """
    scale = np.sum([P.sum(axis=1) for P in maps], axis=0)
    weighted = B * scale
    totals = weighted.sum(axis=1, keepdims=True)
    uniform = np.full_like(B, 1.0 / B.shape[1])
    return np.where(totals > 0, weighted / np.where(totals > 0, totals, 1.0), uniform)


def cluster_views(
    views: Sequence[sp.csr_matrix],
    k: int,
    rng: np.random.Generator,
    n_init: int = 10,
    *,
    observed: np.ndarray | None = None,
    n_jobs: Any = None,
) -> list[np.ndarray]:
    """Return the cosine k-means clusters of every view on its own; -1 where a row lacks it."""
    found = []
    for v, X in enumerate(views):
        here = np.arange(X.shape[0]) if observed is None else np.flatnonzero(observed[:, v])
        if here.size < k:
            raise ValueError(f"view {v} has too few rows for {k} clusters, n_samples={here.size}")
        part = X if observed is None else X[here]
        labels = np.full(X.shape[0], -1)
        labels[here] = cosine_kmeans(part, k, rng, n_init=n_init, n_jobs=n_jobs).labels
        found.append(labels)
    return found


def best_pattern(
    view_labels: Sequence[np.ndarray],
    k: int,
    rng: np.random.Generator,
    *,
    weights: Sequence[float] | None = None,
    n_restarts: int = 5,
    max_iter: int = 200,
    tol: float = 1e-9,
    observed: np.ndarray | None = None,
    n_jobs: Any = None,
) -> tuple[np.ndarray, list[float]]:
    """Return the views' common pattern (rows sum to 1) of the best random start, and its trace."""
    patterns = [one_hot(labels, k) for labels in view_labels]
    given = [1.0] * len(patterns) if weights is None else weights
    starts = []
    for _ in range(n_restarts):
        B = 1.0 - rng.random((len(view_labels[0]), k))
        starts.append((B, [1.0 - rng.random((k, k)) for _ in patterns]))

    def run(start: Any) -> tuple[np.ndarray, list[np.ndarray], list[float]]:
        return common_pattern(
            patterns, *start, weights=given, max_iter=max_iter, tol=tol, observed=observed
        )

    best = min(in_order(run, starts, n_jobs), key=lambda found: found[2][-1])
    return pattern_to_probabilities(best[0], best[1]), best[2]
