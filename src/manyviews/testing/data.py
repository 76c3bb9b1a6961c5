"""Small random problems on which every estimator of the contract can work."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from manyviews.views import Views

__all__ = ["Case", "random_case"]
#: Stands for "every row is labelled".
UNMARKED = "every row is labelled"


@dataclass(frozen=True)
class Case:
    """Dense views whose rows sum to one, class numbers, and which rows are labelled."""

    matrices: list[np.ndarray]
    classes: np.ndarray
    labelled: np.ndarray

    @property
    def views(self) -> Views:
        """The views with names."""
        return Views(self.matrices, names=[f"part{v}" for v in range(len(self.matrices))])

    def labels(self, names: Any, marker: Any) -> np.ndarray:
        """Return the labels as ``names``; unlabelled rows hold ``marker``."""
        labels = np.asarray(names)[self.classes]
        if marker != UNMARKED:
            labels = labels.astype(object)
            labels[~self.labelled] = marker
        return labels


def random_case(
    rng: np.random.Generator, *, n_views: int = 2, n_classes: int = 3, n_rows: int = 36
) -> Case:
    """Draw a problem whose classes can be told apart in every view.

    Parameters
    ----------
    rng
        Source of the numbers.
    n_views, n_classes, n_rows
        Its size.
    """
    classes = rng.permutation(np.arange(n_rows) % n_classes)
    matrices = []
    for v in range(n_views):
        width = 3 * n_classes + v
        profile = np.full((n_classes, width), 0.3)
        for c in range(n_classes):
            profile[c, c::n_classes] = 5.0
        profile /= profile.sum(axis=1, keepdims=True)
        counts = np.stack([rng.multinomial(40, profile[c]) for c in classes]) + 0.0
        matrices.append(counts / counts.sum(axis=1, keepdims=True))
    labelled = rng.random(n_rows) < 0.5
    for c in range(n_classes):  # co-training and naive Bayes need some of every class
        labelled[np.flatnonzero(classes == c)[:3]] = True
    return Case(matrices, classes, labelled)
