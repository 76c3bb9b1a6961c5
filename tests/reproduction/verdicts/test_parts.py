"""Parts of a claim, how they make a whole, and the word for it."""

import math
from itertools import permutations

import pytest

from asprinted.parts import DATASET, RUN, by_test, every, exact, lines, some, untestable
from asprinted.statistics import Outcome


def part(effect, p, tie=False, data="same", unit=RUN):
    outcome = Outcome(10, effect, effect - 1, effect + 1, 0.5, p, 1 - p, tie, "t-test")
    return by_test(outcome, unit, data, f"effect {effect:g}")


GOOD, WEAK = part(3.0, 0.01), part(0.3, 0.2)
WRONG, SMALL = part(-2.0, 0.999), part(-0.3, 0.99, tie=True)
NONE = untestable("no rows")


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (part(1.0, 0.05), "holds"),
        (part(1.0, 0.051), "open"),
        (part(0.1, 0.01, tie=True), "holds"),
        (part(0.1, 0.3, tie=True), "no practical difference"),
        (SMALL, "no practical difference"),
        (WRONG, "refuted"),
        (part(-1.0, 0.949), "open"),
        (NONE, "untestable"),
        (exact(True, "so", data="same", n=1), "holds"),
        (exact(False, "not so", data="same", n=1), "refuted"),
    ],
)
def test_the_words(found, word):
    assert found.word == word


@pytest.mark.parametrize(
    ("parts", "word"),
    [
        ([GOOD, WRONG], "holds"),
        ([part(1.0, 0.03), WRONG], "open"),  # .03 twice is .06
        ([WRONG, WRONG], "refuted"),
        ([WRONG, SMALL], "no practical difference"),
        ([WEAK, WRONG], "open"),
        ([NONE], "untestable"),
        ([], "untestable"),
    ],
)
def test_some_whatever_the_order(parts, word):
    for order in permutations(parts):
        assert some({str(i): p for i, p in enumerate(order)}).word == word


def test_refuting_pays_for_its_parts():
    """One part at 1 % of thirty refutes nothing; of four it does."""
    doubtful = part(-1.0, 0.99)
    assert every({"a": doubtful, **{str(i): GOOD for i in range(3)}}).word == "refuted"
    assert every({"a": doubtful, **{str(i): GOOD for i in range(29)}}).word == "open"


def test_what_a_whole_tells():
    whole = every({"a": GOOD, "b": WRONG, "c": part(2.0, 0.02, data="subset")})
    assert whole.reason == "1 of 3 parts go the other way; b: effect -2"
    assert (whole.n, whole.unit, whole.data) == (30, RUN, "subset")
    half = every({"a": GOOD, "b": WEAK})
    assert half.reason == "1 of 2 parts hold; b: effect 0.3"
    assert half.runs_needed == WEAK.runs_needed
    assert math.isnan(every({"a": GOOD, "b": part(0.0, 0.5)}).runs_needed)


def test_nested_parts_have_lines():
    whole = every({"x": some({"a": GOOD, "b": WRONG}), "": GOOD})
    assert [line[:2] for line in lines(whole)] == [("x", "a"), ("x", "b"), ("", "all")]
    assert list(lines(GOOD)) == [("", "", GOOD)]
    assert "x: a: +3" in whole.detail


def test_parts_count_one_thing():
    with pytest.raises(ValueError, match="data set and run"):
        every({"a": GOOD, "b": part(1.0, 0.01, unit=DATASET)})
    assert math.isnan(part(1.0, 0.5, unit=DATASET).runs_needed)
