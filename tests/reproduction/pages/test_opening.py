"""Sentences cannot part from their numbers; what opens a page is what ledger and claims say."""

import re

import pytest
from bs4 import BeautifulSoup

from reproduction.pages import opening
from reproduction.pages.results import load_claims, load_ledger
from reproduction.pages.said import Said
from reproduction.rooms import paper_keys


def test_a_sentence_shows_each_number_with_its_full_value():
    said = Said("From {low:.1f} to {high:+.2f} <points>.", {"low": 1.26, "high": -0.123456})
    assert said.plain() == "From 1.3 to -0.12 <points>."
    assert said.__html__() == (
        'From <data data-n="low" value="1.26">1.3</data> to '
        '<data data-n="high" value="-0.123456">−0.12</data> &lt;points&gt;.'
    )


@pytest.mark.parametrize(
    ("text", "numbers", "problem"),
    [
        ("It is 93.5 %.", {}, "spells the number"),
        ("In 3 of {n:d} papers", {"n": 4}, "spells the number"),
        ("It is {a:.1f}.", {}, "part at"),
        ("It is {a:.1f}.", {"a": 1.0, "b": 2.0}, "part at"),
    ],
)
def test_words_and_numbers_go_together(text, numbers, problem):
    with pytest.raises(ValueError, match=problem):
        Said(text, numbers)


@pytest.mark.parametrize("paper", paper_keys())
def test_the_sentences_count_what_the_ledger_has(results, paper):
    ledger, claims = load_ledger(paper), load_claims(paper)
    judged = ledger["agreement"].isin(("equivalent", "compatible", "near", "different"))
    once = ledger[(ledger["repeats"] == "") & judged]
    own = once[once["data"] == "same"]
    found = dict(opening.cells_said(ledger, paper).numbers)
    if len(own):
        assert found["cells"] == len(own)
        assert found["inferred"] == (own["agreement"] == "equivalent").sum()
        assert found["more"] == (own["agreement"] == "compatible").sum()
        assert found["text"] == (own["text_agreement"] == "equivalent").sum()
    elif len(once):
        agree = (once["agreement"] == "equivalent").sum()
        assert found == {"all": len(ledger), "beside": len(once), "agree": agree}
    tested = claims[claims["counts"] == "yes"]
    told = opening.claims_said(claims).numbers
    if len(tested):
        words = [(tested[name] == word).sum() for name in ("inferred", "text")
                 for word in ("holds", "refuted")]  # fmt: skip
        assert [*told.values()] == [len(tested), *words]
    none = opening.cells_said(ledger.assign(agreement="not comparable"), paper)
    assert none.numbers == {"all": len(ledger)}
    # every number on the page is one that was computed
    lead = BeautifulSoup(opening.opening_html(paper), "html.parser").select_one(".said")
    bare = BeautifulSoup(re.sub(r"<data.*?</data>", "", str(lead)), "html.parser").text
    assert not re.search(r"(?<![\w.(])\d", re.sub(r"\b(Table|Figure) \d", "", bare))
