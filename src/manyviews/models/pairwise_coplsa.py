r"""Co-regularised PLSA for multi-view clustering (Jiang et al. 2012).

One PLSA per view; the views agree on how similar two documents are in topic space. With view
weights :math:`\tau` and a fixed set of document pairs the objective is

.. math::

    O = \sum_v \tau^v L^v - \lambda \sum_{v<w} R^{vw}, \qquad
    R^{vw} = \sum_{i,j} (S^v_{ij} - S^w_{ij})^2  \qquad (4), (6), (15)

(15) is printed with a sum over ordered pairs of views, which would double the penalty and not
reduce to (4) for two views; each unordered pair of views counts once here. The pairs of documents
are drawn once, before the first iteration, and are the same for all views: otherwise the
objective would change from one iteration to the next.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClusterMixin

from manyviews.base import MultiViewInput
from manyviews.kernels import pair_similarity as pair_kernels
from manyviews.kernels import plsa as plsa_kernels
from manyviews.models.pairwise_parts import (
    PairState,
    ViewState,
    check_weights,
    draw_pairs,
    fill_missing,
    presence,
)
from manyviews.models.plsa import first_parameters
from manyviews.parts.blocks import Threads
from manyviews.progress import Progress
from manyviews.validation import (
    check_choice,
    check_fewer,
    check_positive_int,
    check_real,
    check_view_number,
)

__all__ = ["PairwiseCoPLSA"]

UPDATES = ("printed", "safeguarded")
_FLOOR = 1e-12  # share of a document's mass left to a clipped topic
_HALVINGS = 40  # the smallest step tried by the safeguard is 2 ** -40
_WARM_UP = 5  # plain iterations before ``sigma="mean"`` is measured
_ROUNDING = 1e-14  # of the objective's size: a change below it is not a decrease


@dataclass(eq=False, repr=False)
class PairwiseCoPLSA(MultiViewInput, ClusterMixin, BaseEstimator):
    r"""PLSA in every view, tied by the documents' pairwise similarities in topic space.

    Parameters
    ----------
    n_topics : int
        Number of topics (= clusters) K, the same in all views; at most the number of documents.
    lam : float
        Weight of the penalty. It acts against counts: its effect grows with the pairs per
        document and shrinks with the length of documents (see ``rho_``). ``lam=0`` is PLSA.
    sigma : float or "mean"
        Width of the Gaussian (7), not given in the paper. ``"mean"`` freezes it at the mean
        squared distance of the pairs after five plain PLSA iterations.
    pair_share : float or int
        Share of all document pairs in the penalty, in (0, 1], or their number (an integer). All
        pairs of 100,000 documents are five thousand million: name a number there.
    view_weights : None or sequence of float
        :math:`\tau^v`, positive, summing to one (5); equal by default.
    update : {"printed", "safeguarded"}
        ``"printed"``: (13) with negative entries clipped; an ascent direction with unit step and
        no guarantee. ``"safeguarded"``: the same direction, the step halved until the EM lower
        bound of the objective does not fall; the objective then never falls. Equal as long as no
        printed step is unsafe (``unsafe_steps_ == 0``).
    label_view : int
        View whose largest topic is the cluster label.
    max_iter, tol : int, float
        Cap, and the change of the objective, relative to its size, at which to stop. The
        paper stops at a *signed* increase below a constant, so at any decrease; the absolute
        change is used here.
    random_state : None, int or numpy.random.Generator
        Source of the document pairs (drawn first) and of the random starts.
    init : None or list of (doc_topic, topic_word)
        Start of every view, as :class:`~manyviews.models.plsa.PLSA` takes it.
    n_jobs : None or int
        Views whose E-steps run side by side, on threads; -1 for one per core. The result is the
        same. The views' M-steps follow each other: each looks at the others' last similarities.
    verbose : int
        Print a line every so many iterations.

    Attributes
    ----------
    labels_, labels_by_view_ : ndarray (D,), (V, D)
        Largest topic in ``label_view``, and in every view (topics are numbered per view).
    doc_topic_, topic_word_ : list of ndarray
        p(z | d) and p(w | z) of every view.
    objective_, loglik_, penalty_ : ndarray
        (4), the weighted log-likelihood and R after 0, 1, ... iterations.
    rho_ : ndarray
        :math:`\rho = \sum |\lambda p\, \partial R| / \sum \tau n` per iteration, of the view where
        it is largest: how strongly the penalty pulls against the data.
    negative_share_ : ndarray
        Share of entries of (13) that came out negative, per iteration.
    unsafe_steps_, backtracks_ : int
        View updates whose unit step lowered the bound; step halvings made.
    pairs_, sigma_, n_iter_, converged_
        The document pairs, the width used, iterations made, whether ``tol`` was met.

    Notes
    -----
    **Missing rows.** A document may lack a view (``observed`` in :meth:`fit`, or an all-zero
    row). It then has no likelihood there, and no pair with it counts between that view and
    another. After the last iteration its topics there are the mean of the other documents'
    topics, weighted by the similarity to them in the views it has (kept at the start when
    ``lam=0``: the views then say nothing about each other).

    References
    ----------
    Yu Jiang, Jing Liu, Zechao Li, Peng Li and Hanqing Lu (2012). Co-regularized PLSA for multi-
    view clustering. Asian Conference on Computer Vision.

    Examples
    --------
    >>> import numpy as np
    >>> words = np.array([[3, 0], [2, 0], [0, 3], [0, 2]])
    >>> links = np.array([[1, 0], [4, 0], [0, 1], [0, 4]])
    >>> labels = PairwiseCoPLSA(2, random_state=0).fit_predict([words, links])
    >>> bool(labels[0] == labels[1] != labels[2] == labels[3])
    True
    """

    n_topics: int = 2
    _: KW_ONLY
    lam: float = 0.05
    sigma: float | str = 1.0
    pair_share: float | int = 0.05
    view_weights: Sequence[float] | None = None
    update: str = "printed"
    label_view: int = 0
    max_iter: int = 100
    tol: float = 1e-5
    random_state: int | np.random.Generator | None = None
    init: Sequence[tuple[np.ndarray, np.ndarray]] | None = None
    n_jobs: int | None = None
    verbose: int = 0

    def fit(self, Xs: Any, y: Any = None, *, observed: Any = None) -> Self:
        """Fit all views together.

        Parameters
        ----------
        Xs
            Two or more views, documents x words, dense or sparse, non-negative.
        y
            Ignored.
        observed
            Optional list with a boolean mask per view (``None`` for a complete one): False where
            the document lacks that view, whatever its row holds.
        """
        views, pairs = self._prepare(Xs, observed)
        history: dict[str, list[float]] = {
            name: [] for name in ("objective", "loglik", "penalty", "rho", "negative_share")
        }
        self.unsafe_steps_ = self.backtracks_ = self.n_iter_ = 0
        self.converged_ = False
        progress = Progress("PairwiseCoPLSA", self.verbose, self.max_iter, "objective", self.tol)
        warm = _WARM_UP if self.sigma == "mean" else 0
        with Threads(1 if self.n_jobs is None else self.n_jobs) as threads:
            while True:
                lam = self.lam if self.n_iter_ >= warm else 0.0
                if lam > 0 and self.n_iter_ == warm:
                    self._open_pairs(views, pairs)
                found = threads.map(ViewState.expect, views)
                loglik = sum(view.tau * part for view, part in zip(views, found, strict=True))
                penalty = pairs.total(views) if lam > 0 else 0.0
                history["loglik"].append(loglik)
                history["penalty"].append(penalty)
                history["objective"].append(loglik - lam * penalty)
                progress(self.n_iter_, history["objective"][-1])
                if self._settled(history["objective"], warm) or self.n_iter_ == self.max_iter:
                    break
                rho, negative = self._maximise(views, pairs, lam)
                history["rho"].append(rho)
                history["negative_share"].append(negative)
                self.n_iter_ += 1
        progress.end(history["objective"][-1], "settled" if self.converged_ else "")
        return self._finish(views, pairs, history)

    def _settled(self, objective: list[float], warm: int) -> bool:
        """Whether the objective's last change is within ``tol`` (never during the warm-up)."""
        if len(objective) < 2 or self.n_iter_ <= warm:
            return False
        change = abs(objective[-1] - objective[-2])
        self.converged_ = change <= self.tol * abs(objective[-2])
        return self.converged_

    def _prepare(self, Xs: Any, observed: Any) -> tuple[list[ViewState], PairState]:
        """Check everything and build the views and pairs."""
        check_real("lam", self.lam, 0.0)
        if self.sigma != "mean":
            if isinstance(self.sigma, str):
                raise ValueError(f"sigma must be a positive number or 'mean', got {self.sigma!r}")
            check_real("sigma", self.sigma, np.finfo(float).tiny)
        if isinstance(self.pair_share, int | np.integer):
            check_positive_int("pair_share", self.pair_share)
        else:
            check_real("pair_share", self.pair_share, np.finfo(float).tiny, 1.0)
        check_choice("update", self.update, UPDATES)
        check_positive_int("max_iter", self.max_iter)
        check_real("tol", self.tol, 0.0)
        counts = self._fit_views(Xs, nonnegative=True, min_views=2)
        n_rows = counts[0].shape[0]
        n_topics = check_fewer("n_topics", self.n_topics, n_rows)
        check_view_number("label_view", self.label_view, len(counts))
        present = presence(counts, observed)
        tau = check_weights(self.view_weights, len(counts))
        rng = np.random.default_rng(self.random_state)
        left, right = draw_pairs(n_rows, self.pair_share, rng)
        given = [None] * len(counts) if self.init is None else self.init
        if len(given) != len(counts):
            raise ValueError(f"init has {len(given)} entries for {len(counts)} views")
        starts = [
            first_parameters(start, X.shape, n_topics, rng, f"init[{v}]")
            for v, (start, X) in enumerate(zip(given, counts, strict=True))
        ]
        views = []
        for X, here, weight, (h, w) in zip(counts, present, tau, starts, strict=True):
            kept = X if here.all() else sp.csr_matrix(sp.diags(here.astype(np.float64)) @ X)
            kept.eliminate_zeros()
            kept.sort_indices()  # the kernels need canonical rows
            buffers = np.empty_like(h), np.empty_like(w), np.empty(left.size)
            views.append(ViewState(kept, here, weight, h, w, *buffers))
        both = [here[left] & here[right] for here in present]
        use = {
            (v, w): (both[v] & both[w]).astype(np.uint8)
            for v in range(len(views))
            for w in range(v + 1, len(views))
        }
        return views, PairState(left, right, use, np.empty(left.size), np.empty(left.size))

    def _open_pairs(self, views: Sequence[ViewState], pairs: PairState) -> None:
        """Fix sigma and compute every view's similarities for the first time."""
        if self.sigma == "mean":
            distances = [
                pair_kernels.mean_squared_distance(view.doc_topic, pairs.left, pairs.right)
                for view in views
            ]
            # documents that all coincide have similarity 1 whatever the width
            pairs.sigma = float(np.mean(distances)) or 1.0
        else:
            pairs.sigma = float(self.sigma)
        for view in views:
            pairs.compare(view.doc_topic, view.similarity)

    def _maximise(
        self, views: Sequence[ViewState], pairs: PairState, lam: float
    ) -> tuple[float, float]:
        """M-steps of all views in turn; returns rho and the share of negative entries."""
        rho = 0.0
        negative = entries = 0
        for v, view in enumerate(views):
            if lam == 0:
                plsa_kernels.normalise_documents(view.doc_counts, view.doc_topic)
            else:
                pull, below = self._step(views, pairs, v, lam)
                rho = max(rho, pull / float(view.doc_counts.sum()))
                negative += below
            entries += view.doc_topic.size
            plsa_kernels.normalise_topics(view.word_counts, view.word_topic)
        return rho, negative / entries

    def _step(
        self, views: Sequence[ViewState], pairs: PairState, v: int, lam: float
    ) -> tuple[float, int]:
        r"""Update (13), (17) of one view; returns :math:`\sum|\lambda p\,\partial R|/\tau` too.

        Both sides are divided by tau, so that ``lam -> 0`` is PLSA to the last digit.
        """
        view = views[v]
        old, counts = view.doc_topic, view.doc_counts
        gradient, before = pairs.gradient(views, v)
        target = np.empty_like(old)
        negative, pull = pair_kernels.clipped_rows(
            old, counts, gradient, lam / view.tau, _FLOOR, target
        )
        step = 1.0
        for halving in range(_HALVINGS + 1):
            new = target if halving == 0 else old + step * (target - old)
            pairs.compare(new, pairs.trial)
            after = pairs.penalty(views, v, pairs.trial)
            gain = view.tau * pair_kernels.log_gain(counts, old, new) - lam * (after - before)
            slack = _ROUNDING * (view.tau * counts.sum() + lam * (after + before))
            safe = gain >= -slack
            self.unsafe_steps_ += int(not safe and halving == 0)
            if safe or self.update == "printed":
                view.doc_topic = new
                view.similarity, pairs.trial = pairs.trial, view.similarity
                break
            self.backtracks_ += 1
            step /= 2
        return pull, negative

    def _finish(
        self, views: Sequence[ViewState], pairs: PairState, history: dict[str, list[float]]
    ) -> Self:
        """Fill the missing rows and publish the attributes."""
        topics = [view.doc_topic for view in views]
        if self.lam > 0:
            topics = fill_missing(topics, [view.present for view in views], pairs.sigma)
        self.doc_topic_ = topics
        self.topic_word_ = [np.ascontiguousarray(view.word_topic.T) for view in views]
        self.labels_by_view_ = np.stack([h.argmax(axis=1) for h in topics])
        self.labels_ = self.labels_by_view_[self.label_view]
        for name, values in history.items():
            setattr(self, f"{name}_", np.array(values))
        self.sigma_ = pairs.sigma
        self.pairs_ = np.stack([pairs.left, pairs.right], axis=1)
        return self
