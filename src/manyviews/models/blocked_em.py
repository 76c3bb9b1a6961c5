"""MVPLSA's EM on threads: the same equations, summed over fixed blocks of rows.

:mod:`manyviews.models.factored_em` goes feature by feature on one thread. Here the E-step goes row
by row (:mod:`manyviews.parts.blocks`), so that blocks of rows can be worked on side by side and no
transposed copy of the counts is needed. The M-step is cut by topics and features, which do not
depend on each other. The bits are the same for every number of threads.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.kernels import mvplsa as kernels
from manyviews.parts.blocks import BlockedCounts, Threads


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
    """Arrays of one view during EM on threads: a CSR matrix, or what sums over rows elsewhere."""

    def __init__(
        self,
        X: Any,
        weight: float,
        p_fy: np.ndarray,
        p_yz: np.ndarray,
        threads: Threads,
        impossible: float | None = -np.inf,
    ) -> None:
        super().__init__(X.shape[1], p_fy, p_yz, reuse=False)
        n_classes, n_features = self.B.shape
        self.threads = threads
        if sp.issparse(X):
            csr = X.indptr, X.indices, X.data if weight == 1.0 else X.data * weight
            self.counts = BlockedCounts(csr, (n_features, n_classes), threads, impossible)
        else:
            self.counts = X.weighted(weight)
        self.M_rows = np.zeros((n_features, n_classes))  # the E-step goes by rows of features
        self.B_rows = np.zeros_like(self.M_rows)
        self.value: float | None = None
        self._cut(kernels.mix_part, self.P, self.Q, self.B)

    def _cut(self, call: Callable[..., None], *arrays: np.ndarray, topics: bool = False) -> None:
        """Call for the arrays and every range of features, or of four topics."""
        n_topics, n_features = self.P.shape
        size, width = (n_topics, 4) if topics else (n_features, kernels.BLOCK)
        first = range(0, size, width)
        self.threads.map(partial(call, *arrays), first, [min(size, s + width) for s in first])

    def settle(self) -> None:
        """Make P, Q and B belong together: p(f|y) of the last iteration may be pending."""
        if self.pending:
            self._cut(kernels.advance_part, self.P, self.Q, self.W, self.M, self.B)
        self.pending, self.value = False, None

    def step(self, p_zd: np.ndarray, A: np.ndarray, sweep_out: bool) -> None:
        """One iteration of this view; p(f|y) stays pending, it needs this step's totals."""
        self.settle()
        if sweep_out:
            kernels.flush(self.P)
        np.copyto(self.B_rows, self.B.T)
        self.value = self.counts.add(p_zd, self.B_rows, A, self.M_rows)
        np.copyto(self.M, self.M_rows.T)
        self._cut(kernels.collect_part, self.P, self.M, self.G, topics=True)
        kernels.update_topics(self.Q, self.W, self.G)
        self.pending = True

    def loglik(self, p_zd: np.ndarray) -> float:
        """Return the log-likelihood: the last step's, or of new parameters."""
        if self.value is None:
            np.copyto(self.B_rows, self.B.T)
            scratch = np.zeros_like(p_zd), np.empty_like(self.M_rows)
            return self.counts.add(p_zd, self.B_rows, *scratch)
        return self.value
