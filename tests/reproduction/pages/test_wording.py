"""Settings are said in words, numbers in one way; downloads keep the keys."""

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

NAMES = {"cora": "Cora", "reuters": "Reuters (600)", "nell_mv": "NELL_mv (surrogate)"}


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
    cells, declared = load_published(paper), tables_of(paper)
    for cell in cells.to_dict("records"):
        table = declared[cell["table"]]
        for column in table.columns:
            value = cell.get(column.name)
            if wording.given(value) and "=" in column.write(value):
                said = in_words(f"Cora at {column.write(value)}, V12; more")
                assert said == f"Cora at {words(column, value)}, V12; more"
                assert in_words(f"x{column.write(value)}") == f"x{column.write(value)}"


def test_keys_are_read_as_names(monkeypatch):
    monkeypatch.setattr(wording, "data_name", lambda key: NAMES.get(key, key))
    told = "reuters, accuracy: 35.8; cora: level=2 (nell_mv); cora is given and cora too"
    assert wording.readable(told) == (
        "Reuters (600), accuracy: 35.8; Cora: level 2 (NELL_mv (surrogate)); "
        "Cora is given and cora too"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(82.0649, "82.1"), (0.04, "0.0400"), (3, "3"), (0.0, "0"), (2e-7, "2.0×10⁻⁷"),
     (0.0000699, "0.0000699"), (math.nan, ""), (math.inf, "∞"), (-1.5, "-1.50"),
     (123456789.0, "1.2×10⁸")],
)  # fmt: skip
def test_a_number_is_short(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0.0165, 8.2e-4, 0.5123], ["0.0165", "0.000820", "0.512"]),
        ([5e-11, 6.99e-5, 0.00971], ["5.0×10⁻¹¹", "7.0×10⁻⁵", "0.00971"]),
        ([0.005, 0.03, 10.0], ["0.005", "0.03", "10"]),
        ([72.3, 8.1, 100.0, 0.0], ["72.3", "8.1", "100.0", "0.0"]),
        ([82.0649, math.nan, 9.8765], ["82.1", "", "9.9"]),
        ([82.0649, math.nan, 1 / 3], ["82.06", "", "0.33"]),
        ([82.0649, 0.0123], ["82.1", "0.0123"]),
        ([12, 3456], ["12", "3456"]),
        ([], []),
    ],
)
def test_a_column_writes_its_numbers_in_one_way(values, texts):
    assert numbers(values) == texts
    if values:
        frame = pd.DataFrame({"x": pd.Series(values, dtype=object)})
        assert [row[0].text for row in frame_cells(frame)] == texts


def test_no_column_mixes_powers_with_small_decimals_and_counts_keep_their_zeros(rng):
    for _ in range(50):
        values = list(rng.normal(size=6) * 10.0 ** rng.integers(-12, 5, size=6))
        texts = numbers(values)
        small = [t for t, v in zip(texts, values, strict=True) if abs(v) < 1e-3]
        assert len({"×10" in text for text in small}) <= 1
        assert not any("e" in text for text in texts)
        whole = (rng.integers(0, 30, size=4) * 10 ** rng.integers(0, 4)).tolist()
        assert numbers(whole) == [str(value) for value in whole]
        assert [float(text) for text in numbers([float(value) for value in whole])] == whole


def test_a_table_shows_words_and_downloads_keys():
    frame = pd.DataFrame({"choice": ["r=0.01;view=1"], "WebKB train=30%": [np.float64(0.005)]})
    csv = csv_text(frame)
    soup = BeautifulSoup(
        table_html(Table("t", "T", list(frame.columns), frame_cells(frame), csv)), "html.parser"
    )
    shown = [cell.text for cell in soup.select("th, td")]
    assert shown == ["choice", "WebKB 30 % labelled", "1 % labelled, view 1", "0.005"]
    assert "r=0.01;view=1" in csv
