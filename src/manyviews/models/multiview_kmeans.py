"""Semi-supervised multi-view spherical K-means with optimal assignment of label sets."""

import hashlib
import re
from copy import copy
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from manyviews.assignment.ontology import Ontology
from manyviews.assignment.problem import ALPHAS
from manyviews.base import LabelledScore, MultiViewInput, check_sample_weight, observed_rows
from manyviews.labels import partial_labels
from manyviews.models.label_sets import check_label_sets
from manyviews.models.multiview_estep import EStep
from manyviews.models.node_probabilities import allowed_sets, fitted_temperature, marginals
from manyviews.models.spherical_view import (
    SphericalView,
    ViewState,
    concatenated,
    cosines,
    prepared,
    weighted,
)
from manyviews.progress import Progress
from manyviews.validation import check_choice, check_positive_int, check_real

__all__ = ["MultiViewKMeans"]

RULES = ("sum", "prod", "maxagree", "cotrain", "concat")


@dataclass(eq=False, repr=False)
class MultiViewKMeans(
    LabelledScore, MultiViewInput, TransformerMixin, ClassifierMixin, BaseEstimator
):
    r"""Hard EM of Dalvi and Cohen (2015), Algorithm 1, flat and with a class ontology.

    E-step: every unlabelled row gets, from its cosines with the class centroids of each view, the
    label (or label set) that maximises the method's objective. M-step: the centroid of class i in
    view v is :math:`\mu^{(v)}_i = \sum_j y^{(v)}_{ij} x^{(v)}_j`, scaled to length one. Labelled
    rows keep their labels and stay in the sums. It ends when no label bit flips, when an earlier
    state returns (a cycle), or after ``max_iter`` iterations.

    Parameters
    ----------
    combine
        ``"sum"``, ``"prod"``, ``"maxagree"``, ``"cotrain"``, ``"concat"``, or ``"view1"``,
        ``"view2"``, ... for a single view.
    ontology
        :class:`~manyviews.assignment.ontology.Ontology` or a mapping label -> parents; gives the
        Hier- variants. Not for ``"cotrain"``, which the paper defines for flat classes only.
    alphas
        Weights of score, disagreement and violation in MAXAGREE.
    subset, mutex, consistency
        Which ontology pairs count, and whether they are penalised or enforced.
    zero_products
        PRODSCORE on a flat point whose products all vanish: ``"index"`` (lowest class, what a
        plain argmax does) or ``"sum"``.
    missing
        ``"auto"``: rows that :class:`~manyviews.views.Views` (or data frames) say lack a view are
        masked: products run over the views they have, in co-training the others speak for it.
        ``"mask"``: rows of zeros too. ``"zero"``, to the letter: cosine 0, so products vanish.
    readout
        ``"auto"``, ``"sum"``, or ``"view1"``, ``"view2"``, ...: from what the final label is read
        when views differ. ``"auto"`` is ``"sum"``, and the last view for ``"cotrain"``.
    cotrain_order
        In every iteration ``"simultaneous"``, all views, or ``"alternating"``, one of them.
    max_iter
        Cap on the EM iterations.
    verbose
        Print a line every so many iterations.

    Attributes
    ----------
    classes_
        The labels that occur, sorted; with an ontology its names, or columns of a matrix ``y``.
    labels_
        Final label of every row, one of ``classes_`` (with an ontology a leaf).
    label_sets_
        Label sets (rows, views, labels).
    centroids_
        Unit centroids (features, labels) per view.
    flips_
        Label bits that changed in each iteration (the first counts from the empty state).
    n_iter_, converged_, cycle_length_
        Iterations; whether no bit flipped at the end; length of the cycle entered, else 0.

    Notes
    -----
    A class whose rows sum to zero keeps its centroid: label a row of every class in every view.

    References
    ----------
    Bhavana Dalvi and William W. Cohen (2015). Multi-view hierarchical semi-supervised learning
    by optimal assignment of sets of labels to instances. Carnegie Mellon University.

    Examples
    --------
    >>> import numpy as np
    >>> words = np.array([[3, 0], [2, 1], [0, 3], [1, 2]])
    >>> links = np.array([[1, 0], [4, 0], [0, 1], [0, 4]])
    >>> MultiViewKMeans().fit_predict([words, links], ["a", None, "b", None])
    array(['a', 'a', 'b', 'b'], dtype='<U1')
    """

    _learnt = "label_sets_"

    combine: str = "maxagree"
    ontology: Any = None
    _: KW_ONLY
    alphas: tuple[float, float, float] = ALPHAS
    subset: str = "ancestors"
    mutex: str = "disjoint"
    consistency: str = "soft"
    zero_products: str = "index"
    missing: str = "auto"
    readout: str = "auto"
    cotrain_order: str = "simultaneous"
    max_iter: int = 50
    verbose: int = 0

    def fit(self, Xs: Any, y: Any, sample_weight: Any = None) -> "MultiViewKMeans":
        """Learn from all rows; ``y`` says what is known.

        Parameters
        ----------
        Xs
            List of views (matrices, or views prepared by ``prepare_views`` to share the work).
        y
            Flat: class per row; None, NaN or -1 for unlabelled. With an ontology: a boolean
            matrix (rows, labels in ``Ontology.names`` order; an empty row is unlabelled), or one
            label name per row, or several in a tuple, list or set, with ``None`` for unlabelled
            (ancestors are added).
        sample_weight
            How often each row counts in the centroids. With an ontology, or not, it is assigned
            all the same.
        """
        self._check_parameters()
        matrices = self._prepared(Xs)
        views = self._select(matrices)
        self._weights = check_sample_weight(sample_weight, views[0].shape[0])
        if self._weights is not None:
            views = [weighted(view, self._weights) for view in views]
        self._present = self._presence(Xs, matrices, len(views))
        flat_or_made = self.ontology is None or isinstance(self.ontology, Ontology)
        self.ontology_ = self.ontology if flat_or_made else Ontology(self.ontology)
        given, classes = self._label_sets(y, views[0].shape[0])
        known = given.any(axis=1)
        sets, states = self._run(views, given)
        self.label_sets_ = sets
        self.scores_ = np.stack([state.scores for state in states], axis=1)
        self._views, self._states, self._given = views, states, given
        self._centroids: list[np.ndarray] | None = None
        self._temperature: float | None = None
        labels = self._estep(len(views)).read(sets, self.scores_, self._present)
        if self.ontology_ is None:
            labels[known] = given[known].argmax(axis=1)
        self.classes_, self.labels_ = classes, classes[labels]
        return self

    def fit_predict(self, Xs: Any, y: Any, sample_weight: Any = None) -> np.ndarray:
        """Fit and return the labels of the training rows."""
        return self.fit(Xs, y, sample_weight).labels_

    def _prepared(self, Xs: Any) -> list[SphericalView]:
        """Return views with unit rows; those that the caller has prepared are taken as they are."""
        given = prepared(Xs)
        if given is None:
            return [SphericalView(X, checked=True) for X in self._fit_views(Xs)]
        self.n_features_in_, self.view_names_in_ = [view.shape[1] for view in given], None
        return given

    def _presence(self, Xs: Any, matrices: list[SphericalView], n_used: int) -> np.ndarray | None:
        """Return which rows have which view, if that matters and some do not."""
        if n_used == 1 or self.missing == "zero":
            return None
        if self.missing == "auto":
            return observed_rows(Xs, self.view_names_in_)
        present = np.stack([np.diff(view.X.indptr) > 0 for view in matrices], axis=1)
        return None if present.all() else present

    def _held_out_scores(self, known: np.ndarray) -> np.ndarray:
        """Return cosines (labelled rows, views, labels) with centroids that do not hold the row.

        A fifth of the labels is hidden at a time, of every label set alike; a label keeps a row.
        """
        rows = np.flatnonzero(known)
        rows = rows[np.lexsort(self._given[rows].T)]
        found = np.empty(self.scores_.shape)
        for fold in range(5):
            part, given = rows[fold::5], self._given.copy()
            given[part] = False
            last = ~given.any(axis=0)
            given[part] = self._given[part] & (self._given[part] & last).any(axis=1, keepdims=True)
            other = copy(self)
            other.verbose = 0
            for v, state in enumerate(other._run(self._views, given)[1]):
                found[part, v] = state.left_out()[part]
        return found[known]

    def _new_scores(self, Xs: Any) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the cosines (rows, views, labels) of new rows, and which views they have."""
        views = [SphericalView(X, "features", checked=True) for X in self._new_views(Xs)]
        used = self._select(views)
        scores = [cosines(view.X, mu) for view, mu in zip(used, self.centroids_, strict=True)]
        return np.stack(scores, axis=1), self._presence(Xs, views, len(used))

    @property
    def centroids_(self) -> list[np.ndarray]:
        """Unit centroids (features, labels) per view, computed when first asked for."""
        check_is_fitted(self, self._learnt)
        if self._centroids is None:
            self._centroids = [
                view.centroids(state.members)
                for view, state in zip(self._views, self._states, strict=True)
            ]
        return self._centroids

    def predict(self, Xs: Any) -> np.ndarray:
        """Return the label of new rows: one E-step with the learnt centroids and the read-out."""
        scores, present = self._new_scores(Xs)
        estep = self._estep(scores.shape[1])
        return self.classes_[estep.read(estep.assign(scores, present), scores, present)]

    @property
    def temperature_(self) -> float:
        """Temperature of the probabilities, found on the labelled rows when first asked for."""
        check_is_fitted(self, self._learnt)
        if self._temperature is None:
            known = np.asarray(self._given.any(axis=1))
            present = None if self._present is None else self._present[known]
            estep = self._estep(self.scores_.shape[1])
            scores = estep.effective(self._held_out_scores(known), present)
            weights = None if self._weights is None else self._weights[known]
            allowed = allowed_sets(self.ontology_, self._given.shape[1], self.mutex)
            given = self._given[known]
            self._temperature = fitted_temperature(scores, allowed, given, weights)
        return self._temperature

    def predict_proba(self, Xs: Any) -> np.ndarray:
        """Return the probability of every label, (rows, labels) in the order of ``classes_``.

        Flat classes: rows sum to one. With an ontology: of every node, with all sets that hold
        it; no node is likelier than one above it.
        """
        scores, present = self._new_scores(Xs)
        effective = self._estep(scores.shape[1]).effective(scores, present)
        allowed = allowed_sets(self.ontology_, self._given.shape[1], self.mutex)
        return marginals(effective, allowed, self.temperature_)

    def predict_nodes(self, Xs: Any, threshold: float = 0.5) -> np.ndarray:
        """Return the label sets (rows, labels) of the nodes that are likely enough.

        They are closed upwards: a path stops at an inner node where no child reaches
        ``threshold``, and labels that are not exclusive may come together.
        """
        limit = check_real("threshold", threshold, low=0.0, high=1.0)
        return self.predict_proba(Xs) >= limit

    def predict_paths(self, Xs: Any, threshold: float = 0.5) -> list[tuple[Any, ...]]:
        """Return the classes of :meth:`predict_nodes` as one tuple per row, roots first."""
        classes = self.classes_
        return [tuple(classes[row].tolist()) for row in self.predict_nodes(Xs, threshold)]

    def view_scores(self, Xs: Any) -> np.ndarray:
        """Return the cosines (rows, views, labels) of each view the method uses."""
        return self._new_scores(Xs)[0]

    def decision_function(self, Xs: Any) -> np.ndarray:
        """Return the summed cosines with each class: (rows, classes), or the second's lead of two.

        The prediction of ``"maxagree"`` and ``"prod"`` follows their own objectives, not this sum.
        """
        total = self.view_scores(Xs).sum(axis=1)
        return total[:, 1] - total[:, 0] if total.shape[1] == 2 else total

    def transform(self, Xs: Any) -> np.ndarray:
        """Return the cosines of all used views side by side."""
        return np.hstack(list(np.moveaxis(self.view_scores(Xs), 1, 0)))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns of :meth:`transform`: view and class."""
        check_is_fitted(self, self._learnt)
        count = len(self._views)
        views = self.view_names_in_ or tuple(f"view{v}" for v in range(len(self.n_features_in_)))
        if count != len(views):
            views = (self.combine,)
        return np.array([f"{view}_{c}" for view in views for c in self.classes_], dtype=object)

    def _run(
        self, views: list[SphericalView], given: np.ndarray
    ) -> tuple[np.ndarray, list[ViewState]]:
        """Return the label sets and what the views hold at the end."""
        states = [ViewState(view, given.shape[1]) for view in views]
        for state in states:
            state.update(given)
        sets = np.repeat(given[:, None, :], len(views), axis=1)
        free = np.flatnonzero(~given.any(axis=1))
        self._iterate(self._estep(len(views)), states, sets, free)
        return sets, states

    def _iterate(
        self, estep: EStep, states: list[ViewState], sets: np.ndarray, free: np.ndarray
    ) -> None:
        """Alternate E- and M-steps in place until nothing flips, a cycle closes or the cap."""
        self.flips_: list[int] = []
        self.converged_ = free.size == 0
        self.cycle_length_ = 0
        seen: dict[bytes, int] = {}
        alternating = self.combine == "cotrain" and self.cotrain_order == "alternating"
        present = None if self._present is None else self._present[free]
        progress = Progress("MultiViewKMeans", self.verbose, self.max_iter, "flipped label bits")
        scores = np.empty((free.size, len(states), sets.shape[2]))
        for iteration in range(self.max_iter if free.size else 0):
            for v, state in enumerate(states):
                scores[:, v] = state.scores[free]
            fresh = estep.assign(scores, present)
            if alternating:
                turn = iteration % len(states)
                keep = [v for v in range(len(states)) if v != turn]
                fresh[:, keep] = sets[free][:, keep]
            self.flips_.append(int((sets[free] != fresh).sum()))
            sets[free] = fresh
            progress(iteration + 1, self.flips_[-1])
            for v, state in enumerate(states):  # co-training: what the view before has predicted
                state.update(sets[:, (v - 1) % len(states) if self.combine == "cotrain" else v])
            # alternating co-training has settled when no view's turn has flipped anything
            turns = len(states) if alternating else 1
            if iteration + 1 >= turns and not any(self.flips_[-turns:]):
                self.converged_ = True
                break
            digest = hashlib.sha256(np.packbits(fresh).tobytes()).digest()
            if digest in seen and self.cotrain_order == "simultaneous":
                self.cycle_length_ = iteration - seen[digest]
                break
            seen[digest] = iteration
        self.n_iter_ = len(self.flips_)
        progress.end(self.flips_[-1] if self.flips_ else None, "settled" if self.converged_ else "")

    def _select(self, views: list[SphericalView]) -> list[SphericalView]:
        """Return the views the method works on."""
        if self.combine == "concat":
            return [concatenated(views)]
        if self.combine.startswith("view"):
            position = int(self.combine[4:]) - 1
            if position >= len(views):
                raise ValueError(f"combine={self.combine!r}, but there are {len(views)} views")
            return [views[position]]
        if len(views) < 2:
            raise ValueError(f"combine={self.combine!r} needs at least 2 views, got {len(views)}")
        return views

    def _estep(self, n_views: int) -> EStep:
        how = self.readout
        if not _is_view(how):
            check_choice("readout", how, ("auto", "sum", "view1", "view2"))
        readout: str | int = "sum"
        if how == "auto":
            readout = n_views - 1 if self.combine == "cotrain" else "sum"
        elif how != "sum":
            readout = int(how[4:]) - 1
        return EStep(
            rule=self.combine if n_views > 1 else "single", ontology=self.ontology_,
            alphas=self.alphas, subset=self.subset, mutex=self.mutex,
            consistency=self.consistency, zero_products=self.zero_products,
            readout=readout if n_views > 1 else "sum",
        )  # fmt: skip

    def _label_sets(self, y: Any, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the given labels as label sets, checked, and what their columns stand for."""
        if self.ontology_ is None:
            labels = partial_labels(y, n_rows)
            one_hot = np.eye(len(labels.classes), dtype=bool)
            return one_hot[labels.codes] & labels.known[:, None], labels.classes
        sets = check_label_sets(y, n_rows, self.ontology_, self.mutex)
        matrix = isinstance(y, np.ndarray) and y.ndim == 2
        return sets, np.arange(sets.shape[1]) if matrix else np.array(self.ontology_.names)

    def _check_parameters(self) -> None:
        if isinstance(self.combine, int | np.integer):
            raise ValueError(
                f"combine={self.combine} names no rule ({', '.join(RULES)}); the classes come from "
                f"y. For {self.combine} clusters without labels: MVPLSA(n_classes={self.combine})"
            )
        if not _is_view(self.combine):
            check_choice("combine", self.combine, (*RULES, "view1", "view2"))
        check_choice("zero_products", self.zero_products, ("index", "sum"))
        check_choice("missing", self.missing, ("auto", "mask", "zero"))
        check_choice("cotrain_order", self.cotrain_order, ("simultaneous", "alternating"))
        check_positive_int("max_iter", self.max_iter)
        if self.ontology is not None and self.combine == "cotrain":
            raise ValueError("combine='cotrain' has no hierarchical variant; leave ontology out")


def _is_view(name: Any) -> bool:
    return isinstance(name, str) and re.fullmatch("view0*[1-9][0-9]*", name) is not None
