"""Vote-based PLSA (Kim, Amini, Goutte and Gallinari 2010).

Stage one clusters every view by PLSA; the clusters a document falls into are its voting pattern.
Stage two keeps the documents whose votes agree as groups and assigns the others with a
constrained PLSA on the concatenated views, in which the kept documents' topics are fixed.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment
from sklearn.base import BaseEstimator, ClusterMixin

from manyviews.base import MultiViewInput, observed_rows
from manyviews.kernels import plsa as kernels
from manyviews.models.plsa import PLSA, random_doc_topic, random_topic_word, sweeps
from manyviews.parts.blocks import csr_of, in_order
from manyviews.preprocessing.sparse import hstack_csr
from manyviews.progress import Progress
from manyviews.validation import check_fewer, check_positive_int, check_real

__all__ = ["VotePLSA"]


def topics_of_views(
    views: Sequence[sp.csr_matrix],
    k: int,
    starts: Sequence[tuple[np.ndarray, np.ndarray]] | np.random.Generator,
    n_jobs: int | None,
    **settings: Any,
) -> list[np.ndarray]:
    """Return p(z|d) of a PLSA on each view, from given starts or random ones."""
    if isinstance(starts, np.random.Generator):
        rng = starts  # drawn one after another, as the PLSAs would draw them
        starts = [
            (random_doc_topic(X.shape[0], k, rng), random_topic_word(X.shape[1], k, rng))
            for X in views
        ]

    def topics(v: int) -> np.ndarray:
        model = PLSA(k, init=starts[v], track_loglik=False, **settings)
        return model.fit(views[v]).doc_topic_

    return in_order(topics, range(len(views)), n_jobs)


def align_topics(reference: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the permutation of ``other``'s columns that best matches ``reference``'s.

    The matching maximises the number of documents with the same largest topic (the total size of
    the voting patterns it keeps); shared probability mass breaks ties.
    """
    k = reference.shape[1]
    votes = np.zeros((k, k))
    np.add.at(votes, (reference.argmax(axis=1), other.argmax(axis=1)), 1.0)
    overlap = reference.T @ other
    rows, columns = linear_sum_assignment(-(votes + overlap / (1.0 + overlap.sum())))
    order = np.empty(k, dtype=np.int64)
    order[rows] = columns
    return order


@dataclass(eq=False, repr=False)
class VotePLSA(MultiViewInput, ClusterMixin, BaseEstimator):
    """Multi-view clusters from the votes of single-view PLSAs.

    Parameters
    ----------
    n_clusters : int
        Number of clusters, the same in both stages.
    max_iter, tol : int, float
        Cap and relative tolerance of every PLSA.
    random_state : None, int or numpy.random.Generator
        Source of the starts.
    init : None or list of (doc_topic, topic_word)
        Starts of the single-view PLSAs.
    n_jobs : None or int
        Views whose PLSAs run side by side, on threads; -1 for one per core. The result is the
        same.
    verbose : int
        Print a line every so many iterations of stage two.

    Attributes
    ----------
    labels_ : ndarray (D,)
        Clusters.
    voted_ : ndarray of bool (D,)
        Documents assigned in stage one: all votes agree for two views, more than half of them do
        for three or more (clusters of different views are matched one to one first).
    doc_topic_ : ndarray (D, K)
        p(z | d) after stage two.

    Notes
    -----
    A document that lacks a view (:class:`~manyviews.views.Views` says so) has no vote in it; with
    fewer than two votes it is left to stage two.

    References
    ----------
    Young-Min Kim, Massih-Reza Amini, Cyril Goutte and Patrick Gallinari (2010). Multi-view
    clustering of multilingual documents. Research and Development in Information Retrieval.
    """

    n_clusters: int = 2
    _: KW_ONLY
    max_iter: int = 100
    tol: float = 1e-5
    random_state: int | np.random.Generator | None = None
    init: Sequence[tuple[np.ndarray, np.ndarray]] | None = None
    n_jobs: int | None = None
    verbose: int = 0

    def fit(
        self, Xs: Any, y: Any = None, *, doc_topics: Sequence[np.ndarray] | None = None
    ) -> Self:
        """Cluster the views; ``doc_topics`` gives stage one's result if it is known already."""
        check_positive_int("max_iter", self.max_iter)
        check_real("tol", self.tol, 0.0)
        views = self._fit_views(Xs, nonnegative=True, min_views=2)
        n_rows = views[0].shape[0]
        k = check_fewer("n_clusters", self.n_clusters, n_rows)
        if self.init is not None and len(self.init) != len(views):
            raise ValueError(f"init has {len(self.init)} entries for {len(views)} views")
        rng = np.random.default_rng(self.random_state)
        first = list(doc_topics or ()) or topics_of_views(
            views, k, self.init or rng, self.n_jobs, max_iter=self.max_iter, tol=self.tol
        )
        if len(first) != len(views) or any(h.shape != (n_rows, k) for h in first):
            raise ValueError(
                f"doc_topics must hold {len(views)} arrays of shape ({n_rows}, {k}), got "
                + ", ".join(str(h.shape) for h in first)
            )
        observed = observed_rows(Xs)
        here = np.ones((n_rows, len(views)), dtype=bool) if observed is None else observed
        aligned = [first[0]]  # topics matched to view 0's on the documents that have both views
        for h, own in zip(first[1:], here.T[1:], strict=True):
            both = here[:, 0] & own
            aligned.append(h[:, align_topics(first[0][both], h[both])])
        has = here.T[:, :, None]
        votes = np.stack([h.argmax(axis=1) for h in aligned])
        tally = ((votes[:, :, None] == np.arange(k)) & has).sum(axis=0)
        number = here.sum(axis=1)
        self.voted_ = (tally.max(axis=1) > number / 2) & (number > 1)
        shares = np.where(has, aligned, 0.0).sum(axis=0)
        start = np.where(number[:, None] > 0, shares / np.maximum(number, 1)[:, None], 1.0 / k)
        winner = tally.argmax(axis=1)
        start[self.voted_] = np.eye(k)[winner[self.voted_]]
        self._second_stage(hstack_csr(views), start)
        return self

    def _second_stage(self, X: sp.csr_matrix, h: np.ndarray) -> None:
        """PLSA on the concatenation, the voted documents' topics held fixed."""
        fixed = h[self.voted_].copy()
        w = np.asarray(X.T @ h) + 1e-12  # topics as the groups' word sums; none is quite empty
        w /= w.sum(axis=0)
        q, m = np.empty_like(h), np.empty_like(w)

        def maximise() -> None:
            kernels.normalise_documents(q, h)
            h[self.voted_] = fixed
            kernels.normalise_topics(m, w)

        progress = Progress("VotePLSA", self.verbose, self.max_iter, tol=self.tol)
        self.loglik_ = sweeps(
            self, lambda: kernels.em_step(*csr_of(X), h, w, q, m), maximise, progress
        )
        self.doc_topic_ = h
        self.topic_word_ = np.ascontiguousarray(w.T)
        self.labels_ = h.argmax(axis=1)
