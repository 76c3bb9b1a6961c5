"""From label sets to one leaf per point, for scoring on leaf classes.

The paper scores its hierarchical methods on the leaves but does not say which leaf is taken when
the selected sets hold several or none. The rule here: the selected leaf (in any view) with the
largest effective score; if no leaf is selected, the best leaf below the deepest selected label;
if nothing is selected, the best leaf of all. Ties go to the larger second score, then to the
lowest column.
"""

import numpy as np

from manyviews.assignment.ontology import Ontology
from manyviews.assignment.problem import TIE


def masked_argmax(mask: np.ndarray, score: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return per row the column of the largest score among ``mask`` (ties: second, lowest)."""
    first = np.where(mask, score, -np.inf)
    tied = mask & (first >= first.max(axis=1, keepdims=True) - TIE)
    after = np.where(tied, second, -np.inf)
    return np.argmax(after >= after.max(axis=1, keepdims=True) - TIE, axis=1)


def leaf_readout(
    ontology: Ontology, labels: np.ndarray, effective: np.ndarray, second: np.ndarray
) -> np.ndarray:
    """Return the column of one leaf per point.

    ``labels`` are (points, views, labels); ``effective`` scores and the ``second`` ones that break
    their ties are (points, labels).
    """
    chosen: np.ndarray = np.asarray(labels.any(axis=1))
    is_leaf = np.zeros(len(ontology), dtype=bool)
    is_leaf[ontology.leaves] = True
    mask: np.ndarray = np.logical_and(chosen, is_leaf)
    open_rows = np.flatnonzero(~mask.any(axis=1))
    if open_rows.size:
        depth = np.where(chosen[open_rows], ontology.depth, -1)
        deepest = depth == depth.max(axis=1, keepdims=True)
        node = masked_argmax(deepest, effective[open_rows], second[open_rows])
        mask[open_rows] = ontology.below[node] & is_leaf
        mask[open_rows[~chosen[open_rows].any(axis=1)]] = is_leaf
    return masked_argmax(mask, effective, second)
