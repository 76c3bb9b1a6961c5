"""What people write about a paper (claims, choices, hypotheses): what is refused."""

import pandas as pd
import pytest
import yaml

from reproduction.results.jobs import jobs_of
from reproduction.results.published import load_published
from reproduction.results.tables import Table, Tables, number
from reproduction.rooms import RoomError, open_module, paper_keys, tables_of
from reproduction.verdicts.claim_file import load_claims_file
from reproduction.verdicts.claim_scores import checked
from reproduction.verdicts.hypotheses import load_hypotheses
from reproduction.verdicts.readings import load_readings

PUBLISHED = pd.DataFrame([{"table": "1", "dataset": "d", "method": "m", "rate": 0.1, "mean": 5.0}])
TABLES = Tables(Table("1", (number("rate"),)))

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
    ("what", "change", "text"),
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
def test_a_wrong_entry_is_named_with_its_file(tmp_path, what, change, text):
    entry, load = LISTS[what]
    path = tmp_path / "list.yaml"
    path.write_text(yaml.safe_dump([{**entry, **change}]))
    with pytest.raises(RoomError, match=text) as caught:
        load(path)
    assert f"{path}: {what} {entry['id']}" in str(caught.value)


@pytest.mark.parametrize("what", LISTS)
def test_a_list_has_entries_with_ids_of_their_own(tmp_path, what):
    entry, load = LISTS[what]
    path = tmp_path / "list.yaml"
    path.write_text(yaml.safe_dump([entry]))
    assert [each.id for each in load(path)] == [entry["id"]]
    wrong = ({}, f"is no {what}"), ([entry, entry], "is there twice"), (["best"], f"is no {what}")
    for content, text in wrong:
        path.write_text(yaml.safe_dump(content))
        with pytest.raises(RoomError, match=text):
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
