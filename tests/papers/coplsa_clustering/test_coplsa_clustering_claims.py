"""Sentences of the clustering paper on tables whose truth is known."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sentences import LEVEL, MIRRORED, around_print, in_print, words

from reproduction.papers.coplsa_clustering import claims
from reproduction.papers.coplsa_clustering.settings import PAPER, PLACEBO, STRONG, THREE, TWO
from reproduction.results.rows import Row
from reproduction.verdicts.claim_file import load_claims_file

LAMBDAS = {"lambda": {"reuters": 0.07}, "reading": "inferred"}
#: What print cannot say: the paper has no shuffled partner.
OWN = {"second_view_informs", "second_view_informs_strong"}


def test_draws_around_print_say_what_print_says(rng):
    found = words(PAPER, around_print(PAPER, rng))
    stated = in_print(PAPER)
    assert set(stated.values()) == {"holds"}
    assert {name: word for name, word in found.items() if name not in OWN} == stated


def test_sides_are_not_exchanged(rng):
    mirrored = words(PAPER, around_print(PAPER, rng, MIRRORED))
    # a third view of NUS-Wide that takes .7 away is no difference that matters
    assert mirrored.pop("third_view_nus") == "no practical difference"
    assert set(mirrored.values()) == {"refuted"}
    level = words(PAPER, around_print(PAPER, rng, LEVEL))
    level.pop("third_view_corel")
    assert set(level.values()) == {"no practical difference"}


def test_a_third_view_that_changes_nothing_improves_nothing(rng):
    rows = around_print(PAPER, rng)
    same = rows[rows["method"] == TWO].assign(method=THREE)
    rows = pd.concat([rows[rows["method"] != THREE], same])
    found = words(PAPER, rows, only=("third_view_corel", "third_view_reuters"))
    assert found["third_view_corel"] == "holds"
    assert found["third_view_reuters"] == "no practical difference"


def test_methods_that_the_paper_does_not_have_do_not_vote(rng):
    rows = around_print(PAPER, rng)
    stronger = [
        rows[rows["method"] == TWO].assign(method="stronger", role=role, value=60.0)
        for role in ("ours", "modern", "control")
    ]
    assert words(PAPER, pd.concat([rows, *stronger])) == words(PAPER, rows)


@pytest.fixture
def table(as_rows, rng):
    """Return a function that makes runs of Reuters around means; runs share their starts."""
    starts = rng.normal(0, 0.5, 20)

    def make(*means):
        return as_rows(
            {
                "reuters": [
                    replace(row, value=row.value + start + 0.01 * rng.normal(), run=run)
                    for row in means
                    for run, start in enumerate(starts)
                ]
            }
        )

    return make


@pytest.mark.parametrize(("placebo", "word"), [(40.0, "holds"), (48.0, "refuted")])
def test_information_must_beat_the_placebo_too(table, placebo, word):
    metric = "accuracy_pct"
    rows = table(
        Row("1", {}, "PLSA + BOVF", metric, 40.0),
        Row("1", {}, TWO, metric, 45.0),
        Row("1", {}, PLACEBO, metric, placebo, role="control"),
    )
    params = {"datasets": ["reuters"], "metric": metric, "reading": "inferred"}
    assert claims.gain_is_information(rows, params).word == word
    strong = {**params, "reading": STRONG}
    assert claims.gain_is_information(rows, strong).word == "untestable"


def test_best_view_is_that_of_the_accuracy(table):
    rows = table(
        *(
            Row("choice:best_view", {"rule": rule, "view": view}, "K-means", "score", value)
            for rule, values in {"accuracy": (30.0, 25.0), "silhouette": (10.0, 40.0)}.items()
            for view, value in zip(("SP", "EN"), values, strict=True)
        )
    )
    for views, word in ((["SP", "EN"], "holds"), (["EN", "SP"], "refuted")):
        params = {"views": {"reuters": views}, "reading": "inferred"}
        assert claims.best_view(rows, params).word == word


@pytest.fixture
def curve(table):
    def make(values, scale="raw"):
        return table(
            *(
                Row("fig2", {"lambda_": lam, "scale": scale}, TWO, "accuracy_pct", mean)
                for lam, mean in values.items()
            )
        )

    return make


def test_stable_range_looks_near_the_papers_lambda_only(curve):
    params = {**LAMBDAS, "factor": 10}
    flat = curve({0.007: 40.0, 0.07: 40.5, 0.7: 40.2, 70.0: 10.0})
    assert claims.stable_range(flat, params).word == "holds"
    other_scale = curve({0.007: 10.0, 0.07: 90.0}, scale="l1")
    assert claims.stable_range(pd.concat([flat, other_scale]), params).word == "holds"
    steep = curve({0.007: 40.0, 0.07: 46.0, 0.7: 40.2})
    assert claims.stable_range(steep, params).word == "refuted"


@pytest.mark.parametrize(
    ("means", "word"),
    [
        ((40, 45, 46, 47, 41), "holds"),  # neighbours on the grid are no rivals
        ((40, 45, 46, 45, 49), "refuted"),
        ((37, 37, 37, 37, 37), "no practical difference"),
    ],
)
def test_best_lambda(means, word, curve):
    grid = (0.0007, 0.007, 0.07, 0.7, 7.0)
    rows = curve(dict(zip(grid, map(float, means), strict=True)))
    assert claims.best_lambda(rows, LAMBDAS).word == word


def test_cost_bound(as_rows):
    def word(work):
        at = {"sweep": "pairs", "share": 0.01}
        values = (("work", work), ("bound", 100.0))
        rows = as_rows({"corel5k": [Row("extra:cost", at, TWO, *value) for value in values]})
        return claims.cost_is_bounded(rows, {"dataset": "corel5k", "reading": "inferred"}).word

    # a bound of which 8 % is used is met by anything
    assert (word(80.0), word(200.0), word(8.0)) == ("holds", "refuted", "untestable")


def test_without_rows_nothing_is_claimed(rng):
    rows = around_print(PAPER, rng)
    assert words(PAPER, rows[np.zeros(len(rows), bool)]) == {}


def test_what_the_paper_does_not_say_is_ours():
    ours = {c.id for c in load_claims_file(PAPER) if c.origin == "ours"}
    assert ours == {"best_three_nmi", *OWN}
