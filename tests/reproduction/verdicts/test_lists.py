"""Claims, choices and hypotheses of a paper: what is refused, which rows belong to a reading."""

import pandas as pd
import pytest
import yaml

from reproduction.results.jobs import jobs_of
from reproduction.results.published import load_published
from reproduction.results.tables import Table, Tables, number, text
from reproduction.rooms import RoomError, open_module, paper_keys, tables_of
from reproduction.verdicts.claim_scores import checked, load_claims_file
from reproduction.verdicts.hypotheses import load_hypotheses
from reproduction.verdicts.readings import Choice, RowFinder, load_readings, protocol

PUBLISHED = pd.DataFrame([{"table": "1", "dataset": "d", "method": "m", "rate": 0.1, "mean": 5.0}])
TABLES = Tables(
    Table("1", (number("rate"), text("scored", optional=True))),
    Table("choice:size", (number("rate"), number("size"), text("scored", optional=True))),
)
CELL = {"table": "1", "dataset": "d", "method": "m", "metric": "accuracy_pct", "rate": 0.1}

CLAIM = {
    "id": "best", "at": {"section": "5.1", "paragraph": "observation 1", "sentence": 2},
    "statement": "So.", "origin": "published", "scope": "universal",
    "about": "these data", "check": "holds",
}  # fmt: skip
TEXT, INFERRED = ({"name": word, "status": word, "where": {}} for word in ("text", "inferred"))
CHOICE = {
    "id": "size", "question": "How large?", "says": "nothing", "place": "Section 2", "tried": 3,
    "made": {"commit": "1234567", "numbers_seen": False}, "options": [TEXT],
}  # fmt: skip
HYPOTHESIS = {
    "id": "short", "what": "Training was short.", "why": "It is not told.", "tried": 20,
    "reading": "short run", "evidence": "It fits.", "found_on": ["a"],
}  # fmt: skip
#: What a list is of -> an entry, and how it is read.
LISTS = {
    "claim": (CLAIM, lambda path: load_claims_file("mvplsa", path)),
    "choice": (CHOICE, lambda path: load_readings("p", PUBLISHED, TABLES, path)),
    "hypothesis": (HYPOTHESIS, lambda path: load_hypotheses("p", PUBLISHED, path)),
}


def option(**where):
    return {"options": [{"name": "x", "status": "text", "where": where}]}


@pytest.mark.parametrize(
    ("what", "change", "told"),
    [
        ("claim", {"at": None}, "needs the place"),
        ("claim", {"at": {"section": "5", "paragraph": 1, "sentence": 0}}, "at.sentence"),
        ("claim", {"page": 3}, "page: Extra inputs"),
        ("choice", {"options": [INFERRED]}, "exactly one option"),
        ("choice", {"options": [TEXT, INFERRED, INFERRED]}, "two options"),
        ("choice", {"options": [TEXT, {**INFERRED, "where": None}]}, "without its evidence"),
        ("choice", {"options": [TEXT, INFERRED], "evidence": "It fits."}, "take the rows as"),
        ("choice", {"cells": {"method": ["nobody"]}}, "touches no published cell"),
        ("choice", {"cells": {"colour": ["red"]}}, "touches no published cell"),
        ("choice", option(table="9"), "'9'"),
        ("choice", option(hue=1), "'hue'"),
        ("hypothesis", {"verdict": "refuted"}, "one of them only"),
        ("hypothesis", {"search": "grid"}, "one of them only"),
        ("hypothesis", {"reading": ""}, "one of them only"),
        ("hypothesis", {"reading": "", "verdict": "supported"}, "supported without rows"),
        ("hypothesis", {"cells": {"dataset": ["z"]}}, "touches no published cell"),
    ],
)
def test_a_wrong_entry_is_named_with_its_file(tmp_path, what, change, told):
    entry, load = LISTS[what]
    path = tmp_path / "list.yaml"
    path.write_text(yaml.safe_dump([{**entry, **change}]))
    with pytest.raises(RoomError, match=told) as caught:
        load(path)
    assert f"{path}: {what} {entry['id']}" in str(caught.value)


@pytest.mark.parametrize("what", LISTS)
def test_a_list_has_entries_with_ids_of_their_own(tmp_path, what):
    entry, load = LISTS[what]
    path = tmp_path / "list.yaml"
    path.write_text(yaml.safe_dump([entry]))
    assert [each.id for each in load(path)] == [entry["id"]]
    wrong = ({}, f"is no {what}"), ([entry, entry], "is there twice"), (["best"], f"is no {what}")
    for content, told in wrong:
        path.write_text(yaml.safe_dump(content))
        with pytest.raises(RoomError, match=told):
            load(path)


