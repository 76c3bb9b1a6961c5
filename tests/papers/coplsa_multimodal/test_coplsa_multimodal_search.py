"""The declared search for l2: starts are sound, one reading is an ordinary short run."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from reproduction.papers.coplsa_multimodal import PAPER, search, training
from reproduction.papers.coplsa_multimodal.columns import L2, LINK
from reproduction.papers.coplsa_multimodal.protocol import Split
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.papers.coplsa_multimodal.trajectory import rankings_after, trace_coupled
from reproduction.results.published import load_published
from reproduction.results.settings import complete

SETTINGS = complete(
    PaperSettings,
    {"topics": {"wikipedia_pairs": 5}, "trajectory": {"short_sweeps": 3}},
    size="quick",
)


@pytest.fixture
def split(rng):
    y = np.arange(48) % 3
    parts = []
    for width in (20, 14):
        X = rng.dirichlet(np.full(width, 0.3), 3)[y] + 0.1 * rng.dirichlet(np.ones(width), 48)
        parts.append(sparse.csr_matrix(X / X.sum(axis=1, keepdims=True)))
    train, test = np.arange(36), np.arange(36, 48)
    return Split(
        "wikipedia_pairs", [X[train] for X in parts], [X[test] for X in parts], y[train], y[test],
        {}, list("abc"), [str(i) for i in test],
    )  # fmt: skip


@pytest.mark.parametrize(
    "kind", [search.SHARED, search.APART, search.FLAT, search.WORDS, search.LINKED]
)
def test_starts_are_distributions_and_differ_as_they_say(split, kind):
    hs, ws = search.begin(split, SETTINGS, 0, kind)
    for array in (*hs, *ws):
        np.testing.assert_allclose(array.sum(axis=1), 1.0)
        assert (array >= 0).all()
    assert np.array_equal(hs[0], hs[1]) == (kind != search.APART)
    if kind == search.FLAT:
        assert np.ptp(hs[0]) < 0.2


def test_the_plain_reading_is_the_short_run_of_its_lambda(split):
    tried = search.Tried(100.0)
    ((name, rows),) = search.fit_rows(split, SETTINGS, 0, tried).items()
    assert name == "lambda 100, 3 sweeps, one start for both modalities"
    model = trace_coupled(split, SETTINGS, 0, {3}, "l2", 100.0)[3]
    expected = rankings_after(model, split, SETTINGS, SETTINGS.trajectory.short_steps)
    for row in rows:
        place = vars(row)["at"]
        ranking = expected[place["space"], place["direction"]]
        assert row.value == pytest.approx(float(ranking.average_precision("full").mean()))
        assert (row.table, row.method, row.role) == ("search:1", L2, "ours")


def test_labels_of_test_pairs_move_no_ranking(split, rng):
    """Sentinel: they score a model and never train it."""
    tried = search.Tried(100.0, search.APART)
    before = search.begin(split, SETTINGS, 0, tried.begin)
    model = trace_coupled(split, SETTINGS, 0, {3}, "l2", 100.0)[3].topic_word_
    split.test_labels = rng.permutation(split.test_labels)
    after = search.begin(split, SETTINGS, 0, tried.begin)
    for one, two in zip(before[0], after[0], strict=True):
        np.testing.assert_array_equal(one, two)
    again = trace_coupled(split, SETTINGS, 0, {3}, "l2", 100.0)[3].topic_word_
    for one, two in zip(model, again, strict=True):
        np.testing.assert_array_equal(one, two)


def test_names_of_readings_differ():
    names = [fit.name(n) for fit in search.FITS for n in (fit.sweeps or (12,))]
    assert len(set(names)) == len(names) >= 12


def test_the_table_under_short_runs_counts_cells_by_hand():
    printed = load_published(PAPER)
    printed = printed[(printed["dataset"] == "wikipedia_pairs") & (printed["method"] != "SCM")]
    records = []
    for cell in printed.to_dict("records"):
        off = {"inferred": 0.1, "short run": 0.0 if cell["method"] == LINK else 0.04}
        for reading, shift in {**off, "short run, fitted": 0.02}.items():
            records += [
                {**cell, "role": "published", "reading": reading, "run": run,
                 "value": cell["mean"] + shift + (0.01 if run else -0.01)}
                for run in range(2)
            ]  # fmt: skip
    rows = pd.DataFrame(records)
    table = training.short_run_table(rows)
    assert len(table) == 16
    told = training.short_run_sentence(rows, table)
    assert "means of 2 starts" in told
    assert "full length: 0 of 16 cells (RMS 0.100)" in told
    assert "lambda by validation: 4 of 16 cells (RMS 0.035)" in told
    assert "lambda by fit: 16 of 16 cells (RMS 0.020)" in told
