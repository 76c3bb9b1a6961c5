r"""Probabilities of labels, and of the nodes of an ontology, from effective scores.

A label set S that the ontology allows (closed upwards, no exclusive pair, not empty) has
probability

.. math:: p(S) = \frac{1}{Z} \exp\Bigl(\frac{1}{T} \sum_{i \in S} s_i\Bigr),

with the effective scores s of the E-step, so the likeliest set is the one that hard consistency
would choose. A node's probability is the sum over the sets that hold it: never larger than that
of a node above it. Flat classes are the case of one label each, a softmax. On a tree the sets are
the paths from a root to any node, so a path may end at an inner node; on any other graph, and with
labels that are not exclusive, they are all consistent sets. The temperature T is the one under
which the labelled rows are most likely, each with centroids of a fit that does not know its label,
less the row itself: centroids lie nearer to the rows that made them than to new ones.
"""

from collections.abc import Iterator

import numpy as np
from scipy.special import logsumexp, softmax

from manyviews.assignment.ontology import Ontology

_CHUNK = 1 << 22  # numbers of a table of sets that are in memory at a time
_RANGE = (-6.0, 4.0)  # natural logarithms of the temperatures looked at


def allowed_sets(ontology: Ontology | None, n_labels: int, mutex: str) -> np.ndarray:
    """Return the label sets that have a probability, (sets, labels)."""
    if ontology is None:
        return np.eye(n_labels, dtype=bool)
    sets = ontology.consistent_sets(mutex)
    return sets[sets.any(axis=1)]


def _summed(scores: np.ndarray, sets: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """Give rows, and their scores summed over every set, as many as fit in memory at a time."""
    members = sets.T.astype(np.float64)
    step = max(1, _CHUNK // len(sets))
    for first in range(0, len(scores), step):
        yield slice(first, first + step), scores[first : first + step] @ members


def marginals(scores: np.ndarray, sets: np.ndarray, temperature: float) -> np.ndarray:
    """Return every label's probability, (rows, labels), from effective scores (rows, labels)."""
    found = np.empty(scores.shape)
    for rows, total in _summed(scores, sets):
        found[rows] = softmax(total / temperature, axis=1) @ sets.astype(np.float64)
    return np.clip(found, 0.0, 1.0)


def set_log_likelihood(
    scores: np.ndarray,
    sets: np.ndarray,
    given: np.ndarray,
    temperature: float,
    weights: np.ndarray | None = None,
) -> float:
    """Return the log-probability of the rows' given label sets (rows, labels)."""
    own = (scores * given).sum(axis=1) / temperature
    total = 0.0
    for rows, part in _summed(scores, sets):
        each = own[rows] - logsumexp(part / temperature, axis=1)
        total += float((each if weights is None else weights[rows] * each).sum())
    return total


def fitted_temperature(
    scores: np.ndarray, sets: np.ndarray, given: np.ndarray, weights: np.ndarray | None = None
) -> float:
    """Return the temperature under which the given label sets are most likely."""
    from scipy.optimize import minimize_scalar  # slow to load, and few ask for probabilities

    found = minimize_scalar(
        lambda log: -set_log_likelihood(scores, sets, given, float(np.exp(log)), weights),
        bounds=_RANGE, method="bounded",
    )  # fmt: skip
    return float(np.exp(found.x))
