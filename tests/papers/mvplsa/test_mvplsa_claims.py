"""Every check of mvplsa says holds on rows that agree and fails on rows that do not."""

import numpy as np
import pandas as pd
import pytest

from reproduction.papers.mvplsa import claims
from reproduction.rooms import find_paper

RATES = (0.01, 0.03, 0.05)
DATASETS = find_paper("mvplsa").datasets


@pytest.fixture
def tables(new_book):
    """Tables 3 and 4 as the paper would like them, or not."""

    def make(ours=75.0, slope=1.0, noise=0.2):
        book = new_book()
        for dataset in DATASETS:
            for k, rate in enumerate(RATES):
                means = {
                    "3": {"MVPLSA": ours + 0.5 * slope * k, "NBC_V1": 60 + slope * k,
                          "CoTr_V2": 60.3 + slope * k, "NBC_V2": 60.0 + slope * k},
                    "4": {"MVPLSA": ours + 0.5 * slope * k, "DPLSA": 73.0, "DPLSA_V1": 74.5},
                }  # fmt: skip
                for table, methods in means.items():
                    for method, mean in methods.items():
                        book.add(dataset, table, {"rate": rate}, method, mean, noise=noise)
        return book.frame()

    return make


@pytest.mark.parametrize(
    ("check", "params"),
    [
        ("best", {"table": "3"}),
        ("significant", {"tables": ["3"]}),
        ("beats", {"table": "4", "others": ["DPLSA"]}),
        ("rises_with_labels", {}),
        ("few_labels_suffice", {"margin": 3.0}),
        (
            "equal_methods",
            {"table": "3", "datasets": ["cornell"], "methods": ["CoTr_V2", "NBC_V2"], "margin": 3},
        ),
    ],
)
def test_table_claims(check, params, tables):
    function = getattr(claims, check)
    assert function(tables(), params).verdict == "holds"
    if check == "equal_methods":
        params = dict(params, methods=["MVPLSA", "NBC_V2"])
        assert function(tables(), params).verdict == "fails"
    elif check == "few_labels_suffice":
        assert function(tables(slope=9.0), params).verdict == "fails"
    elif check == "rises_with_labels":
        assert function(tables(slope=-2.0), params).verdict == "fails"
    else:
        assert function(tables(ours=50.0), params).verdict == "fails"


@pytest.mark.parametrize("role", ["control", "ours", "modern"])
def test_methods_the_paper_does_not_have_change_nothing(role, tables, new_book):
    rows = tables()
    book = new_book()
    for dataset in DATASETS:
        for rate in RATES:
            for table in ("3", "4"):
                # better than all, and worse with every label: no claim would survive it
                book.add(dataset, table, {"rate": rate}, "new", 99.0 - 100 * rate, role=role)
    both = pd.concat([rows, book.frame()], ignore_index=True)
    for check, params in (
        ("best", {"table": "3"}),
        ("significant", {"tables": ["3", "4"]}),
        ("rises_with_labels", {}),
        ("spread_falls_with_labels", {}),
        ("few_labels_suffice", {"margin": 3.0}),
    ):
        function = getattr(claims, check)
        assert function(both, params) == function(rows, params)


def test_margin_of_beats(tables):
    params = {"table": "3", "datasets": ["newsgv4"], "rate": 0.01, "others": ["NBC_V1"]}
    found = claims.beats(tables(), {**params, "margin": 10.0})
    assert found.verdict == "holds"
    assert found.n == 8  # the runs of one rate
    assert claims.beats(tables(), {**params, "margin": 30.0}).verdict == "fails"


def test_spread(tables):
    calm, wild = tables(noise=0.1), tables(noise=3.0)
    ours = calm[calm["method"] == "MVPLSA"]
    theirs = wild[wild["method"] == "DPLSA"]
    assert claims.steadier(pd.concat([ours, theirs]), {}).verdict == "holds"
    swapped = pd.concat([wild[wild["method"] == "MVPLSA"], calm[calm["method"] == "DPLSA"]])
    assert claims.steadier(swapped, {}).verdict == "fails"
    rows = pd.concat(
        [
            tables(noise=noise).query("rate == @rate")
            for rate, noise in zip(RATES, (8.0, 2.0, 0.2), strict=True)
        ]
    )
    assert claims.spread_falls_with_labels(rows, {}).verdict == "holds"
    flipped = rows.replace({"rate": {0.01: 0.05, 0.05: 0.01}})
    assert claims.spread_falls_with_labels(flipped, {}).verdict == "fails"


def test_topics(new_book):
    def curve(value, noise):
        book = new_book()
        for count in (2, 4, 12):
            at = {"rate": 0.05, "topics": count}
            book.add("cornell", "fig3", at, "MVPLSA", value(count), noise=noise)
        return book.frame()

    rows = curve(lambda count: 95.0 + (count == 12), 0.05)
    params = {"margin": 2.0, "grid": {"cornell": [2, 4, 12]}}
    assert claims.flat_in_topics(rows, params).verdict == "holds"
    assert claims.best_topics(rows, {"best": {"cornell": 12}}).verdict == "holds"
    assert claims.best_topics(rows, {"best": {"cornell": 4}}).verdict == "fails"
    assert claims.best_topics(rows, {"best": {"newsgv2": 4}}).verdict == "untestable"
    steep = curve(lambda count: 60.0 + count, 0.2)
    assert claims.flat_in_topics(steep, params).verdict == "fails"
    # what is not in the paper's grid has no vote
    near = {"margin": 3.0, "grid": {"cornell": [2, 4]}}
    assert claims.flat_in_topics(steep, near).verdict == "holds"


def test_split(new_book):
    def table5(bayes):
        book = new_book()
        for view in range(1, 5):
            at = {"rate": 0.01, "view": view}
            book.add("newsgv4", "5", at, "MVPLSA", 80.0)
            book.add("newsgv4", "5", at, "NBC", bayes(view))
        return book.frame()

    held = claims.split_beats_naive_bayes(table5(lambda view: 60.0), {})
    assert held.verdict == "holds"
    assert held.detail.startswith("view=1: holds")
    mixed = claims.split_beats_naive_bayes(table5(lambda view: 90.0 if view == 2 else 60.0), {})
    assert mixed.verdict == "mixed"


def test_clustering(new_book):
    book = new_book()
    for method, mean in (("MVPLSA", 90.0), ("MVC", 60.0), ("Kmeans_Best", 70.0)):
        for metric in ("NMI", "PF"):
            book.add("newsgv2", "fig2", {}, method, mean, metric=metric)
    rows = book.frame()
    params = {"datasets": ["newsgv2"]}
    assert claims.clusters_best(rows, params).verdict == "holds"
    assert claims.clusters_best(rows, {**params, "reverse": True}).verdict == "fails"


def test_without_rows_nothing_is_claimed(tables):
    rows = tables()
    empty = rows[np.zeros(len(rows), bool)]
    params = {"table": "3", "tables": ["3"], "margin": 1.0}
    for check in ("best", "significant", "steadier", "split_beats_naive_bayes",
                  "few_labels_suffice"):  # fmt: skip
        assert getattr(claims, check)(empty, params).verdict == "untestable"
