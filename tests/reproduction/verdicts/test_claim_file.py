"""What a paper's list of claims must say, and what is refused."""

import pytest
import yaml

from reproduction.rooms import open_module, paper_keys
from reproduction.verdicts.claim_file import ClaimError, load_claims_file
from reproduction.verdicts.claim_scores import check_function

ENTRY = {
    "id": "best", "at": {"section": "5.1", "paragraph": "observation 1", "sentence": 2},
    "statement": "So.", "origin": "published", "scope": "universal",
    "about": "these data", "check": "holds",
}  # fmt: skip


def written(path, *entries):
    path.write_text(yaml.safe_dump(list(entries)))
    return path


def test_a_claim_says_where_its_sentence_stands(tmp_path):
    mine = {**ENTRY, "id": "mine", "origin": "ours"}
    bare = {**mine, "id": "bare", "at": None}
    gone = {"id": "gone", "dropped": "said twice"}
    file = written(tmp_path / "claims.yaml", ENTRY, mine, bare, gone)
    found = load_claims_file("mvplsa", file)
    assert [claim.key for claim in found] == ["mvplsa.best", "mvplsa.mine", "mvplsa.bare"]
    place = "section 5.1, observation 1, sentence 2"
    assert [claim.where for claim in found] == [place, f"our own, after {place}", "our own"]


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"at": None}, "claim best: .*needs the place"),
        ({"at": {"section": "5", "paragraph": 1, "sentence": 0}}, "at.sentence"),
        ({"origin": "theirs"}, "origin: Input should be"),
        ({"page": 3}, "page: Extra inputs"),
        ({"statement": None}, "statement: Input should be a valid string"),
    ],
)
def test_a_wrong_claim_is_named(wrong, text, tmp_path):
    with pytest.raises(ClaimError, match=text):
        load_claims_file("mvplsa", written(tmp_path / "claims.yaml", {**ENTRY, **wrong}))


@pytest.mark.parametrize("entries", [[], [{"id": "gone", "dropped": "x"}]])
def test_a_file_without_claims_is_refused(entries, tmp_path):
    with pytest.raises(ClaimError, match="no list of claims"):
        load_claims_file("mvplsa", written(tmp_path / "claims.yaml", *entries))


def test_an_id_stands_once_and_every_entry_has_one(tmp_path):
    with pytest.raises(ClaimError, match="best is there twice"):
        load_claims_file("mvplsa", written(tmp_path / "claims.yaml", ENTRY, ENTRY))
    with pytest.raises(ClaimError, match="is no claim"):
        load_claims_file("mvplsa", written(tmp_path / "claims.yaml", "best"))


@pytest.mark.parametrize("paper", paper_keys())
def test_the_claims_of_every_paper_are_sound(paper):
    """Every sentence has its place, every claim a check."""
    checks = open_module(paper, "claims")
    for claim in load_claims_file(paper):
        assert callable(check_function(claim, checks)), claim.key
        assert claim.origin == "ours" or "sentence" in claim.where
