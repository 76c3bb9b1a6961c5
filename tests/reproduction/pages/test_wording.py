"""Settings and keys are said in words, numbers are short; downloads keep the keys."""

import math

import pytest

from reproduction.pages.wording import numbers, setting_words, words
from reproduction.results import tables

RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def test_a_column_says_its_values_in_words(rng):
    times = float(rng.choice([1, 100, 0.5]))
    value = float(f"{rng.normal():.3g}")
    share = tables.number("rate", "r={:g}", shown="{:g} % labelled", times=times)
    assert words(share, value) == f"{times * value:g} % labelled"
    assert words(tables.text("way", shown={"i2t": "image to text"}), "i2t") == "image to text"
    assert words(tables.text("way", shown={"i2t": "image to text"}), "other") == "other"
    assert words(tables.number("gamma", "gamma={:g}"), 0.5) == "gamma = 0.5"
    assert words(tables.text("first class", "first class={}"), "type 1") == "first class: type 1"
    table = tables.Table("1", (share, tables.text("scored", "scored={}", optional=True)))
    assert setting_words(table, {"rate": value, "scored": ""}) == words(share, value)
    assert setting_words(table, {"rate": math.nan, "scored": "few"}) == "scored: few"


def test_numbers_say_what_they_are(rng):
    values = list(rng.normal(size=60) * 10.0 ** rng.integers(-12, 9, size=60))
    for text, value in zip(numbers(values), values, strict=True):
        mantissa, _, power = text.translate(RAISED).partition("×10")
        shown = float(mantissa) * 10.0 ** int(power or 0)
        assert shown == pytest.approx(value, rel=0.05 if power else 0.005)
        assert not power or not 1e-3 < abs(value) < 1e3  # ordinary numbers are decimals