def test_a_claim_says_where_its_sentence_stands(tmp_path):
    mine = {**CLAIM, "id": "mine", "origin": "ours"}
    bare = {**mine, "id": "bare", "at": None}
    gone = {"id": "gone", "dropped": "said twice"}
    path = tmp_path / "claims.yaml"
    path.write_text(yaml.safe_dump([CLAIM, mine, bare, gone]))
    found = load_claims_file("mvplsa", path)
    assert [claim.key for claim in found] == ["mvplsa.best", "mvplsa.mine", "mvplsa.bare"]
    place = "section 5.1, observation 1, sentence 2"
    assert [claim.where for claim in found] == [place, f"our own, after {place}", "our own"]


@pytest.mark.parametrize("paper", paper_keys())
def test_every_papers_lists_are_sound(paper):
    """Every sentence has its place and a check, every search a job and every job a hypothesis."""
    published, checks = load_published(paper), open_module(paper, "claims")
    for claim in load_claims_file(paper):
        assert checked(claim, checks), claim.key
    assert load_readings(paper, published, tables_of(paper))
    searched = [each for each in load_hypotheses(paper, published) if each.search]
    wanted = {dataset for each in searched for dataset in each.cells.get("dataset", ())}
    assert wanted == {job.dataset for job in jobs_of(paper) if job.name == "search"}


def choice(**options):
    """A choice with options by status: where their rows lie."""
    listed = [{"name": s, "status": s, "where": where} for s, where in options.items()]
    return Choice(**{**CHOICE, "evidence": "It fits.", "options": listed})


SCORED = choice(text={"scored": "few"}, inferred={})
SIZE = choice(
    convention={"table": "choice:size", "size": 2}, inferred={}, tried={"table": "choice:size"}
)


def rows_of(*places):
    """Rows of (table, size, scored, reading, values)."""
    records = [
        {**CELL, "table": table, "size": size, "scored": scored, "reading": reading, "run": run,
         "value": value, "role": "published", "source": "here"}
        for table, size, scored, reading, values in places
        for run, value in enumerate(values)
    ]  # fmt: skip
    frame = pd.DataFrame(records)
    return frame.assign(setting=TABLES.written(frame))


ROWS = rows_of(
    ("1", None, "", "inferred", [50, 52]),
    ("1", None, "few", "inferred", [40, 42]),
    ("1", None, "", "another way", [60, 62]),
    ("choice:size", 1, "", "inferred", [50]),
    ("choice:size", 2, "", "other", [55]),
    ("choice:size", 2, "few", "other", [45]),
    ("choice:size", 3, "", "other", [30]),
)


def test_a_reading_takes_all_its_options_together():
    known, finder = [SCORED, SIZE], RowFinder(ROWS, TABLES)
    assert list(finder.under(CELL, known, "inferred").values) == [50, 52]
    assert list(finder.under(CELL, known, "text").values) == [45]
    assert protocol(known, "inferred") == "inferred"
    assert protocol(known, "text") == "convention"
    assert protocol((), "text") == "text"


def test_options_that_were_not_run_together_have_no_run():
    apart = ROWS[~((ROWS["table"] == "choice:size") & (ROWS["scored"] == "few"))]
    assert RowFinder(apart, TABLES).under(CELL, [SCORED, SIZE], "text") is None
    never = choice(convention=None, inferred={})
    assert RowFinder(ROWS, TABLES).under(CELL, [SCORED, never], "text") is None


def test_options_that_contradict_each_other_have_no_run():
    """Two choices ask for another size each: nothing was run under both, whichever came first."""
    three = choice(convention={"table": "choice:size", "size": 3}, inferred={})
    finder = RowFinder(ROWS, TABLES)
    for known in ([SIZE, three], [three, SIZE]):
        assert all(finder.under(CELL, [one], "text") is not None for one in known)
        assert finder.under(CELL, known, "text") is None


def test_a_reading_that_names_two_places_is_refused():
    vague = choice(text={"table": "choice:size"}, inferred={})
    rows = ROWS[ROWS["reading"] != "inferred"]
    with pytest.raises(RoomError, match="more than one place"):
        RowFinder(rows, TABLES).under(CELL, [vague], "text")


def test_every_other_reading_is_found_without_being_listed():
    finder = RowFinder(ROWS, TABLES)
    compared = finder.under(CELL, (), "inferred")
    assert [f.place[2] for f in finder.others(CELL, (), compared)] == ["another way"]
    found = finder.others(CELL, [SCORED, SIZE], compared)
    # the row of size 1 repeats the compared one and is no other reading
    assert sorted(float(each.values.mean()) for each in found) == [30, 41, 55, 61]
