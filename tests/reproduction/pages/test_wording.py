"""Tables, figures and sentences show words and numbers in one way; downloads keep the keys."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from results_tree import ROOT

from reproduction.pages import wording
from reproduction.pages.figures import figure_html, new_figure
from reproduction.pages.markup import Table, csv_text, frame_cells, table_html
from reproduction.pages.wording import column_words, in_words, number, numbers, typeset
from reproduction.results import tables
from reproduction.rooms import paper_keys, tables_of

NAMES = {"cora": "Cora", "reuters": "Reuters (600)", "nell_mv": "NELL_mv (surrogate)"}


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("r=0.01;view=3", "1 % labelled, view 3"),
        ("train=30%", "30 % labelled"),
        ("5-fold;C=0.1;gamma=0.5", "5-fold, C = 0.1, gamma = 0.5"),
        ("first class=type 1", "first class: type 1"),
        ("readout=sum;order=alternating", "readout: sum, order: alternating"),
        ("12.8 (start=random)", "12.8 (start: random)"),
        ("not SUMSCORE %, train=10%", "not SUMSCORE %, 10 % labelled"),
        ("Cornell r=0.05", "Cornell, 5 % labelled"),
        ("at r=0.05", "at 5 % labelled"),
        ("λ=2 per pair", "λ = 2 per pair"),
        ("topic;i2t", "topic, image to text"),
        ("floor=1e-12", "floor: 10⁻¹²"),
        ("floor=1e-06", "floor: 0.000001"),
        ("p 1.8e-05, p 3e-20", "p 0.000018, p 3×10⁻²⁰"),
        ("words=1+idf;centroids=unit rows", "words: 1+idf, centroids: unit rows"),
        ("https://host/?id=3;x=4", "https://host/?id=3;x=4"),
        ("no setting; nothing", "no setting; nothing"),
        ("", ""),
    ],
)
def test_settings_are_said_in_words(setting, words):
    assert in_words(setting) == words
    assert in_words(words) == words


def put(text, *columns):
    for words in column_words(columns):
        text = words.put(text)
    return text


def test_a_column_says_its_numbers_in_words(rng):
    for _ in range(200):
        name = "".join(rng.choice(list("abcxyz"), size=rng.integers(1, 6)))
        after = rng.choice(["", "%", " days"])
        times = float(rng.choice([1, 100, 0.5]))
        value = float(f"{rng.normal() * 10.0 ** rng.integers(-3, 4):.3g}")
        first, then = (
            tables.number(name, f"{name}={{:g}}{after}", shown=shown, times=times)
            for shown in ("{:g} shown", f"{name} {{:g}}")
        )
        printed, shown = first.write(value), f"{times * value:g}"
        assert put(printed, first) == f"{shown} shown"
        assert put(printed, then) == f"{name} {shown}"
        # a comma parts a name from a number; words that begin with the setting's name need none
        assert put(f"Cora {printed}, all.", first) == f"Cora, {shown} shown, all."
        assert put(f"at {printed}.", first) == f"at {shown} shown."
        assert put(f"Cora {printed};more", then) == f"Cora {name} {shown};more"
        assert put(f"x{printed}", first) == f"x{printed}"


def test_a_column_says_its_values_in_words(rng):
    for _ in range(50):
        values = {f"v{n}": f"value {n}" for n in rng.permutation(30)[:5]}
        column = tables.text("setting", str(rng.choice(["{}", "set={}"])), shown=values)
        other = tables.text("other")
        table = tables.Table("1", (column, other))
        for value, shown in values.items():
            printed = table.write({"setting": value, "other": "unknown"})
            assert put(printed, *table.columns) == f"{shown};unknown"
        assert put(f"{column.write('v99')} a{next(iter(values))}", column).startswith(
            column.write("v99")
        )


def test_what_is_printed_in_one_way_is_shown_in_one_way():
    shares = [tables.number("rate", "r={:g}", shown=shown) for shown in ("{:g} here", "there {:g}")]
    assert len(column_words([shares[0], shares[0], tables.number("plain")])) == 1
    with pytest.raises(ValueError, match="'rate' is shown in two ways where print writes 'r=…'"):
        column_words(shares)
    words = [tables.text("w", shown={"a": shown}) for shown in ("one", "two")]
    with pytest.raises(ValueError, match="'w' is shown in two ways"):
        column_words(words)


@pytest.mark.parametrize("paper", paper_keys())
def test_pages_say_a_papers_settings_in_its_words(paper, rng):
    for table in tables_of(paper).values():
        for column in table.columns:
            if isinstance(column.shown, str):
                value = int(rng.integers(1, 100)) / column.times
                words = {value: column.shown.format(column.times * value)}
            else:
                words = dict(column.shown)
            for value, shown in words.items():
                assert not shown or in_words(column.write(value)) == shown


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
        ([0.00971, 6.99e-5], ["0.00971", "0.0000699"]),
        ([0.0165, 8.2e-4, 0.5123], ["0.0165", "0.000820", "0.512"]),
        ([5e-11, 6.99e-5, 0.00971], ["5.0×10⁻¹¹", "7.0×10⁻⁵", "0.00971"]),
        ([0.005, 0.03, 10.0], ["0.005", "0.03", "10"]),
        ([-0.5, -0.39, 0.36], ["-0.50", "-0.39", "0.36"]),
        ([72.3, 8.1, 100.0, 0.0], ["72.3", "8.1", "100.0", "0.0"]),
        ([8.1, -5.0, 0.3], ["8.1", "-5.0", "0.3"]),
        ([82.0649, math.nan, 9.8765], ["82.1", "", "9.9"]),
        ([82.0649, math.nan, 1 / 3], ["82.06", "", "0.33"]),
        ([82.0649, 0.0123], ["82.1", "0.0123"]),
        ([12, 3456], ["12", "3456"]),
        ([math.inf, 0.5], ["∞", "0.5"]),
        ([], []),
    ],
)
def test_a_column_writes_its_numbers_in_one_way(values, texts):
    assert numbers(values) == texts
    if values:
        frame = pd.DataFrame({"x": pd.Series(values, dtype=object)})
        assert [row[0].text for row in frame_cells(frame)] == texts


def test_no_column_mixes_powers_with_small_decimals(rng):
    for _ in range(50):
        values = list(rng.normal(size=6) * 10.0 ** rng.integers(-12, 5, size=6))
        texts = numbers(values)
        small = [t for t, v in zip(texts, values, strict=True) if abs(v) < 1e-3]
        assert len({"×10" in text for text in small}) <= 1
        assert not any("e" in text for text in texts)


def test_a_table_shows_words_and_downloads_keys():
    frame = pd.DataFrame({"choice": ["r=0.01;view=1"], "WebKB train=30%": [np.float64(0.005)]})
    csv = csv_text(frame)
    soup = BeautifulSoup(
        table_html(Table("t", "T", list(frame.columns), frame_cells(frame), csv)), "html.parser"
    )
    shown = [cell.text for cell in soup.select("th, td")]
    assert shown == ["choice", "WebKB, 30 % labelled", "1 % labelled, view 1", "0.005"]
    assert "r=0.01;view=1" in csv


def test_a_figure_shows_words():
    drawn, axes = new_figure()
    axes.plot([0, 1], [0, 1], label="λ=2")
    axes.set_title("Cornell r=0.01")
    axes.legend()
    markup = figure_html(drawn, "words", "A line.")
    assert not re.search(r"λ=2|r=0\.01", markup)
    assert markup.count("λ = 2") == markup.count("Cornell, 1 % labelled") == 2  # drawn, and as data


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("<p>8% and 9 % and 5 \u202f%</p>", "<p>8\u00a0% and 9\u00a0% and 5 \u202f%</p>"),
        ("<b>8</b> % of", "<b>8</b>\u00a0% of"),
        ("+.3 and .65 to .67, 1.5, v.2, ...5", "+0.3 and 0.65 to 0.67, 1.5, v.2, ...5"),
        ("C = 0.1, x = y", "C\u00a0=\u00a00.1, x = y"),
        ('<p style="width:5%">.5</p>', '<p style="width:5%">0.5</p>'),
        ("<code>8% .5</code> 8%", "<code>8% .5</code> 8\u00a0%"),
        ("<pre><i>8%</i></pre><script>x=.5</script>", "<pre><i>8%</i></pre><script>x=.5</script>"),
    ],
)
def test_pages_write_per_cent_and_decimals_in_one_way(markup, shown):
    assert typeset(markup) == shown
    assert typeset(shown) == shown


def pages_of(reports):
    """The invented report, and the committed one when there is one."""
    committed = ROOT / "reports"
    return [*sorted(reports.glob("*.html")), *sorted(committed.glob("*.html"))]


@pytest.mark.xdist_group("report")
def test_no_table_or_figure_shows_a_key_with_its_value(reports):
    seen = 0
    for path in pages_of(reports):
        soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for part in soup.select("code, pre, math, script, style"):
            part.decompose()
        for text in soup.select("main table, main figure, main .note, main .c-place"):
            seen += 1
            found = re.search(r".{0,30}\w=\w.{0,30}", text.get_text(" "))
            assert not found, f"{path.name}: {found[0]}"
        prose = soup.select_one("main").get_text("\n")
        found = re.search(r".{0,30}\d ?%.{0,30}", prose)
        assert not found, f"{path.name}: {found[0]}"
    assert seen > 10


def test_whole_numbers_keep_their_zeros(rng):
    """Counts such as 20 runs are written as they are."""
    for _ in range(300):
        values = (rng.integers(0, 30, size=4) * 10 ** rng.integers(0, 4)).tolist()
        assert numbers(values) == [str(value) for value in values]
        assert [float(text) for text in numbers([float(value) for value in values])] == values
