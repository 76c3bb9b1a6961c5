"""Matrices of a surrogate: bags of words, histograms and measurements with a class signal.

Words (kinds ``counts``, ``binary``, ``tfidf``). Features follow a Zipf-Mandelbrot law
b_f ~ 1 / (rank_f + 2.7). Every node of the class tree but the root (every class, if the classes are
flat) owns a random share of the features, the most frequent ones excepted. A document d of class c
has Poisson many tokens; each is drawn from b with probability 1 - s_d, and with probability s_d
from b restricted to the features of c (or of one of its ancestors, chosen uniformly), where
s_d ~ Beta(2, 6), so that the mean signal is ``SIGNAL`` = 1/4 in every view of every data set.

Histograms (kind ``histogram``). Document d has proportions ~ Dirichlet(20 m_c) with
m_c = (1 - ``SIGNAL``) b + ``SIGNAL`` q_c, where b and q_c ~ Dirichlet(1/2, ..., 1/2), and counts
~ Multinomial(total).

Measurements (``positive``, ``signed``). A feature's mean moves with the class by a normal effect of
standard deviation ``EFFECT`` = 1/4, on the log scale of Gamma(4) noise or in units of normal noise.

These constants are the same for all data sets: none is fitted to a result.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.preprocessing.sparse import row_normalise, tfidf
from manyviews.seeding import generator

#: Mean share of a document's tokens that tell its class.
SIGNAL = 0.25
#: Class effect on a measurement, in units of its noise (positive: on the log scale).
EFFECT = 0.25
_BETA = (2.0, 6.0)
_MANDELBROT = 2.7
_CONCENTRATION = 20.0
#: Tokens handled at once; bounds the memory of the largest surrogate.
_BLOCK = 2_000_000


@dataclass(frozen=True)
class Frame:
    """What all views of a surrogate share.

    Attributes
    ----------
    key
        Data set, the first of the seed's names.
    labels
        Class of each document.
    paths
        For each class the nodes whose features it uses (itself and its ancestors but the root).
    n_nodes
        Number of nodes.
    """

    key: str
    labels: np.ndarray
    paths: Sequence[Sequence[int]]
    n_nodes: int


def draw_view(frame: Frame, name: str, parameters: Mapping[str, Any]) -> sp.csr_matrix:
    """Draw one view of a surrogate.

    Parameters
    ----------
    frame
        Labels and class tree.
    name
        View name, part of the seed.
    parameters
        The registry's parameters of the view.
    """
    rng = generator("surrogate", frame.key, name)
    kind = parameters["kind"]
    features = int(parameters["features"])
    if kind in ("counts", "binary", "tfidf"):
        view = _bag(frame, parameters, features, rng)
    elif kind == "histogram":
        view = _histogram(frame, int(parameters["total"]), features, rng)
    else:
        view = _measurements(frame, features, rng, signed=kind == "signed")
    view = _clear_rows(view, float(parameters.get("zero_rows", 0.0)), rng)
    if kind == "binary":
        view.data[:] = 1.0
    elif kind == "tfidf":
        view = tfidf(view)
    if parameters.get("unit_rows"):
        view = row_normalise(view, "l1" if kind == "histogram" else "l2")
    if parameters.get("misaligned"):
        view = view[_other_class(frame.labels)]
    return view


def mean_length(features: int, n_nodes: int, nonzeros: float) -> float:
    """Return the Poisson mean of tokens that gives ``nonzeros`` distinct features a document.

    Solves sum_f 1 - exp(-length p_f) = nonzeros, p_f being the probability of feature f given an
    average class, by bisection; the sum runs over logarithmic bins of the rank.
    """
    if nonzeros >= 0.95 * features:
        raise ValueError(
            f"{nonzeros} non-zeros a row do not fit {features} features; lower them in the registry"
        )
    edges = np.unique(np.round(np.geomspace(1, features + 1, 2000)).astype(np.int64))
    weight = np.diff(edges).astype(np.float64)
    b = 1.0 / ((edges[:-1] + edges[1:] - 1) / 2 - 1 + _MANDELBROT)
    b /= (b * weight).sum()
    # Of the features that tell a class, each node owns a share of the number and of the mass.
    owned = edges[:-1] > _common(features)
    share = owned / n_nodes
    mass = (b * weight * owned).sum() / n_nodes
    own = (1 - SIGNAL) * b + SIGNAL * b / mass

    def distinct(length: float) -> float:
        missed = (1 - share) * np.exp(-length * (1 - SIGNAL) * b) + share * np.exp(-length * own)
        return float((weight * (1 - missed)).sum())

    low, high = 0.0, nonzeros
    while distinct(high) < nonzeros:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if distinct(middle) < nonzeros else (low, middle)
    return high


def _bag(
    frame: Frame, parameters: Mapping[str, Any], features: int, rng: np.random.Generator
) -> sp.csr_matrix:
    """Draw a matrix of counts."""
    n = len(frame.labels)
    if "tokens_per_row" in parameters:
        mean = float(parameters["tokens_per_row"])
    else:
        mean = mean_length(features, frame.n_nodes, float(parameters["nonzeros_per_row"]))
    law = 1.0 / (np.arange(features) + _MANDELBROT)
    law /= law.sum()
    column = rng.permutation(features)  # rank -> column
    owner = _owners(features, frame.n_nodes, rng)
    order = np.argsort(owner, kind="stable")  # ranks grouped by owner, -1 (nobody) first
    grouped = np.cumsum(law[order])
    borders = np.searchsorted(owner[order], np.arange(frame.n_nodes + 1))
    start = np.concatenate([[0.0], grouped])[borders]
    background = np.cumsum(law)
    lengths = np.maximum(1, rng.poisson(mean, size=n))
    signal = rng.beta(*_BETA, size=n)
    blocks = []
    first = 0
    ends = np.cumsum(lengths)
    while first < n:
        base = ends[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(ends, base + _BLOCK, side="right")))
        rows = np.repeat(np.arange(first, last), lengths[first:last])
        u = rng.random(len(rows))
        told = rng.random(len(rows)) < signal[rows]
        rank = np.minimum(np.searchsorted(background, u), features - 1)
        node = _nodes(frame, rows[told], rng)
        low, high = start[node], start[node + 1]
        place = np.searchsorted(grouped, low + u[told] * (high - low), side="right")
        # Rounding may step over the border of the node's own features.
        place = np.clip(place, borders[node], np.maximum(borders[node], borders[node + 1] - 1))
        rank[told] = order[place]
        blocks.append(_count(rows - first, column[rank], (last - first, features)))
        first = last
    return sp.csr_matrix(sp.vstack(blocks, format="csr"))


def _common(features: int) -> int:
    """Return how many of the most frequent features tell no class."""
    return min(50, features // 20)


def _owners(features: int, n_nodes: int, rng: np.random.Generator) -> np.ndarray:
    """Return the node that owns each rank; -1 for the most frequent ranks, which tell nothing."""
    common = _common(features)
    if features - common < n_nodes:
        raise ValueError(f"{features} features are too few for {n_nodes} classes; raise them")
    # Dealing in shuffled rounds gives every node its share of frequent and rare features.
    rounds = -(-(features - common) // n_nodes)
    dealt = rng.permuted(np.tile(np.arange(n_nodes), (rounds, 1)), axis=1).ravel()
    owner = np.full(features, -1, dtype=np.int64)
    owner[common:] = dealt[: features - common]
    # A last, incomplete round may leave a node without features only if there is one round.
    if rounds == 1:
        owner[common:] = np.arange(features - common) % n_nodes
    return owner


def _nodes(frame: Frame, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return for each token a node of its document's class path, uniformly."""
    depth = np.array([len(path) for path in frame.paths])
    table = np.zeros((len(frame.paths), depth.max()), dtype=np.int64)
    for c, path in enumerate(frame.paths):
        table[c, : len(path)] = path
    classes = frame.labels[rows]
    level = (rng.random(len(rows)) * depth[classes]).astype(np.int64)
    return table[classes, level]


