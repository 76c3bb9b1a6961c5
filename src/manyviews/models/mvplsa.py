r"""MVPLSA: multi-view learning by probabilistic latent semantic analysis (Zhuang et al. 2012).

.. math:: p(f,d,v) = \sum_{y,z} p(f|y,v)\,p(y|z,v)\,p(z|d)\,p(d)\,p(v) \qquad\text{(eq. 3)}

Documents d belong to classes z in the same way in every view; topics y and features f belong to
their view. Labelled documents hold p(z|d) at their class, so EM classifies the others; without
labels it clusters. p(d) and p(v) cancel in every update.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.metrics import normalized_mutual_info_score
from sklearn.utils.validation import check_is_fitted

from manyviews.base import LikeliestClass, MultiViewInput, check_sample_weight, observed_rows
from manyviews.kernels.mvplsa import update_documents
from manyviews.kernels.plsa import add_documents
from manyviews.labels import UNLABELLED, Labels, label_vector, partial_labels
from manyviews.models.factored_em import EMState, factored_em, fold_in, random_topics
from manyviews.models.online import encode_labels
from manyviews.parts.common_pattern import best_pattern, cluster_views
from manyviews.parts.naive_bayes import combine_posteriors, naive_bayes_posterior
from manyviews.parts.stepwise import batch_weight, blended
from manyviews.preprocessing.sparse import scale_rows
from manyviews.progress import Progress, assert_monotone
from manyviews.validation import check_choice, check_positive_int, check_real, check_view_weights

__all__ = ["MVPLSA"]

STARTS = ("auto", "naive_bayes", "product", "mvc", "uniform", "random")


def floor_rows(p: np.ndarray, floor: float) -> np.ndarray:
    """Raise every probability to at least ``floor`` and scale the rows to 1 again.

    A zero in p(z|d) can never be left again by EM, and naive Bayes posteriors saturate.
    """
    raised = np.maximum(p, floor)
    return raised / raised.sum(axis=1, keepdims=True)


@dataclass(eq=False, repr=False)
class MVPLSA(LikeliestClass, MultiViewInput, TransformerMixin, ClassifierMixin, BaseEstimator):
    """Semi-supervised classification, or clustering, of documents with several views.

    Parameters
    ----------
    n_topics : int or list of int, default 128
        Topics Y, the same for all views or one number per view.
    n_classes : None or int
        Classes Z. ``None``: as many as are labelled. Needed without labels.
    max_iter : int, default 150
        EM iterations at most.
    tol : float, default 0
        Stop when the log-likelihood grows by less than ``tol`` times its size; 0 runs all
        iterations, as the paper does.
    init : str or (D, Z) array, default "auto"
        Start of p(z|d) of the unlabelled documents: ``"naive_bayes"`` (mean of the views'
        posteriors), ``"product"`` (their product), ``"mvc"`` (clustering), ``"uniform"``,
        ``"random"`` or probabilities. ``"auto"``: naive Bayes with labels, MVC without.
    floor : float, default 1e-3
        Smallest probability in that start. Labelled documents stay one-hot.
    alpha : float, default 1
        Smoothing of the naive Bayes start.
    view_weights : None, "balanced" or list of float
        Factors for the views' counts; ``"balanced"`` gives every view the same total.
    track_loglik : bool, default True
        Keep the log-likelihood of every iteration and assert that it never falls.
    random_state : None, int or numpy.random.Generator
        Draws p(f|y, v) and p(y|z, v).
    n_jobs : None or int
        Threads; -1 for one per core. Sums then run over fixed blocks of documents: the same bits
        for every number of threads, and other last bits than those of ``None``, which sums
        feature by feature on one thread.
    verbose : int
        Print a line every so many iterations.

    Attributes
    ----------
    doc_topic_ : (D, Z) array
        p(z|d) of the training documents.
    labels_ : (D,) array
        Class of its largest entry: the answer for the unlabelled documents (eq. 18).
    topic_word_ : list of (Y_v, F_v) arrays
        p(f|y, v). A topic that lost all its mass is a row of zeros.
    topic_class_ : list of (Z, Y_v) arrays
        p(y|z, v).
    loglik_ : ndarray
        Log-likelihood before the first and after every iteration (terms in p(d), p(v) left out).
    n_iter_ : int
        Iterations run, and batches since.
    classes_ : ndarray
        The labels that occur, sorted; for a clustering 0 .. Z-1.

    References
    ----------
    Fuzhen Zhuang, George Karypis, Xia Ning, Qing He and Zhongzhi Shi (2012). Multi-view
    learning via probabilistic latent semantic analysis. Information Sciences.

    Examples
    --------
    >>> import numpy as np
    >>> words = np.array([[3, 0], [2, 0], [0, 3], [0, 2]])
    >>> links = np.array([[1, 0], [4, 0], [0, 1], [0, 4]])
    >>> Xs = [words, links]
    >>> model = MVPLSA(n_topics=2, max_iter=50, random_state=0)
    >>> model.fit(Xs, ["a", None, "b", None]).labels_
    array(['a', 'a', 'b', 'b'], dtype='<U1')
    """

    _learnt = "doc_topic_"

    n_topics: int | Sequence[int] = 128
    _: KW_ONLY
    n_classes: int | None = None
    max_iter: int = 150
    tol: float = 0.0
    init: str | np.ndarray = "auto"
    floor: float = 1e-3
    alpha: float = 1.0
    view_weights: str | Sequence[float] | None = None
    track_loglik: bool = True
    random_state: int | np.random.Generator | None = None
    n_jobs: int | None = None
    verbose: int = 0

    def fit(self, Xs: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to the views; ``y`` holds the class, or None, NaN or -1 where it is not known.

        Without ``y`` the documents are clustered. ``sample_weight`` multiplies the counts of each
        document: weight 2 counts a document twice. Documents of weight 0 are folded in at the end.
        """
        views = self._fit_views(Xs, nonnegative=True)
        labels, classes = self._labels(y, views[0].shape[0])
        weights = check_sample_weight(sample_weight, len(labels))
        rng = np.random.default_rng(self.random_state)
        start = self._start(views, labels, len(classes), rng, weights, observed_rows(Xs))
        modelled = self._modelled(views)
        factors = self._weights(modelled)
        weighted = modelled if weights is None else [scale_rows(X, weights) for X in modelled]
        state = self._em(weighted, start, labels, factors, rng)
        out = np.flatnonzero((weights == 0) & (labels < 0)) if weights is not None else labels[:0]
        if out.size:  # as if they were new
            part = [X[out] for X in modelled]
            state.p_zd[out] = fold_in(part, state.p_fz, n_iter=self.max_iter, weights=factors)
        return self._keep(state, labels, classes, factors)

    def _em(
        self,
        Xs: Sequence[Any],
        start: np.ndarray,
        labels: np.ndarray,
        factors: list[float],
        rng: np.random.Generator,
    ) -> EMState:
        """Run EM on CSR matrices, or on what sums over their rows elsewhere."""
        state = factored_em(
            Xs,
            start,
            labels >= 0,
            *random_topics(Xs, self._topics(len(Xs)), start.shape[1], rng),
            n_iter=check_positive_int("max_iter", self.max_iter),
            weights=factors,
            track_loglik=self.track_loglik or self.tol > 0.0,
            tol=check_real("tol", self.tol, low=0.0),
            overwrite=True,
            n_jobs=self.n_jobs,
            progress=Progress(type(self).__name__, self.verbose, self.max_iter, tol=self.tol),
        )
        assert_monotone(state.loglik, "log-likelihood")
        return state

    def _keep(
        self, state: EMState, labels: np.ndarray, classes: np.ndarray, factors: list[float]
    ) -> Self:
        """Note what EM has learnt."""
        self.doc_topic_ = state.p_zd
        self.labels_ = classes[state.p_zd.argmax(axis=1)]
        self.topic_word_, self.topic_class_ = state.p_fy, state.p_yz
        self.loglik_, self.n_iter_ = state.loglik, state.n_iter
        self.classes_ = classes
        self.supervised_ = bool((labels >= 0).any())
        self._p_fz, self._view_weights = state.p_fz, factors
        classes_mass = state.p_zd.mean(axis=0)
        self._mass = [(classes_mass @ p_yz, classes_mass) for p_yz in state.p_yz]
        return self

    def partial_fit(self, Xs: Any, y: Any = None, classes: Any = None) -> Self:
        """Learn from one batch of documents by stepwise EM (Cappé and Moulines 2009).

        The batch is folded in (the first starts as in :meth:`fit`), then its counts enter the
        parameters, with less weight the later it comes; iterations of a fit before it count as
        batches. ``doc_topic_``, ``labels_`` and ``loglik_`` are those of the batch. ``classes``
        names all classes if the first batch lacks some.
        """
        started = hasattr(self, "topic_word_")
        views = (self._new_views if started else self._fit_views)(Xs, nonnegative=True)
        modelled, n_rows = self._modelled(views), views[0].shape[0]
        if started:
            classes = self.classes_
        else:
            classes = self._labels(y, n_rows).classes if classes is None else np.unique(classes)
            if UNLABELLED in classes.tolist():
                raise ValueError("classes names -1, which marks a row without label; rename it")
        codes = np.full(n_rows, UNLABELLED)
        if y is not None:
            labels, lacking = label_vector(y, n_rows)
            if labels.dtype.kind in "if":
                lacking = lacking | (labels == UNLABELLED)
            rows = np.flatnonzero(~lacking)
            codes[rows] = encode_labels(labels[rows], classes, rows)
        known = codes >= 0
        if started:
            p = fold_in(modelled, self._p_fz, n_iter=self.max_iter, weights=self._view_weights)
            p[known] = np.eye(len(classes))[codes[known]]
        else:
            rng = np.random.default_rng(self.random_state)
            factors, topics = self._weights(modelled), self._topics(len(modelled))
            with np.errstate(divide="ignore"):  # a class that the batch lacks
                p = self._start(views, codes, len(classes), rng, None, observed_rows(Xs))
            self.topic_word_, self.topic_class_ = random_topics(modelled, topics, len(classes), rng)
            self._view_weights, self.classes_ = factors, classes
            self._mass = [
                (np.full(count, 1.0 / count), np.full(len(classes), 1.0 / len(classes)))
                for count in topics
            ]
            self.n_iter_, self.supervised_ = 0, False
        rate, value, A = batch_weight(self.n_iter_), 0.0, np.zeros_like(p)
        for v, (X, factor) in enumerate(zip(modelled, self._view_weights, strict=True)):
            P, Q = self.topic_word_[v], self.topic_class_[v]
            B = np.ascontiguousarray((Q @ P).T)
            sums = np.zeros_like(B)
            csr = X.indptr, X.indices, X.data * factor
            value += add_documents(*csr, p, B, A, sums, 0, n_rows, -np.inf)
            of_topics, of_classes = self._mass[v]
            self.topic_word_[v], of_topics = blended(P, of_topics, P * (sums @ Q).T, rate)
            self.topic_class_[v], of_classes = blended(Q, of_classes, Q * (P @ sums).T, rate)
            self._mass[v] = of_topics, of_classes
        update_documents(p, A, known)
        self._p_fz = [Q @ P for P, Q in zip(self.topic_word_, self.topic_class_, strict=True)]
        self.doc_topic_, self.labels_ = p, classes[p.argmax(axis=1)]
        self.loglik_, self.n_iter_ = np.array([value]), self.n_iter_ + 1
        self.supervised_ = self.supervised_ or bool(known.any())
        return self

    def fit_predict(self, Xs: Any, y: Any = None) -> np.ndarray:
        """Fit and return the classes (or clusters) of the training documents."""
        return self.fit(Xs, y).labels_

    def transform(self, Xs: Any) -> np.ndarray:
        """Return p(z|d) of new documents, folded in with p(f|z, v) held fixed."""
        return self.predict_proba(Xs)

    def predict_proba(self, Xs: Any) -> np.ndarray:
        """Return p(z|d) of new documents, folded in with p(f|z, v) held fixed."""
        views = self._new_views(Xs, nonnegative=True)
        return fold_in(
            self._modelled(views), self._p_fz, n_iter=self.max_iter, weights=self._view_weights
        )

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns of :meth:`transform`: one per class."""
        check_is_fitted(self, self._learnt)
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}_{c}" for c in self.classes_], dtype=object)

    def score(self, Xs: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy on the labelled rows; for a clustering, its NMI with ``y``."""
        check_is_fitted(self, self._learnt)
        if self.supervised_:
            return super().score(Xs, y, sample_weight)
        found = self.predict(Xs)
        labels, lacking = label_vector(y, len(found))
        return float(normalized_mutual_info_score(labels[~lacking], found[~lacking]))

    def _modelled(self, views: list[sp.csr_matrix]) -> list[sp.csr_matrix]:
        """Views as the model sees them (DPLSA joins them)."""
        return views

    def _labels(self, y: Any, n_rows: int) -> Labels:
        if y is None:
            if self.n_classes is None:
                raise ValueError("without labels n_classes must say how many clusters to find")
            wanted = check_positive_int("n_classes", self.n_classes, 2)
            if wanted > n_rows:
                raise ValueError(f"n_classes is {wanted} but there are only {n_rows} documents")
            return Labels(np.full(n_rows, -1), np.arange(wanted))
        if self.n_classes is not None:
            check_positive_int("n_classes", self.n_classes, 2)
        return partial_labels(y, n_rows, n_classes=self.n_classes)

    def _topics(self, n_views: int) -> list[int]:
        given = self.n_topics
        if not isinstance(given, list | tuple | np.ndarray):
            return [check_positive_int("n_topics", given)] * n_views
        if len(given) != n_views:
            raise ValueError(f"n_topics names {len(given)} views, there are {n_views}")
        return [check_positive_int(f"n_topics[{v}]", count) for v, count in enumerate(given)]

    def _weights(self, views: list[sp.csr_matrix]) -> list[float]:
        if not isinstance(self.view_weights, str):
            return check_view_weights(self.view_weights, len(views))
        check_choice("view_weights", self.view_weights, ("balanced",))
        totals = np.array([X.sum() for X in views])
        return list(totals.mean() / np.where(totals > 0, totals, 1.0))

    def _start(
        self,
        views: list[sp.csr_matrix],
        labels: np.ndarray,
        n_classes: int,
        rng: np.random.Generator,
        weights: np.ndarray | None = None,
        observed: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return p(z|d) before the first iteration; labelled rows one-hot."""
        floor = check_real("floor", self.floor, low=0.0, high=1.0 / n_classes)
        shape = (len(labels), n_classes)
        known = labels >= 0
        how = check_choice("init", self.init, STARTS) if isinstance(self.init, str) else "given"
        if how == "auto":
            how = "naive_bayes" if known.any() else "mvc"
        if how in ("naive_bayes", "product"):
            if not known.any():
                raise ValueError(f"init={how!r} needs labelled documents; use 'mvc' or 'random'")
            alpha = check_real("alpha", self.alpha, low=1e-12)
            parts = [naive_bayes_posterior(X, labels, n_classes, alpha, weights) for X in views]
            p = combine_posteriors(parts, "mean" if how == "naive_bayes" else how, observed)
        elif how == "mvc":  # the weights enter with the first iteration
            clusters = cluster_views(views, n_classes, rng, observed=observed)
            p = best_pattern(clusters, n_classes, rng, observed=observed)[0]
        elif how == "uniform":
            p = np.full(shape, 1.0 / n_classes)
        else:
            p = 1.0 - rng.random(shape) if how == "random" else np.array(self.init, np.float64)
            if p.shape != shape:
                raise ValueError(f"init has shape {p.shape}, p(z|d) needs {shape}")
            if not np.isfinite(p).all() or (p < 0).any() or (p.sum(axis=1) <= 0).any():
                raise ValueError("init must hold finite non-negative rows with a positive sum")
            p /= p.sum(axis=1, keepdims=True)
        p = floor_rows(p, floor)
        p[known] = np.eye(n_classes)[labels[known]]
        return p
