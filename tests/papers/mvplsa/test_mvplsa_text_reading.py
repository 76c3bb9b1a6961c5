"""Tables 3 to 5 as the text says: draws, links, messages, starts; and no label leaks."""

import numpy as np
import pytest
import scipy.sparse as sp
from leaks import Spy, same_answers

from reproduction.data.format import MultiViewData
from reproduction.papers.mvplsa import protocol, text_reading
from reproduction.papers.mvplsa.settings import PaperSettings
from reproduction.results.jobs import Context, find_job
from reproduction.results.published import load_published
from reproduction.results.settings import complete

SETTINGS = complete(
    PaperSettings,
    {
        "iterations": 5,
        "topics": {"webkb": 3, "news": 3},
        "cotraining": {"u": [10], "p": [1], "n": [1], "rounds": 2},
    },
    size="quick",
).model_copy(update={"rates": [0.2], "runs": 1})
N = 60


def made(key, names, rng, labels=None):
    y = np.arange(N) % 2 if labels is None else labels
    views = {}
    for name in names:
        profile = rng.dirichlet(np.full(15, 0.4), 2)
        words = [rng.multinomial(12, profile[c]) for c in np.arange(N) % 2]
        views[name] = sp.csr_matrix(words, dtype=float)
    return MultiViewData(key, views, y, ["a", "b"], [str(i) for i in range(N)])


def context(dataset, seed, labels=None, **changes):
    job = find_job("mvplsa", dataset, "text")
    names = ("v1", "v2", "v3", "v4") if dataset == "newsgv4" else ("content", "links", "cites")
    rng = np.random.default_rng(seed)
    views = {key: made(key, names, rng, labels) for key in job.view_keys}
    return Context(job, views, SETTINGS.model_copy(update=changes))


@pytest.mark.parametrize("dataset", ["cornell", "newsgv4"])
def test_every_printed_cell_has_its_row_under_this_reading(dataset, rng):
    rows = text_reading.run(context(dataset, int(rng.integers(1 << 30)))).rows
    assert {row.reading for row in rows} == {"text"}
    printed = load_published("mvplsa")
    printed = printed[printed["dataset"] == dataset]
    assert {(row.table, row.method) for row in rows} == set(
        printed[["table", "method"]].itertuples(index=False, name=None)
    )


@pytest.mark.parametrize("dataset", ["cornell", "newsgv4"])
def test_hidden_labels_move_nothing(dataset, rng, monkeypatch):
    seed = int(rng.integers(1 << 30))
    spy = Spy(monkeypatch, protocol, "accuracy")
    clean_context = context(dataset, seed)
    text_reading.run(clean_context)
    clean = spy.take()
    drawn = text_reading.text_draw(text_reading.text_task(clean_context), 0.2, 0)
    assert drawn.hidden.sum() == N - 12  # a fifth of all documents, whatever their class
    poisoned = np.where(drawn.hidden, 1 - clean_context.data.labels, clean_context.data.labels)
    text_reading.run(context(dataset, seed, poisoned))
    same_answers(clean, spy.take())


def test_pages_have_the_links_they_make_and_no_message_is_dropped(rng):
    web = context("cornell", 1)
    assert text_reading.text_task(web).Xs[1] is web.data.views["cites"]
    news = context("newsgv4", 1)
    whole = news.views["newsgv4.all_messages"]
    assert text_reading.text_task(news).Xs[0] is whole.views["v1"]


def test_a_draw_without_a_class_leaves_one_answer(rng):
    """One labelled document: every method gives its class to all others."""
    given = context("cornell", int(rng.integers(1 << 30)), rates=[1 / N])
    task = text_reading.text_task(given)
    drawn = text_reading.text_draw(task, 1 / N, 0)
    (only,) = drawn.labels[~drawn.hidden]
    expected = 100 * np.mean(task.y[drawn.hidden] == only)
    rows = text_reading.run(given).rows
    assert {row.table for row in rows} == {"3", "4"}
    assert [row.value for row in rows] == pytest.approx([expected] * len(rows))


def test_single_views_start_from_their_own_naive_bayes(rng, monkeypatch):
    starts = {}
    fit_rows = text_reading.fit_rows

    def spied(task, drawn, model, Xs, method, tables, start="naive_bayes"):
        starts[method] = start
        return fit_rows(task, drawn, model, Xs, method, tables, start)

    monkeypatch.setattr(text_reading, "fit_rows", spied)
    text_reading.run(context("cornell", int(rng.integers(1 << 30))))
    assert starts == {"DPLSA_V1": "naive_bayes", "DPLSA_V2": "naive_bayes"}