def _count(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> sp.csr_matrix:
    """Return the matrix of how often each (row, column) occurs."""
    cells, counts = np.unique(rows * np.int64(shape[1]) + columns, return_counts=True)
    where = (cells // shape[1], cells % shape[1])
    return sp.csr_matrix((counts.astype(np.float64), where), shape=shape)


def _histogram(frame: Frame, total: int, features: int, rng: np.random.Generator) -> sp.csr_matrix:
    """Draw Dirichlet-multinomial rows; ``total`` 0 gives strictly positive proportions."""
    n_classes = len(frame.paths)
    profile = (1 - SIGNAL) * rng.dirichlet(np.full(features, 0.5))
    profile = profile + SIGNAL * rng.dirichlet(np.full(features, 0.5), size=n_classes)
    shape = np.maximum(_CONCENTRATION * profile, 1e-3)[frame.labels]
    amounts = rng.standard_gamma(shape) + 1e-12
    proportions = amounts / amounts.sum(axis=1, keepdims=True)
    if total == 0:
        floored = proportions + 0.1 / features
        return sp.csr_matrix(floored / floored.sum(axis=1, keepdims=True))
    return sp.csr_matrix(rng.multinomial(total, proportions).astype(np.float64))


def _measurements(
    frame: Frame, features: int, rng: np.random.Generator, *, signed: bool
) -> sp.csr_matrix:
    """Draw dense measurements whose means depend on the class."""
    effect = EFFECT * rng.standard_normal((len(frame.paths), features))[frame.labels]
    shape = (len(frame.labels), features)
    if signed:
        return sp.csr_matrix(effect + rng.standard_normal(shape))
    level = np.exp(rng.standard_normal(features))
    return sp.csr_matrix(level * np.exp(effect) * rng.standard_gamma(4.0, size=shape) / 4.0)


def _clear_rows(view: sp.csr_matrix, rate: float, rng: np.random.Generator) -> sp.csr_matrix:
    """Empty a share of the rows."""
    n = view.shape[0]
    empty = rng.permutation(n)[: round(rate * n)]
    if not len(empty):
        return view
    keep = np.ones(n)
    keep[empty] = 0.0
    cleared = sp.csr_matrix(sp.diags(keep) @ view)
    cleared.eliminate_zeros()
    return cleared


def _other_class(labels: np.ndarray) -> np.ndarray:
    """Return for each row a row of the next class: a join by line of files in another order."""
    n_classes = int(labels.max()) + 1
    members = [np.flatnonzero(labels == c) for c in range(n_classes)]
    source = np.empty(len(labels), dtype=np.int64)
    for c, rows in enumerate(members):
        donors = members[(c + 1) % n_classes]
        source[rows] = donors[np.arange(len(rows)) % len(donors)]
    return source
