"""Every alternative of an open choice is held against the reading of the tables."""

import json
import re

import pandas as pd
import pytest

from reproduction.pages import choices
from reproduction.pages.results import load_ledger, load_results
from reproduction.rooms import open_module, tables_of
from reproduction.verdicts.claim_scores import load_claims_file, score_claims
from reproduction.verdicts.readings import Choice

QUESTION, OTHER = "Which way?", "Which other way?"


def choice(name, question, *options):
    return Choice(
        id=name, question=question, says="nothing", place="nowhere", tried=2, options=options,
        made={"commit": "0123456", "numbers_seen": False}, evidence="print",
    )  # fmt: skip


@pytest.fixture
def shift(results, monkeypatch):
    """Add rows of another reading, moved by so much; return the cells that are compared."""

    def add(moved):
        rows = load_results("mvplsa")
        own = rows[(rows["reading"] == "inferred") & (rows["role"] == "published")]
        other = own.assign(reading="moved", value=own["value"] - moved)
        monkeypatch.setattr(choices, "load_results", lambda paper: pd.concat([rows, other]))
        as_it_is = {"name": "as it is", "where": {}}
        text = {"name": "moved", "status": "text", "where": {"reading": "moved"}}
        asked = (
            choice("way", QUESTION, text, {**as_it_is, "status": "inferred"}),
            choice("still", OTHER, {**as_it_is, "status": "text"}),
        )
        monkeypatch.setattr(choices, "load_readings", lambda *_: asked)
        ledger = load_ledger("mvplsa")
        return ledger[(ledger["repeats"] == "") & (ledger["agreement"] != "not run")]

    return add


def test_a_shift_is_that_of_the_runs_both_have_and_is_drawn(shift, rng):
    moved = float(rng.uniform(3, 9))
    compared, frame = shift(moved), choices.shifts_frame("mvplsa")
    assert len(frame) == len(compared)
    assert set(frame["question"]) == {QUESTION}
    assert frame["shift"].to_numpy() == pytest.approx(-moved)
    gap = (compared["ours"] - moved - compared["published"]).abs()
    farther = gap - (compared["ours"] - compared["published"]).abs()
    assert frame["closer"].mean() == pytest.approx(farther.mean())
    taken = choices.taken_reading("mvplsa")
    assert taken == {QUESTION: "inferred", OTHER: "text"}


def test_a_turned_choice_is_judged_as_the_tables_are(shift, monkeypatch):
    own = shift(1e-6).set_index("cell")  # next to nothing: the words must be those of the tables
    rows = load_results("mvplsa")
    rows = rows.reindex(columns=dict.fromkeys([*rows, *tables_of("mvplsa").columns]))
    told, parts = score_claims(
        "mvplsa", rows, load_claims_file("mvplsa"), open_module("mvplsa", "claims")
    )
    monkeypatch.setattr(choices, "load_claim_parts", lambda paper: parts)
    made = re.search(r'json">(.*?)</script>', choices.switch("mvplsa"), re.DOTALL)
    ((found, claims),) = (one.values() for one in json.loads(made[1]))
    repeats = load_ledger("mvplsa").query("repeats != ''").set_index("cell")["repeats"]
    assert {repeats.get(cell, cell) for cell in found} == set(own.index)
    assert set(found) == {*own.index, *repeats.index[repeats.isin(own.index)]}
    for cell, shown in found.items():
        first = own.loc[repeats.get(cell, cell)]  # a cell that repeats another turns with it
        assert shown[1] == first["agreement"]
        assert shown[2].endswith(f" {first['runs']:g} runs")
    words = told[told["inferred"] != "untestable"].set_index("id")["inferred"]
    assert claims == {choices.claim_anchor(key): word for key, word in words.items()}


def test_a_claim_has_no_word_where_some_of_its_cells_were_not_run(shift, monkeypatch):
    shift(1.0)
    counts = pd.DataFrame({"id": ["mvplsa.best"] * 99, "reading": "inferred", "state": "tested"})
    monkeypatch.setattr(choices, "load_claim_parts", lambda paper: counts)
    assert choices.turned_claims("mvplsa") == {}
