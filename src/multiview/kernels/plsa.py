"""Fused expectation and maximisation steps of PLSA on CSR arrays.

The responsibilities ``p(z | d, w)`` are never stored: each non-zero is visited once, its mixture
probability is a dot product of two rows, and both count matrices are updated at once. Memory is
``D x K + F x K`` whatever the number of non-zeros.

Three things make the loops fast: words are visited in blocks whose rows of ``word_topic`` stay in
the cache; four words of a document are taken together, so its row is read once for the four; and
fused multiply-add, which rounds once and the same way on every machine, halves the arithmetic. The
order of all sums is fixed, so results are reproducible.

All kernels expect canonical CSR (sorted column indices, no duplicates) and C-ordered float64.
"""

from typing import Any

import numpy as np
from numba import njit

from multiview.kernels.fma import fma

Array = np.ndarray
Position = Any  # numpy.uint64 inside compiled code
_BLOCK_BYTES = 1 << 19  # of word_topic in use at a time; its counts take as much again
_U: Any = np.uint64  # unsigned positions need no test for Python's negative indices


@njit(cache=True, error_model="numpy")
def _mixture(h: Array, b: Position, w: Array, f: Position, size: int) -> float:
    """Dot product of row ``h[b:]`` and row ``w[f:]`` in two fixed partial sums."""
    even = size - size % 2
    s = t = 0.0
    for k in range(0, even, 2):
        s = fma(h[b + _U(k)], w[f + _U(k)], s)
        t = fma(h[b + _U(k + 1)], w[f + _U(k + 1)], t)
    if even < size:
        s = fma(h[b + _U(even)], w[f + _U(even)], s)
    return s + t


@njit(cache=True, error_model="numpy")
def _four_mixtures(
    h: Array,
    b: Position,
    w: Array,
    f0: Position,
    f1: Position,
    f2: Position,
    f3: Position,
    size: int,
) -> tuple[float, float, float, float]:
    """:func:`_mixture` of one document with four words."""
    even = size - size % 2
    s0 = s1 = s2 = s3 = t0 = t1 = t2 = t3 = 0.0
    for k in range(0, even, 2):
        i, j = _U(k), _U(k + 1)
        x, y = h[b + i], h[b + j]
        s0 = fma(x, w[f0 + i], s0)
        t0 = fma(y, w[f0 + j], t0)
        s1 = fma(x, w[f1 + i], s1)
        t1 = fma(y, w[f1 + j], t1)
        s2 = fma(x, w[f2 + i], s2)
        t2 = fma(y, w[f2 + j], t2)
        s3 = fma(x, w[f3 + i], s3)
        t3 = fma(y, w[f3 + j], t3)
    if even < size:
        i = _U(even)
        x = h[b + i]
        s0 = fma(x, w[f0 + i], s0)
        s1 = fma(x, w[f1 + i], s1)
        s2 = fma(x, w[f2 + i], s2)
        s3 = fma(x, w[f3 + i], s3)
    return s0 + t0, s1 + t1, s2 + t2, s3 + t3


@njit(cache=True, error_model="numpy")
def _ratio(count: float, mixture: float) -> tuple[float, float]:
    """Count over its mixture probability and its term of the log-likelihood; 0, 0 if impossible."""
    if mixture > 0.0:
        return count / mixture, count * np.log(mixture)
    return 0.0, 0.0


@njit(cache=True, error_model="numpy")
def _row(
    indices: Array, data: Array, p: int, end: int, h: Array, b: Position, w: Array, q: Array,
    size: int, m: Array, with_words: bool,
) -> float:  # fmt: skip
    """Add the non-zeros ``p:end`` of one document to its counts (and the words'); log-likelihood.

    The factors ``h`` of ``q`` and ``w`` of ``m`` are the caller's: they do not depend on the word
    or the document respectively.
    """
    loglik = 0.0
    while p + 4 <= end:
        f0, f1 = _U(indices[p] * size), _U(indices[p + 1] * size)
        f2, f3 = _U(indices[p + 2] * size), _U(indices[p + 3] * size)
        s0, s1, s2, s3 = _four_mixtures(h, b, w, f0, f1, f2, f3, size)
        r0, l0 = _ratio(data[p], s0)
        r1, l1 = _ratio(data[p + 1], s1)
        r2, l2 = _ratio(data[p + 2], s2)
        r3, l3 = _ratio(data[p + 3], s3)
        loglik += (l0 + l1) + (l2 + l3)
        for j in range(size):
            k = _U(j)
            sum2 = fma(r1, w[f1 + k], fma(r0, w[f0 + k], q[b + k]))
            q[b + k] = fma(r3, w[f3 + k], fma(r2, w[f2 + k], sum2))
        if with_words:
            for j in range(size):
                k = _U(j)
                x = h[b + k]
                m[f0 + k] = fma(r0, x, m[f0 + k])
                m[f1 + k] = fma(r1, x, m[f1 + k])
                m[f2 + k] = fma(r2, x, m[f2 + k])
                m[f3 + k] = fma(r3, x, m[f3 + k])
        p += 4
    while p < end:
        f = _U(indices[p] * size)
        ratio, term = _ratio(data[p], _mixture(h, b, w, f, size))
        loglik += term
        for j in range(size):
            q[b + _U(j)] = fma(ratio, w[f + _U(j)], q[b + _U(j)])
        if with_words:
            for j in range(size):
                m[f + _U(j)] = fma(ratio, h[b + _U(j)], m[f + _U(j)])
        p += 1
    return loglik


