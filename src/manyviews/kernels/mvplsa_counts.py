"""Sums over the non-zeros of MVPLSA's counts: E-step, log-likelihood, fold-in.

Up to four classes are short vectors in registers (:mod:`manyviews.kernels.mvplsa_lanes`), from
eight on they are vectors in memory (:mod:`manyviews.kernels.lanes`), five to seven take plain
loops.
"""

import numpy as np

from manyviews.kernels.cache import compiled
from manyviews.kernels.lanes import PARTS, fma, mixtures, shares
from manyviews.kernels.mvplsa_lanes import TINY, visit

Array = np.ndarray

#: From this many classes on, padding to whole vectors costs less than it brings.
_MANY = 8


@compiled(error_model="numpy")
def _visit_pairs(
    indptr: Array, indices: Array, data: Array, B: Array, M: Array, table: Array
) -> None:
    """All features, two classes."""
    flat = table.reshape(-1)
    for f in range(indptr.size - 1):
        own = (B[0, f], B[1, f])
        M[0, f], M[1, f] = visit(indices, data, indptr[f], indptr[f + 1], own, flat)


@compiled(error_model="numpy")
def _visit_fours(
    indptr: Array, indices: Array, data: Array, B: Array, M: Array, table: Array
) -> None:
    """All features, three or four classes."""
    flat = table.reshape(-1)
    has_fourth = B.shape[0] == 4
    for f in range(indptr.size - 1):
        own = (B[0, f], B[1, f], B[2, f], B[3, f] if has_fourth else 0.0)
        sums = visit(indices, data, indptr[f], indptr[f + 1], own, flat)
        M[0, f], M[1, f], M[2, f] = sums[0], sums[1], sums[2]
        if has_fourth:
            M[3, f] = sums[3]


@compiled(error_model="numpy")
def _visit_any(
    indptr: Array, indices: Array, data: Array, B: Array, M: Array, table: Array
) -> None:
    """All features, plain loops for any number of classes."""
    n_classes = B.shape[0]
    own, sums = np.empty(n_classes), np.empty(n_classes)
    for f in range(indptr.size - 1):
        for z in range(n_classes):
            own[z], sums[z] = B[z, f], 0.0
        for i in range(indptr[f], indptr[f + 1]):
            row = table[indices[i]]
            total = 0.0
            for z in range(n_classes):
                total = fma(own[z], row[z], total)
            ratio = data[i] / total if total > TINY else 0.0
            for z in range(n_classes):
                sums[z] = fma(ratio, row[z], sums[z])
                row[n_classes + z] = fma(ratio, own[z], row[n_classes + z])
        for z in range(n_classes):
            M[z, f] = sums[z]


@compiled(error_model="numpy")
def _ratio(count: float, mixture: float) -> float:
    return count / mixture if mixture > TINY else 0.0


@compiled(error_model="numpy")
def _visit_many(
    indptr: Array, indices: Array, data: Array, B: Array, M: Array, table: Array
) -> None:
    """All features, many classes: four documents of a feature at a time."""
    n_classes = B.shape[0]
    lanes = table.shape[1] // 2
    flat = table.reshape(-1)
    added = flat[lanes:]  # a document's sums stand behind its p(z|d)
    own, sums = np.zeros(lanes), np.empty(lanes)
    for f in range(indptr.size - 1):
        for z in range(n_classes):
            own[z] = B[z, f]
        sums[:] = 0.0
        i, end = indptr[f], indptr[f + 1]
        while i + 4 <= end:
            d0, d1 = int(indices[i]) * 2 * lanes, int(indices[i + 1]) * 2 * lanes
            d2, d3 = int(indices[i + 2]) * 2 * lanes, int(indices[i + 3]) * 2 * lanes
            documents = (d0, d1, d2, d3)
            s0, s1, s2, s3 = mixtures(own, 0, flat, documents, lanes)
            r0, r1 = _ratio(data[i], s0), _ratio(data[i + 1], s1)
            r2, r3 = _ratio(data[i + 2], s2), _ratio(data[i + 3], s3)
            shares(own, 0, flat, documents, (r0, r1, r2, r3), sums, added, lanes)
            i += 4
        while i < end:
            document = (int(indices[i]) * 2 * lanes,)
            (s0,) = mixtures(own, 0, flat, document, lanes)
            shares(own, 0, flat, document, (_ratio(data[i], s0),), sums, added, lanes)
            i += 1
        for z in range(n_classes):
            M[z, f] = sums[z]


def lanes_for(n_classes: int) -> int:
    """Return how many numbers a class vector is padded to in :func:`expected_counts`."""
    if n_classes < _MANY:
        return 4 if n_classes == 3 else n_classes
    return -(-n_classes // PARTS) * PARTS


@compiled(error_model="numpy")
def expected_counts(
    indptr: Array, indices: Array, data: Array, Pz: Array, B: Array, M: Array, A: Array,
    table: Array,
) -> None:  # fmt: skip
    """E-step of one view: overwrite ``M`` (Z x F), add to ``A`` (D x Z).

    The counts come feature by feature (the transpose's CSR): a feature's vectors stay in
    registers, and what is gathered, p(z|d) and its sums side by side in one cache line, is small,
    because documents are fewer than features. ``table`` (D x 2L) is work space, zero at first,
    with L from :func:`lanes_for`.
    """
    n_classes = B.shape[0]
    lanes = table.shape[1] // 2
    for d in range(Pz.shape[0]):
        for z in range(n_classes):
            table[d, z] = Pz[d, z]
            table[d, lanes + z] = 0.0
    if lanes == 2:
        _visit_pairs(indptr, indices, data, B, M, table)
    elif lanes == 4:
        _visit_fours(indptr, indices, data, B, M, table)
    elif n_classes >= _MANY:
        _visit_many(indptr, indices, data, B, M, table)
    else:
        _visit_any(indptr, indices, data, B, M, table)
    for d in range(Pz.shape[0]):
        for z in range(n_classes):
            A[d, z] += table[d, lanes + z]


@compiled(error_model="numpy")
def log_likelihood(indptr: Array, indices: Array, data: Array, Pz: Array, B: Array) -> float:
    r"""Return :math:`\sum O_{df} \log \sum_z p(z|d) B_{zf}`; minus infinity where that is 0."""
    value = 0.0
    by_feature = B.T.copy()  # a feature's classes side by side: one cache line, not Z
    for d in range(indptr.size - 1):
        for i in range(indptr[d], indptr[d + 1]):
            total = 0.0
            row = by_feature[indices[i]]
            for z in range(Pz.shape[1]):
                total += Pz[d, z] * row[z]
            value += data[i] * np.log(total)
    return value


@compiled(error_model="numpy")
def fold_in_counts(
    indptr: Array, indices: Array, data: Array, Pz: Array, B: Array, A: Array,
) -> None:  # fmt: skip
    """Add the document sums :math:`A_{dz}` of one view with p(f|z) held fixed."""
    n_classes = Pz.shape[1]
    for d in range(indptr.size - 1):
        for i in range(indptr[d], indptr[d + 1]):
            f = indices[i]
            total = 0.0
            for z in range(n_classes):
                total += Pz[d, z] * B[z, f]
            if total > TINY:
                r = data[i] / total
                for z in range(n_classes):
                    A[d, z] += r * B[z, f]
