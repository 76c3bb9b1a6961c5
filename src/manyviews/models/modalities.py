"""The door of models whose rows are distributions over the features of a modality."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from manyviews.base import MultiViewInput, called, check_number_of_views, check_parts, open_views


def check_distributions(views: Sequence[sparse.csr_matrix], names: Sequence[str]) -> None:
    """Refuse rows that are neither distributions (sum to one) nor empty (not there)."""
    for view, name in zip(views, names, strict=True):
        sums = np.asarray(view.sum(axis=1)).ravel()
        wrong = (np.abs(sums - 1.0) > 1e-6) & (sums != 0.0)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"{name}: row {row} sums to {sums[row]:.6g}, not to 1; lambda is on the scale of "
                "distributions, so normalise the rows first: "
                'manyviews.preprocessing.sparse.row_normalise(X, "l1")'
            )


class ModalityInput(MultiViewInput):
    """The door of models whose rows are distributions and may lack whole modalities."""

    takes_none = True

    def _fit_modalities(self, Xs: Any) -> list[sparse.csr_matrix]:
        """Return checked modalities to fit on; an entity that lacks one has an empty row."""
        parts, names = open_views(Xs)
        shown = called(names, len(parts))
        for X, name in zip(parts, shown, strict=True):
            if X is None:
                raise ValueError(
                    f"{name} is None in fit; give a matrix, with empty rows where entities lack it"
                )
        views = self._fit_views(Xs, nonnegative=True, min_views=2)
        check_distributions(views, shown)
        return views

    def _new_modalities(self, Xs: Any) -> list[sparse.csr_matrix]:
        """Return checked modalities of new entities; what is None is empty."""
        parts, shown = self._new_parts(Xs)
        widths = self.n_features_in_
        check_number_of_views(len(parts), 1, len(widths))
        here = [v for v, X in enumerate(parts) if X is not None]
        if not here:
            raise ValueError("every modality is None; at least one must be given")
        known = check_parts(
            [parts[v] for v in here], [shown[v] for v in here],
            nonnegative=True, n_features=[widths[v] for v in here],
        )  # fmt: skip
        n_rows = known[0].shape[0]
        views = [sparse.csr_matrix((n_rows, width)) for width in widths]
        for v, view in zip(here, known, strict=True):
            views[v] = view
        check_distributions(views, shown)
        return views
