"""Stepwise EM of PLSA: topics that learn batch by batch (Cappé and Moulines 2009)."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.kernels import plsa as kernels
from manyviews.parts.blocks import BlockedCounts, Threads
from manyviews.progress import Progress

#: Steps of the compositions before a batch is counted for the first time.
FIRST_STEPS = 4


def batch_weight(batch: int) -> float:
    """Return the weight of batch 0, 1, ...: their sum is infinite, that of their squares is not."""
    return float((batch + 2.0) ** -0.7)


def stepwise_em(
    counts: sp.csr_matrix,
    h: np.ndarray,
    w: np.ndarray,
    *,
    batch_size: int,
    max_iter: int,
    tol: float,
    rng: np.random.Generator,
    n_jobs: Any,
    progress: Progress,
) -> list[float]:
    """Learn compositions (D, K) and topics (F, K) in place; return each pass's log-likelihood.

    The expected word counts of a batch, scaled up to all documents, enter a running mean. It
    starts at the given topics, so a word that the first batches lack keeps its probability.
    """
    total = float(counts.data.sum())
    sums = w * (total / w.shape[1])
    fresh = np.empty_like(w)
    trace: list[float] = []
    batch = 0
    with Threads(1 if n_jobs is None else n_jobs) as threads:
        for done in range(1, max_iter + 1):
            value = 0.0
            order = rng.permutation(len(h))
            for first in range(0, len(order), batch_size):
                rows = order[first : first + batch_size]
                part, some = counts[rows], h[rows]
                arrays, q = (
                    (part.indptr, part.indices, part.data),
                    np.empty((len(rows), w.shape[1])),
                )
                for _ in range(FIRST_STEPS if done == 1 else 0):
                    kernels.fold_in_step(*arrays, some, w, q)
                    kernels.normalise_documents(q, some)
                value += BlockedCounts(arrays, w.shape, threads).step(some, w, q, fresh)
                kernels.normalise_documents(q, some)
                h[rows] = some
                mass = float(part.data.sum())
                rate = batch_weight(batch)
                batch += 1
                if mass > 0.0:
                    sums *= 1.0 - rate
                    sums += (rate * total / mass) * fresh
                    kernels.normalise_topics(sums, w)
            trace.append(value)
            progress(done, value)
            if len(trace) > 1 and abs(trace[-1] - trace[-2]) <= tol * abs(trace[-2]):
                break
    progress.end(trace[-1], "settled" if len(trace) < max_iter else "")
    return trace
