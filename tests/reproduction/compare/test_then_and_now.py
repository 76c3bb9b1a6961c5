"""Then and now: the plan is found, view files become data, the page says who is ahead."""

import json
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from manyviews.compare.recommend import Experience, nearest_sets, ranked, read_experience, recommend
from reproduction.compare import page, plan, run
from reproduction.compare.plan import Entry
from reproduction.data.format import MultiViewData
from reproduction.data.provenance import PROVENANCE_FILE
from reproduction.data.registry import load_registry
from reproduction.files import write_json
from reproduction.pages.markup import csv_text
from reproduction.pages.prose import Contents
from reproduction.rooms import paper_keys

TINY = Entry(dataset="tiny")


@pytest.fixture
def paper():
    return paper_keys()[0]


def test_every_paper_with_a_table_to_compare_says_so():
    registry = load_registry()
    found = [entry for paper in paper_keys() for entry in plan.entries_of(paper)]
    assert found
    for entry in found:
        assert entry.dataset in registry
        assert entry.view_key in registry.view_keys()
    names = [entry.name for entry in plan.plan(registry)]
    assert len(set(names)) == len(names)
    assert {entry.dataset for entry in plan.plan(registry)} == set(registry)


def test_surrogates_are_not_planned(tmp_path):
    registry = load_registry()
    real = [key for key in registry if plan.has_real_data(registry[key], tmp_path)]
    planned = {entry.dataset for entry in plan.plan(real)}
    assert planned == set(real)
    assert {"cora", "digits", "coauthor"} <= planned
    assert not planned & {"citeseer2", "nell_mv", "nus_wide", "product_review", "tvgraz"}
    # whoever brings the files of a data set that is given on request has it compared
    for source, expected in (("user", True), ("surrogate", False)):
        write_json(tmp_path / "nus_wide" / PROVENANCE_FILE, {"source": source})
        assert plan.has_real_data(registry["nus_wide"], tmp_path) is expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1\n", "must be a list"),
        ("- {dataset: x, share: 2}\n", "share"),
        ("- {dataset: x, metric: f1_pct}\n", "positive"),
    ],
)
def test_a_wrong_plan_is_named(tmp_path, monkeypatch, text, words):
    (tmp_path / "now.yaml").write_text(text)
    monkeypatch.setattr(plan, "room", lambda paper: tmp_path)
    with pytest.raises(plan.PlanError, match=words) as caught:
        plan.entries_of("any")
    assert "now.yaml" in str(caught.value)


def linked(rng, n=80, **more):
    """Two classes; words tell them apart, links stay inside a class."""
    labels = np.arange(n) % 2
    words = sp.csr_matrix(rng.poisson(np.where(labels[:, None] == np.arange(12) % 2, 2.0, 0.4)))
    ids = [f"d{i}" for i in range(n)]
    links = (rng.random((n, n)) < 0.15) & (labels[:, None] == labels)
    kept = np.flatnonzero(links.any(axis=0))
    return MultiViewData(
        name="tiny",
        views={"content": words, "cited": sp.csr_matrix(links[:, kept].astype(float))},
        labels=labels,
        class_names=["a", "b"],
        ids=ids,
        feature_names={"cited": [ids[j] for j in kept]},
        **more,
    )


def test_links_are_put_in_order_and_rows_that_lack_a_view_are_marked(rng):
    here = rng.random(80) < 0.7
    source = linked(rng, rows={"content_present": here})
    data = run.from_views(source, TINY)
    assert data.graphs == [False, True]
    np.testing.assert_array_equal(data.views.observed, np.column_stack([here, here | True]))
    columns = source.feature_names["cited"]
    A = sp.csr_matrix(data.views.view("cited")).toarray()
    where = {key: j for j, key in enumerate(source.ids)}
    expected = source.views["cited"].toarray()
    for j, column in enumerate(columns):
        np.testing.assert_array_equal(A[:, where[column]], expected[:, j])


