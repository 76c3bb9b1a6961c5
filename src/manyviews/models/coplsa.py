"""Co-regularised PLSA for several modalities (Wang, Chang, Ying and Lyu 2016).

Every modality l has topics W^l and compositions H^l of its own; a divergence ties the
compositions of one entity together. Maximised is equation (8),
``sum_l J(W^l, H^l) - lambda sum_{l<m} D(H^l, H^m)``.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from manyviews.base import ListOutput, check_sample_weight
from manyviews.kernels import coplsa as steps
from manyviews.kernels import coplsa_l1 as l1_steps
from manyviews.kernels import plsa as kernels
from manyviews.models.modalities import ModalityInput
from manyviews.models.plsa import (
    check_stochastic,
    check_topic_model,
    first_topics,
    random_doc_topic,
    sweeps,
)
from manyviews.models.plsa import fold_in as plsa_fold_in
from manyviews.parts.blocks import expectations
from manyviews.preprocessing.sparse import scale_rows
from manyviews.progress import Progress, assert_monotone, settled
from manyviews.validation import check_choice, check_positive_int, check_real

__all__ = ["CoPLSA"]

DIVERGENCES = ("skl", "l2", "l1")
H_STEPS = ("exact", "joint", "two_step")


@dataclass(eq=False, repr=False)
class CoPLSA(ListOutput, ModalityInput, BaseEstimator):
    """PLSA of two or more modalities with compositions that are alike, not identical.

    Parameters
    ----------
    n_topics : int
        Number of topics, the same in every modality.
    divergence : {"skl", "l2", "l1"}
        Symmetric Kullback-Leibler, squared distance (with 1/2) or absolute distance.
    lam : float
        Balance lambda >= 0. Zero gives independent PLSAs.
    h_step : {"exact", "joint", "two_step"}
        ``exact``: each H^l in turn, the others fixed (equations (11) to (13)). ``joint``: both
        at once (l1, two modalities), which does not stall where block ascent does. ``two_step``:
        the l2 update the paper criticises; not monotone.
    max_iter, tol
        Cap on the sweeps; stop when the objective gains less than ``tol`` of its size.
    random_state, init
        Random start (the same H in all modalities), or ``(doc_topics, topic_words)``, two lists.
    floor : float
        Lower bound on H under ``skl``, which is infinite where one composition is zero.
    n_jobs : None or int
        Threads of the E-steps, with sums over fixed blocks of entities: see
        :class:`~manyviews.models.plsa.PLSA`.
    verbose : int
        Print a line every so many sweeps.

    Attributes
    ----------
    doc_topic_ : list of ndarray (D, K)
        Compositions; where an entity lacks a modality, the one nearest to its others.
    topic_word_ : list of ndarray (K, F_l)
    objective_ : ndarray
        Equation (8) after 0, 1, ... sweeps; asserted not to fall (except ``two_step``).
    n_iter_ : int

    References
    ----------
    Xin Wang, Ming-Ching Chang, Yiming Ying and Siwei Lyu (2016). Co-regularized PLSA for multi-
    modal learning. AAAI Conference on Artificial Intelligence.

    Examples
    --------
    >>> import numpy as np
    >>> texts = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]])
    >>> images = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])  # the second has no image
    >>> model = CoPLSA(2, random_state=0).fit([texts, images])
    >>> model.doc_topic_[1].argmax(axis=1)[[0, 1]] == model.doc_topic_[0].argmax(axis=1)[[0, 1]]
    array([ True,  True])
    """

    _learnt = "topic_word_"

    n_topics: int = 10
    _: KW_ONLY
    divergence: str = "skl"
    lam: float = 1.0
    h_step: str = "exact"
    max_iter: int = 100
    tol: float = 1e-5
    random_state: int | np.random.Generator | None = None
    init: tuple[Sequence[np.ndarray], Sequence[np.ndarray]] | None = None
    floor: float = 1e-10
    n_jobs: int | None = None
    verbose: int = 0

    def _check(self, n_views: int) -> None:
        check_topic_model(self)
        check_choice("divergence", self.divergence, DIVERGENCES)
        check_choice("h_step", self.h_step, H_STEPS)
        check_real("lam", self.lam, low=0.0)
        check_real("floor", self.floor, low=1e-300, high=0.1 / self.n_topics)
        if self.h_step == "joint" and (self.divergence != "l1" or n_views != 2):
            raise ValueError('h_step="joint" is for divergence="l1" and two modalities')
        if self.h_step == "two_step" and self.divergence != "l2":
            raise ValueError('h_step="two_step" is an l2 update; set divergence="l2"')

    def _start(self, views: list[sparse.csr_matrix]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        n, k, rng = views[0].shape[0], self.n_topics, np.random.default_rng(self.random_state)
        if self.init is None:
            shared = random_doc_topic(n, k, rng)
            hs = [shared.copy() for _ in views]
        else:
            if len(self.init[0]) != len(views) or len(self.init[1]) != len(views):
                raise ValueError(f"init needs one array per modality ({len(views)}) in both lists")
            hs = [check_stochastic(f"init[0][{i}]", h, (n, k)) for i, h in enumerate(self.init[0])]
        ws = first_topics(self.init and self.init[1], [v.shape[1] for v in views], k, rng)
        return self._floored(hs), [np.ascontiguousarray(w.T) for w in ws]

    def _floored(self, hs: list[np.ndarray]) -> list[np.ndarray]:
        if self.divergence != "skl" or self.lam == 0.0:
            return hs
        result = []
        for h in hs:
            low = h < self.floor
            if low.any():  # the mass the floor needs is taken from the rest of the row
                rest = np.where(low, 0.0, h).sum(axis=1, keepdims=True)
                share = (1.0 - low.sum(axis=1, keepdims=True) * self.floor) / rest
                h = np.where(low, self.floor, h * share)
            result.append(h)
        return result

    def fit(self, Xs: Sequence[Any], y: Any = None, sample_weight: Any = None) -> Self:
        """Learn topics and compositions from a list of entities x features matrices.

        With ``sample_weight`` every entity's part of equation (8), its likelihood and its
        divergences, counts so many times. Entities of weight 0 are folded in at the end.
        """
        views = self._fit_modalities(Xs)
        self._check(len(views))
        hs, ws = self._start(views)
        weights = check_sample_weight(sample_weight, views[0].shape[0])
        counted = views if weights is None else [scale_rows(v, weights) for v in views]
        coupling = _Coupling(self, views, weights)
        self.objective_ = self._iterate(counted, coupling, hs, ws, weights)
        if self.h_step != "two_step":
            assert_monotone(self.objective_, "objective of co-regularised PLSA")
        self.topic_word_ = [np.ascontiguousarray(w.T) for w in ws]
        if weights is not None and not weights.all():
            out = np.flatnonzero(weights == 0)
            for h, new in zip(hs, self._folded([v[out] for v in views]), strict=True):
                h[out] = new
        self.doc_topic_ = hs
        return self

    def _iterate(
        self,
        views: list[sparse.csr_matrix],
        coupling: "_Coupling",
        hs: list[np.ndarray],
        ws: list[np.ndarray],
        weights: np.ndarray | None,
    ) -> np.ndarray:
        """Sweep in place until the objective settles; return its trace."""
        qs, ms = [np.empty_like(h) for h in hs], [np.empty_like(w) for w in ws]
        shares = None if weights is None else np.where(weights > 0, weights, 1.0)[:, None]

        def expect() -> float:
            value = -coupling.penalty(hs)
            for step, h, w, q, m in zip(steps_of, hs, ws, qs, ms, strict=True):
                value += step(h, w, q, m)
            return value

        def maximise() -> None:
            for m, w in zip(ms, ws, strict=True):
                kernels.normalise_topics(m, w)
            if shares is not None:  # a weight is the same factor in all terms of an entity
                for q in qs:
                    q /= shares
            coupling.step(qs, hs)

        progress = Progress("CoPLSA", self.verbose, self.max_iter, "objective", self.tol)
        with expectations(views, self.n_topics, self.n_jobs) as steps_of:
            return sweeps(self, expect, maximise, progress)

    def transform(
        self, Xs: Sequence[Any], *, max_iter: int | None = None, tol: float | None = None
    ) -> list[np.ndarray]:
        """Fold entities in with the topics fixed: their present modalities together, coupled.

        ``None`` stands for a modality that is not there; entities may lack modalities (empty
        rows). What lacks gets the composition nearest to the others.
        """
        return self._contained(self._folded(self._new_modalities(Xs), max_iter, tol))

    @property
    def _n_columns(self) -> int:
        return self.n_topics

    def _folded(
        self, views: list[sparse.csr_matrix], max_iter: int | None = None, tol: float | None = None
    ) -> list[np.ndarray]:
        """Return the compositions of checked modalities, the topics fixed."""
        max_iter = self.max_iter if max_iter is None else check_positive_int("max_iter", max_iter)
        tol = self.tol if tol is None else check_real("tol", tol, low=0.0)
        shape = (views[0].shape[0], self.n_topics)
        hs = [np.full(shape, 1.0 / self.n_topics) for _ in views]
        ws = [np.ascontiguousarray(w.T) for w in self.topic_word_]
        coupling = _Coupling(self, views)
        qs = [np.zeros(shape) for _ in views]
        trace: list[float] = []
        for _ in range(max_iter + 1):
            value = -coupling.penalty(hs)
            for v, h, w, q in zip(views, hs, ws, qs, strict=True):
                value += kernels.fold_in_step(v.indptr, v.indices, v.data, h, w, q)
            trace.append(value)
            if settled(trace, tol) or len(trace) > max_iter:
                break
            coupling.step(qs, hs)
        return hs

    def fold_in(
        self, X: Any, modality: int, *, max_iter: int | None = None, tol: float | None = None
    ) -> np.ndarray:
        """Compositions of entities known by one modality alone: plain PLSA with its topics."""
        check_is_fitted(self, "topic_word_")
        return plsa_fold_in(
            X,
            self.topic_word_[modality],
            max_iter=self.max_iter if max_iter is None else max_iter,
            tol=self.tol if tol is None else tol,
        )


class _Coupling:
    """The co-regulariser of one data set: its value and its H-steps.

    Only modalities an entity has are coupled; a missing one follows the others without pulling.
    """

    def __init__(
        self, model: CoPLSA, views: Sequence[sparse.csr_matrix], weights: np.ndarray | None = None
    ) -> None:
        self.model = model
        self.weights = np.empty(0) if weights is None else weights
        self.present = np.array([np.diff(v.indptr) > 0 for v in views])
        self.complete = bool(self.present.all())
        self.eta = np.full(self.present.shape, np.nan)
        self.kind = DIVERGENCES.index(model.divergence)

    def penalty(self, hs: Sequence[np.ndarray]) -> float:
        """Return ``lambda sum_{l<m} D(H^l, H^m)`` over the modalities that are there."""
        if self.model.lam == 0.0:
            return 0.0
        total = 0.0
        for i in range(len(hs)):
            for j in range(i + 1, len(hs)):
                both = self.present[i] & self.present[j]
                total += steps.divergence(hs[i], hs[j], both, self.kind, self.weights)
        return self.model.lam * total

    def step(self, qs: Sequence[np.ndarray], hs: list[np.ndarray]) -> None:
        """Update every H in place from the expected counts."""
        if self.model.h_step == "joint" and self.model.lam > 0.0:
            self._joint(qs, hs)
            return
        for i in range(len(hs)):
            self._one(i, qs[i], hs)

    def _one(self, i: int, q: np.ndarray, hs: list[np.ndarray]) -> None:
        model = self.model
        rest = [j for j in range(len(hs)) if j != i]
        if model.lam == 0.0:
            kernels.normalise_documents(q, hs[i])
        elif model.divergence == "l1":
            others = np.stack([hs[j] for j in rest])
            use = np.ascontiguousarray(self.present[rest])
            l1_steps.h_step_l1(q, others, use, model.lam, self.eta[i], hs[i])
        else:
            n_others = self.present[rest].sum(axis=0)
            weight = model.lam * n_others
            mean = self._mean([hs[j] for j in rest], rest, n_others)
            if model.divergence == "skl":
                logs = self._mean([np.log(hs[j]) for j in rest], rest, n_others)
                steps.h_step_skl(q, mean, logs, weight, model.floor, self.eta[i], hs[i])
            elif model.h_step == "two_step":
                steps.h_step_two_step(q, mean, weight, hs[i])
            else:
                steps.h_step_l2(q, mean, weight, self.eta[i], hs[i])

    def _mean(self, arrays: list[np.ndarray], which: list[int], count: np.ndarray) -> np.ndarray:
        """Mean over the modalities each entity has (zero where it has none)."""
        if len(arrays) == 1:
            return arrays[0]
        total = sum(a * self.present[j][:, None] for a, j in zip(arrays, which, strict=True))
        return total / np.maximum(count, 1)[:, None]

    def _joint(self, qs: Sequence[np.ndarray], hs: list[np.ndarray]) -> None:
        both = self.present.all(axis=0)
        q1, q2 = (q if self.complete else q[both] for q in qs)
        eta = np.ascontiguousarray(self.eta.T[both])
        out1, out2 = np.empty_like(q1), np.empty_like(q2)
        l1_steps.h_step_l1_joint(q1, q2, self.model.lam, eta, out1, out2)
        self.eta[:, both] = eta.T
        for i, out in enumerate((out1, out2)):
            alone = self.present[i] & ~both
            hs[i][both] = out
            total = qs[i][alone].sum(axis=1, keepdims=True)  # 0: words that no topic knows
            np.divide(qs[i][alone], total, out=(kept := hs[i][alone]), where=total > 0.0)
            hs[i][alone] = kept
        for i, j in ((0, 1), (1, 0)):
            lacking = self.present[j] & ~self.present[i]
            hs[i][lacking] = hs[j][lacking]
