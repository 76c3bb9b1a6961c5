"""No label of an unlabelled point reaches a method; what is scored is what the rows say."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from leaks import Draws, Spy, same_answers

from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier import protocol, table2, table4
from reproduction.papers.multiview_hier.columns import ALL_POINTS, UNLABELLED
from reproduction.papers.multiview_hier.methods import MACRO, MICRO, RANKED
from reproduction.papers.multiview_hier.settings import PaperSettings, Partitions
from reproduction.results.jobs import Context, find_job
from reproduction.results.rows import Row
from reproduction.results.settings import complete

LEAVES = ["a/x", "a/y", "b/x", "b/y"]
TREE = {"root": (), "a": ("root",), "b": ("root",)} | {n: (n[0],) for n in LEAVES}
#: One partition alone: then one mask says who is hidden.
ONCE = Partitions.model_construct(**dict.fromkeys(Partitions.model_fields, 1))
_ONE = {"train": [20.0], "partitions": ONCE, "tree_train": [20.0], "stand_in_runs": 1}
SETTINGS = complete(
    PaperSettings, {"tree_rows_per_leaf": 20, "max_iter": 4}, size="quick"
).model_copy(update=_ONE)
PER_CLASS = 20
CASES = {
    "Table 2": ("cora", "table2", ("content", "cited", "cites", "links"), None, table2.run),
    "Table 4": ("amazon_tree", "table4", ("title", "text"), TREE, table4.run),
}


def make(rng, name, views, ontology):
    y = np.repeat(np.arange(4), PER_CLASS)
    made = {}
    for view in views:
        centres = rng.random((4, 15)) ** 4
        made[view] = sp.csr_matrix(rng.poisson(5 * centres[y]).astype(float))
    ids = [str(i) for i in range(y.size)]
    return MultiViewData(name, made, y, LEAVES, ids, ontology=ontology)


def context(case, data, labels=None):
    dataset, job = case[:2]
    given = data if labels is None else MultiViewData(
        data.name, data.views, labels, LEAVES, data.ids, ontology=data.ontology
    )  # fmt: skip
    return Context(find_job("multiview_hier", dataset, job), {dataset: given}, SETTINGS)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_hidden_labels_move_nothing(rng, monkeypatch, case):
    data = make(rng, case[0], case[2], case[3])
    spy, drawn = Spy(monkeypatch, protocol, "macro_f1"), Draws(monkeypatch, protocol)
    case[-1](context(case, data))
    clean = spy.take()
    known = drawn.masks[0]
    assert len(drawn.masks) == 1
    drawn.replay()
    # the classes of the hidden points go round, so that no class gains or loses a point
    case[-1](context(case, data, np.where(known, data.labels, (data.labels + 1) % 4)))
    same_answers(clean, spy.take())


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_all_points_and_the_hidden_ones_are_scored_in_turn(rng, monkeypatch, case):
    data = make(rng, case[0], case[2], case[3])
    spy, drawn = Spy(monkeypatch, protocol, "macro_f1"), Draws(monkeypatch, protocol)
    case[-1](context(case, data))
    known = drawn.masks[0]
    calls = spy.take()
    assert known.sum() == 16  # a fifth of twenty points of each of four classes
    for number, (truth, _) in enumerate(calls):
        expected = data.labels if number % 2 == 0 else data.labels[~known]
        np.testing.assert_array_equal(truth, expected)


def test_a_tree_is_fitted_from_the_label_sets_of_known_points_alone(rng, monkeypatch):
    data = make(rng, "amazon_tree", ("title", "text"), TREE)
    seen = []
    fit = table4.fit
    monkeypatch.setattr(
        table4, "fit", lambda c, p, y, **o: seen.append(np.array(y)) or fit(c, p, y, **o)
    )
    drawn = Draws(monkeypatch, protocol)
    table4.run(context(CASES["Table 4"], data))
    known = drawn.masks[0]
    assert seen
    for sets in seen:
        assert not sets[~known].any()
        assert sets[known].any(axis=1).all()


def test_flat_methods_are_given_the_known_labels_alone(rng, monkeypatch):
    data = make(rng, "cora", CASES["Table 2"][2], None)
    seen = []
    fit = protocol.fit
    monkeypatch.setattr(
        protocol, "fit", lambda c, p, y, **o: seen.append(np.array(y)) or fit(c, p, y, **o)
    )
    drawn = Draws(monkeypatch, protocol)
    table2.run(context(CASES["Table 2"], data))
    for given in seen:
        np.testing.assert_array_equal(given, np.where(drawn.masks[0], data.labels, -1))
    assert len(seen) == 7


def test_a_cell_of_table_2_by_hand():
    """Six points, two classes; one of the four unlabelled ones is wrong."""
    truth, guess = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 1])
    known = np.array([True, False, False, True, False, False])
    rows = protocol.score("2", {}, "V1", truth, guess, known, run=0)
    found = {(row.at["scored"], row.metric): row.value for row in rows}
    # all: F1 of class 0 is 2*2/(2+3), of class 1 2*3/(4+3); unlabelled: 2*1/(1+2) and 2*2/(3+2)
    assert found[ALL_POINTS, MACRO] == pytest.approx(100 * (4 / 5 + 6 / 7) / 2)
    assert found[ALL_POINTS, MICRO] == pytest.approx(100 * 5 / 6)
    assert found[UNLABELLED, MACRO] == pytest.approx(100 * (2 / 3 + 4 / 5) / 2)
    assert found[UNLABELLED, MICRO] == pytest.approx(75.0)


def test_a_cell_of_table_3_by_hand():
    """Ranks by hand: three methods, two test cases, one tie."""
    import pandas as pd

    values = {
        ("p", "A"): 90,
        ("p", "B"): 80,
        ("p", "C"): 80,
        ("q", "A"): 50,
        ("q", "B"): 70,
        ("q", "C"): 60,
    }
    rows = pd.DataFrame(
        [
            {"case": case, "method": method, "metric": metric, "value": float(value)}
            for (case, method), value in values.items()
            for metric in (MACRO, MICRO)
        ]
    )
    ranks = protocol.average_ranks(rows, ("A", "B", "C"), ["case"])
    assert ranks == {"A": 2.0, "B": 1.75, "C": 2.25}


def test_a_cell_of_table_4_by_hand(rng):
    """Leaves without a word in common; one point in five of every leaf looks like the next leaf.

    Whoever goes by the words is wrong about those alone, if they are not labelled. Each leaf then
    has as many points that wrongly look like it as points of it that look like another, so its F1
    is the share that is right, and so is the mean over the leaves.
    """
    dataset, _, views, tree, run = CASES["Table 4"]
    y = np.repeat(np.arange(4), PER_CLASS)
    blank = MultiViewData(dataset, {v: np.eye(80) for v in views}, y, LEAVES,
                          [str(i) for i in range(80)], ontology=tree)  # fmt: skip
    leaves = protocol.Target(None, blank.labels, LEAVES)
    known = next(iter(protocol.cases(dataset, leaves, [20.0], range(1)))).known
    odd = np.concatenate([np.flatnonzero(~known & (y == c))[:4] for c in range(4)])
    words = y.copy()
    words[odd] = (y[odd] + 1) % 4
    made = {}
    for view in views:
        counts = np.zeros((80, 20))
        for i, c in enumerate(words):
            counts[i, 5 * c : 5 * c + 5] = rng.integers(3, 6, size=5)
        made[view] = sp.csr_matrix(counts)
    data = MultiViewData(dataset, made, y, LEAVES, blank.ids, ontology=tree)
    rows = run(context(CASES["Table 4"], data)).rows
    cells = {
        (row.method, row.at.get("scored")): row.value
        for row in rows
        if row.table == "4" and row.metric == MACRO and row.reading == "inferred"
    }
    for method in ("SUMSCORE", "Hier-SUMSCORE", "Hier-PRODSCORE"):
        assert cells[method, ALL_POINTS] == pytest.approx(100 * (80 - 16) / 80), method
        assert cells[method, UNLABELLED] == pytest.approx(100 * (64 - 16) / 64), method


def test_a_relative_gain_of_table_4_by_hand():
    """Two runs: the means are 55 and 44, so the tree gains a quarter; the others gain nothing."""
    macro = {"Hier-SUMSCORE": (50.0, 60.0), "SUMSCORE": (40.0, 48.0)}
    rows = []
    for method, metric, run in itertools.product(RANKED, (MACRO, MICRO), (0, 1)):
        value = macro.get(method, (30.0, 32.0))[run]
        for scored in (ALL_POINTS, UNLABELLED):
            rows.append(Row("4", {"train": 5.0, "scored": scored}, method, metric, value, run=run))
    gains = {
        (row.method, row.at.get("scored")): row.value
        for row in table4._derived(rows)
        if row.metric == "relative_gain_pct"
    }
    assert gains["Hier-SUMSCORE", ALL_POINTS] == pytest.approx(25.0)
    assert gains["Hier-PRODSCORE", UNLABELLED] == pytest.approx(0.0)


def test_controls_know_the_labelled_points_alone(rng):
    y = rng.integers(3, size=60)
    known = rng.random(60) < 0.3
    known[:3] = True
    y[:3] = [0, 1, 2]
    # all hidden points in one class: whoever counts them guesses that class
    for poison in range(3):
        poisoned = np.where(known, y, poison)
        for name, guess in protocol.controls(y, known, ("x",)).items():
            other = protocol.controls(poisoned, known, ("x",))[name]
            np.testing.assert_array_equal(guess[~known], other[~known])


def test_agreement_of_the_unlabelled_points_by_hand():
    one, two = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0])
    known = np.array([True, False, False, False])
    assert protocol.agreement(one, two, known) == {
        ALL_POINTS: 0.5,
        UNLABELLED: pytest.approx(1 / 3),
    }


@pytest.mark.parametrize("name", ["cora", "amazon_tree"])
def test_words_of_the_trees_are_weighted_and_the_others_are_not(rng, name):
    views = {"cora": CASES["Table 2"][2], "amazon_tree": ("title", "text")}[name]
    data = make(rng, name, views, TREE if name == "amazon_tree" else None)
    for X, key in zip(protocol.paper_matrices(data), protocol.VIEWS[name], strict=True):
        dense = data.views[key].toarray()
        df = (dense > 0).sum(axis=0)
        idf = np.where(df > 0, np.log(len(dense) / np.maximum(df, 1)), 0.0)
        weight = idf if name == "amazon_tree" else np.ones(dense.shape[1])
        np.testing.assert_allclose(X.toarray(), dense * weight, rtol=1e-12)
