"""MVPLSA's EM on threads, and in batches: the same equations, summed over fixed blocks of rows.

:mod:`manyviews.models.factored_em` goes feature by feature on one thread. Here the E-step goes row
by row (:mod:`manyviews.parts.blocks`), so that blocks of rows can be worked on side by side and no
transposed copy of the counts is needed. The M-step is cut by topics and features, which do not
depend on each other. The bits are the same for every number of threads.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.kernels import mvplsa as kernels
from manyviews.kernels import mvplsa_counts as counts
from manyviews.parts.blocks import BlockedCounts, Threads, csr_of
from manyviews.parts.stepwise import passes


class ViewArrays:
    """Arrays of one view during EM; topics padded with zeros to a multiple of four."""

    def __init__(self, n_features: int, p_fy: np.ndarray, p_yz: np.ndarray, reuse: bool) -> None:
        n_classes, self.n_topics = p_yz.shape
        padded = -(-self.n_topics // 4) * 4
        self.P = p_fy
        if not reuse or self.n_topics != padded:
            self.P = np.zeros((padded, n_features))
            self.P[: self.n_topics] = p_fy
        self.Q = np.zeros((n_classes, padded))
        self.Q[:, : self.n_topics] = p_yz
        self.W, self.G = np.zeros_like(self.Q), np.zeros_like(self.Q)
        self.M, self.B = np.zeros((n_classes, n_features)), np.zeros((n_classes, n_features))
        self.pending = False


class BlockedView(ViewArrays):
    """Arrays of one view during EM on threads."""

    def __init__(
        self,
        X: sp.csr_matrix,
        weight: float,
        p_fy: np.ndarray,
        p_yz: np.ndarray,
        threads: Threads,
        *,
        blocks: bool = True,
        impossible: float | None = -np.inf,
    ) -> None:
        super().__init__(X.shape[1], p_fy, p_yz, reuse=False)
        n_classes, n_features = self.B.shape
        data = X.data if weight == 1.0 else X.data * weight
        self.X = sp.csr_matrix((data, X.indices, X.indptr), shape=X.shape)
        self.threads = threads
        if blocks:
            self.counts = BlockedCounts(
                csr_of(self.X), (n_features, n_classes), threads, impossible
            )
        self.M_rows = np.zeros((n_features, n_classes))  # the E-step goes by rows of features
        self.B_rows = np.zeros_like(self.M_rows)
        self.value: float | None = None
        self.mix()

    def _feature_ranges(self) -> tuple[range, list[int]]:
        n_features = self.P.shape[1]
        first = range(0, n_features, kernels.BLOCK)
        return first, [min(n_features, s + kernels.BLOCK) for s in first]

    def _topic_ranges(self) -> tuple[range, range]:
        return range(0, len(self.P), 4), range(4, len(self.P) + 4, 4)

    def mix(self) -> None:
        """Form p(f|z)."""
        self.threads.map(
            lambda s, e: kernels.mix_part(self.P, self.Q, self.B, s, e), *self._feature_ranges()
        )

    def collect(self) -> None:
        """Form the sums behind p(y|z)."""
        self.threads.map(
            lambda s, e: kernels.collect_part(self.P, self.M, self.G, s, e), *self._topic_ranges()
        )

    def settle(self) -> None:
        """Make P, Q and B belong together: p(f|y) of the last iteration may be pending."""
        if self.pending:
            arrays = self.P, self.Q, self.W, self.M, self.B
            self.threads.map(
                lambda s, e: kernels.advance_part(*arrays, s, e), *self._feature_ranges()
            )
        self.pending, self.value = False, None

    def step(self, p_zd: np.ndarray, A: np.ndarray, sweep_out: bool) -> None:
        """One iteration of this view; p(f|y) stays pending, it needs this step's totals."""
        self.settle()
        if sweep_out:
            kernels.flush(self.P)
        np.copyto(self.B_rows, self.B.T)
        self.value = self.counts.add(p_zd, self.B_rows, A, self.M_rows)
        np.copyto(self.M, self.M_rows.T)
        self.collect()
        kernels.update_topics(self.Q, self.W, self.G)
        self.pending = True

    def loglik(self, p_zd: np.ndarray) -> float:
        """Return the log-likelihood: the last step's, or of new parameters."""
        if self.value is None:
            np.copyto(self.B_rows, self.B.T)
            scratch = np.zeros_like(p_zd), np.empty_like(self.M_rows)
            return self.counts.add(p_zd, self.B_rows, *scratch)
        return self.value

    def open_batches(self) -> None:
        """Start the running sums of stepwise EM at the start of the parameters."""
        self.mass = float(self.X.data.sum())
        self.sums_fy = self.P * (self.mass / self.n_topics)
        self.sums_zy = self.Q * (self.mass / len(self.Q))
        np.copyto(self.B_rows, self.B.T)

    def count_batch(self, part: sp.csr_matrix, p_zd: np.ndarray, A: np.ndarray) -> float:
        """E-step of a batch: fills M, adds to A; returns the log-likelihood."""
        counts = BlockedCounts(csr_of(part), self.M_rows.shape, self.threads, -np.inf)
        value = counts.add(p_zd, self.B_rows, A, self.M_rows)
        np.copyto(self.M, self.M_rows.T)
        return value

    def learn_batch(self, mass: float, rate: float) -> None:
        """Stepwise M-step from the counts of the last batch, which hold ``mass``."""
        if mass <= 0.0:
            return
        scale = self.mass / mass
        self.collect()
        arrays = self.P, self.Q, self.M, self.sums_fy, rate, scale
        self.threads.map(lambda s, e: kernels.blend(*arrays, s, e), *self._topic_ranges())
        self.sums_zy *= 1.0 - rate
        self.sums_zy += rate * scale * self.Q * self.G
        totals = self.sums_zy.sum(axis=1, keepdims=True)
        np.divide(self.sums_zy, totals, out=self.Q, where=totals > kernels.TINY)
        self.mix()
        np.copyto(self.B_rows, self.B.T)


def stepwise_em(
    views: Sequence[BlockedView], documents: np.ndarray, held: np.ndarray, **how: Any
) -> list[float]:
    """Learn in place by :func:`~manyviews.parts.stepwise.passes`; return its trace."""
    for view in views:
        view.open_batches()

    def learn(rows: np.ndarray, rate: float, steps: int) -> list[float]:
        parts = [view.X[rows] for view in views]
        some, still = documents[rows], held[rows]
        A = np.empty_like(some)
        for _ in range(steps):
            A[:] = 0.0
            for view, X in zip(views, parts, strict=True):
                counts.fold_in_counts(*csr_of(X), some, view.B, A)
            kernels.update_documents(some, A, still)
        A[:] = 0.0
        values = [view.count_batch(X, some, A) for view, X in zip(views, parts, strict=True)]
        for view, X in zip(views, parts, strict=True):
            view.learn_batch(float(X.data.sum()), rate)
        kernels.update_documents(some, A, still)
        documents[rows] = some
        return values

    return passes(learn, len(documents), **how)
