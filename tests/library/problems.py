"""Random problems that the tests share, and what several of them assert."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from manyviews.models.plsa import random_doc_topic, random_topic_word
from manyviews.views import Views

#: Stands for "every row is labelled".
UNMARKED = "every row is labelled"
#: Classes and what is above them.
TREE = {
    "root": (), "a": ("root",), "b": ("root",),
    "a1": ("a",), "a2": ("a",), "b1": ("b",), "b2": ("b",),
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """Dense views whose rows sum to one, class numbers, and which rows are labelled."""

    matrices: list
    classes: np.ndarray
    labelled: np.ndarray

    @property
    def views(self):
        """The views with names."""
        return Views(self.matrices, names=[f"part{v}" for v in range(len(self.matrices))])

    def labels(self, names, marker):
        """Return the labels as ``names``; unlabelled rows hold ``marker``."""
        labels = np.asarray(names)[self.classes]
        if marker != UNMARKED:
            labels = labels.astype(object)
            labels[~self.labelled] = marker
        return labels


def random_case(rng, *, n_views=2, n_classes=3, n_rows=36):
    """Draw a problem of that size whose classes can be told apart in every view."""
    classes = rng.permutation(np.arange(n_rows) % n_classes)
    matrices = []
    for v in range(n_views):
        profile = np.full((n_classes, 3 * n_classes + v), 0.3)
        for c in range(n_classes):
            profile[c, c::n_classes] = 5.0
        profile /= profile.sum(axis=1, keepdims=True)
        counts = np.stack([rng.multinomial(40, profile[c]) for c in classes]) + 0.0
        matrices.append(counts / counts.sum(axis=1, keepdims=True))
    labelled = rng.random(n_rows) < 0.5
    for c in range(n_classes):  # co-training and naive Bayes need some of every class
        labelled[np.flatnonzero(classes == c)[:3]] = True
    return Case(matrices, classes, labelled)


def word_views(rng, n=60, k=3, widths=(30, 24), length=40.0, concentration=0.2):
    """Views of counts, drawn from a profile of words for every class and view, and the classes."""
    y = np.arange(n) % k
    profiles = [rng.dirichlet(np.full(width, concentration), k) for width in widths]
    return [sp.csr_matrix(rng.poisson(length * p[y]) * 1.0) for p in profiles], y


def views_with_an_empty_row(rng, n_rows=150):
    """Views of four classes, one row empty and one in one view, labels of some rows, and of all."""
    views, y = word_views(rng, n_rows, 4, widths=(40, 25), length=12.0)
    filled = np.ones((n_rows, 2))
    filled[3] = filled[5, 0] = 0.0
    views = [sp.csr_matrix(sp.diags(filled[:, v]) @ X) for v, X in enumerate(views)]
    return views, partly(rng, y, 0.4), y


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


def plain_em(X, h, topics, iterations):
    """EM of PLSA on dense counts with the posterior of every document, word and topic."""
    filled = X.any(axis=1)
    for _ in range(iterations):
        joint = h[:, None, :] * topics.T[None]
        counts = X[:, :, None] * joint / np.maximum(joint.sum(axis=2, keepdims=True), 1e-300)
        h = np.where(filled[:, None], counts.sum(axis=1), h)
        h, topics = h / h.sum(axis=1, keepdims=True), counts.sum(axis=0).T
        topics = topics / topics.sum(axis=1, keepdims=True)
    return h, topics


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


def listed(value):
    """Return a list as it is, anything else as a list of one."""
    return value if isinstance(value, list) else [value]


def learnt(model):
    """Return the numbers that a model has learnt."""
    return {
        name: value
        for name, value in vars(model).items()
        if name.endswith("_") and not name.startswith("_")
        and all(isinstance(part, np.ndarray | float | int) for part in listed(value))
    }  # fmt: skip


def same(a, b, *, exact=True, name=""):
    """Assert that two answers are equal, or as equal as sums in another order allow."""
    if isinstance(a, Mapping):
        assert set(a) == set(b)
        for key in a:
            same(a[key], b[key], exact=exact, name=key)
    elif isinstance(a, list | tuple):
        for one, two in zip(a, b, strict=True):
            same(one, two, exact=exact, name=name)
    elif exact or np.asarray(a).dtype.kind not in "fc":
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b), err_msg=name)
    else:
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-7, err_msg=name)
