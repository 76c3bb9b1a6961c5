"""Parts of a claim, how they make a whole, and the word for it."""

import math

import pytest

from asprinted.parts import DATASET, RUN, by_test, every, lines, some
from asprinted.statistics import Outcome


def part(effect, p, data="same", unit=RUN):
    outcome = Outcome(10, effect, effect - 1, effect + 1, 0.5, p, 1 - p, False, "t-test")
    return by_test(outcome, unit, data, f"effect {effect:g}")


GOOD, WEAK = part(3.0, 0.01), part(0.3, 0.2)
WRONG = part(-2.0, 0.999)


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
