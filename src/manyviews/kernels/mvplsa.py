r"""Factored EM of MVPLSA on sparse rows (Zhuang et al. 2012, eqs. 9 and 15-17).

The posterior :math:`p(y,z|f,d,v)` of eq. 9 has four indices and is never formed. With
:math:`B_{zf} = \sum_y p(y|z)\,p(f|y)` and, on the non-zeros,
:math:`r_{df} = O_{df} / \sum_z p(z|d) B_{zf}`, all sums of the M-step follow from two small
matrices,

.. math:: M_{zf} = \sum_d r_{df}\,p(z|d), \qquad A_{dz} = \sum_f r_{df}\,B_{zf},

.. math::
    p(f|y) \propto p(f|y) \sum_z M_{zf}\,p(y|z), \quad
    p(y|z) \propto p(y|z) \sum_f p(f|y)\,M_{zf}, \quad
    p(z|d) \propto p(z|d) \sum_v A^{(v)}_{dz}.

One iteration costs O(nnz Z + F Y Z) instead of O(nnz Y Z).

Layout: topics are rows (``P`` is Y x F, ``Q`` and ``W`` are Z x Y), so that the inner loops run
over features and the compiler can vectorise them without reordering a sum. The number of topics
must be a multiple of 4: pad with rows of zeros, which stay zero. Here are the M-step and the
iteration; the sums over non-zeros are in :mod:`manyviews.kernels.mvplsa_counts`.
"""

import numpy as np

from manyviews.kernels.cache import compiled
from manyviews.kernels.lanes import PARTS, fma
from manyviews.kernels.mvplsa_counts import expected_counts
from manyviews.kernels.mvplsa_lanes import TINY, dots, sweep

Array = np.ndarray

#: Features that a thread handles at a time, and that stay in the cache while the topics pass: their
#: rows of M and B are copied side by side, else each is a page of its own.
BLOCK, TILE = 4096, 128
#: Probabilities below this become 0, so that no loop ever meets a denormal number.
FLUSH = 1e-150


@compiled(error_model="numpy", nogil=True)
def advance_part(P: Array, Q: Array, W: Array, M: Array, B: Array, first: int, last: int) -> None:
    r"""Apply the pending update of p(f|y) and form :math:`B = Q P` for the features ``first:last``.

    ``P`` is multiplied by :math:`\sum_z M_{zf} W_{zy}` in place; ``W`` is the old p(y|z) divided by
    the new total of topic y (the normaliser of eq. 15), ``M`` the expected counts of the previous
    E-step. Features do not depend on each other.
    """
    n_topics, n_classes = P.shape[0], B.shape[0]
    if n_topics % 4:
        raise ValueError("pad the topics to a multiple of 4")
    eights = n_topics - n_topics % 8
    counts, totals = np.empty((n_classes, TILE)), np.empty((n_classes, TILE))
    n = last - (last - first) % PARTS
    for s in range(first, n, TILE):
        size = min(TILE, n - s)
        counts[:, :size] = M[:, s : s + size]
        totals[:, :size] = 0.0
        for y in range(0, eights, 8):
            sweep(P, Q, W, counts, totals, y, s, size, (0, 0, 0, 0, 0, 0, 0, 0))
        for y in range(eights, n_topics, 4):
            sweep(P, Q, W, counts, totals, y, s, size, (0, 0, 0, 0))
        B[:, s : s + size] = totals[:, :size]
    for f in range(n, last):
        B[:, f] = 0.0
        for y in range(n_topics):
            factor = M[0, f] * W[0, y]
            for z in range(1, n_classes):
                factor = fma(M[z, f], W[z, y], factor)
            P[y, f] *= factor
            for z in range(n_classes):
                B[z, f] = fma(P[y, f], Q[z, y], B[z, f])


@compiled(error_model="numpy", nogil=True)
def mix_part(P: Array, Q: Array, B: Array, first: int, last: int) -> None:
    r"""Form :math:`B = Q P` for the features ``first:last``."""
    for z in range(B.shape[0]):
        B[z, first:last] = 0.0
    for y in range(P.shape[0]):
        for z in range(Q.shape[0]):
            share, row, out = Q[z, y], P[y], B[z]
            for f in range(first, last):
                out[f] = fma(row[f], share, out[f])


