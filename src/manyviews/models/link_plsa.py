"""Link PLSA: several modalities share one composition (Cohn and Hofmann 2001)."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

from manyviews.base import check_sample_weight
from manyviews.kernels import plsa as kernels
from manyviews.models.modalities import ModalityInput
from manyviews.models.plsa import (
    ascended,
    check_stochastic,
    check_topic_model,
    first_topics,
    random_doc_topic,
)
from manyviews.preprocessing.sparse import hstack_csr, scale_rows
from manyviews.progress import Progress, assert_monotone
from manyviews.validation import check_positive_int, check_real

__all__ = ["LinkPLSA"]


@dataclass(eq=False, repr=False)
class LinkPLSA(ModalityInput, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """One composition H for all modalities, topics W^l of their own.

    Maximises ``sum_l alpha_l J(W^l, H)``. This is PLSA on the modalities set side by side, each
    scaled by its weight, with topics normalised within every modality.

    Parameters
    ----------
    n_topics : int
    alpha : None or sequence of float
        Weights of the modalities; equal by default. For two modalities (alpha, 1 - alpha).
    max_iter, tol, random_state
        As in :class:`manyviews.models.plsa.PLSA`.
    init : None or (doc_topic, topic_words)
        Start: one (D, K) array and a list of (K, F_l) arrays.
    n_jobs, verbose
        As in :class:`manyviews.models.plsa.PLSA`.

    Attributes
    ----------
    doc_topic_ : ndarray (D, K)
    topic_word_ : list of ndarray (K, F_l)
    objective_ : ndarray
        Weighted log-likelihood after 0, 1, ... iterations, asserted not to fall.
    n_iter_ : int

    References
    ----------
    David Cohn and Thomas Hofmann (2001). The missing link: a probabilistic model of document
    content and hypertext connectivity. Advances in Neural Information Processing Systems.

    Examples
    --------
    >>> import numpy as np
    >>> texts = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]])
    >>> images = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])  # the second has no image
    >>> topics = LinkPLSA(2, random_state=0).fit([texts, images]).doc_topic_.argmax(axis=1)
    >>> bool(topics[0] == topics[1] != topics[2])
    True
    """

    _learnt = "topic_word_"

    n_topics: int = 10
    _: KW_ONLY
    alpha: Sequence[float] | None = None
    max_iter: int = 100
    tol: float = 1e-5
    random_state: int | np.random.Generator | None = None
    init: tuple[np.ndarray, Sequence[np.ndarray]] | None = None
    n_jobs: int | None = None
    verbose: int = 0

    def _weights(self, n_views: int) -> np.ndarray:
        if self.alpha is None:
            return np.full(n_views, 1.0 / n_views)
        alpha = np.array([check_real("alpha", a, low=0.0) for a in self.alpha])
        if len(alpha) != n_views or alpha.sum() <= 0:
            raise ValueError(
                f"alpha needs {n_views} weights, not all zero (one per modality); got {self.alpha}"
            )
        return alpha / alpha.sum()

    def fit(self, Xs: Sequence[Any], y: Any = None, sample_weight: Any = None) -> Self:
        """Learn shared compositions from a list of modalities (rows sum to one or are empty).

        An entity of ``sample_weight`` 2 counts twice, one of 0 is folded in at the end.
        """
        check_topic_model(self)
        views = self._fit_modalities(Xs)
        self.alpha_ = self._weights(len(views))
        stacked = hstack_csr([a * v for a, v in zip(self.alpha_, views, strict=True)])
        weights = check_sample_weight(sample_weight, stacked.shape[0])
        counted = stacked if weights is None else scale_rows(stacked, weights)
        widths = [v.shape[1] for v in views]
        cuts = np.cumsum([0, *widths]).tolist()
        h, w = self._start(stacked.shape[0], widths)
        progress = Progress("LinkPLSA", self.verbose, self.max_iter, "objective", self.tol)
        self.objective_ = ascended(self, counted, h, w, cuts, progress)
        assert_monotone(self.objective_, "objective of Link PLSA")
        if weights is not None and not weights.all():
            out = np.flatnonzero(weights == 0)
            h[out] = self._folded(stacked[out], w, self.max_iter, self.tol)
        self.doc_topic_ = h
        self.topic_word_ = [np.ascontiguousarray(w[first:last].T) for first, last in pairwise(cuts)]
        self._n_features_out = self.n_topics
        return self

    def _start(self, n_docs: int, widths: list[int]) -> tuple[np.ndarray, np.ndarray]:
        k, rng = self.n_topics, np.random.default_rng(self.random_state)
        if self.init is None:
            h = random_doc_topic(n_docs, k, rng)
        else:
            h = check_stochastic("init[0]", self.init[0], (n_docs, k))
        topics = first_topics(self.init and self.init[1], widths, k, rng)
        return h, np.ascontiguousarray(np.hstack(topics).T)

    def transform(
        self, Xs: Sequence[Any], *, max_iter: int | None = None, tol: float | None = None
    ) -> np.ndarray:
        """Compositions of new entities from whatever modalities are given (``None``: not there)."""
        views = self._new_modalities(Xs)
        stacked = hstack_csr([a * v for a, v in zip(self.alpha_, views, strict=True)])
        return self._folded(
            stacked, np.ascontiguousarray(np.hstack(self.topic_word_).T),
            self.max_iter if max_iter is None else check_positive_int("max_iter", max_iter),
            self.tol if tol is None else check_real("tol", tol, low=0.0),
        )  # fmt: skip

    def _folded(self, counts: Any, w: np.ndarray, max_iter: int, tol: float) -> np.ndarray:
        h = np.full((counts.shape[0], self.n_topics), 1.0 / self.n_topics)
        kernels.fold_in(counts.indptr, counts.indices, counts.data, h, w, max_iter, tol)
        return h
