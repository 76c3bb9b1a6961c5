"""Random problems that the tests share, and what several of them assert."""

import numpy as np
import scipy.sparse as sp

from manyviews.models.plsa import random_doc_topic, random_topic_word


def word_views(rng, n=60, k=3, widths=(30, 24), length=40.0, concentration=0.2):
    """Views of counts, drawn from a profile of words for every class and view, and the classes."""
    y = np.arange(n) % k
    profiles = [rng.dirichlet(np.full(width, concentration), k) for width in widths]
    return [sp.csr_matrix(rng.poisson(length * p[y]) * 1.0) for p in profiles], y


def distributions(Xs):
    """Dense views whose rows sum to one."""
    dense = [X.toarray() + 1e-3 for X in Xs]
    return [X / X.sum(axis=1, keepdims=True) for X in dense]


def partly(rng, y, share=0.5):
    """Labels of some rows, one of every class at least; -1 for the others."""
    labels = np.where(rng.random(y.size) < share, y, -1)
    for c in np.unique(y):
        labels[np.flatnonzero(y == c)[0]] = c
    return labels


def lacking_some(rng, n_rows, n_views, share=0.3):
    """Which rows have which view; every row has one at least."""
    observed = rng.random((n_rows, n_views)) > share
    observed[~observed.any(axis=1), 0] = True
    return observed


def starts(rng, Xs, k):
    """A start of rows and topics for every view."""
    return [
        (random_doc_topic(X.shape[0], k, rng), random_topic_word(X.shape[1], k, rng)) for X in Xs
    ]


def log_likelihood(X, h, topics):
    """Log-likelihood of counts, by the definition."""
    X = X.toarray() if sp.issparse(X) else X
    return (X[X > 0] * np.log((h @ topics)[X > 0])).sum()


def never_falls(trace, slack=1e-9):
    """Assert that a trace rises, up to rounding."""
    trace = np.asarray(trace)
    assert (np.diff(trace) >= -slack * np.maximum(1, np.abs(trace[:-1]))).all()


def equal_parts(ones, others, **tolerance):
    """Assert that two lists of arrays are equal: to the bit, or up to a tolerance."""
    for one, other in zip(ones, others, strict=True):
        if tolerance:
            np.testing.assert_allclose(one, other, **tolerance)
        else:
            np.testing.assert_array_equal(one, other)
