"""Sentences of mvplsa on tables whose truth is known."""

import numpy as np
import pandas as pd
import pytest
from sentences import LEVEL, MIRRORED, around_print, in_print, words

from reproduction.papers.mvplsa import claims
from reproduction.rooms import find_paper
from reproduction.verdicts.claim_file import load_claims_file

PAPER = "mvplsa"
DATASETS = find_paper(PAPER).datasets
READING = {"reading": "inferred"}
#: Sentences that one method is above others.
DIRECTED = {
    "best", "newsgv4_gain", "beats_dplsa", "significant", "relaxation_helps", "split_views",
}  # fmt: skip


def test_draws_around_print_say_what_print_says(rng):
    stated = in_print(PAPER)
    assert set(stated.values()) == {"holds"}
    assert words(PAPER, around_print(PAPER, rng), only=stated) == stated


def test_sides_are_not_exchanged(rng):
    mirrored = words(PAPER, around_print(PAPER, rng, MIRRORED), only=DIRECTED | {"more_labels"})
    assert set(mirrored.values()) == {"refuted"}
    level = around_print(PAPER, rng, LEVEL)
    assert set(words(PAPER, level, only=DIRECTED).values()) == {"no practical difference"}
    equal = words(PAPER, level, only=("links_cornell", "links_add_nothing"))
    assert set(equal.values()) == {"holds"}


def test_deviations_are_not_exchanged(rng):
    rows = around_print(PAPER, rng, runs=60)
    turned = rows.replace(
        {
            "method": {"DPLSA": "MVPLSA", "MVPLSA": "DPLSA"},
            "rate": {0.01: 0.05, 0.02: 0.04, 0.04: 0.02, 0.05: 0.01},
        }
    )
    for made, word in ((rows, "holds"), (turned, "refuted")):
        said = words(PAPER, made, only=("more_labels_steadier", "steadier_than_dplsa"))
        assert set(said.values()) == {word}


def test_the_sentence_names_its_test(rng):
    """A plain t-test, two-sided: the same t as that of the mean over data sets."""
    rows = around_print(PAPER, rng)
    part = claims.significantly_better(rows, {"tables": ["4"], **READING}).parts["DPLSA"]
    wide = rows[rows["table"] == "4"].pivot_table("value", ["dataset", "run"], "method")
    gap = (wide["MVPLSA"] - wide["DPLSA"]).groupby("dataset")
    error = np.sqrt((gap.var() / gap.size()).sum()) / len(DATASETS)
    assert part.test == "t-test"
    assert part.effect == pytest.approx(gap.mean().mean())
    half = (part.high - part.low) / 2
    assert 1.96 * error < half < 4.4 * error
    assert part.effect - part.low == pytest.approx(half)  # no correction for skewness


def test_methods_the_paper_does_not_have_change_nothing(rng):
    rows = around_print(PAPER, rng)
    # better than all, and worse with every label: no claim would survive it
    new = rows[rows["method"] == "MVPLSA"].assign(method="new", value=99.0 - 100 * rows["rate"])
    added = [new.assign(role=role) for role in ("control", "ours", "modern")]
    assert words(PAPER, pd.concat([rows, *added])) == words(PAPER, rows)


def curve(book, values, noise=0.05):
    for count, mean in values.items():
        at = {"rate": 0.05, "topics": count}
        book.add("cornell", "fig3", at, "MVPLSA", mean, noise=noise)
    return book.frame()


def test_topics(new_book):
    def word(check, values, **params):
        return getattr(claims, check)(curve(new_book(), values), {**params, **READING}).word

    grid = {"grid": {"cornell": [2, 4, 12]}}
    peaked, flat = {2: 92.0, 4: 93.0, 12: 95.0}, {2: 95.0, 4: 95.0, 12: 95.0}
    assert word("flat_in_topics", flat, **grid) == "holds"
    assert word("flat_in_topics", peaked, **grid) == "refuted"
    # what is not in the paper's grid has no vote
    assert word("flat_in_topics", peaked, grid={"cornell": [2, 4]}) == "holds"
    assert word("best_topics", peaked, best={"cornell": 12}) == "holds"
    assert word("best_topics", peaked, best={"cornell": 2}) == "refuted"
    assert word("best_topics", flat, best={"cornell": 12}) == "no practical difference"
    assert word("best_topics", flat, best={"newsgv2": 4}) == "untestable"


@pytest.mark.parametrize(
    ("ours", "best", "not_best"), [(90.0, "holds", "refuted"), (65.0, "refuted", "holds")]
)
def test_clustering(ours, best, not_best, new_book):
    book = new_book()
    for method, mean in (("MVPLSA", ours), ("MVC", 60.0), ("Kmeans_Best", 70.0)):
        for metric in claims.MEASURES:
            book.add("newsgv2", "fig2", {}, method, mean, metric=metric, noise=0.1)
    rows = book.frame()
    assert claims.clusters_best(rows, {"datasets": ["newsgv2"], **READING}).word == best
    assert claims.clusters_not_best(rows, {"dataset": "newsgv2", **READING}).word == not_best


def test_without_rows_nothing_is_claimed(rng):
    rows = around_print(PAPER, rng)
    assert words(PAPER, rows[np.zeros(len(rows), bool)]) == {}


def test_every_published_sentence_is_about_these_data():
    claimed = load_claims_file(PAPER)
    assert {c.about for c in claimed} == {"these data"}
