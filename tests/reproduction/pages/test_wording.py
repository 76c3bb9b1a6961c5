"""Settings and keys are said in words, numbers are short; downloads keep the keys."""

import math

import pytest

from reproduction.pages import wording
from reproduction.pages.wording import in_words, numbers, setting_words, words
from reproduction.results import tables
from reproduction.results.published import load_published
from reproduction.rooms import paper_keys, tables_of

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


@pytest.mark.parametrize("paper", paper_keys())
def test_what_print_writes_is_looked_up_in_sentences(paper):
    declared = tables_of(paper)
    for cell in load_published(paper).to_dict("records"):
        for column in declared[cell["table"]].columns:
            value = cell.get(column.name)
            if wording.given(value) and "=" in column.write(value):
                said = in_words(f"Cora at {column.write(value)}, V12; more")
                assert said == f"Cora at {words(column, value)}, V12; more"
                assert in_words(f"x{column.write(value)}") == f"x{column.write(value)}"


def test_numbers_say_what_they_are(rng):
    values = list(rng.normal(size=60) * 10.0 ** rng.integers(-12, 9, size=60))
    for text, value in zip(numbers(values), values, strict=True):
        mantissa, _, power = text.translate(RAISED).partition("×10")
        shown = float(mantissa) * 10.0 ** int(power or 0)
        assert shown == pytest.approx(value, rel=0.05 if power else 0.005)
