"""Sentences with computed numbers: they cannot part from them."""

import pytest

from reproduction.pages.said import (
    Finding,
    Front,
    Said,
    findings_frame,
    load_fronts,
)
from reproduction.rooms import paper_keys


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


def test_what_a_run_does_not_have_is_not_said():
    there, lacking = Said("{a:.1f}", {"a": 1.0}), Said("{a:.1f}", {"a": float("nan")})
    drawn, blank = {"one": {"printed": 1.0}}, {"one": {"printed": float("nan")}}
    findings = [
        Finding("t", *each, "") for each in ((there, drawn), (lacking, drawn), (there, blank))
    ]
    assert Front(lacking).known().today is None
    front = Front(there, findings).known()
    assert front.today == there
    assert list(front.findings) == findings[:1]


def test_the_table_of_findings_has_every_number():
    said = Said("{a:.1f} and {b:.1f}", {"a": 1.04, "b": 2.0})
    drawn = {"one": {"printed": 3.0}, "two": {"printed": 4.0}}
    frame = findings_frame({"p": Front(said, (Finding("title", said, drawn, "points"),))})
    assert list(frame["name"]) == ["a", "b", "a", "b", "one: printed", "two: printed"]
    assert list(frame["value"]) == [1.04, 2.0, 1.04, 2.0, 3.0, 4.0]
    assert list(frame["text"]) == ["1.0 and 2.0"] * 4 + ["points"] * 2


def test_every_paper_answers_on_invented_results(results):
    """A front page must come out of any run; what the run lacks is left out."""
    from reproduction.pages.results import load_results

    fronts = load_fronts(load_results)
    assert set(fronts) == set(paper_keys())
    assert any(front.today is not None for front in fronts.values())
