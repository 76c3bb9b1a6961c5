"""EM driver shared by MVPLSA and DPLSA: state, iterations, fold-in.

The arithmetic is in :mod:`manyviews.kernels.mvplsa`; this module owns the arrays.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from manyviews.kernels import mvplsa as kernels
from manyviews.kernels import mvplsa_counts as counts
from manyviews.models.blocked_em import BlockedView, ViewArrays
from manyviews.models.plsa import random_doc_topic
from manyviews.parts.blocks import Threads
from manyviews.progress import Progress, settled

#: Iterations between two sweeps that set vanished probabilities to exactly 0.
FLUSH_EVERY = 25


@dataclass
class EMState:
    """What EM ends with: probabilities, a list with one array per view."""

    p_zd: np.ndarray  # (D, Z): p(z|d)
    p_fy: list[np.ndarray]  # (Y_v, F_v): p(f|y, v), topics as rows
    p_yz: list[np.ndarray]  # (Z, Y_v): p(y|z, v), classes as rows
    p_fz: list[np.ndarray]  # (Z, F_v): p(f|z, v), their product
    loglik: np.ndarray  # before the first and after each iteration; empty if not tracked
    n_iter: int


class _View(ViewArrays):
    """Arrays of one view during EM, feature by feature."""

    def __init__(
        self,
        X: sp.csr_matrix,
        weight: float,
        p_fy: np.ndarray,
        p_yz: np.ndarray,
        overwrite: bool = False,
    ) -> None:
        super().__init__(X.shape[1], p_fy, p_yz, reuse=overwrite)
        self.csr = (X.indptr, X.indices, X.data * weight)
        columns = sp.csr_matrix((self.csr[2], X.indices, X.indptr), shape=X.shape).T.tocsr()
        self.columns = (columns.indptr, columns.indices, columns.data)
        self.table = np.zeros((X.shape[0], 2 * counts.lanes_for(len(self.Q))))
        kernels.mix_part(self.P, self.Q, self.B, 0, X.shape[1])

    def settle(self) -> None:
        """Make P, Q and B belong together: p(f|y) of the last iteration may be pending."""
        if self.pending:
            kernels.advance_part(self.P, self.Q, self.W, self.M, self.B, 0, self.P.shape[1])
        self.pending = False

    def step(self, p_zd: np.ndarray, A: np.ndarray, sweep_out: bool) -> None:
        """One iteration of this view; p(f|y) stays pending, it needs this step's totals."""
        kernels.step(
            *self.columns, p_zd, self.P, self.Q, self.W, self.M, self.B, self.G, A, self.table,
            self.pending, sweep_out,
        )  # fmt: skip
        self.pending = True

    def loglik(self, p_zd: np.ndarray) -> float:
        return float(counts.log_likelihood(*self.csr, p_zd, self.B))


def random_topics(
    Xs: Sequence[sp.csr_matrix], n_topics: Sequence[int], n_classes: int, rng: np.random.Generator
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Draw p(f|y, v) and p(y|z, v) at random (uniform numbers, normalised), view by view."""
    p_fy, p_yz = [], []
    for X, count in zip(Xs, n_topics, strict=True):
        p_fy.append(random_doc_topic(count, X.shape[1], rng))
        p_yz.append(random_doc_topic(n_classes, count, rng))
    return p_fy, p_yz


def factored_em(
    Xs: Sequence[sp.csr_matrix],
    p_zd: np.ndarray,
    frozen: np.ndarray,
    p_fy: Sequence[np.ndarray],
    p_yz: Sequence[np.ndarray],
    *,
    n_iter: int,
    weights: Sequence[float] | None = None,
    track_loglik: bool = False,
    tol: float = 0.0,
    overwrite: bool = False,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> EMState:
    """Run ``n_iter`` iterations of eqs. 9, 15, 16 and 17 from the given start.

    Views are canonical CSR; rows of p(z|d) in ``frozen`` (D,) stay as they are. ``weights``, a
    factor a view, act on p(z|d) alone. A tracked log-likelihood costs a logarithm a non-zero;
    ``tol`` needs it: growth by less than that share ends the fit (0: never). ``overwrite``: work in
    ``p_fy``. ``n_jobs`` threads sum over fixed blocks of rows, ``None`` over all at once.
    """
    factors = [1.0] * len(Xs) if weights is None else weights
    documents = np.array(p_zd, dtype=np.float64, order="C")
    held = np.ascontiguousarray(frozen, dtype=np.bool_)
    told = Progress("", 0, n_iter) if progress is None else progress
    parts = zip(Xs, factors, p_fy, p_yz, strict=True)
    A = np.empty_like(documents)
    trace: list[float] = []
    done = 0
    with Threads(1 if n_jobs is None else n_jobs) as threads:
        views: list[_View | BlockedView]
        if n_jobs is None and all(map(sp.issparse, Xs)):
            views = [_View(*part, overwrite) for part in parts]
        else:
            lost = -np.inf if track_loglik else None
            views = [BlockedView(*part, threads, lost) for part in parts]
        for iteration in range(n_iter):
            A[:] = 0.0
            for view in views:
                view.step(documents, A, iteration % FLUSH_EVERY == FLUSH_EVERY - 1)
            if track_loglik:  # every view's B still belongs to the parameters before this iteration
                trace.append(sum(view.loglik(documents) for view in views))
            kernels.update_documents(documents, A, held)
            done = iteration + 1
            told(done, trace[-1] if trace else None)
            if tol > 0.0 and settled(trace, tol):
                break
        for view in views:
            view.settle()
        if track_loglik:
            trace.append(sum(view.loglik(documents) for view in views))
    told.end(trace[-1] if trace else None, "settled" if done < n_iter else "")
    return EMState(
        documents,
        [view.P[: view.n_topics] for view in views],
        [view.Q[:, : view.n_topics].copy() for view in views],
        [view.B for view in views],
        np.array(trace),
        done,
    )


def fold_in(
    Xs: Sequence[sp.csr_matrix],
    p_fz: Sequence[np.ndarray],
    *,
    n_iter: int,
    tol: float = 1e-8,
    weights: Sequence[float] | None = None,
) -> np.ndarray:
    """Return p(z|d) of new documents with p(f|z, v) held fixed (eq. 17 alone).

    The problem is concave, so the uniform start leads to the optimum; documents without known
    features stay uniform.
    """
    factors = [1.0] * len(Xs) if weights is None else weights
    n_rows, n_classes = Xs[0].shape[0], p_fz[0].shape[0]
    documents = np.full((n_rows, n_classes), 1.0 / n_classes)
    held = np.zeros(n_rows, dtype=np.bool_)
    A = np.empty_like(documents)
    scaled = [(X.indptr, X.indices, X.data * w) for X, w in zip(Xs, factors, strict=True)]
    for _ in range(n_iter):
        A[:] = 0.0
        for csr, B in zip(scaled, p_fz, strict=True):
            counts.fold_in_counts(*csr, documents, B, A)
        if kernels.update_documents(documents, A, held) <= tol:
            break
    return documents