@njit(cache=True, error_model="numpy")
def em_step(
    indptr: Array,
    indices: Array,
    data: Array,
    doc_topic: Array,
    word_topic: Array,
    doc_counts_out: Array,
    word_counts_out: Array,
) -> float:
    """One E-step and the sums of the M-step; returns the log-likelihood of the old parameters.

    Writes ``doc_counts_out[d, k] = sum_w x_dw p(k | d, w)`` and
    ``word_counts_out[w, k] = sum_d x_dw p(k | d, w)`` with
    ``p(k | d, w) = H_dk W_wk / sum_j H_dj W_wj``. Normalising them is the M-step. A non-zero whose
    mixture probability is 0 (a word unknown to every topic) carries no information and is left out.
    """
    n_docs, n_topics = doc_topic.shape
    n_words = word_topic.shape[0]
    h, w = doc_topic.reshape(-1), word_topic.reshape(-1)
    q, m = doc_counts_out.reshape(-1), word_counts_out.reshape(-1)
    block = max(1, _BLOCK_BYTES // (8 * n_topics))
    q[:] = 0.0
    m[:] = 0.0
    cursor = indptr[:-1].copy()
    loglik = 0.0
    for first in range(0, n_words, block):
        last = min(n_words, first + block)
        for d in range(n_docs):
            p = cursor[d]
            end = p
            while end < indptr[d + 1] and indices[end] < last:
                end += 1
            cursor[d] = end
            b = _U(d * n_topics)
            loglik += _row(indices, data, p, end, h, b, w, q, n_topics, m, True)
        for i in range(first * n_topics, last * n_topics):
            m[i] *= w[i]
    for i in range(n_docs * n_topics):
        q[i] *= h[i]
    return loglik


@njit(cache=True, error_model="numpy")
def fold_in_step(
    indptr: Array,
    indices: Array,
    data: Array,
    doc_topic: Array,
    word_topic: Array,
    doc_counts_out: Array,
) -> float:
    """The document half of :func:`em_step` with the topics fixed; returns the log-likelihood."""
    n_docs, n_topics = doc_topic.shape
    h, w, q = doc_topic.reshape(-1), word_topic.reshape(-1), doc_counts_out.reshape(-1)
    q[:] = 0.0
    loglik = 0.0
    for d in range(n_docs):
        b = _U(d * n_topics)
        loglik += _row(
            indices, data, indptr[d], indptr[d + 1], h, b, w, q, n_topics, q, False
        )  # fmt: skip
    for i in range(n_docs * n_topics):
        q[i] *= h[i]
    return loglik


@njit(cache=True, error_model="numpy")
def fold_in(
    indptr: Array,
    indices: Array,
    data: Array,
    doc_topic: Array,
    word_topic: Array,
    max_iter: int,
    tol: float,
) -> int:
    """Iterate the H-step of every document in place, W fixed; returns the most steps taken.

    Each document stops by itself once its largest change is at most ``tol``: documents are
    independent given W, and one at a time its words' rows stay in the cache.
    """
    n_docs, n_topics = doc_topic.shape
    w = word_topic.reshape(-1)
    counts = np.empty(n_topics)
    start = _U(0)
    most = 0
    for d in range(n_docs):
        h = doc_topic[d]
        for step in range(max_iter):
            counts[:] = 0.0
            _row(
                indices, data, indptr[d], indptr[d + 1], h, start, w, counts, n_topics, counts,
                False,
            )  # fmt: skip
            total = 0.0
            for k in range(n_topics):
                counts[k] *= h[k]
                total += counts[k]
            if total <= 0.0:  # an empty document keeps the composition it started with
                break
            change = 0.0
            for k in range(n_topics):
                new = counts[k] / total
                change = max(change, abs(new - h[k]))
                h[k] = new
            most = max(most, step + 1)
            if change <= tol:
                break
    return most


@njit(cache=True, error_model="numpy")
def normalise_documents(counts: Array, doc_topic: Array) -> None:
    """H-step: ``H_dk = counts_dk / sum_j counts_dj``; a row without counts keeps its old value."""
    n_docs, n_topics = counts.shape
    for d in range(n_docs):
        total = 0.0
        for k in range(n_topics):
            total += counts[d, k]
        if total > 0.0:
            for k in range(n_topics):
                doc_topic[d, k] = counts[d, k] / total


@njit(cache=True, error_model="numpy")
def normalise_topics(counts: Array, word_topic: Array) -> None:
    """W-step: each column (topic) sums to one over the words; an empty topic keeps its old one."""
    n_words, n_topics = counts.shape
    total = np.zeros(n_topics)
    for f in range(n_words):
        for k in range(n_topics):
            total[k] += counts[f, k]
    for f in range(n_words):
        for k in range(n_topics):
            if total[k] > 0.0:
                word_topic[f, k] = counts[f, k] / total[k]
