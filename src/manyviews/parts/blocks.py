"""E-steps over fixed blocks of rows, on as many threads as there are, with the same bits.

Rows are cut into blocks that depend on the data alone. A block sums into arrays of its own, which
are added in the order of the blocks; threads only decide who works on which block. So the result
has the same bits whatever the number of threads. It differs in the last bits from the sums of one
run over all rows, which the estimators make unless threads are asked for.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from manyviews.kernels import plsa as kernels
from manyviews.validation import check_positive_int

#: Blocks at most: more threads than that find nothing to do.
MOST_BLOCKS = 16
#: Non-zeros of a block for each of its sums, at least: clearing and adding up sums takes time too.
_PER_SUM = 4
#: Entries that are added together by one thread.
_SHARE = 1 << 16


def n_threads(n_jobs: Any) -> int:
    """Return how many threads ``n_jobs`` means: a number, or -1 for as many as there are cores."""
    if n_jobs == -1:
        # the cores this process may use, which can be fewer than the machine has
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return cores or 1
    return check_positive_int("n_jobs", n_jobs)


def csr_of(X: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the arrays of a CSR matrix."""
    return X.indptr, X.indices, X.data


class Threads:
    """Calls that may run side by side; results come in the order of the calls."""

    def __init__(self, n_jobs: Any) -> None:
        self.count = n_threads(n_jobs)
        self._pool = ThreadPoolExecutor(self.count) if self.count > 1 else None

    def map(self, call: Callable[..., Any], *arguments: Iterable[Any]) -> list[Any]:
        """Return the results of a call for each set of arguments."""
        if self._pool is None:
            return list(map(call, *arguments))
        return list(self._pool.map(call, *arguments))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()


def block_cuts(indptr: np.ndarray, n_words: int, n_topics: int) -> np.ndarray:
    """Return where blocks of rows begin and end, with about as many non-zeros each.

    Every block needs sums of the size of the topics, so there are at most as many blocks as these
    fit several times into the non-zeros (and two at least): memory stays of the order of data and
    parameters, and the blocks cost little beside one run over all rows. They are a power of two, so
    that two, four or eight threads have as many each.
    """
    n_rows, stored = len(indptr) - 1, int(indptr[-1])
    worth = stored // max(1, _PER_SUM * int(n_words) * int(n_topics))
    wanted = min(MOST_BLOCKS, 1 << (max(2, worth).bit_length() - 1), max(1, n_rows))
    ends = np.searchsorted(indptr, np.linspace(0, stored, wanted + 1)[1:-1])
    return np.unique(np.concatenate([[0], ends, [n_rows]]))


class BlockedCounts:
    """The sums of an E-step on one canonical CSR matrix, block by block.

    ``shape`` are its words and topics, ``impossible`` is the log-likelihood of a non-zero that no
    topic explains; with ``None`` none is computed.
    """

    def __init__(
        self,
        csr: Sequence[np.ndarray],
        shape: tuple[int, int],
        threads: Threads,
        impossible: float | None = 0.0,
    ) -> None:
        self.csr, self.threads, self.impossible = tuple(csr), threads, impossible
        self.cuts = block_cuts(csr[0], *shape)
        self.parts = np.empty((len(self.cuts) - 1, shape[0] * shape[1]))
        self.shape = shape

    def add(self, h: np.ndarray, w: np.ndarray, q: np.ndarray, m: np.ndarray) -> float:
        """Add to ``q`` (rows x topics), overwrite ``m`` (words x topics); without their factors.

        Returns the log-likelihood.
        """
        indptr, indices, data = self.csr

        def work(block: int, first: int, last: int) -> float:
            part = self.parts[block].reshape(self.shape)
            part[:] = 0.0
            return kernels.add_documents(
                indptr, indices, data, h, w, q, part, first, last, self.impossible
            )

        blocks = list(pairwise(self.cuts.tolist()))
        found = self.threads.map(work, range(len(blocks)), *zip(*blocks, strict=True))
        flat = m.reshape(-1)
        self.threads.map(
            lambda first: kernels.add_up(self.parts, first, min(flat.size, first + _SHARE), flat),
            range(0, flat.size, _SHARE),
        )
        return float(sum(found))


def em_step(counts: Any, h: np.ndarray, w: np.ndarray, q: np.ndarray, m: np.ndarray) -> float:
    """Do what :func:`~manyviews.kernels.plsa.em_step` does, on counts that add up their rows."""
    q[:] = 0.0
    value = counts.add(h, w, q, m)
    q *= h
    m *= w
    return value


#: Does an E-step: compositions, topics, and the two arrays of sums that it fills.
Expect = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], float]


@contextmanager
def expectations(
    views: Sequence[Any], n_topics: int, n_jobs: Any, impossible: float | None = 0.0
) -> Iterator[list[Expect]]:
    """Give one E-step per CSR matrix: in one run, or (``n_jobs``) over blocks on threads.

    What is no matrix adds up its rows itself.
    """
    if not all(map(sp.issparse, views)):
        yield [partial(em_step, X) for X in views]
        return
    arrays = [csr_of(X) for X in views]
    if n_jobs is None:
        yield [partial(kernels.em_step, *csr, impossible=impossible) for csr in arrays]
        return
    with Threads(n_jobs) as threads:
        yield [
            partial(em_step, BlockedCounts(csr, (X.shape[1], n_topics), threads, impossible))
            for X, csr in zip(views, arrays, strict=True)
        ]


def in_order(call: Callable[[Any], Any], items: Sequence[Any], n_jobs: Any) -> list[Any]:
    """Return ``call`` of every item, on ``n_jobs`` threads (``None``: on this one)."""
    if n_jobs is None:
        return [call(item) for item in items]
    with Threads(n_jobs) as threads:
        return threads.map(call, items)
