"""Labels as people have them, some of them missing, as class numbers.

Any labels will do: strings, numbers from 0 or 1 or anywhere, booleans, floats as categories. A row
is unlabelled where ``y`` holds ``None``, NaN (also pandas' NA and NaT) or, among numbers, -1.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

#: What marks an unlabelled row among numbers, and in the codes.
UNLABELLED = -1


class Labels(NamedTuple):
    """Class numbers of the rows (-1: unlabelled) and the classes they stand for, sorted."""

    codes: np.ndarray
    classes: np.ndarray

    @property
    def known(self) -> np.ndarray:
        """Which rows are labelled."""
        return self.codes >= 0


def label_vector(y: Any, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels as a vector of one kind, and which rows lack one (None, NaN; never -1)."""
    if y is None:
        raise ValueError("this model requires y to be passed, but the target y is None")
    if isinstance(y, Mapping):
        raise ValueError(
            "y is a mapping from ids, but the rows have none; give the views as data frames with "
            "an index, or as Views(..., ids=[...])"
        )
    # numpy would turn a list of names and None, or NaN, into names alone
    labels = np.asarray(y) if hasattr(y, "dtype") else np.asarray(y, dtype=object)
    if labels.ndim != 1 or labels.shape[0] != n_rows:
        raise ValueError(
            f"y must have one label per row ({n_rows}), got an array of shape {labels.shape}"
        )
    lacking = np.zeros(n_rows, dtype=bool)
    if labels.dtype.kind == "O":
        labels, lacking = _objects(labels)
    elif labels.dtype.kind == "f":
        lacking = np.isnan(labels)
    elif labels.dtype.kind == "S":
        labels = labels.astype(str)
    elif labels.dtype.kind not in "iubU":
        raise ValueError(f"y must hold numbers or names, got {labels.dtype}")
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        row = int(np.flatnonzero(np.isinf(labels))[0])
        raise ValueError(f"y holds infinity in row {row}; a label is a number or a name")
    return labels, lacking


def _objects(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return objects as strings, booleans or numbers; whatever differs from itself is missing."""
    lacking = np.array([is_missing(label) for label in labels], dtype=bool)
    kinds = {_kind(label) for label in labels[~lacking]} or {"number"}
    if len(kinds) > 1:
        mixed = " and ".join(sorted(kinds))
        raise ValueError(f"y mixes {mixed} labels; use names or numbers, not both")
    kind = kinds.pop()
    blanks: dict[str, Any] = {"name": "", "number": UNLABELLED, "truth": False}
    if kind not in blanks:
        raise ValueError(f"y must hold numbers or names, got {kind}")
    filled = [blanks[kind] if no else label for label, no in zip(labels, lacking, strict=True)]
    return np.asarray(filled, dtype=str if kind == "name" else None), lacking


def _kind(label: Any) -> str:
    if isinstance(label, str | bytes):
        return "name"
    if isinstance(label, bool | np.bool_):
        return "truth"
    if isinstance(label, int | float | np.integer | np.floating):
        return "number"
    return type(label).__name__


def is_missing(label: Any) -> bool:
    """None, or what is not equal to itself: NaN, NaT, and pandas' NA, which answers neither way."""
    if label is None:
        return True
    try:
        return bool(label != label)
    except (TypeError, ValueError):
        return True


def partial_labels(y: Any, n_rows: int, *, n_classes: int | None = None) -> Labels:
    """Return class numbers of the rows, -1 where unlabelled, and the sorted classes.

    There must be ``n_classes`` classes, if that is known, and two at least.

    Examples
    --------
    >>> partial_labels(["spam", None, "ham"], 3)
    Labels(codes=array([ 1, -1,  0]), classes=array(['ham', 'spam'], dtype='<U4'))
    >>> partial_labels([1, 2, -1], 3).codes
    array([ 0,  1, -1])
    """
    labels, lacking = label_vector(y, n_rows)
    if labels.dtype.kind in "if":
        lacking = lacking | (labels == UNLABELLED)
    known = ~lacking
    if not known.any():
        raise ValueError("y has no labelled row; give at least one labelled row per class")
    classes, codes = np.unique(labels[known], return_inverse=True)
    refuse_quantities(classes, codes.size)
    if n_classes is not None and classes.size != n_classes:
        raise ValueError(
            f"{n_classes} classes were announced, but y has rows of {classes.size} class(es) "
            f"({listed(classes)}); label at least one row of every class"
        )
    if classes.size < 2:
        raise ValueError(f"y names one class alone, {classes[0]!s}; at least 2 are needed")
    full = np.full(n_rows, UNLABELLED, dtype=np.int64)
    full[known] = codes
    return Labels(full, classes)


def scored_rows(y: Any, n_rows: int, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels and the rows that have one; -1 among numbers marks none, or is a class."""
    labels, lacking = label_vector(y, n_rows)
    if labels.dtype.kind in "if" and UNLABELLED not in classes:
        lacking = lacking | (labels == UNLABELLED)
    if lacking.all():
        raise ValueError("y has no labelled row; there is nothing to score")
    return labels, np.flatnonzero(~lacking)


def refuse_quantities(classes: np.ndarray, n_labelled: int) -> None:
    """Refuse targets of a regression: many different numbers that are not whole."""
    most = min(20, max(4, n_labelled // 2))
    if classes.dtype.kind == "f" and classes.size > most and (classes != np.floor(classes)).any():
        raise ValueError(
            f"Unknown label type: y holds {classes.size} different numbers that are not whole "
            f"({listed(classes)}) in {n_labelled} labelled rows, a quantity and not classes; cut "
            "it into classes (pandas.qcut(y, 3, labels=False)), or take a regressor on the joined "
            "views: make_pipeline(SideBySide(), Ridge())"
        )


def listed(classes: np.ndarray, most: int = 4) -> str:
    """Return the first classes as text."""
    shown = ", ".join(str(c) for c in classes[:most])
    return f"{shown}, ..." if classes.size > most else shown
