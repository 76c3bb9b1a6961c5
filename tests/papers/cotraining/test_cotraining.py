"""The protocol of the co-training paper on tiny data."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from job_rows import made_up

from manyviews.baselines.cotraining import CoTraining
from manyviews.seeding import generator
from reproduction.papers.cotraining.paper import classifiers, cotrained, draw, errors, majority

SIZES = {"words": "presence", "held_out": 0.25, "positive": 3, "negative": 9}
seeded = partial(generator, "cotraining", "webkb_course")
LABELS = {"pool": 20, "label_negative": 3, "label_positive": 1, "smoothing": 1.0}


@pytest.fixture
def data(rng):
    return made_up(rng, "webkb_course", (np.arange(120) % 4 == 0).astype(int), page=8, link=8)


def drawn(data, **changed):
    return draw(data, 0, seeded, **{**SIZES, **changed})


def test_a_draw_holds_out_a_quarter_and_labels_twelve(data):
    part = drawn(data)
    assert part.truth.size == part.held_out[0].shape[0] == 30
    assert part.given.size == part.Xs[1].shape[0] == 90
    assert ((part.given == 1).sum(), (part.given == 0).sum()) == (3, 9)
    assert set(part.Xs[0].data) == {1.0}
    assert not set(drawn(data, words="as released").Xs[0].data) <= {0.0, 1.0}


def test_labels_given_are_true_and_seen_pages_are_not_tested(data):
    """Rows are marked by a word of their own, so that each can be traced."""
    marks = sp.identity(120, format="csr")
    data.views["page"] = data.views["link"] = marks
    part = drawn(data)
    seen, tested = (X[0].indices for X in (part.Xs, part.held_out))
    assert sorted([*seen, *tested]) == list(range(120))
    known = part.given >= 0
    assert (part.given[known] == data.labels[seen][known]).all()
    assert (part.truth == data.labels[tested]).all()
    # another class and another word of a page held out change nothing else, no share of a class
    data.labels[tested[0]] = 1 - data.labels[tested[0]]
    data.views["page"] = marks.copy()
    data.views["page"].indices[tested[0]] = seen[0]
    other = drawn(data)
    assert (other.given == part.given).all()
    assert other.course_share == part.course_share
    assert (
        (other.Xs[0] != part.Xs[0]).nnz == (other.held_out[0][1:] != part.held_out[0][1:]).nnz == 0
    )


def test_errors_are_counted_on_the_pages_held_out(data):
    part = drawn(data)
    right = np.eye(2)[part.truth]
    wrong = right.copy()
    wrong[:3] = 1 - wrong[:3]
    found = {at["classifier"]: v for at, v in errors(part, {"page": wrong, "links": right})}
    assert found == {"page": pytest.approx(10.0), "links": 0.0}
    guess = dict.fromkeys(("page", "links", "combined"), 100 * part.truth.mean())
    assert {at["classifier"]: v for at, v in errors(part, majority(part))} == pytest.approx(guess)


def test_both_classifiers_are_multiplied():
    page, links = np.array([[0.6, 0.4]]), np.array([[0.1, 0.9]])
    product = np.array([[0.06, 0.36]])
    assert classifiers(page, links)["combined"] == pytest.approx(product / product.sum())


@pytest.mark.parametrize("pool", [5, 20, 75])
def test_the_answer_after_every_round_is_that_of_a_fresh_run(data, pool):
    """The library's estimator is the oracle; few pages and many rounds let the pool run dry."""
    part, labels = drawn(data), {**LABELS, "pool": pool}
    recorded = list(cotrained(part, 0, seeded, **labels))
    assert len(recorded) > 3
    for rounds, answer in enumerate(recorded, start=1):
        model = CoTraining((3, 1), pool_size=pool, max_iter=rounds, random_state=seeded(0, "pool"))
        page, links = model.fit(part.Xs, part.given).view_posteriors(part.held_out)
        assert np.array_equal(answer["page"], page)
        assert np.array_equal(answer["links"], links)
    assert model.set_params(max_iter=rounds + 1).fit(part.Xs, part.given).n_iter_ == rounds
