r"""Multinomial naive Bayes on one view, and posteriors of several views combined.

.. math:: p(c|d) \propto p(c) \prod_f p(f|c)^{O_{df}}, \qquad
          p(f|c) = \frac{\alpha + \sum_{d \in c} O_{df}}{\alpha F + \sum_{f,d \in c} O_{df}}.
"""

import numpy as np
import scipy.sparse as sp


def class_log_probabilities(
    X: sp.csr_matrix, y: np.ndarray, n_classes: int, alpha: float = 1.0
) -> np.ndarray:
    """Return log p(f|c) as an (F, Z) array from the labelled rows (``y >= 0``)."""
    rows = np.flatnonzero(y >= 0)
    members = sp.csr_matrix((np.ones(rows.size), (y[rows], rows)), shape=(n_classes, X.shape[0]))
    counts = np.asarray((members @ X).todense()) + alpha
    return np.log(counts / counts.sum(axis=1, keepdims=True)).T


def class_log_priors(y: np.ndarray, n_classes: int) -> np.ndarray:
    """Return log p(c), the classes' shares of the labelled rows."""
    counts = np.bincount(y[y >= 0], minlength=n_classes)
    return np.log(counts / counts.sum())


def normalise_log(scores: np.ndarray) -> np.ndarray:
    """Return exp(scores) with rows scaled to 1, without overflow."""
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def naive_bayes_posterior(
    X: sp.csr_matrix, y: np.ndarray, n_classes: int, alpha: float = 1.0
) -> np.ndarray:
    """Return p(c|d) (D, Z) of every row, trained on the labelled rows of the same matrix.

    ``y`` holds -1 for unlabelled rows; nothing else of the labels is used.
    """
    scores = X @ class_log_probabilities(X, y, n_classes, alpha) + class_log_priors(y, n_classes)
    return normalise_log(scores)


def combine_posteriors(posteriors: list[np.ndarray], how: str = "mean") -> np.ndarray:
    """Return the ensemble of the views' posteriors: their mean or normalised product."""
    if how == "mean":
        return np.mean(posteriors, axis=0)
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(posteriors), -700.0).sum(axis=0)
    return normalise_log(logs)
