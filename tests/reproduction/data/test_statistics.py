import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data.format import MultiViewData
from reproduction.data.statistics import describe, sanity_scores, similarity, split_rows


def made(n=120, *, seed=0, **parts):
    """Two classes; ``good`` tells them apart, ``noise`` does not."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    good = np.zeros((n, 40))
    good[np.arange(n), 20 * labels + rng.integers(0, 20, n)] = 1
    good[:, 0] = 1
    views = {"good": sp.csr_matrix(good), "noise": sp.random(n, 30, 0.2, rng=rng).tocsr()}
    settings = {
        "name": "made", "views": views, "labels": labels, "class_names": ["a", "b"],
        "ids": [str(i) for i in range(n)],
    }  # fmt: skip
    return MultiViewData(**(settings | parts))


def test_description_counts():
    views = {"w": sp.csr_matrix(np.array([[0, 2, 0], [0, 0, 0], [-1, 3, 0], [0, 1, 0]]))}
    rows = {"is_test": np.array([0, 0, 1, 1], bool)}
    frame = describe(made(4, views=views, labels=[0, 1, -1, 0], rows=rows))
    found = frame.set_index(["view", "statistic", "item"])["value"]
    measured = {("", "documents", ""): 4, ("", "classes", ""): 2, ("", "test_documents", ""): 2,
                ("", "class_size", "a"): 2, ("", "class_size", "b"): 1, ("w", "features", ""): 3,
                ("w", "nonzeros", ""): 4, ("w", "density", ""): 4 / 12, ("w", "empty_rows", ""): 1,
                ("w", "row_nonzeros", "median"): 1}  # fmt: skip
    assert found[list(measured)].to_dict() == pytest.approx(measured)


def test_sanity_tells_signal_from_noise_and_counts_a_repeated_view_once():
    data = made()
    scores = sanity_scores(data)
    assert scores["good"]["accuracy"] > 0.9
    assert scores["concatenated"]["accuracy"] > 0.8
    assert scores["noise"]["accuracy"] < 0.8
    assert scores["majority"]["accuracy"] == pytest.approx(0.5)
    twice = dict.fromkeys(("good", "again"), data.views["good"])
    scores = sanity_scores(made(views=twice))
    assert scores["concatenated"] == scores["good"] == scores["again"]


def test_split_uses_the_sets_own_test_rows_and_skips_unlabelled():
    is_test = np.arange(120) >= 100
    labels = np.arange(120) % 2
    labels[:10] = -1
    train, test = split_rows(made(rows={"is_test": is_test}, labels=labels))
    assert np.array_equal(test, np.arange(100, 120))
    assert np.array_equal(train, np.arange(10, 100))
    train, test = split_rows(made(labels=labels))
    assert not set(train) & set(test)
    assert np.bincount(labels[test]).tolist() == [16, 16]


def test_dense_views_are_standardised():
    dense = np.random.default_rng(0).normal(size=(50, 3)) * [1, 1000, 0.001] + [0, 5, 9]
    kernel = similarity(sp.csr_matrix(dense))
    assert np.trace(kernel) == pytest.approx(50)
    sparse = sp.csr_matrix(np.diag([3.0, 4.0, 0.0]))
    assert np.allclose(similarity(sparse), np.diag([1, 1, 0]))
