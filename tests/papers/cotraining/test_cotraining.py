"""The protocol of the co-training paper on tiny data."""

import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data.format import MultiViewData
from reproduction.papers.cotraining import choices, tables
from reproduction.papers.cotraining.protocol import draw, errors, words_of
from reproduction.papers.cotraining.rivals import compare
from reproduction.papers.cotraining.settings import PaperSettings
from reproduction.results.jobs import Context, jobs_of
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames
from reproduction.rooms import tables_of

SETTINGS = PaperSettings(draws=3, choice_draws=2, rounds=4, pool=20)


@pytest.fixture
def data(rng):
    """Two views in which the classes use other words."""
    labels = (np.arange(120) % 4 == 0).astype(np.int64)
    views = {}
    for name in ("page", "link"):
        shares = np.where(labels[:, None] == 1, [0.9] * 4 + [0.1] * 4, [0.1] * 4 + [0.9] * 4)
        views[name] = sp.csr_matrix((rng.random((120, 8)) < shares) * rng.random((120, 8)))
    ids = [str(i) for i in range(120)]
    return MultiViewData("webkb_course", views, labels, ["non-course", "course"], ids)


def context(data, job="table2"):
    found = next(j for j in jobs_of("cotraining") if j.name == job)
    return Context(found, {"webkb_course": data}, SETTINGS)


def test_a_draw_holds_out_a_quarter_and_labels_twelve(data):
    part = draw(words_of(data), data.labels, SETTINGS, 0)
    assert part.test.sum() == 30
    assert (part.given == 1).sum() == 3
    assert (part.given == 0).sum() == 9
    assert (part.given[part.test] == -1).all()
    known = part.given >= 0
    assert (part.given[known] == data.labels[known]).all()
    again = draw(words_of(data), data.labels, SETTINGS, 0)
    assert (again.given == part.given).all()
    assert (draw(words_of(data), data.labels, SETTINGS, 1).test != part.test).any()


def test_too_few_pages_are_named(data):
    settings = PaperSettings(positive=90)
    with pytest.raises(ValueError, match="90 labelled pages of class 1"):
        draw(words_of(data), data.labels, settings, 0)


def test_unlabelled_labels_reach_no_method(data):
    """Poison the labels that a method must not see: its answers stay the same."""
    part = draw(words_of(data), data.labels, SETTINGS, 0)
    poisoned = np.where(part.given >= 0, data.labels, 1 - data.labels)
    from reproduction.papers.cotraining.protocol import cotrained, supervised

    other = type(part)(part.Xs, poisoned, part.given, part.test, part.number)
    for fit in (lambda p: supervised(p, 1.0), lambda p: cotrained(p, SETTINGS)):
        for one, two in zip(fit(part), fit(other), strict=True):
            assert np.array_equal(one, two)


def test_errors_are_counted_on_the_pages_held_out(data):
    part = draw(words_of(data), data.labels, SETTINGS, 0)
    truth = data.labels[part.test]
    right = np.eye(2)[truth]
    wrong = right.copy()
    wrong[:3] = 1 - wrong[:3]
    found = {row.at["classifier"]: row.value for row in errors(part, [wrong, right], "2", "m")}
    assert found["page"] == pytest.approx(10.0)
    assert found["links"] == 0.0


def test_the_jobs_yield_sound_rows(data):
    for job, run in (("table2", tables.run), ("choices", choices.run)):
        made = run(context(data, job)).rows
        frame, _ = result_frames(
            "cotraining",
            "webkb_course",
            made,
            tables_of("cotraining"),
            printed_methods("cotraining"),
        )
        assert frame["value"].between(0, 100).all()
        if job == "table2":
            assert set(frame["role"]) == {"published", "control"}


def test_a_rival_sees_no_more_than_the_papers_methods(data):
    seen = []

    def predict(Xs, y, Xs_new, seed):
        seen.append((y, seed))
        assert Xs[0].shape[0] == y.size == 90
        assert Xs_new[0].shape[0] == 30
        return np.tile([0.9, 0.1], (30, 1))

    rows = compare(context(data), "always other", predict).rows
    assert [row.role for row in rows] == ["ours"] * 3
    assert all((y >= 0).sum() == 12 for y, _ in seen)
    assert len({seed for _, seed in seen}) == 3
    part = draw(words_of(data), data.labels, SETTINGS, 0)
    assert rows[0].value == pytest.approx(100 * data.labels[part.test].mean())