@compiled(error_model="numpy", nogil=True)
def _collect_some(
    P: Array, M: Array, G: Array, first: int, topics: tuple[int, ...], classes: tuple[int, ...],
    first_topic: int, last_topic: int,
) -> None:  # fmt: skip
    """Rows ``first`` ... of G, one for each of ``classes``; ``len(topics)`` columns at a time."""
    n_features = P.shape[1]
    count = len(classes)
    n = n_features - n_features % PARTS
    for y in range(first_topic, last_topic, len(topics)):
        products = dots(P, y, M, first, n, topics, classes)
        for k in range(len(topics)):
            for z in range(count):
                total = products[k * count + z]
                for f in range(n, n_features):
                    total = fma(P[y + k, f], M[first + z, f], total)
                G[first + z, y + k] = total


@compiled(error_model="numpy", nogil=True)
def collect_part(P: Array, M: Array, G: Array, first_topic: int, last_topic: int) -> None:
    r"""Form :math:`G_{zy} = \sum_f p(f|y) M_{zf}`, the sum behind eq. 16 and eq. 15's total.

    For the topics ``first_topic:last_topic``, a multiple of 4; they do not depend on each other.
    """
    n_classes = M.shape[0]
    first = 0
    if n_classes == 1:
        _collect_some(P, M, G, 0, (0, 0, 0, 0), (0,), first_topic, last_topic)
        first = 1
    elif n_classes % 2 == 1:
        _collect_some(P, M, G, 0, (0, 0, 0, 0), (0, 0, 0), first_topic, last_topic)
        first = 3
    while first < n_classes:
        _collect_some(P, M, G, first, (0, 0, 0, 0), (0, 0), first_topic, last_topic)
        first += 2


@compiled(error_model="numpy")
def update_topics(Q: Array, W: Array, G: Array) -> None:
    """M-step of p(y|z) (eq. 16); ``W`` receives what :func:`advance_part` needs for eq. 15.

    A topic without mass gets p(f|y) = p(y|z) = 0; a class without mass keeps its p(y|z).
    """
    n_classes, n_topics = Q.shape
    for y in range(n_topics):
        total = 0.0
        for z in range(n_classes):
            total += Q[z, y] * G[z, y]
        for z in range(n_classes):
            W[z, y] = Q[z, y] / total if total > TINY else 0.0
    for z in range(n_classes):
        total = 0.0
        for y in range(n_topics):
            total += Q[z, y] * G[z, y]
        if total > TINY:
            for y in range(n_topics):
                new = Q[z, y] * G[z, y] / total
                Q[z, y] = new if new > FLUSH else 0.0


@compiled(error_model="numpy")
def flush(P: Array) -> None:
    """Set vanished probabilities to 0."""
    for y in range(P.shape[0]):
        row = P[y]
        for f in range(row.size):
            row[f] = row[f] if row[f] > FLUSH else 0.0


@compiled(error_model="numpy")
def step(
    indptr: Array, indices: Array, data: Array, Pz: Array, P: Array, Q: Array, W: Array,
    M: Array, B: Array, G: Array, A: Array, table: Array, pending: bool, sweep_out: bool,
) -> None:  # fmt: skip
    """One iteration of one view in a single call: small data sets feel every call from Python.

    ``pending``: p(f|y) of the previous iteration is still to be applied and B to be formed.
    ``sweep_out``: set vanished probabilities to 0. The new p(f|y) stays pending in W and M.
    """
    if pending:
        advance_part(P, Q, W, M, B, 0, P.shape[1])
    if sweep_out:
        flush(P)
    expected_counts(indptr, indices, data, Pz, B, M, A, table)
    collect_part(P, M, G, 0, P.shape[0])
    update_topics(Q, W, G)


@compiled(error_model="numpy")
def update_documents(Pz: Array, A: Array, frozen: Array) -> float:
    """M-step of p(z|d) (eq. 17) for the rows that are not frozen.

    A document without counts in every view keeps its p(z|d). Returns the largest change.
    """
    largest = 0.0
    n_classes = Pz.shape[1]
    for d in range(Pz.shape[0]):
        if frozen[d]:
            continue
        total = 0.0
        for z in range(n_classes):
            total += Pz[d, z] * A[d, z]
        if not total > TINY:
            continue
        for z in range(n_classes):
            new = Pz[d, z] * A[d, z] / total
            new = new if new > FLUSH else 0.0
            largest = max(largest, abs(new - Pz[d, z]))
            Pz[d, z] = new
    return largest
