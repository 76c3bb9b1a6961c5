r"""Multinomial naive Bayes on one view, and posteriors of several views combined.

.. math:: p(c|d) \propto p(c) \prod_f p(f|c)^{O_{df}}, \qquad
          p(f|c) = \frac{\alpha + \sum_{d \in c} O_{df}}{\alpha F + \sum_{f,d \in c} O_{df}}.
"""

import numpy as np
import scipy.sparse as sp


def class_log_probabilities(
    X: sp.csr_matrix,
    y: np.ndarray,
    n_classes: int,
    alpha: float = 1.0,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """Return log p(f|c) as an (F, Z) array from the labelled rows (``y >= 0``), weighted or not."""
    rows = np.flatnonzero(y >= 0)
    shares = np.ones(rows.size) if weights is None else weights[rows]
    members = sp.csr_matrix((shares, (y[rows], rows)), shape=(n_classes, X.shape[0]))
    counts = np.asarray((members @ X).todense()) + alpha
    return np.log(counts / counts.sum(axis=1, keepdims=True)).T


def class_log_priors(
    y: np.ndarray, n_classes: int, weights: np.ndarray | None = None
) -> np.ndarray:
    """Return log p(c), the classes' shares of the labelled rows."""
    known = y >= 0
    shares = None if weights is None else weights[known]
    counts = np.bincount(y[known], weights=shares, minlength=n_classes)
    return np.log(counts / counts.sum())


def normalise_log(scores: np.ndarray) -> np.ndarray:
    """Return exp(scores) with rows scaled to 1, without overflow."""
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def naive_bayes_posterior(
    X: sp.csr_matrix,
    y: np.ndarray,
    n_classes: int,
    alpha: float = 1.0,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """Return p(c|d) (D, Z) of every row, trained on the labelled rows of the same matrix.

    ``y`` holds -1 for unlabelled rows; nothing else of the labels is used.
    """
    logs = class_log_probabilities(X, y, n_classes, alpha, weights)
    return normalise_log(X @ logs + class_log_priors(y, n_classes, weights))


def combine_posteriors(
    posteriors: list[np.ndarray], how: str = "mean", observed: np.ndarray | None = None
) -> np.ndarray:
    """Return the ensemble of the views' posteriors: their mean or normalised product.

    ``observed`` (rows, views): a row is judged by the views it has; one without any keeps what
    all views say, the prior.
    """
    if observed is not None:
        here = observed | ~observed.any(axis=1, keepdims=True)
        if how == "mean":
            total = sum(p * here[:, [v]] for v, p in enumerate(posteriors))
            return total / here.sum(axis=1, keepdims=True)
        posteriors = [np.where(here[:, [v]], p, 1.0) for v, p in enumerate(posteriors)]
    if how == "mean":
        return np.mean(posteriors, axis=0)
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(posteriors), -700.0).sum(axis=0)
    return normalise_log(logs)
