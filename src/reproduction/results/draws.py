"""Drawing labelled documents: the step several papers share."""

import numpy as np

from manyviews.validation import check_choice, check_real


def draw_per_class(
    y: np.ndarray, rate: float, rng: np.random.Generator, rounding: str = "ceil"
) -> np.ndarray:
    """Return a mask of labelled documents: a share ``rate`` of every class, drawn at random.

    Documents of the class -1 are never drawn. ``rounding`` of ``rate * n_c`` is ``"ceil"`` or
    ``"round"`` (half to even, as Python does); of every class at least one is drawn.
    """
    check_real("rate", rate, 0.0, 1.0)
    check_choice("rounding", rounding, ("ceil", "round"))
    labels = np.asarray(y)
    mask = np.zeros(labels.size, dtype=bool)
    for c in np.unique(labels[labels >= 0]):
        members = np.flatnonzero(labels == c)
        exact = rate * members.size
        # 0.07 * 100 is 7.000000000000001 in floating point and must not become 8
        wanted = np.ceil(exact - 1e-9) if rounding == "ceil" else round(exact)
        count = max(int(wanted), 1)
        mask[rng.choice(members, size=count, replace=False)] = True
    return mask
