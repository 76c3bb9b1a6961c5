"""No label of an unlabelled document reaches a method, and those documents alone are scored."""

import numpy as np
import pytest
import scipy.sparse as sp
from leaks import Draws, Spy, same_answers

from reproduction.data.format import MultiViewData
from reproduction.papers.mvplsa import baselines, protocol, tables
from reproduction.papers.mvplsa.parts import Part
from reproduction.papers.mvplsa.settings import PaperSettings, TableRuns
from reproduction.results.jobs import Context, find_job
from reproduction.results.settings import complete

#: One draw alone: then one mask says who is hidden.
SETTINGS = complete(
    PaperSettings,
    {
        "iterations": 5,
        "topics": {"webkb": 3, "news": 3},
        "cotraining": {"u": [10], "p": [1, 2], "n": [1], "rounds": 3},
    },
    size="quick",
).model_copy(update={"rates": [0.2], "runs": TableRuns.model_construct(webkb=1, news=1)})
#: Table, reading and role of the cells that Table 4 prints.
FOUR = ("4", "inferred", "published")
RUNS = {
    "both": tables.run,
    "MVPLSA": lambda context: tables.compute(context, Part(("mvplsa",))),
    "DPLSA": lambda context: tables.compute(context, Part(("dplsa",))),
    "DPLSA on views": lambda context: tables.compute(context, Part(("dplsa_v1_v2",))),
    "baselines": lambda context: tables.compute(context, Part(("naive_bayes", "cotraining"))),
}


@pytest.fixture
def data(rng):
    y = np.arange(60) % 2
    views = {}
    for name in ("content", "links"):
        profile = rng.dirichlet(np.full(15, 0.4), 2)
        views[name] = sp.csr_matrix([rng.multinomial(12, profile[c]) for c in y], dtype=float)
    return MultiViewData("cornell", views, y, ["a", "b"], [str(i) for i in range(60)])


def context(data, labels=None):
    given = data if labels is None else MultiViewData(
        data.name, data.views, labels, data.class_names, data.ids
    )  # fmt: skip
    return Context(find_job("mvplsa", "cornell", "tables"), {"cornell": given}, SETTINGS)


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_hidden_labels_move_nothing(data, monkeypatch, run):
    spy, drawn = Spy(monkeypatch, protocol, "accuracy"), Draws(monkeypatch, protocol)
    run(context(data))
    clean = spy.take()
    known = drawn.masks[0]
    assert all(np.array_equal(mask, known) for mask in drawn.masks)
    drawn.replay()
    run(context(data, np.where(known, data.labels, 1 - data.labels)))
    same_answers(clean, spy.take())


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_the_hidden_documents_are_scored_or_all_where_the_reading_says_so(data, monkeypatch, run):
    spy, drawn = Spy(monkeypatch, protocol, "accuracy"), Draws(monkeypatch, protocol)
    rows = run(context(data)).rows
    hidden = ~drawn.masks[0]
    sizes = {60: 0, int(hidden.sum()): 0}
    for truth, _ in spy.take():
        expected = data.labels if truth.size == 60 else data.labels[hidden]
        np.testing.assert_array_equal(truth, expected)
        sizes[truth.size] += 1
    everyone = sum(row.reading == protocol.ALL_SCORED for row in rows)
    assert sizes[60] == everyone > 0
    assert sizes[int(hidden.sum())] > 0


def test_a_cell_of_table_3_by_hand(data):
    """Naive Bayes with add-one smoothing on one view, counted in plain numpy."""
    task = protocol.task_of(context(data))
    drawn = protocol.draw(task, 0.2, 0)
    assert (drawn.labels >= 0).sum() == 12  # a fifth of thirty documents of either class
    X = data.views["content"].toarray()
    score = np.zeros((60, 2))
    for c in (0, 1):
        words = X[drawn.labels == c].sum(axis=0) + 1.0
        score[:, c] = X @ np.log(words / words.sum()) + np.log((drawn.labels == c).sum())
    hidden = drawn.labels < 0
    by_hand = 100 * np.mean(score.argmax(axis=1)[hidden] == data.labels[hidden])
    rows = baselines.naive_bayes_rows(task, drawn)
    cell = next(r for r in rows if r.method == "NBC_V1" and r.reading == "inferred")
    assert cell.value == pytest.approx(by_hand)


def test_a_cell_of_table_4_by_hand(rng):
    """Two classes with no word in common; three hidden documents carry the other class's words.

    Whoever goes by the words is wrong about these three and right about all others: the cell is
    known before anything is fitted, for MVPLSA, DPLSA and DPLSA on either view.
    """
    y = np.arange(60) % 2
    probe = MultiViewData("cornell", {n: np.eye(60) for n in ("content", "links")}, y, ["a", "b"],
                          [str(i) for i in range(60)])  # fmt: skip
    hidden = protocol.draw(protocol.task_of(context(probe)), 0.2, 0).hidden
    odd = rng.choice(np.flatnonzero(hidden), 3, replace=False)
    words = y.copy()
    words[odd] = 1 - y[odd]
    views = {}
    for name in ("content", "links"):
        counts = np.zeros((60, 12))
        for i, c in enumerate(words):
            counts[i, 6 * c : 6 * c + 6] = rng.integers(1, 6, size=6)
        views[name] = sp.csr_matrix(counts)
    made = MultiViewData("cornell", views, y, ["a", "b"], [str(i) for i in range(60)])
    by_hand = 100 * (hidden.sum() - 3) / hidden.sum()
    rows = tables.run(context(made)).rows
    printed = (row for row in rows if (row.table, row.reading, row.role) == FOUR)
    cells = {row.method: row.value for row in printed}
    assert set(cells) == {"MVPLSA", "DPLSA", "DPLSA_V1", "DPLSA_V2"}
    for method, value in cells.items():
        assert value == pytest.approx(by_hand), method


def test_controls_know_the_labelled_documents_alone(data):
    task = protocol.task_of(context(data))
    drawn = protocol.draw(task, 0.2, 0)
    # all hidden documents in one class: whoever counts them guesses that class
    for poison in range(task.n_classes):
        y = np.where(drawn.hidden, poison, task.y)
        other = protocol.Task(task.name, task.Xs, y, task.is_webkb, task.settings)
        for name, guess in baselines.controls(task, drawn).items():
            np.testing.assert_array_equal(guess, baselines.controls(other, drawn)[name])


def test_the_paper_reports_the_best_search_and_the_honest_readings_need_no_label(data, monkeypatch):
    """Scores and agreement are made up: every reading must take the setting that its rule names."""
    scores = {(10, 1, 1): (70.0, 0.5), (10, 2, 1): (90.0, 0.1), (75, 1, 3): (80.0, 0.9)}

    def cotrain(task, drawn, chosen):
        value, agreement = scores[tuple(chosen)]
        names = ("CoTr_V1", "CoTr_V2", "CoTr_E")
        return baselines.CoTrained(dict.fromkeys(names, value), agreement, 0.1, 3)

    monkeypatch.setattr(baselines, "_cotrain", cotrain)
    given = context(data)
    rows, _ = baselines.search_rows(given, protocol.task_of(given))
    assert {row.reading: row.value for row in rows} == {
        "inferred": 90.0,
        baselines.HONEST: 80.0,
        baselines.AGREEMENT: 80.0,
    }
