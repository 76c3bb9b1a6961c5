r"""One view of spherical K-means: unit rows, class centroids and their cosines.

Rows are scaled to length one (zero rows stay zero: their cosines are 0 and they add nothing to a
centroid). The centroid of a class is the normalised sum of its rows, equation (2) of the paper.
A class whose sum is zero keeps its last centroid. Centroids and cosines are recomputed only for
the classes whose members changed.

With far more features than rows the cosines come from the Gram matrix instead:
:math:`\cos(x_j, \mu_i) = (G y_i)_j / \sqrt{y_i^T G y_i}` with :math:`G = X X^T`.
"""

from copy import copy
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.base import check_views
from manyviews.kernels.spherical import (
    WIDTH,
    centroid_scores,
    gram_matrix,
    member_sums,
    unit_columns,
)
from manyviews.preprocessing.sparse import hstack_csr, row_normalise, scale_rows
from manyviews.validation import check_choice, check_view

#: A Gram matrix is kept if it has at most this many entries per stored value and per feature.
GRAM_SHARE = 2.0
GRAM_ROWS = 5000


class SphericalView:
    """Unit rows of one view, prepared once and shared by many fits.

    ``how`` is ``"features"``, ``"gram"`` or ``"auto"`` (Gram matrix if it is much smaller than X).
    ``sum_raw`` sums the rows as given instead of the unit rows (long rows then weigh more): a
    reading of the paper's M-step, not its equations. ``gram`` is the Gram matrix of the unit rows,
    if the caller has it; ``checked`` says that X has come through check_views.
    """

    def __init__(
        self,
        X: Any,
        how: str = "auto",
        *,
        sum_raw: bool = False,
        gram: np.ndarray | None = None,
        checked: bool = False,
    ) -> None:
        check_choice("how", how, ("auto", "features", "gram"))
        self.raw = X if checked else check_view(X)
        self.X = row_normalise(self.raw)
        self.summed = self.raw if sum_raw else self.X
        n = self.X.shape[0]
        small = n <= GRAM_ROWS and n * n <= GRAM_SHARE * (self.X.nnz + self.X.shape[1])
        self.gram = gram
        if gram is None and (how == "gram" or (how == "auto" and small and not sum_raw)):
            columns = sp.csc_matrix(self.X)
            self.gram = gram_matrix(columns.indptr, columns.indices, columns.data, n)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and features."""
        return self.X.shape

    def sums(self, members: np.ndarray) -> np.ndarray:
        """Return the (features, classes) sums of unit rows."""
        out = np.empty((self.X.shape[1], members.shape[1]))
        self.add_up(np.ascontiguousarray(members), np.arange(members.shape[1]), out)
        return out

    def add_up(self, members: np.ndarray, classes: np.ndarray, out: np.ndarray) -> None:
        """Write the sums of unit rows of some classes to ``out`` (features, classes)."""
        part = self.summed
        member_sums(part.indptr, part.indices, part.data, members, classes, out)

    def centroids(self, members: np.ndarray) -> np.ndarray:
        """Return the (features, classes) unit centroids; zero where a class sums to zero."""
        sums = self.sums(members)
        unit_columns(sums)
        return sums


def cosines(X: sp.csr_matrix, centroids: np.ndarray) -> np.ndarray:
    """Return the dot products of unit rows with unit centroids."""
    out = np.zeros((X.shape[0], centroids.shape[1]))
    table = np.zeros(centroids.size + WIDTH)
    table[: centroids.size] = centroids.ravel()
    columns = np.arange(centroids.shape[1])
    centroid_scores(X.indptr, X.indices, X.data, table, columns, out)
    return out


class ViewState:
    """Members of the current centroids of a view and the cosines of all rows with them."""

    def __init__(self, view: SphericalView, n_classes: int) -> None:
        self.view = view
        self.members = np.zeros((view.shape[0], n_classes), dtype=bool)
        self.scores = np.zeros((view.shape[0], n_classes))
        self._room = np.zeros(0)  # centroids, in memory that every update uses again

    def update(self, members: np.ndarray) -> None:
        """M-step: take new members; classes whose rows sum to zero keep their centroid."""
        given = np.ascontiguousarray(members)
        changed = np.flatnonzero((given != self.members).any(axis=0))
        if changed.size == 0:
            return
        if self.view.gram is not None:
            taken = self._from_gram(self.view.gram, given, changed)
        else:
            taken = self._from_features(given, changed)
        if taken.size == changed.size:
            self.members[:] = given
        else:
            kept = np.ones(self.members.shape[1], dtype=bool)
            kept[np.setdiff1d(changed, taken)] = False
            np.copyto(self.members, given, where=kept)

    def left_out(self) -> np.ndarray:
        """Return the cosines that rows have with the centroids of the other rows alone.

        A row x that counts w times leaves the sum s: :math:`x (s - w x) / |s - w x|`.
        """
        lengths = np.linalg.norm(self.view.sums(self.members), axis=0)
        own = self.members * np.asarray(self.view.X.multiply(self.view.summed).sum(axis=1))
        dots = self.scores * lengths
        square = lengths**2 - 2 * own * dots + own**2
        alive = square > 1e-12 * lengths**2  # else nothing is left: cosine 0
        return np.where(alive, (dots - own) / np.sqrt(np.where(alive, square, 1.0)), 0.0)

    def _from_gram(self, gram: np.ndarray, members: np.ndarray, changed: np.ndarray) -> np.ndarray:
        """Score all rows with new centroids of the changed classes; return those that have one."""
        fresh = members[:, changed]
        sums = gram @ fresh.astype(np.float64)
        square = np.einsum("nk,nk->k", sums, fresh)
        alive = square > 0
        part = sums / np.sqrt(np.where(alive, square, 1.0))
        self.scores[:, changed[alive]] = part[:, alive]
        return changed[alive]

    def _from_features(self, members: np.ndarray, changed: np.ndarray) -> np.ndarray:
        """Do what :meth:`_from_gram` does without a Gram matrix."""
        X = self.view.X
        size = X.shape[1] * changed.size
        if self._room.size < size + WIDTH:
            self._room = np.zeros(size + WIDTH)
        sums = self._room[:size].reshape(X.shape[1], changed.size)
        self.view.add_up(members, changed, sums)
        alive = unit_columns(sums)
        table = self._room
        if not alive.all():
            kept = np.ascontiguousarray(sums[:, alive]).ravel()
            table[: kept.size] = kept
            changed = changed[alive]
        centroid_scores(X.indptr, X.indices, X.data, table, changed, self.scores)
        return changed


def prepared(Xs: Any) -> list[SphericalView] | None:
    """Return the views if all of them are prepared already, else None."""
    if isinstance(Xs, list | tuple) and Xs and all(isinstance(X, SphericalView) for X in Xs):
        return list(Xs)
    return None


def prepare_views(Xs: Any) -> list[SphericalView]:
    """Return prepared views, to share the work among many fits."""
    return [SphericalView(X, checked=True) for X in check_views(Xs)]


def weighted(view: SphericalView, weights: np.ndarray) -> SphericalView:
    """Return a view whose rows count ``weights`` times in the centroids; cosines are the same."""
    other = copy(view)
    other.summed, other.gram = scale_rows(view.summed, weights), None
    return other


def concatenated(views: list[SphericalView], scaled: bool = False) -> SphericalView:
    """Return the views side by side: raw values (as V12 is read here) or unit rows (``scaled``)."""
    if len(views) == 1:
        return views[0]
    parts = [view.X if scaled else view.raw for view in views]
    gram = None
    if all(view.gram is not None for view in views):  # the joint Gram matrix is a weighted sum
        lengths = [np.sqrt(np.asarray(part.multiply(part).sum(axis=1)).ravel()) for part in parts]
        total = np.sqrt(sum(length**2 for length in lengths))
        total[total == 0] = 1.0
        gram = np.zeros((total.size, total.size))
        for view, length in zip(views, lengths, strict=True):
            share = length / total
            gram += view.gram * share[:, None] * share[None, :]
    return SphericalView(hstack_csr(parts), gram=gram, checked=True)
