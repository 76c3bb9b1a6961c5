"""Simple graph convolution: propagation by hand, Adam by differences, leaks."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.sgc.paper import Part, accuracy, official, propagated, sgc

seeded = partial(generator, "sgc")


@pytest.fixture
def path():
    """Three documents, linked in a row."""
    return MultiViewData(
        name="path",
        views={
            "content": sp.csr_matrix([[2.0, 0.0], [0.0, 3.0], [1.0, 1.0]]),
            "links": sp.csr_matrix([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]),
        },
        labels=np.array([0, 1, 1]),
        class_names=["a", "b"],
        ids=["x", "y", "z"],
        feature_names={"links": ["x", "y", "z"]},
        rows={"split": np.array([1, 1, 3])},
        provenance={},
    )


def test_one_step_by_hand(path):
    """With links to itself the degrees are 2, 3, 2; a link weighs 1 / sqrt of both."""
    words, _, _ = propagated(path, 1, "added")
    side = 1 / np.sqrt(6)
    by_hand = [[1 / 2, side], [side + side / 2, 1 / 3 + side / 2], [1 / 4, 1 / 4 + side]]
    assert words == pytest.approx(np.array(by_hand))


def test_columns_of_the_links_go_by_name(path):
    """The view keeps the columns that some document uses, in any order."""
    links = path.views["links"][:, [2, 0, 1]]
    views = {**path.views, "links": links}
    moved = replace(path, views=views, feature_names={"links": ["z", "x", "y"]})
    assert np.array_equal(propagated(moved, 2, "none")[0], propagated(path, 2, "none")[0])


def test_classes_of_test_documents_reach_no_fit(rng):
    X = rng.random((40, 6))
    y, split = rng.integers(3, size=40), np.repeat([1, 3], 20)
    y[:3] = range(3)
    told = official((X, y, split), "training documents")
    other = official((X, np.where(split == 3, (y + 1) % 3, y), split), "training documents")
    run = {"run": 0, "weight_decay": 1e-5, "epochs": 5, "rate": 0.2}
    answers = [sgc(part, seeded=seeded, **run) for part in (told, other)]
    assert np.array_equal(*answers)
    assert accuracy(told, answers[0]) == pytest.approx(100 * np.mean(answers[0] == y[20:]))


def test_the_first_step_of_adam_goes_down_the_slope(rng):
    """Adam's first step is the rate times the sign of the slope, here taken by differences."""
    X, y = rng.random((12, 3)), np.arange(12) % 2
    probe = np.vstack([np.eye(3), np.zeros(3)])
    part = Part(X, y, probe, np.zeros(4), 2)
    bound = 1 / np.sqrt(3)
    W = seeded("start", 0).uniform(-bound, bound, (4, 2))

    def loss(weights):
        scores = X @ weights[:-1] + weights[-1]
        likely = np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(12), y]
        return likely.mean() + 0.01 / 2 * (weights**2).sum()

    slope = np.zeros_like(W)
    for place in np.ndindex(*W.shape):
        step = np.zeros_like(W)
        step[place] = 1e-6
        slope[place] = (loss(W + step) - loss(W - step)) / 2e-6
    stepped = W - 0.2 * np.sign(slope)
    found = sgc(part, 0, seeded, weight_decay=0.01, epochs=1, rate=0.2)
    assert np.array_equal(found, np.argmax(probe @ stepped[:-1] + stepped[-1], axis=1))
