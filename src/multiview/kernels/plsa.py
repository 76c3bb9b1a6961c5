"""Fused expectation and maximisation steps of PLSA on CSR arrays.

The responsibilities ``p(z | d, w)`` are never stored: each non-zero is visited once, its mixture
probability is a dot product of two rows, and both count matrices are updated at once. Memory is
``D x K + F x K`` whatever the number of non-zeros. Words are visited in blocks so that the rows
of ``word_topic`` in use stay in the cache; the order is fixed, so results are reproducible.

All kernels expect canonical CSR (sorted column indices, no duplicates) and C-ordered float64.
"""

import numpy as np
from numba import njit

Array = np.ndarray

_BLOCK_BYTES = 1 << 18  # of word_topic in use at a time; its counts take as much again


@njit(cache=True, inline="always")
def _dot(a: Array, b: Array, size: int) -> float:
    """Dot product in eight fixed partial sums: short dependency chains without fastmath."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    whole = size - size % 8
    for k in range(0, whole, 8):
        s0 += a[k] * b[k]
        s1 += a[k + 1] * b[k + 1]
        s2 += a[k + 2] * b[k + 2]
        s3 += a[k + 3] * b[k + 3]
        s4 += a[k + 4] * b[k + 4]
        s5 += a[k + 5] * b[k + 5]
        s6 += a[k + 6] * b[k + 6]
        s7 += a[k + 7] * b[k + 7]
    total = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
    for k in range(whole, size):
        total += a[k] * b[k]
    return total


@njit(cache=True)
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
    block = max(1, _BLOCK_BYTES // (8 * n_topics))
    doc_counts_out[:] = 0.0
    word_counts_out[:] = 0.0
    cursor = indptr[:-1].copy()
    loglik = 0.0
    for first in range(0, n_words, block):
        last = min(n_words, first + block)
        for d in range(n_docs):
            p = cursor[d]
            end = indptr[d + 1]
            if p >= end or indices[p] >= last:
                continue
            h = doc_topic[d]
            q = doc_counts_out[d]
            while p < end and indices[p] < last:
                f = indices[p]
                w = word_topic[f]
                mixture = _dot(h, w, n_topics)
                if mixture > 0.0:
                    loglik += data[p] * np.log(mixture)
                    ratio = data[p] / mixture
                    m = word_counts_out[f]
                    for k in range(n_topics):
                        q[k] += ratio * w[k]
                        m[k] += ratio * h[k]
                p += 1
            cursor[d] = p
        for f in range(first, last):
            for k in range(n_topics):
                word_counts_out[f, k] *= word_topic[f, k]
    for d in range(n_docs):
        for k in range(n_topics):
            doc_counts_out[d, k] *= doc_topic[d, k]
    return loglik


@njit(cache=True)
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
    loglik = 0.0
    for d in range(n_docs):
        h = doc_topic[d]
        q = doc_counts_out[d]
        for k in range(n_topics):
            q[k] = 0.0
        for p in range(indptr[d], indptr[d + 1]):
            w = word_topic[indices[p]]
            mixture = _dot(h, w, n_topics)
            if mixture > 0.0:
                loglik += data[p] * np.log(mixture)
                ratio = data[p] / mixture
                for k in range(n_topics):
                    q[k] += ratio * w[k]
        for k in range(n_topics):
            q[k] *= h[k]
    return loglik


@njit(cache=True)
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
    counts = np.empty(n_topics)
    most = 0
    for d in range(n_docs):
        h = doc_topic[d]
        for step in range(max_iter):
            counts[:] = 0.0
            for p in range(indptr[d], indptr[d + 1]):
                w = word_topic[indices[p]]
                mixture = _dot(h, w, n_topics)
                if mixture > 0.0:
                    ratio = data[p] / mixture
                    for k in range(n_topics):
                        counts[k] += ratio * w[k]
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


@njit(cache=True)
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


@njit(cache=True)
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