def test_what_is_cut_is_said_and_samples_keep_their_links(rng, monkeypatch):
    monkeypatch.setattr(run, "BEYOND_ROWS", 30)
    data = run.from_views(linked(rng), TINY)
    assert data.notes[0] == "tiny: a random 30 rows"
    assert data.graphs == [False, True]
    assert data.views.view("cited").shape == (30, 30)
    monkeypatch.setattr(run, "BEYOND_CLASSES", 1)
    source = replace(linked(rng), labels=np.repeat([0, 1], [52, 28]))
    data = run.from_views(source, TINY)
    assert (len(data), data.classes) == (30, ["a"])
    assert data.notes[:2] == ["tiny: the 1 largest of 2 classes", "tiny: a random 30 rows"]
    few = replace(linked(rng), labels=np.repeat([0, 1], [78, 2]))
    codes = run.from_views(few, Entry(dataset="tiny", paper="p")).codes
    assert np.bincount(codes + 1).tolist() == [2, 78]  # two rows cannot be split


def test_measures_by_hand():
    truth, guess = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])

    def value(metric, **more):
        return run.measured(Entry(dataset="x", metric=metric, **more), ["a", "b"], truth, guess)

    assert value("accuracy_pct") == 75
    assert value("error_pct") == 25
    assert value("f1_pct", positive="b") == pytest.approx(80)
    assert value("macro_f1_pct") == pytest.approx(100 * (2 / 3 + 0.8) / 2)
    assert value("accuracy_pct", task="cluster") == 75


def test_one_data_set_is_compared(rng, tmp_path, monkeypatch):
    some = ("majority", "single_view", "concatenation", "sgc", "naive_bayes")
    monkeypatch.setattr(run, "find_methods", partial(run.find_methods, only=some))
    linked(rng).save(tmp_path / "tiny.npz")
    entry = Entry(dataset="tiny", share=0.3)
    record = run.compared(tmp_path / "tiny.npz", entry)
    assert set(record["values"]) >= {"majority", "concatenation", "sgc", "single_view.content"}
    assert all(len(values) == 3 for values in record["values"].values())
    assert np.mean(record["values"]["sgc"]) > np.mean(record["values"]["majority"])
    assert (record["families"]["naive_bayes"], record["families"]["sgc"]) == ("paper", "plain")
    assert record["diagnostics"]["labelled"] == 0.3
    assert record == run.compared(tmp_path / "tiny.npz", entry)
    json.dumps(record, allow_nan=False)
    linked(rng, provenance={"source": "surrogate"}).save(tmp_path / "tiny.npz")
    assert "surrogate" in run.compared(tmp_path / "tiny.npz", entry)["skipped"]


def test_pairs_are_searched(rng, tmp_path):
    linked(rng).save(tmp_path / "tiny.npz")
    entry = Entry(dataset="tiny", views=("content", "cited"), task="retrieve", metric="map_at_10")
    record = run.compared(tmp_path / "tiny.npz", entry)
    assert record["left_out"] == []
    assert set(record["values"]) >= {"chance", "cca", "semantic_matching", "coplsa"}
    means = {key: np.mean(values) for key, values in record["values"].items()}
    assert means["semantic_matching"] > means["chance"] + 10


def record_of(paper, dataset, today, metric="accuracy_pct", **more):
    entry = {"where": {"rate": "0.1"}, "note": "", "task": "draws"}
    values = {"concatenation": [today - 1, today + 1], "majority": [50.0, 50.0],
              "mvplsa": [99.0, 99.0]}  # fmt: skip
    return {
        "name": f"{paper or 'draws'}.{dataset}", "paper": paper, "dataset": dataset,
        "view_key": dataset, "metric": metric, "task": "classify", "entry": entry, "values": values,
        "methods": {"concatenation": "Logistic", "majority": "Majority", "mvplsa": "MVPLSA"},
        "families": {"concatenation": "control", "majority": "control", "mvplsa": "paper"},
        "left_out": [],
        "notes": [], "sampled": False, "diagnostics": {"rows": today}, **more,
    }  # fmt: skip


def ledger_of(paper, dataset, kind="same", **cells):
    return pd.DataFrame(
        [
            {"paper": paper, "data_key": dataset, "data": kind, "metric": "accuracy_pct",
             "method": method, "published": str(print_), "ours": str(ours), "rate": "0.10"}
            for method, (print_, ours) in cells.items()
        ]
    )  # fmt: skip


