"""Stepwise EM: parameters that learn batch by batch (Cappé and Moulines 2009)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.kernels import plsa as kernels
from manyviews.parts.blocks import BlockedCounts, Threads, csr_of
from manyviews.progress import Progress

#: Steps of the compositions before a batch is counted for the first time.
FIRST_STEPS = 4


def batch_weight(batch: int) -> float:
    """Return the weight of batch 0, 1, ...: their sum is infinite, that of their squares is not."""
    return float((batch + 2.0) ** -0.7)


def passes(
    learn: Callable[[np.ndarray, float, int], list[float]],
    n_rows: int,
    *,
    batch_size: int,
    max_iter: int,
    tol: float,
    rng: np.random.Generator,
    progress: Progress,
) -> list[float]:
    """Go through all rows in a new random order, time and again; return each pass's value.

    ``learn`` takes the rows of a batch, its weight in the running mean of expected counts and the
    steps to make beforehand, and returns the log-likelihoods of its matrices under the parameters
    they met. Their sum may fall from pass to pass.
    """
    trace: list[float] = []
    batch = 0
    for done in range(1, max_iter + 1):
        value = 0.0
        order = rng.permutation(n_rows)
        for first in range(0, n_rows, batch_size):
            steps = FIRST_STEPS if done == 1 else 0
            for part in learn(order[first : first + batch_size], batch_weight(batch), steps):
                value += part
            batch += 1
        trace.append(value)
        progress(done, value)
        if len(trace) > 1 and abs(trace[-1] - trace[-2]) <= tol * abs(trace[-2]):
            break
    progress.end(trace[-1], "settled" if len(trace) < max_iter else "")
    return trace


def stepwise_em(
    counts: sp.csr_matrix, h: np.ndarray, w: np.ndarray, *, n_jobs: Any, **how: Any
) -> list[float]:
    """Learn compositions (D, K) and topics (F, K) of PLSA in place, by :func:`passes`.

    The expected word counts of a batch, scaled up to all documents, enter a running mean. It
    starts at the given topics, so a word that the first batches lack keeps its probability.
    """
    total = float(counts.data.sum())
    sums = w * (total / w.shape[1])
    fresh = np.empty_like(w)

    def learn(rows: np.ndarray, rate: float, steps: int) -> list[float]:
        part, some = counts[rows], h[rows]
        arrays, q = csr_of(part), np.empty((len(rows), w.shape[1]))
        for _ in range(steps):
            kernels.fold_in_step(*arrays, some, w, q)
            kernels.normalise_documents(q, some)
        value = BlockedCounts(arrays, w.shape, threads).step(some, w, q, fresh)
        kernels.normalise_documents(q, some)
        h[rows] = some
        mass = float(part.data.sum())
        if mass > 0.0:
            np.multiply(sums, 1.0 - rate, out=sums)
            np.add(sums, (rate * total / mass) * fresh, out=sums)
            kernels.normalise_topics(sums, w)
        return [value]

    with Threads(1 if n_jobs is None else n_jobs) as threads:
        return passes(learn, len(h), **how)
