"""Probabilistic latent semantic analysis (Hofmann 1999), the engine of the co-regularised models.

``p(w | d) = sum_k W_wk H_dk`` with W and H stochastic; EM maximises
``J(W, H) = sum_dw x_dw log (W H)_wd`` (equation (2) of Wang et al. 2016).
"""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from manyviews.base import OneMatrixInput, check_sample_weight
from manyviews.kernels import plsa as kernels
from manyviews.parts.blocks import csr_of, expectations
from manyviews.parts.stepwise import batch_weight, blended
from manyviews.preprocessing.sparse import scale_rows
from manyviews.progress import Progress, assert_monotone, settled
from manyviews.validation import check_positive_int, check_real, check_view

__all__ = ["PLSA"]


def random_doc_topic(n: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """Random strictly positive compositions, (n, k), rows sum to one."""
    drawn = rng.random((n, k))
    np.subtract(1.0, drawn, out=drawn)  # in (0, 1]: zeros would be absorbing
    drawn /= drawn.sum(axis=1, keepdims=True)
    return drawn


def random_topic_word(f: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """Random strictly positive topics over ``f`` words, (k, f), rows sum to one."""
    return random_doc_topic(k, f, rng)


def check_stochastic(name: str, array: Any, shape: tuple[int, int]) -> np.ndarray:
    """Check a start value: this shape, non-negative, rows sum to one. Returns a float64 copy."""
    value = np.array(array, dtype=np.float64, order="C", copy=True)
    if value.shape != shape:
        raise ValueError(f"{name} has shape {value.shape}, expected {shape}")
    if not np.all(np.isfinite(value)) or np.any(value < 0):
        raise ValueError(f"{name} holds negative or non-finite entries; give probabilities")
    sums = value.sum(axis=1)
    if np.any(np.abs(sums - 1.0) > 1e-6):
        row = int(np.argmax(np.abs(sums - 1.0)))
        raise ValueError(f"{name}: row {row} sums to {sums[row]:.6g}; normalise the rows to 1")
    return value


def first_parameters(
    init: Any, shape: tuple[int, int], k: int, rng: np.random.Generator, name: str = "init"
) -> tuple[np.ndarray, np.ndarray]:
    """Return compositions (D, K) and topics (F, K) to start from: drawn, or those given."""
    n, f = shape
    if init is None:
        h, w = random_doc_topic(n, k, rng), random_topic_word(f, k, rng)
    else:
        h = check_stochastic(f"{name}[0]", init[0], (n, k))
        w = check_stochastic(f"{name}[1]", init[1], (k, f))
    return h, np.ascontiguousarray(w.T)


def first_topics(
    init: Sequence[Any] | None, widths: Sequence[int], k: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """Return the topics (K, F) of every modality to start from: drawn, or those given."""
    if init is None:
        return [random_topic_word(f, k, rng) for f in widths]
    given = enumerate(zip(init, widths, strict=True))
    return [check_stochastic(f"init[1][{i}]", w, (k, f)) for i, (w, f) in given]


def check_topic_model(model: Any) -> None:
    """Refuse wrong settings that all topic models have."""
    check_positive_int("n_topics", model.n_topics)
    check_positive_int("max_iter", model.max_iter)
    check_real("tol", model.tol, low=0.0)


def ascended(
    model: Any,
    counts: sp.csr_matrix,
    h: np.ndarray,
    w: np.ndarray,
    cuts: Sequence[int],
    progress: Progress,
    tracked: bool = True,
) -> np.ndarray:
    """Run EM in place until the likelihood settles; return its trace, empty if not tracked.

    Topics sum to one over the words of every modality, which end at ``cuts``.
    """
    impossible = 0.0 if tracked else None
    with expectations([counts], model.n_topics, model.n_jobs, impossible) as (expect,):
        q, m = np.empty_like(h), np.empty_like(w)

        def maximise() -> None:
            kernels.normalise_documents(q, h)
            for first, last in pairwise(cuts):
                kernels.normalise_topics(m[first:last], w[first:last])

        return sweeps(model, lambda: expect(h, w, q, m), maximise, progress, tracked)


def sweeps(
    model: Any,
    expect: Callable[[], float],
    maximise: Callable[[], None],
    progress: Progress,
    tracked: bool = True,
) -> np.ndarray:
    """Alternate until the value settles or ``max_iter``; count in ``n_iter_``, return the trace."""
    trace: list[float] = []
    model.n_iter_ = 0
    while True:
        last = model.n_iter_ == model.max_iter
        if tracked:
            trace.append(expect())
        elif not last:  # an E-step without M-step serves the value alone
            expect()
        progress(model.n_iter_, trace[-1] if tracked else None)
        done = settled(trace, model.tol)
        if done or last:
            break
        model.n_iter_ += 1
        maximise()
    progress.end(trace[-1] if tracked else None, "settled" if done else "")
    return np.array(trace)


@dataclass(eq=False, repr=False)
class PLSA(OneMatrixInput, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """PLSA by expectation maximisation on sparse counts.

    Parameters
    ----------
    n_topics : int
        Number of topics K.
    max_iter : int
        Cap on the EM iterations (also per document when folding in).
    tol : float
        Stop when the log-likelihood grows by less than ``tol`` times its size; 0 runs all
        iterations.
    track_loglik : bool
        Keep the log-likelihood of every iteration and assert that it never falls. Without, and
        with ``tol`` 0, its logarithms are spared (``tol`` needs it).
    random_state : None, int or numpy.random.Generator
        Source of the random start.
    init : None or (doc_topic, topic_word)
        Warm start: compositions (D, K) and topics (K, F), rows summing to one.
    n_jobs : None or int
        Threads of the E-step; -1 for one per core. Its sums then run over fixed blocks of
        documents: the same bits for every number of threads, and other last bits than those of
        ``None``, which sums all documents in one run.
    verbose : int
        Print a line every so many iterations.

    Attributes
    ----------
    doc_topic_ : ndarray (D, K)
        p(z | d) of the training documents. An empty document keeps its start value.
    topic_word_ : ndarray (K, F)
        p(w | z).
    loglik_ : ndarray
        Log-likelihood after 0, 1, ... iterations; never falls (asserted).
    n_iter_ : int
        EM iterations made, and batches since.

    References
    ----------
    Thomas Hofmann (1999). Probabilistic latent semantic analysis. Uncertainty in Artificial
    Intelligence.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[3, 1, 0, 0], [2, 2, 0, 0], [0, 0, 1, 3]])
    >>> PLSA(2, random_state=0).fit_transform(X).round(2)
    array([[1., 0.],
           [1., 0.],
           [0., 1.]])
    """

    _counts = True

    n_topics: int = 10
    _: KW_ONLY
    max_iter: int = 100
    tol: float = 1e-5
    track_loglik: bool = True
    random_state: int | np.random.Generator | None = None
    init: tuple[np.ndarray, np.ndarray] | None = None
    n_jobs: int | None = None
    verbose: int = 0

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit topics and compositions to a documents x words matrix (dense or sparse).

        ``sample_weight`` multiplies the counts of each document: weight 2 counts a document
        twice. Documents of weight 0 are folded in once the topics are there.
        """
        check_topic_model(self)
        counts = self._fit_matrix(X)
        weights = check_sample_weight(sample_weight, counts.shape[0])
        self._learn(counts if weights is None else scale_rows(counts, weights))
        if weights is not None and not weights.all():
            out, w = weights == 0, self.topic_word_
            self.doc_topic_[out] = fold_in(counts[out], w, max_iter=self.max_iter, tol=self.tol)
        return self

    def _learn(self, counts: Any) -> None:
        """Run EM on a CSR matrix, or on what sums over its rows elsewhere."""
        rng = np.random.default_rng(self.random_state)
        h, w = first_parameters(self.init, counts.shape, self.n_topics, rng)
        progress = Progress(type(self).__name__, self.verbose, self.max_iter, tol=self.tol)
        tracked = self.track_loglik or self.tol > 0.0
        self.loglik_ = ascended(self, counts, h, w, [0, w.shape[0]], progress, tracked)
        assert_monotone(self.loglik_, "log-likelihood of PLSA")
        self.topic_word_ = np.ascontiguousarray(w.T)
        self.doc_topic_, self._mass = h, h.mean(axis=0)
        self._n_features_out = self.n_topics

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Learn from one batch of documents by stepwise EM (Cappé and Moulines 2009).

        The batch is folded in, then its words enter the topics, with less weight the later it
        comes; iterations of a fit before it count as batches. ``doc_topic_`` and ``loglik_`` are
        those of the batch under the topics it met.
        """
        check_topic_model(self)
        started = hasattr(self, "topic_word_")
        counts = self._new_matrix(X) if started else self._fit_matrix(X)
        if not started:
            rng = np.random.default_rng(self.random_state)
            _, w = first_parameters(self.init, counts.shape, self.n_topics, rng)
            self.topic_word_, self.n_iter_ = np.ascontiguousarray(w.T), 0
            self._mass = np.full(self.n_topics, 1.0 / self.n_topics)
            self._n_features_out = self.n_topics
        h = fold_in(counts, self.topic_word_, max_iter=self.max_iter, tol=self.tol)
        w = np.ascontiguousarray(self.topic_word_.T)
        expected = np.empty_like(w)
        value = kernels.em_step(*csr_of(counts), h, w, np.empty_like(h), expected)
        self.topic_word_, self._mass = blended(
            self.topic_word_, self._mass, expected.T, batch_weight(self.n_iter_)
        )
        self.doc_topic_, self.loglik_ = h, np.array([value])
        self.n_iter_ += 1
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> np.ndarray:
        """Fit and return the training compositions ``doc_topic_``."""
        return self.fit(X, y, sample_weight).doc_topic_

    def transform(self, X: Any) -> np.ndarray:
        """Fold new documents in: EM over their compositions with the topics fixed, from uniform."""
        check_is_fitted(self, "topic_word_")
        counts = self._new_matrix(X)
        return fold_in(counts, self.topic_word_, max_iter=self.max_iter, tol=self.tol)


def fold_in(
    X: Any, topic_word: np.ndarray, *, max_iter: int = 100, tol: float = 1e-5
) -> np.ndarray:
    """Compositions (D, K) of new documents given the topics (K, F), from a uniform start.

    The likelihood is concave in the composition of a document, so the start does not matter. An
    empty document, or one of unknown words alone, stays uniform.
    """
    counts = check_view(X, name="X", nonnegative=True)
    n_topics, n_words = topic_word.shape
    if counts.shape[1] != n_words:
        raise ValueError(
            f"X has {counts.shape[1]} columns but the topics were learned over {n_words} words; "
            "give the same view as in fit"
        )
    h = np.full((counts.shape[0], n_topics), 1.0 / n_topics)
    w = np.ascontiguousarray(topic_word.T, dtype=np.float64)
    kernels.fold_in(counts.indptr, counts.indices, counts.data, h, w, max_iter, tol)
    return h