#: What is special -> of the record, of the ledger, print's best, the rerun's, who is beaten.
SPECIAL = {
    "nothing": ({}, {}, 80.0, 70.0, ["published", "rerun"]),
    "a sample": ({"sampled": True}, {}, 80.0, None, []),
    "a variant": ({"view_key": "d.more"}, {}, 80.0, None, ["published"]),
    "other data than print's": ({}, {"data": "subset"}, 80.0, 70.0, ["rerun"]),
    "print ahead": ({}, {"published": ["80", "90"]}, 90.0, 70.0, ["rerun"]),
    "print even": ({}, {"published": ["85", "60"]}, 85.0, 70.0, ["rerun"]),
    "less is better": ({"metric": "error_pct"}, {"metric": "error_pct"}, 60.0, 65.0, []),
    "fractions": ({"metric": "map_at_10"}, {"metric": "map_at_10", "published": ["0.8", "0.6"]},
                  80.0, 7000.0, ["published"]),
    "another column of ours": ({"entry": {"where": {}, "rerun": "text_ours"}},
                               {"text_ours": "30"}, 80.0, 30.0, ["published", "rerun"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SPECIAL)
def test_what_counts_against_today(paper, name):
    more, columns, published, rerun, beaten = SPECIAL[name]
    ledger = ledger_of(paper, "d", A=(80.0, 70.0), B=(60.0, 65.0)).assign(**columns)
    frame = page.summary([record_of(paper, "d", 85.0, **more)], ledger)
    row, said = frame.iloc[0], page.first_sentence(frame).partition(", but nowhere")[0]
    if name == "print ahead":
        assert (row["by"], row["of"], row["today's best"]) == ("B", "A", 85.0)
    assert row["published best"] == pytest.approx(published)
    assert (None if pd.isna(row["our rerun's best"]) else row["our rerun's best"]) == rerun
    for word in ("published", "rerun"):
        found = any(f"{word}{rest} on the one data set" in said for rest in ("", " figure"))
        assert found is (word in beaten), said


def test_where_print_is_silent_the_rerun_is_what_we_ran(paper):
    rows = [
        ("A", "published", "inferred", "1", 40.0), ("A", "published", "inferred", "1", 50.0),
        ("A", "published", "other", "1", 99.0), ("A", "published", "inferred", "2", 99.0),
        ("B", "published", "inferred", "1", 44.0), ("C", "control", "inferred", "1", 99.0),
    ]  # fmt: skip
    reruns = pd.DataFrame(rows, columns=["method", "role", "reading", "table", "value"]).assign(
        paper=paper, dataset="s", metric="accuracy_pct"
    )
    entry = Entry(paper=paper, dataset="s", where={"table": "1"}, jobs=("one",)).model_dump()
    record = record_of(paper, "s", 85.0, entry=entry)
    frame = page.summary([record], ledger_of(paper, "d", A=(80.0, 70.0)), reruns)
    row = frame.iloc[0]
    assert (row["our rerun's best"], row["of"], row["data"]) == (45.0, "A", "stand-in")
    assert pd.isna(row["published best"])
    assert "our rerun on the one data set that has it (s)" in page.first_sentence(frame)
    twice = pd.concat([frame, frame.assign(**{"our rerun's best": None})])
    assert page.first_sentence(twice) == page.first_sentence(frame)  # of two papers, one has it


def test_the_page_is_written_and_always_the_same(tmp_path, paper):
    records = [record_of(paper, "d", 85.0), record_of("", "e", 75.0),
               {**record_of("", "f", 1.0), "skipped": "a surrogate"}]  # fmt: skip
    files = []
    for record in records:
        files.append(tmp_path / f"{record['name']}.json")
        files[-1].write_text(json.dumps(record))
    ledger = tmp_path / "ledger.csv"
    ledger_of(paper, "d", A=(80.0, 70.0)).to_csv(ledger, index=False)
    place = {"d": {"paper": paper, "where": {"rate": "0.1"}, "note": "with a difference"}}
    entries = [Entry(dataset=record["dataset"], **place.get(record["dataset"], {}))
               for record in records]  # fmt: skip
    pages = []
    for order in (files, files[::-1]):
        page.write_then_and_now(
            order, [ledger], [], tmp_path / "p.html", tmp_path / "r.csv", {"Code": "x"}, entries,
            ["h"],
        )  # fmt: skip
        pages.append((tmp_path / "p.html").read_bytes())
    assert pages[0] == pages[1]
    text = pages[0].decode()
    assert "A standard method beats" in text
    assert "d: with a difference" in text  # what the plan says now, not when methods ran
    assert "f: a surrogate" in text
    assert "h: the real data cannot be had" in text
    assert len(read_experience(tmp_path / "r.csv")) == 2
    assert page.body_of(records, pd.read_csv(ledger, dtype=str), Contents()).count("<svg") == 1


def test_advice_that_helps_and_advice_that_does_not(rng):
    two_kinds = [
        Experience(f"s{i}", "classify", {"x": 10.0 * (i % 2) + rng.random(), "y": 0.5},
                   {"concatenation": 0.8, "sgc": 0.9 if i % 2 else 0.6, "linear_svm": 0.7})
        for i in range(12)
    ]  # fmt: skip
    advice = recommend(two_kinds, "classify", {"x": 10.0, "y": 0.5})
    assert advice.methods[0] == "sgc"
    assert advice.helps
    assert advice.regret == 0
    assert advice.sentence("classify").startswith("Try sgc")
    flat = [Experience(f"s{i}", "classify", {"x": float(i)}, {"concatenation": 0.9, "sgc": 0.5})
            for i in range(6)]  # fmt: skip
    useless = recommend(flat, "classify", {"x": 2.0})
    assert not useless.helps
    assert "Just start with logistic regression" in useless.sentence("classify")
    with pytest.raises(ValueError, match="too few") as caught:
        recommend(flat[:2], "classify", {"x": 2.0})
    needed = int(re.search(r"(\d+) are needed", str(caught.value))[1])
    assert recommend(flat[:needed], "classify", {"x": 2.0}).n_sets == needed
    with pytest.raises(ValueError, match="too few"):
        recommend(flat[: needed - 1], "classify", {"x": 2.0})
    assert "too few" in page.advice_text(flat[:2])


def test_editions_of_a_corpus_do_not_advise_each_other():
    """Every corpus has a method of its own, which the others know nothing of."""
    sets = [
        Experience(f"c{i}_{k}", "classify", {"x": float(i)},
                   {"concatenation": 0.5} | {f"m{j}": 0.9 if i == j else 0.1 for j in range(3)})
        for i in range(3) for k in range(4)
    ]  # fmt: skip
    assert recommend(sets, "classify", {"x": 0.0}).regret == pytest.approx(0.8)


def test_scores_become_experience_and_errors_are_turned_round(tmp_path):
    records = [record_of("", "e", 75.0), record_of("", "g", 20.0, "error_pct")]
    records[0]["values"]["single_view.a"] = [99.0, 99.0]
    records[0]["methods"]["single_view.a"] = "One view"
    records[0]["families"]["single_view.a"] = "control"
    frame = page.scores_frame(records)
    found = {one.name: one for one in page.learnt(frame)}
    one, other = (found[f"draws.{name}"].scores for name in "eg")
    assert one == {"concatenation": pytest.approx(0.75), "mvplsa": pytest.approx(0.99)}
    assert other == {"concatenation": pytest.approx(0.8), "mvplsa": pytest.approx(0.01)}
    (tmp_path / "t.csv").write_text(csv_text(frame))
    again = read_experience(tmp_path / "t.csv")
    assert again == page.learnt(frame)
    assert [one.diagnostics for one in again] == [{"rows": 75.0}, {"rows": 20.0}]


def test_neighbours_and_ranks_by_hand():
    sets = [Experience(n, "classify", {"x": x}, {"a": s, "b": 0.5})
            for n, x, s in (("p", 0.0, 0.9), ("q", 1.0, 0.1), ("r", 9.0, 0.9))]  # fmt: skip
    assert [one.name for one in nearest_sets(sets, {"x": 0.4})] == ["p", "q", "r"]
    assert ranked(sets[:1]) == ["a", "b"]
    assert ranked(sets[1:2]) == ["b", "a"]
