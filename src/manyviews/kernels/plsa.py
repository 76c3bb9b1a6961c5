"""Fused expectation and maximisation steps of PLSA on CSR arrays.

The responsibilities ``p(z | d, w)`` are never stored: each non-zero is visited once, its mixture
probability is a dot product of two rows, and both count matrices are updated at once. Memory is
``D x K + F x K`` whatever the number of non-zeros.

Three things make the loops fast: words are visited in blocks whose rows of ``word_topic`` stay in
the cache; four words of a document are taken together, so its row is read once for the four; and
short vectors with fused multiply-add (:mod:`manyviews.kernels.lanes`), which round once and
the same way on every machine. The order of all sums is fixed, so results are reproducible.

All kernels expect canonical CSR (sorted column indices, no duplicates) and C-ordered float64.
"""

import numpy as np

from manyviews.kernels.cache import compiled
from manyviews.kernels.lanes import PARTS, fma, mixtures, shares

Array = np.ndarray
_BLOCK_BYTES = 1 << 19  # of word_topic in use at a time; its counts take as much again


@compiled(error_model="numpy")
def _ratio(count: float, mixture: float, impossible: float | None) -> tuple[float, float]:
    """Count over its mixture probability and its term of the log-likelihood; 0 if impossible."""
    if impossible is None:
        return count / mixture if mixture > 0.0 else 0.0, 0.0
    if mixture > 0.0:
        return count / mixture, count * np.log(mixture)
    return 0.0, impossible


@compiled(error_model="numpy")
def _row(
    indices: Array, data: Array, p: int, end: int, h: Array, b: int, w: Array, q: Array,
    size: int, m: Array | None, impossible: float | None,
) -> float:  # fmt: skip
    """Add the non-zeros ``p:end`` of one document to its counts (and the words'); log-likelihood.

    The factors ``h`` of ``q`` and ``w`` of ``m`` are the caller's: they do not depend on the word
    or the document respectively. Without ``m`` the words are not counted. ``impossible`` is the
    log-likelihood of a non-zero whose mixture probability is 0; without it no logarithm is taken
    and 0 is returned.
    """
    whole = size - size % PARTS
    loglik = 0.0
    while p + 4 <= end:
        f0, f1 = int(indices[p]) * size, int(indices[p + 1]) * size
        f2, f3 = int(indices[p + 2]) * size, int(indices[p + 3]) * size
        words = (f0, f1, f2, f3)
        s0, s1, s2, s3 = mixtures(h, b, w, words, whole)
        for k in range(whole, size):
            x = h[b + k]
            s0 = fma(x, w[f0 + k], s0)
            s1 = fma(x, w[f1 + k], s1)
            s2 = fma(x, w[f2 + k], s2)
            s3 = fma(x, w[f3 + k], s3)
        r0, l0 = _ratio(data[p], s0, impossible)
        r1, l1 = _ratio(data[p + 1], s1, impossible)
        r2, l2 = _ratio(data[p + 2], s2, impossible)
        r3, l3 = _ratio(data[p + 3], s3, impossible)
        loglik += (l0 + l1) + (l2 + l3)
        shares(h, b, w, words, (r0, r1, r2, r3), q, m, whole)
        for k in range(whole, size):
            pair = fma(r1, w[f1 + k], fma(r0, w[f0 + k], q[b + k]))
            q[b + k] = fma(r3, w[f3 + k], fma(r2, w[f2 + k], pair))
            if m is not None:
                x = h[b + k]
                m[f0 + k] = fma(r0, x, m[f0 + k])
                m[f1 + k] = fma(r1, x, m[f1 + k])
                m[f2 + k] = fma(r2, x, m[f2 + k])
                m[f3 + k] = fma(r3, x, m[f3 + k])
        p += 4
    while p < end:
        f = int(indices[p]) * size
        (s,) = mixtures(h, b, w, (f,), whole)
        for k in range(whole, size):
            s = fma(h[b + k], w[f + k], s)
        ratio, term = _ratio(data[p], s, impossible)
        loglik += term
        shares(h, b, w, (f,), (ratio,), q, m, whole)
        for k in range(whole, size):
            q[b + k] = fma(ratio, w[f + k], q[b + k])
            if m is not None:
                m[f + k] = fma(ratio, h[b + k], m[f + k])
        p += 1
    return loglik


