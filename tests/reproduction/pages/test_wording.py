"""Settings and keys are said in words, numbers are short; downloads keep the keys."""

import math

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from reproduction.pages import wording
from reproduction.pages.markup import Table, csv_text, frame_cells, table_html
from reproduction.pages.wording import in_words, number, numbers, setting_words, words
from reproduction.results import tables
from reproduction.results.published import load_published
from reproduction.rooms import paper_keys, tables_of
from reproduction.verdicts.data_facts import marked

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


@pytest.mark.parametrize(
    ("name", "kind", "shown"),
    [("Cora", "surrogate", "Cora (surrogate)"), ("Digits", "stand-in", "Digits (stand-in)"),
     ("Reuters (600)", "surrogate", "Reuters (600, surrogate)"), ("Cora", "same", "Cora"),
     ("NELL_mv (surrogate)", "surrogate", "NELL_mv (surrogate)")],
)  # fmt: skip
def test_a_name_is_marked_once(name, kind, shown):
    assert marked(name, kind) == shown


def test_keys_are_read_as_names(monkeypatch):
    names = {"cora": "Cora", "reuters": "Reuters (600)", "nell_mv": "NELL_mv (surrogate)"}
    monkeypatch.setattr(wording, "data_name", lambda key: names.get(key, key))
    told = "reuters, accuracy: 35.8; cora: level=2 (nell_mv); cora is given and cora too"
    assert wording.readable(told) == (
        "Reuters (600), accuracy: 35.8; Cora: level 2 (NELL_mv (surrogate)); "
        "Cora is given and cora too"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(82.0649, "82.1"), (0.04, "0.0400"), (3, "3"), (0.0, "0"), (2e-7, "2.0×10⁻⁷"),
     (1234.5, "1234"), (math.nan, ""), (math.inf, "∞"), (-1.5, "-1.50"), (1.23e8, "1.2×10⁸")],
)  # fmt: skip
def test_a_number_is_short(value, text):
    assert number(value) == text


def test_numbers_say_what_they_are(rng):
    values = list(rng.normal(size=60) * 10.0 ** rng.integers(-12, 9, size=60))
    for text, value in zip(numbers(values), values, strict=True):
        mantissa, _, power = text.translate(RAISED).partition("×10")
        shown = float(mantissa) * 10.0 ** int(power or 0)
        assert shown == pytest.approx(value, rel=0.05 if power else 0.005)


def test_a_table_shows_words_and_downloads_keys():
    frame = pd.DataFrame({"choice": ["r=0.01;view=1"], "WebKB train=30%": [np.float64(0.005)]})
    csv = csv_text(frame)
    table = Table("t", "T", list(frame.columns), frame_cells(frame), csv)
    soup = BeautifulSoup(table_html(table), "html.parser")
    shown = [cell.text for cell in soup.select("th, td")]
    assert shown == ["choice", "WebKB 30 % labelled", "1 % labelled, view 1", "0.005"]
    assert "r=0.01;view=1" in csv
