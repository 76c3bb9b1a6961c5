import itertools

import numpy as np
import pytest
from sklearn.metrics import f1_score

from manyviews import metrics as m


def entropy(x):
    p = np.unique(x, return_counts=True)[1] / len(x)
    return -(p * np.log(p)).sum()


def test_clusterings_by_the_definitions(rng):
    """The best matching of clusters, pairs that are together in both, shared information."""
    for _ in range(20):
        y, p = rng.integers(0, 4, (2, int(rng.integers(2, 30))))
        best = max(np.mean(np.array(order)[p] == y) for order in itertools.permutations(range(4)))
        assert m.clustering_accuracy(y, p) == pytest.approx(best)
        pairs = list(itertools.combinations(range(len(y)), 2))
        same_y, same_p = ({(i, j) for i, j in pairs if x[i] == x[j]} for x in (y, p))
        expected = 2 * len(same_y & same_p) / max(1, len(same_y) + len(same_p))
        assert m.pairwise_f(y, p) == pytest.approx(expected) or not (same_y or same_p)
        information = entropy(y) + entropy(p) - entropy(y * 10 + p)
        mean, most = (entropy(y) + entropy(p)) / 2, max(entropy(y), entropy(p))
        if most > 0:
            assert m.nmi(y, p) == pytest.approx(information / mean)
            assert m.nmi(y, p, "max") == pytest.approx(information / most)
    assert m.pairwise_f([0, 1, 2], [2, 1, 0]) == 1.0


@pytest.mark.parametrize(("average", "measure"), [("macro", m.macro_f1), ("micro", m.micro_f1)])
def test_f1_is_scikit_learns(rng, average, measure):
    words = np.array(["ale", "bock", "cider", "dubbel", "eisbock", "faro", "gose", "helles"])
    for case in range(60):
        n, k = rng.integers(1, 40), rng.integers(1, 6)
        truth = rng.integers(0, k, n)
        # classes that the truth lacks, and rows without an answer (-1), count as wrong
        guess = np.where(rng.random(n) < 0.5, truth, rng.integers(-1, k + 2, n))
        if case % 3 == 1:
            truth, guess = truth.astype(float), guess.astype(float)
        elif case % 3 == 2:
            truth, guess = words[truth], words[guess]
        labels = np.unique(truth)
        expected = f1_score(truth, guess, average=average, labels=labels, zero_division=0)
        assert measure(truth, guess) == expected


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: m.macro_f1([0, 1], [0.2, 0.9]), "whole numbers or words"),
        (lambda: m.micro_f1([0.0, np.nan], [0.0, 1.0]), "whole numbers or words"),
        (lambda: m.macro_f1([0, 1], ["0", "1"]), "name classes alike"),
        (lambda: m.accuracy([0, 1], [0]), "equally long"),
        (lambda: m.nmi([], []), "empty"),
        (lambda: m.Ranking.of(np.ones((2, 2)), [0, 1], [0, 1, 1]), r"shape \(2, 2\), not \(2, 3\)"),
        (lambda: m.Ranking(np.ones((1, 2), dtype=bool)).average_precision("top0"), "kind must be"),
    ],
)
def test_bad_input_is_explained(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def slow_average_precision(row, wanted, items, kind):
    """The definitions, one query at a time, by plain counting."""
    order = sorted(range(len(items)), key=lambda i: (-row[i], i))
    total = int(np.sum(items == wanted))
    hits, found, curve = 0, [], []
    for rank, item in enumerate(order, 1):
        hits += items[item] == wanted
        if items[item] == wanted:
            found.append((rank, hits / rank))
        curve.append((hits / max(total, 1), hits / rank))
    if kind == "11point":
        levels = [k / 10 for k in range(11)]
        peaks = [max(p for r, p in curve if r >= lv - 1e-12) for lv in levels] if total else [0.0]
        return np.mean(peaks)
    if kind.startswith("top"):
        found = [(rank, p) for rank, p in found if rank <= int(kind[3:])]
    elif kind.startswith("first"):
        found = found[: int(kind[5:-8])]
    return sum(p for _, p in found) / len(found) if found else 0.0


@pytest.mark.parametrize("kind", ["full", "11point", "top5", "top10", "first3relevant"])
def test_average_precision_is_the_slow_definition(rng, kind):
    for _ in range(10):
        n_items = int(rng.integers(1, 30))
        items, queries = rng.integers(0, 4, n_items), rng.integers(0, 5, 9)  # 4: none relevant
        similarity = np.round(rng.random((9, n_items)), 1)  # with ties
        slow = [slow_average_precision(similarity[i], queries[i], items, kind) for i in range(9)]
        fast = m.Ranking.of(similarity, queries, items).average_precision(kind)
        np.testing.assert_allclose(fast, slow, rtol=1e-12)
