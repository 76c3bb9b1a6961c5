"""Sentences cannot part from their numbers; what opens a page is what ledger and claims say."""

import re

import pytest
from bs4 import BeautifulSoup

from reproduction.files import ROOT
from reproduction.pages import opening
from reproduction.pages.results import load_claims, load_ledger, load_results
from reproduction.pages.said import Finding, Front, Said, findings_frame, load_fronts
from reproduction.rooms import find_papers, paper_keys

AGREE = ("equivalent", "compatible")


def test_a_sentence_shows_each_number_with_its_full_value():
    said = Said("From {low:.1f} to {high:+.2f} <points>.", {"low": 1.26, "high": -0.123456})
    assert said.plain() == "From 1.3 to -0.12 <points>."
    assert said.markup() == (
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


def test_what_a_run_does_not_have_is_not_said_and_the_rest_is_in_the_table():
    there, lacking = Said("{a:.1f}", {"a": 1.04}), Said("{a:.1f}", {"a": float("nan")})
    drawn, blank = {"one": {"printed": 3.0}}, {"one": {"printed": float("nan")}}
    findings = [
        Finding("t", *each, "points") for each in ((there, drawn), (lacking, drawn), (there, blank))
    ]
    assert Front(lacking).known().today is None
    front = Front(there, findings).known()
    assert list(front.findings) == findings[:1]
    rows = findings_frame({"p": front})[["name", "value", "text"]].to_numpy().tolist()
    assert rows == [["a", 1.04, "1.0"]] * 2 + [["one: printed", 3.0, "points"]]


def test_every_paper_answers_on_invented_results(results):
    """A front page must come out of any run; what the run lacks is left out."""
    fronts = load_fronts(load_results)
    assert set(fronts) == set(paper_keys())
    assert any(front.today is not None for front in fronts.values())


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
        agree = once["agreement"].isin(AGREE).sum()
        assert found == {"all": len(ledger), "beside": len(once), "agree": agree}
    tested = claims[claims["counts"] == "yes"]
    told = opening.claims_said(claims).numbers
    if len(tested):
        assert told["claims"] == len(tested)
        for reading in ("in_print", "text", "inferred"):
            assert told[reading] == (tested[reading] == "holds").sum()
        for reading in ("text", "inferred"):
            assert told[f"refuted_{reading}"] == (tested[reading] == "refuted").sum()
    none = opening.cells_said(ledger.assign(agreement="not comparable"), paper)
    assert none.numbers == {"all": len(ledger)}
    # every number on the page is one that was computed
    lead = BeautifulSoup(opening.opening_html(paper), "html.parser").select_one(".said")
    bare = BeautifulSoup(re.sub(r"<data.*?</data>", "", str(lead)), "html.parser").text
    assert not re.search(r"(?<![\w.(])\d", re.sub(r"\b(Table|Figure) \d", "", bare))


@pytest.mark.parametrize("home", ["", "https://example.org/here"])
@pytest.mark.parametrize("paper", paper_keys())
def test_the_box_cites_and_tells_authors_where_to_reply(paper, home, monkeypatch, tmp_path):
    declared = f'[project]\nurls = {{ Repository = "{home}" }}\n' if home else "[project]\n"
    (tmp_path / "pyproject.toml").write_text(declared)
    monkeypatch.setattr(opening, "ROOT", tmp_path)
    shown = []
    monkeypatch.setattr(opening, "display", lambda made: shown.append(made.data))
    opening.show_box(paper)
    soup, card = BeautifulSoup(shown[0], "html.parser"), find_papers()[paper]
    for part in (card.title, *card.authors, card.identifier or "DOI: none known", paper):
        assert part in soup.text
    links = [a["href"] for a in soup.select("a")]
    assert links[0].startswith("https://")
    assert (ROOT / ".github" / "ISSUE_TEMPLATE" / "reply.yml").is_file()
    assert f"{home}/issues/new?template=reply.yml" in links if home else "reply.yml" in soup.text


@pytest.mark.parametrize("paper", paper_keys())
def test_a_main_claim_has_each_word_beside_the_reason_of_its_reading(results, paper):
    card = find_papers()[paper]
    given = {"text": "holds", "inferred": "open", "in_print": "refuted"}
    given |= {"text_reason": "By the words.", "inferred_reason": "By evidence."}
    ids = [f"{paper}.{name}" for name in card.main_claims]
    rows = load_claims(paper).iloc[[0] * len(ids)].assign(id=ids, **given)
    for found in opening.main_claims(card, rows):
        words = [(word, reason.partition(";")[0]) for _, word, reason in found["answers"]]
        assert words == [("refuted", ""), ("holds", "By the words"), ("open", "By evidence.")]
