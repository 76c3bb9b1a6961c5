"""Naive Bayes that grows by single documents, for co-training.

A new document changes log p(f|c) only at its own features and the class total, so one round costs
the pool's non-zeros instead of the whole vocabulary.
"""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray


@compiled()
def add_document(
    indptr: Array, indices: Array, data: Array, d: int, c: int,
    counts: Array, logs: Array, totals: Array,
) -> None:  # fmt: skip
    """Add document ``d`` to class ``c``: counts (F, Z), their logarithms, class totals (Z,)."""
    for i in range(indptr[d], indptr[d + 1]):
        f = indices[i]
        counts[f, c] += data[i]
        logs[f, c] = np.log(counts[f, c])
        totals[c] += data[i]


@compiled()
def log_joint(
    indptr: Array, indices: Array, data: Array, rows: Array,
    logs: Array, totals: Array, sizes: Array, out: Array,
) -> None:  # fmt: skip
    """Write log p(c, d) of the documents ``rows`` to ``out``; ``sizes`` are labelled per class."""
    n_classes = logs.shape[1]
    offset = np.log(sizes / sizes.sum())
    shift = np.log(totals)
    for k in range(rows.size):
        d = rows[k]
        for c in range(0, n_classes, 2):  # two sums at a time stay in registers
            e = min(c + 1, n_classes - 1)
            first, second = offset[c], offset[e]
            for i in range(indptr[d], indptr[d + 1]):
                row, x = logs[indices[i]], data[i]
                first += x * (row[c] - shift[c])
                second += x * (row[e] - shift[e])
            out[k, c], out[k, e] = first, second


@compiled()
def to_log_odds(scores: Array) -> None:
    """Turn log p(c, d) into log p(c|d) / (1 - p(c|d)) in place.

    Posteriors of long documents round to 1 and would tie; their log odds do not.
    """
    n_classes = scores.shape[1]
    odds = np.empty(n_classes)
    for k in range(scores.shape[0]):
        score = scores[k]
        for c in range(n_classes):
            top = -np.inf
            for e in range(n_classes):
                if e != c:
                    top = max(top, score[e])
            rest = 0.0
            for e in range(n_classes):
                if e != c:
                    rest += np.exp(score[e] - top)
            odds[c] = score[c] - (top + np.log(rest))
        score[:] = odds


@compiled()
def _pick(confidence: Array, taken: Array, wanted: Array, chosen: Array, given: Array) -> int:
    """Choose for every class its most confident free pool members; return how many."""
    n_pool, n_classes = confidence.shape
    count = 0
    for c in range(n_classes):
        for _ in range(wanted[c]):
            best = -1
            for k in range(n_pool):
                if not taken[k] and (best < 0 or confidence[k, c] > confidence[best, c]):
                    best = k
            if best < 0:
                return count
            taken[best] = True
            chosen[count] = best
            given[count] = c
            count += 1
    return count


@compiled()
def cotrain(
    indptr1: Array, indices1: Array, data1: Array, counts1: Array, logs1: Array, totals1: Array,
    indptr2: Array, indices2: Array, data2: Array, counts2: Array, logs2: Array, totals2: Array,
    labels: Array, order: Array, wanted: Array, pool_size: int, n_iter: int,
) -> int:  # fmt: skip
    """Run co-training in place; return the number of rounds.

    ``labels`` (-1 = unlabelled) receives the labels the classifiers give; ``order`` lists the
    unlabelled documents in the random order in which they enter the pool; ``wanted`` says how
    many documents each classifier labels per class and round.
    """
    n_classes = wanted.size
    sizes = np.zeros(n_classes)
    for d in range(labels.size):
        if labels[d] >= 0:
            c = labels[d]
            sizes[c] += 1
            add_document(indptr1, indices1, data1, d, c, counts1, logs1, totals1)
            add_document(indptr2, indices2, data2, d, c, counts2, logs2, totals2)
    n_pool = min(pool_size, order.size)
    pool = order[:n_pool].copy()
    nxt = n_pool
    per_round = wanted.sum()
    chosen, given = np.empty(2 * per_round, np.int64), np.empty(2 * per_round, np.int64)
    for iteration in range(n_iter):
        if n_pool == 0:
            return iteration
        rows = pool[:n_pool]
        first, second = np.empty((n_pool, n_classes)), np.empty((n_pool, n_classes))
        log_joint(indptr1, indices1, data1, rows, logs1, totals1, sizes, first)
        log_joint(indptr2, indices2, data2, rows, logs2, totals2, sizes, second)
        to_log_odds(first)
        to_log_odds(second)
        taken = np.zeros(n_pool, np.bool_)
        count = _pick(first, taken, wanted, chosen, given)
        count += _pick(second, taken, wanted, chosen[count:], given[count:])
        for k in range(count):
            d, c = rows[chosen[k]], given[k]
            labels[d] = c
            sizes[c] += 1
            add_document(indptr1, indices1, data1, d, c, counts1, logs1, totals1)
            add_document(indptr2, indices2, data2, d, c, counts2, logs2, totals2)
        kept = 0
        for k in range(n_pool):
            if not taken[k]:
                pool[kept] = rows[k]
                kept += 1
        while kept < n_pool and nxt < order.size:
            pool[kept] = order[nxt]
            kept += 1
            nxt += 1
        n_pool = kept
    return n_iter
