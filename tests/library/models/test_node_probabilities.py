"""Probabilities of nodes, paths that stop, label sets, and graphs that are no trees."""

import itertools

import numpy as np
import pytest
from problems import word_views

from manyviews.assignment.ontology import Ontology
from manyviews.models import MultiViewKMeans
from manyviews.models.node_probabilities import (
    allowed_sets,
    fitted_temperature,
    marginals,
    set_log_likelihood,
)

TREE = {"a": [], "b": [], "a1": ["a"], "a2": ["a"], "b1": ["b"], "b2": ["b"]}
DIAMOND = {"top": [], "left": ["top"], "right": ["top"], "both": ["left", "right"], "l2": ["left"]}


def brute_force(scores, ontology, mutex, temperature):
    """Every subset of the labels, one row at a time."""
    found = np.zeros(scores.shape)
    pairs = ontology.mutex_pairs(mutex)
    for row, s in enumerate(scores):
        total = 0.0
        for bits in itertools.product([False, True], repeat=len(ontology)):
            y = np.array(bits)
            closed = all(y[list(p)].all() for i, p in enumerate(ontology.parent_index) if y[i])
            if not y.any() or not closed or any(y[i] and y[j] for i, j in pairs):
                continue
            mass = np.exp((s * y).sum() / temperature)
            total += mass
            found[row] += mass * y
        found[row] /= total
    return found


@pytest.mark.parametrize("parents", [TREE, DIAMOND], ids=["tree", "diamond"])
@pytest.mark.parametrize("mutex", ["disjoint", "siblings", "declared"])
def test_marginals_are_sums_over_all_consistent_sets(rng, parents, mutex):
    ontology = Ontology(parents)
    for _ in range(10):
        scores = rng.normal(size=(4, len(ontology)))
        temperature = float(np.exp(rng.normal()))
        sets = allowed_sets(ontology, len(ontology), mutex)
        found = marginals(scores, sets, temperature)
        np.testing.assert_allclose(found, brute_force(scores, ontology, mutex, temperature))


def test_flat_classes_are_a_softmax(rng):
    scores = rng.normal(size=(5, 4))
    found = marginals(scores, allowed_sets(None, 4, "disjoint"), 0.5)
    expected = np.exp(2.0 * scores) / np.exp(2.0 * scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected)


def test_the_temperature_maximises_the_likelihood(rng):
    ontology = Ontology(TREE)
    sets = allowed_sets(ontology, len(ontology), "disjoint")
    scores = rng.normal(size=(200, len(ontology)))
    shares = np.exp(scores @ sets.T / 0.3)
    drawn = [rng.choice(len(sets), p=p / p.sum()) for p in shares]
    best = fitted_temperature(scores, sets, sets[drawn])
    value = set_log_likelihood(scores, sets, sets[drawn], best)
    for other in np.exp(np.linspace(-5, 3, 40)):
        assert set_log_likelihood(scores, sets, sets[drawn], other) <= value + 1e-6
    assert 0.05 < best < 2.0
    often = rng.integers(0, 3, 200)  # a row of weight 2 counts twice
    twice = np.repeat(np.arange(200), often)
    weighted = set_log_likelihood(scores, sets, sets[drawn], best, often)
    repeated = set_log_likelihood(scores[twice], sets, sets[drawn][twice], best)
    assert weighted == pytest.approx(repeated)


def test_a_tree_predicts_probabilities_paths_and_stops():
    rng = np.random.default_rng(0)
    leaves = np.array(["a1", "a2", "b1", "b2"])[np.arange(80) % 4]
    tree = Ontology(TREE)  # rows have the words of their leaf and its parent
    above = np.array([tree.closure([leaf]) for leaf in leaves])
    views = [
        rng.poisson(20 * above @ rng.dirichlet(np.full(width, 0.1), 6)) + 0.01 for width in (40, 30)
    ]
    y = np.where(rng.random(80) < 0.5, leaves, None)
    y[:4] = leaves[:4]
    model = MultiViewKMeans("sum", TREE).fit(views, y)
    p = model.predict_proba(views)
    names = model.classes_.tolist()
    # a row is somewhere in the tree: the roots share all of it
    np.testing.assert_allclose(p[:, names.index("a")] + p[:, names.index("b")], 1.0)
    for threshold in (0.2, 0.5, 0.8, 0.99):
        nodes = model.predict_nodes(views, threshold)
        assert not model.ontology_.violations(nodes, "ancestors", "declared").any()
    with pytest.raises(ValueError, match="threshold must be at most 1"):
        model.predict_nodes(views, 1.5)
    sure, unsure = model.predict_paths(views, 0.5), model.predict_paths(views, 0.999999)
    assert sum(map(len, unsure)) <= sum(map(len, sure))
    right = np.mean([leaf[0] in path for leaf, path in zip(leaves, sure, strict=True)])
    assert right > 0.7


def test_probabilities_are_right_on_new_rows(rng):
    """With centroids that hold the labelled rows, they are .1 too sure."""
    gaps = []
    for _ in range(10):
        views, y = word_views(rng, 1000, 4, (300, 200), length=5.0, concentration=1.0)
        old, new = np.split(rng.permutation(1000), [400])
        labels = np.where(np.arange(400) < 100, y[old], -1)
        model = MultiViewKMeans("sum").fit([X[old] for X in views], labels)
        p = model.predict_proba([X[new] for X in views])
        gaps.append(p.max(axis=1).mean() - (p.argmax(axis=1) == y[new]).mean())
    assert abs(np.mean(gaps)) < 0.06


def test_several_labels_at_once():
    """Labels that are not exclusive come together, in training and in prediction."""
    rng = np.random.default_rng(0)
    ontology = Ontology({"red": [], "round": [], "large": []})
    given = [("red",), ("round",), ("red", "round"), ("large",), ("red", "large"), None]
    rows = [given[i % 6] for i in range(90)]
    truth = np.array([ontology.closure(row or ()) for row in rows])
    views = [
        rng.poisson(30 * truth @ rng.dirichlet(np.full(width, 0.1), 3)) + 0.01 for width in (30, 25)
    ]
    model = MultiViewKMeans("sum", ontology, mutex="declared").fit(views, rows)
    known = truth.any(axis=1)
    np.testing.assert_array_equal(model.label_sets_[known, 0], truth[known])
    assert model.predict_nodes(views).sum(axis=1).max() > 1
