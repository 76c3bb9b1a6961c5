"""What stands at the top of a paper's page is what the ledger and the claims say."""

import re

import pytest
from bs4 import BeautifulSoup

from reproduction.pages import opening
from reproduction.pages.results import load_claims, load_ledger
from reproduction.rooms import find_papers, paper_keys

AGREE = ("equivalent", "compatible")


def numbers(said):
    return dict(said.numbers)


@pytest.mark.parametrize("paper", paper_keys())
def test_the_sentences_count_what_the_ledger_has(results, paper):
    ledger = load_ledger(paper)
    once = ledger[
        (ledger["repeats"] == "") & ledger["agreement"].isin((*AGREE, "near", "different"))
    ]
    own = once[once["data"] == "same"]
    found = numbers(opening.cells_said(ledger, paper))
    if len(own):
        assert found["cells"] == len(own)
        assert found["inferred"] == own["agreement"].isin(AGREE).sum()
        assert found["text"] == own["text_agreement"].isin(AGREE).sum()
    elif len(once):
        assert found == {
            "all": len(ledger), "beside": len(once), "agree": once["agreement"].isin(AGREE).sum(),
        }  # fmt: skip
    claims = load_claims(paper)
    tested = claims[claims["counts"] == "yes"]
    told = numbers(opening.claims_said(claims))
    if len(tested):
        assert told["claims"] == len(tested)
        for reading in ("in_print", "text", "inferred"):
            assert told[reading] == (tested[reading] == "holds").sum()
        for reading in ("text", "inferred"):
            assert told[f"refuted_{reading}"] == (tested[reading] == "refuted").sum()


def test_words_change_with_the_ledger(results):
    ledger = load_ledger("mvplsa")
    before = numbers(opening.cells_said(ledger, "mvplsa"))
    cell = ledger.index[(ledger["agreement"].isin(AGREE)) & (ledger["repeats"] == "")][0]
    ledger.loc[cell, "agreement"] = "different"
    assert numbers(opening.cells_said(ledger, "mvplsa"))["inferred"] == before["inferred"] - 1
    none = opening.cells_said(ledger.assign(agreement="not comparable"), "mvplsa")
    assert none.plain() == f"None of its {len(ledger)} printed numbers could be compared."


@pytest.mark.parametrize("paper", paper_keys())
def test_the_opening_cites_says_and_folds(results, paper):
    soup = BeautifulSoup(opening.opening_html(paper), "html.parser")
    card = find_papers()[paper]
    cited = soup.select_one(".cite")
    assert card.title in cited.text
    assert all(name in cited.text for name in card.authors)
    assert cited.select_one("a")["href"].startswith("https://")
    assert (card.identifier or "No identifier") in cited.text
    lead = soup.select_one(".said")
    # every number on the page is one that was computed
    bare = BeautifulSoup(re.sub(r"<data.*?</data>", "", str(lead)), "html.parser").text
    assert not re.search(r"(?<![\w.(])\d", re.sub(r"\b(Table|Figure) \d", "", bare))
    assert soup.select_one("details")


@pytest.mark.parametrize("paper", paper_keys())
def test_a_main_claim_has_each_word_beside_the_reason_of_its_reading(results, paper):
    claims, card = load_claims(paper), find_papers()[paper]
    given = {"text": "holds", "inferred": "open", "in_print": "refuted"}
    reasons = {"text_reason": "By the words.", "inferred_reason": "By evidence."}
    rows = claims.iloc[[0] * len(card.main_claims)].assign(
        id=[f"{paper}.{name}" for name in card.main_claims], **given, **reasons
    )
    for found in opening.main_claims(card, rows):
        words = [
            (word, reason.partition(";")[0].rstrip(".")) for _, word, reason in found["answers"]
        ]
        assert words == [("refuted", ""), ("holds", "By the words"), ("open", "By evidence")]
