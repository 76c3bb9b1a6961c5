import itertools

import numpy as np
import pytest

from reproduction.verdicts import metrics as m


def labels(rng, n=14, k=4):
    return rng.integers(0, k, n), rng.integers(0, k, n)


def test_clustering_accuracy_is_the_best_matching(rng):
    for _ in range(20):
        y, p = labels(rng, 12, 4)
        best = max(np.mean(np.array(order)[p] == y) for order in itertools.permutations(range(4)))
        assert m.clustering_accuracy(y, p) == pytest.approx(best)


def test_pairwise_f_counts_pairs(rng):
    for _ in range(20):
        y, p = labels(rng)
        pairs = list(itertools.combinations(range(len(y)), 2))
        both = sum(y[i] == y[j] and p[i] == p[j] for i, j in pairs)
        same_y = sum(y[i] == y[j] for i, j in pairs)
        same_p = sum(p[i] == p[j] for i, j in pairs)
        precision, recall = both / same_p if same_p else 0, both / same_y if same_y else 0
        expected = 2 * precision * recall / (precision + recall) if both else 0.0
        assert m.pairwise_f(y, p) == pytest.approx(expected)
    assert m.pairwise_f([0, 1, 2], [2, 1, 0]) == 1.0


def entropy(x):
    p = np.bincount(x) / len(x)
    p = p[p > 0]
    return -(p * np.log(p)).sum()


def test_nmi_under_both_norms(rng):
    for _ in range(20):
        y, p = labels(rng, 30)
        joint = entropy(y * 10 + p)
        information = entropy(y) + entropy(p) - joint
        assert m.nmi(y, p) == pytest.approx(information / ((entropy(y) + entropy(p)) / 2))
        assert m.nmi(y, p, "max") == pytest.approx(information / max(entropy(y), entropy(p)))


def test_f1_variants(rng):
    y, p = labels(rng, 60, 3)
    per_class = []
    for c in range(3):
        tp = np.sum((y == c) & (p == c))
        per_class.append(2 * tp / (np.sum(y == c) + np.sum(p == c)))
    assert m.macro_f1(y, p) == pytest.approx(np.mean(per_class))
    assert m.micro_f1(y, p) == pytest.approx(m.accuracy(y, p))
    assert m.f1_binary(y, p, positive=2) == pytest.approx(per_class[2])
    assert m.f1_binary([0, 0], [0, 0]) == 0.0


def slow_average_precision(row, wanted, items, kind, top):
    order = sorted(range(len(items)), key=lambda i: (-row[i], i))
    hits, precisions, recalls = 0, [], []
    total = int(np.sum(items == wanted))
    if total == 0:
        return 0.0
    curve = []
    for rank, item in enumerate(order, 1):
        if items[item] == wanted:
            hits += 1
            recalls.append((rank, hits / rank))
        curve.append((hits / total, hits / rank))
    if kind == "full":
        return sum(p for _, p in recalls) / total
    if kind == "11point":
        levels = [k / 10 for k in range(11)]
        return np.mean([max(p for r, p in curve if r >= lv - 1e-12) for lv in levels])
    precisions = [p for rank, p in recalls if rank <= top]
    divisor = len(precisions) if kind == "top" else min(top, total)
    return sum(precisions) / divisor if divisor else 0.0


@pytest.mark.parametrize("kind", ["full", "11point", "top", "top_total"])
def test_map_is_the_slow_definition(rng, kind):
    items, queries = rng.integers(0, 4, 25), rng.integers(0, 5, 9)
    similarity = np.round(rng.random((9, 25)), 1)  # with ties
    slow = [slow_average_precision(similarity[i], queries[i], items, kind, 5) for i in range(9)]
    fast = m.average_precisions(similarity, queries, items, kind=kind, top=5)
    np.testing.assert_allclose(fast, slow, rtol=1e-12)
    assert m.retrieval_map(similarity, queries, items, kind=kind, top=5) == pytest.approx(
        np.mean(slow)
    )


def test_wrong_shapes_are_explained():
    with pytest.raises(ValueError, match="equally long"):
        m.accuracy([0, 1], [0])
    with pytest.raises(ValueError, match="empty"):
        m.nmi([], [])
    with pytest.raises(ValueError, match=r"similarity has shape \(2, 2\), not \(2, 3\)"):
        m.retrieval_map(np.ones((2, 2)), [0, 1], [0, 1, 1])
