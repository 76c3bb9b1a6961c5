"""Table 2 as the text says: draws over all classes, the views it names, COTRAIN by angles."""

import numpy as np
import pytest
import scipy.sparse as sp
from leaks import Spy, same_answers

from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier import protocol, text_reading
from reproduction.papers.multiview_hier.choices import uniform_draw
from reproduction.papers.multiview_hier.methods import FLAT_NAMES
from reproduction.papers.multiview_hier.settings import PaperSettings, Partitions
from reproduction.results.jobs import Context, find_job
from reproduction.results.settings import complete

ONCE = Partitions.model_construct(**dict.fromkeys(Partitions.model_fields, 1))
SETTINGS = complete(PaperSettings, {"max_iter": 4}, size="quick").model_copy(
    update={"train": [20.0], "partitions": ONCE}
)
VIEWS = {"cora": ("content", "cited"), "leaves": ("margin", "shape", "texture")}
SIZE = 80


def context(dataset, seed, labels=None):
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(4), SIZE // 4)
    views = {}
    for view in VIEWS[dataset]:
        centres = rng.random((4, 15)) ** 4
        views[view] = sp.csr_matrix(rng.poisson(5 * centres[truth]).astype(float))
    y = truth if labels is None else labels
    data = MultiViewData(dataset, views, y, list("abcd"), [str(i) for i in range(SIZE)])
    return Context(find_job("multiview_hier", dataset, "text"), {dataset: data}, SETTINGS)


@pytest.mark.parametrize("dataset", VIEWS)
def test_every_method_is_scored_both_ways_under_this_reading(dataset, rng):
    rows = text_reading.run(context(dataset, int(rng.integers(1 << 30)))).rows
    assert {(row.table, row.reading) for row in rows} == {("2", "text")}
    for scored in ("", "unlabelled"):
        here = [row for row in rows if row.at["scored"] == scored]
        assert {row.method for row in here} == {*FLAT_NAMES, "V1 vs V2"}
        assert len(here) == 2 * len(FLAT_NAMES) + 1


@pytest.mark.parametrize("dataset", VIEWS)
def test_hidden_labels_move_nothing(dataset, rng, monkeypatch):
    seed = int(rng.integers(1 << 30))
    spy = Spy(monkeypatch, protocol, "macro_f1")
    clean_context = context(dataset, seed)
    text_reading.run(clean_context)
    clean = spy.take()
    truth = clean_context.data.labels
    known = uniform_draw(dataset, 20.0, 0, truth)
    # hidden points swap classes in pairs within what is hidden, so the draw stays as it was
    poisoned = truth.copy()
    poisoned[np.flatnonzero(~known)] = np.roll(truth[~known], 1)
    text_reading.run(context(dataset, seed, poisoned))
    same_answers(clean, spy.take())


def test_draws_do_not_look_at_classes(rng):
    y = rng.integers(0, 4, 400)
    y[:4] = np.arange(4)
    shares = []
    for run in range(20):
        known = uniform_draw("cora", 25.0, run, y)
        assert 100 <= known.sum() <= 103  # a class without a point is given one
        shares.append(np.bincount(y[known], minlength=4))
    assert np.std(np.array(shares), axis=0).max() > 0


def test_leaves_are_shape_and_texture(rng, monkeypatch):
    seen = []
    given = context("leaves", int(rng.integers(1 << 30)))
    of = protocol.Prepared.of

    def spied(Xs):
        seen.extend(Xs)
        return of(Xs)

    monkeypatch.setattr(text_reading.Prepared, "of", spied)
    text_reading.run(given)
    views = given.data.views
    assert [X is views[name] for X, name in zip(seen, ("shape", "texture"), strict=True)] == [
        True, True,
    ]  # fmt: skip


def test_cotrain_takes_the_class_with_the_smallest_sum_of_angles(rng):
    """The same by plain loops: means of the rows on which both views agree, then two angles."""
    given = context("cora", int(rng.integers(1 << 30)))
    dense = [X.toarray() for X in given.data.Xs(*VIEWS["cora"])]
    known = uniform_draw("cora", 20.0, 0, given.data.labels)
    told = np.where(known, given.data.labels, -1)
    prepared = protocol.Prepared.of(given.data.Xs(*VIEWS["cora"]))
    fits = protocol.fit_flat(prepared, told, 6, ("COTRAIN",), cotrain_order="alternating")
    found = text_reading.smallest_angles(fits["COTRAIN"], prepared, told)
    by_view = fits["COTRAIN"].model.label_sets_.argmax(axis=2)
    for row in range(SIZE):
        if known[row]:
            assert found[row] == told[row]
            continue
        sums = []
        for c in range(4):
            agreed = (by_view == c).all(axis=1)
            total = 0.0
            for X in dense:
                units = X / np.maximum(np.linalg.norm(X, axis=1), 1e-300)[:, None]
                mean = units[agreed].sum(axis=0)
                mean = mean / max(np.linalg.norm(mean), 1e-300)
                total += np.arccos(np.clip(units[row] @ mean, -1, 1))
            sums.append(total)
        assert sums[found[row]] == pytest.approx(min(sums), abs=1e-9)
