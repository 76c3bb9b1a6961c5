"""Labels of rows as sets of labels of an ontology: paths, partial paths, several at once."""

from typing import Any

import numpy as np

from manyviews.assignment.ontology import Ontology
from manyviews.labels import UNLABELLED, is_missing


def check_label_sets(y: Any, n_rows: int, ontology: Ontology, mutex: str) -> np.ndarray:
    """Return label sets (rows, labels) from a boolean matrix or the names of every row."""
    if isinstance(y, np.ndarray) and y.ndim == 2:
        if y.shape != (n_rows, len(ontology)) or y.dtype != bool:
            raise ValueError(
                f"y must be a boolean matrix of shape ({n_rows}, {len(ontology)}) or the label "
                f"names (None if unlabelled) of every row; got {y.dtype} of shape {y.shape}"
            )
        sets = y.copy()
    else:
        if len(y) != n_rows:
            raise ValueError(f"y must have one entry per row ({n_rows}), got {len(y)}")
        sets = np.zeros((n_rows, len(ontology)), dtype=bool)
        for row, names in enumerate(y):
            if isinstance(names, list | tuple | set | frozenset):
                sets[row] = ontology.closure(names)
            elif isinstance(names, str) or not (is_missing(names) or names == UNLABELLED):
                sets[row] = ontology.closure([names])
    broken = np.flatnonzero(ontology.violations(sets, "parents", mutex))
    if broken.size:
        row = int(broken[0])
        names = ", ".join(ontology.names[i] for i in np.flatnonzero(sets[row]))
        raise ValueError(
            f"the label set of row {row} ({names}) violates the ontology; give every label with "
            "all its ancestors and no two exclusive labels"
        )
    missing = np.flatnonzero(~sets.any(axis=0))
    if missing.size:
        raise ValueError(
            f"label {ontology.names[int(missing[0])]!r} has no labelled row; label at least one "
            "row of every leaf"
        )
    return sets
