"""What stands at the top of a paper's page is what the ledger and the claims say."""

import re

import pytest
from bs4 import BeautifulSoup

from reproduction.files import ROOT
from reproduction.pages import opening
from reproduction.pages.results import load_claims, load_ledger
from reproduction.rooms import find_papers, paper_keys

AGREE = ("equivalent", "compatible")


@pytest.mark.parametrize("paper", paper_keys())
def test_the_sentences_count_what_the_ledger_has(results, paper):
    ledger, claims = load_ledger(paper), load_claims(paper)
    judged = ledger["agreement"].isin((*AGREE, "near", "different"))
    once = ledger[(ledger["repeats"] == "") & judged]
    own = once[once["data"] == "same"]
    found = dict(opening.cells_said(ledger, paper).numbers)
    if len(own):
        assert found["cells"] == len(own)
        assert found["inferred"] == own["agreement"].isin(AGREE).sum()
        assert found["text"] == own["text_agreement"].isin(AGREE).sum()
    elif len(once):
        assert found == {
            "all": len(ledger), "beside": len(once), "agree": once["agreement"].isin(AGREE).sum(),
        }  # fmt: skip
    tested = claims[claims["counts"] == "yes"]
    told = opening.claims_said(claims).numbers
    if len(tested):
        assert told["claims"] == len(tested)
        for reading in ("in_print", "text", "inferred"):
            assert told[reading] == (tested[reading] == "holds").sum()
        for reading in ("text", "inferred"):
            assert told[f"refuted_{reading}"] == (tested[reading] == "refuted").sum()
    none = opening.cells_said(ledger.assign(agreement="not comparable"), paper)
    assert none.plain() == f"None of its {len(ledger)} printed numbers could be compared."


@pytest.mark.parametrize("home", ["", "https://example.org/here"])
@pytest.mark.parametrize("paper", paper_keys())
def test_the_box_cites_and_tells_authors_where_to_reply(paper, home, monkeypatch, tmp_path):
    declared = f'[project]\nurls = {{ Repository = "{home}" }}\n' if home else "[project]\n"
    (tmp_path / "pyproject.toml").write_text(declared)
    monkeypatch.setattr(opening, "ROOT", tmp_path)
    shown = []
    monkeypatch.setattr(opening, "display", lambda made: shown.append(made.data))
    opening.show_box(paper)
    soup = BeautifulSoup(shown[0], "html.parser")
    card = find_papers()[paper]
    for part in (card.title, *card.authors, card.identifier or "DOI: none known", paper):
        assert part in soup.text
    links = [a["href"] for a in soup.select("a")]
    assert links[0].startswith("https://")
    assert (ROOT / ".github" / "ISSUE_TEMPLATE" / "reply.yml").is_file()
    named = f"{home}/issues/new?template=reply.yml" in links if home else "reply.yml" in soup.text
    assert named


@pytest.mark.parametrize("paper", paper_keys())
def test_every_number_of_the_opening_is_computed(results, paper):
    soup = BeautifulSoup(opening.opening_html(paper), "html.parser")
    lead = soup.select_one(".said")
    # every number on the page is one that was computed
    bare = BeautifulSoup(re.sub(r"<data.*?</data>", "", str(lead)), "html.parser").text
    assert not re.search(r"(?<![\w.(])\d", re.sub(r"\b(Table|Figure) \d", "", bare))


@pytest.mark.parametrize("paper", paper_keys())
def test_a_main_claim_has_each_word_beside_the_reason_of_its_reading(results, paper):
    card = find_papers()[paper]
    given = {"text": "holds", "inferred": "open", "in_print": "refuted"}
    reasons = {"text_reason": "By the words.", "inferred_reason": "By evidence."}
    rows = (
        load_claims(paper)
        .iloc[[0] * len(card.main_claims)]
        .assign(id=[f"{paper}.{name}" for name in card.main_claims], **given, **reasons)
    )
    for found in opening.main_claims(card, rows):
        words = [
            (word, reason.partition(";")[0].rstrip(".")) for _, word, reason in found["answers"]
        ]
        assert words == [("refuted", ""), ("holds", "By the words"), ("open", "By evidence")]