@compiled(error_model="numpy", nogil=True)
def add_documents(
    indptr: Array, indices: Array, data: Array, doc_topic: Array, word_topic: Array,
    doc_counts: Array, word_counts: Array, first_doc: int, last_doc: int,
    impossible: float | None,
) -> float:  # fmt: skip
    """Add the documents ``first_doc:last_doc`` to the counts; returns their log-likelihood.

    The sums lack their factors, ``doc_topic`` and ``word_topic``, which the caller multiplies in.
    """
    n_topics = doc_topic.shape[1]
    n_words = word_topic.shape[0]
    h, w = doc_topic.reshape(-1), word_topic.reshape(-1)
    q, m = doc_counts.reshape(-1), word_counts.reshape(-1)
    block = max(1, _BLOCK_BYTES // (8 * n_topics))
    cursor = indptr[first_doc:last_doc].copy()
    loglik = 0.0
    for first in range(0, n_words, block):
        last = min(n_words, first + block)
        for d in range(first_doc, last_doc):
            p = cursor[d - first_doc]
            end = p
            while end < indptr[d + 1] and indices[end] < last:
                end += 1
            cursor[d - first_doc] = end
            loglik += _row(indices, data, p, end, h, d * n_topics, w, q, n_topics, m, impossible)
    return loglik


@compiled(error_model="numpy", nogil=True)
def add_up(parts: Array, first: int, last: int, out: Array) -> None:
    """Write the sum of ``parts`` (S x N) into ``out`` (N) for the entries ``first:last``.

    The parts are added one after another, so the sums do not depend on who adds which entries.
    """
    for i in range(first, last):
        out[i] = parts[0, i]
    for s in range(1, parts.shape[0]):
        for i in range(first, last):
            out[i] += parts[s, i]


@compiled(error_model="numpy", nogil=True)
def em_step(
    indptr: Array,
    indices: Array,
    data: Array,
    doc_topic: Array,
    word_topic: Array,
    doc_counts_out: Array,
    word_counts_out: Array,
    impossible: float | None = 0.0,
) -> float:
    """One E-step and the sums of the M-step; returns the log-likelihood of the old parameters.

    Writes ``doc_counts_out[d, k] = sum_w x_dw p(k | d, w)`` and
    ``word_counts_out[w, k] = sum_d x_dw p(k | d, w)`` with
    ``p(k | d, w) = H_dk W_wk / sum_j H_dj W_wj``. Normalising them is the M-step. A non-zero whose
    mixture probability is 0 (a word unknown to every topic) carries no information and is left out;
    ``impossible`` is its term of the log-likelihood, and ``None`` returns 0 without a logarithm.
    """
    h, w = doc_topic.reshape(-1), word_topic.reshape(-1)
    q, m = doc_counts_out.reshape(-1), word_counts_out.reshape(-1)
    q[:] = 0.0
    m[:] = 0.0
    loglik = add_documents(
        indptr, indices, data, doc_topic, word_topic, doc_counts_out, word_counts_out,
        0, doc_topic.shape[0], impossible,
    )  # fmt: skip
    for i in range(m.size):
        m[i] *= w[i]
    for i in range(q.size):
        q[i] *= h[i]
    return loglik


@compiled(error_model="numpy", nogil=True)
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
        loglik += _row(
            indices, data, indptr[d], indptr[d + 1], h, d * n_topics, w, q, n_topics, None, 0.0
        )
    for i in range(n_docs * n_topics):
        q[i] *= h[i]
    return loglik


@compiled(error_model="numpy", nogil=True)
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
    most = 0
    for d in range(n_docs):
        h = doc_topic[d]
        for step in range(max_iter):
            counts[:] = 0.0
            _row(indices, data, indptr[d], indptr[d + 1], h, 0, w, counts, n_topics, None, None)
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


@compiled(error_model="numpy", nogil=True)
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


@compiled(error_model="numpy", nogil=True)
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
