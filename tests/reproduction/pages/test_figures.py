import io
import pickle
import re
import xml.dom.minidom

import numpy as np
import pandas as pd
import pytest

from reproduction.pages import figures
from reproduction.pages.figures import (
    _LONG_PATH,
    ON_COLOUR,
    PALETTE,
    VERDICT_COLOURS,
    _compact,
    curve,
    figure_html,
    figure_svg,
    new_figure,
    series_styles,
    standalone_svg,
)


def drawing():
    figure, axes = new_figure()
    frame = pd.DataFrame({"x": [1, 1, 2, 2], "value": [1.0, 2.0, 3.0, 3.5]})
    curve(axes, frame, "x", label="a method")
    axes.legend()
    axes.set_title("a title")
    return figure


def test_a_band_stays_within_what_the_metric_can_be():
    values = [99.0, 100.0, 100.0, 0.0, 0.0, 3.0]
    frame = pd.DataFrame({"x": [1, 1, 1, 2, 2, 2], "value": values, "metric": "accuracy_pct"})
    bands = []
    for part in (frame, frame.drop(columns="metric")):
        _, axes = new_figure()
        curve(axes, part, "x")
        bands.append(axes.collections[0].get_paths()[0].vertices[:, 1])
    bounded, free = bands
    assert bounded.min() == 0.0
    assert bounded.max() == 100.0
    assert free.min() < 0.0
    assert free.max() > 100.0


def luminance(colour: str) -> float:
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, two):
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", sorted({*PALETTE, *VERDICT_COLOURS.values()}))
def test_colours_read_on_both_pages_and_letters_on_them(colour):
    for page in ("#ffffff", "#14171c"):
        assert contrast(colour, page) >= 3.0
    assert contrast(colour, ON_COLOUR) >= 4.5


def test_a_figure_has_the_same_bytes_twice():
    assert figure_svg(drawing(), "one", "rises") == figure_svg(drawing(), "one", "rises")


@pytest.mark.parametrize("panels", [(1, 1), (1, 2)])
def test_parts_lie_where_matplotlib_itself_puts_them(rng, monkeypatch, panels):
    """Laid out beforehand and drawn once, a figure has the bytes of one that is drawn twice."""
    figure, grid = new_figure(*panels)
    for axes in np.atleast_1d(grid).ravel():
        axes.plot(
            rng.random(5), 10.0 ** rng.uniform(-4, 5, 5), label="a label " * rng.integers(1, 4)
        )
        axes.set_yscale(str(rng.choice(["linear", "log"])))
        axes.set(title="a title", xlabel="a long name of an axis", ylabel="$P(z|d)$")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    assert figure.get_layout_engine() is not None
    again = pickle.loads(pickle.dumps(figure))
    drawn = figure_svg(figure, "one", "words")
    monkeypatch.setattr(figures, "_lay_out", lambda fig: None)
    assert figure_svg(again, "one", "words") == drawn


def test_a_figure_carries_words_and_no_machine():
    text = figure_html(drawing(), "One figure", "accuracy rises with <r>", "A caption & more")
    assert 'aria-label="accuracy rises with &lt;r&gt;"' in text
    assert "<title>accuracy rises with &lt;r&gt;</title>" in text
    assert "A caption &amp; more" in text
    assert "currentColor" in text
    assert "#010203" not in text
    assert not re.search(r"20\d\d-\d\d-\d\d|Matplotlib v|DOCTYPE", text)


def test_two_figures_share_no_ids():
    ids = [
        set(re.findall(r'\bid="([^"]+)"', figure_svg(drawing(), name, "x"))) for name in ("a", "b")
    ]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_references_point_to_ids_of_the_same_figure():
    svg = figure_svg(drawing(), "a", "x")
    wanted = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', svg))
    ids = set(re.findall(r'\bid="([^"]+)"', svg))
    assert {name for pair in wanted for name in pair if name} <= ids


def test_a_figure_needs_words():
    with pytest.raises(ValueError, match="'one' needs a text alternative"):
        figure_svg(drawing(), "one", " ")
    with pytest.raises(ValueError, match="letters or digits"):
        figure_svg(drawing(), "--", "x")


def test_a_file_of_its_own_is_xml_and_follows_the_mode():
    text = standalone_svg(drawing(), "one", "rises")
    xml.dom.minidom.parseString(text)
    assert "prefers-color-scheme:dark" in text


def test_series_differ_by_more_than_colour():
    styles = series_styles([str(i) for i in range(12)])
    assert len({tuple(style.values()) for style in styles.values()}) == 12


def test_coordinates_are_short_and_words_are_words():
    svg = figure_svg(drawing(), "short", "a line")
    for places in re.findall(r' (?:d|x|y)="([^"]*)"', svg):
        assert not re.search(r"\.\d{3}", places)
    assert "\n" not in svg
    assert ">a title</text>" in svg  # text that can be found, selected and read aloud


def test_nothing_seen_is_lost_when_a_figure_is_made_small():
    """Bare groups go, shared styles become classes; every drawn part stays, with its style."""
    figure = drawing()
    small = xml.dom.minidom.parseString(figure_svg(figure, "one", "rises"))
    with io.StringIO() as buffer:
        figure.savefig(buffer, format="svg")
        whole = xml.dom.minidom.parseString(buffer.getvalue())
    for tag in ("path", "use", "text", "rect"):
        assert len(small.getElementsByTagName(tag)) == len(whole.getElementsByTagName(tag)) > 0
    rules = small.getElementsByTagName("style")[0].firstChild.data
    classes = {part.getAttribute("class") for part in small.getElementsByTagName("*")} - {""}
    assert classes
    assert all(f".{name}{{" in rules for name in classes)
    assert not [part for part in small.getElementsByTagName("g") if not part.attributes.length]


def points_of(path, digits):
    """Every corner of a path of straight lines, by the grammar of SVG."""
    words = re.findall(r"[A-Za-z]|-?\d+(?:\.\d+)?", path)
    found, command, numbers = [], "", []
    for word in words:
        if word.isalpha():
            command, numbers = word, []
            if word in "Zz":
                found.append("closed")
        else:
            numbers.append(round(float(word), digits))
            if len(numbers) == 2:
                found.append((command, *numbers))
                command, numbers = ("L" if command == "M" else command), []
    return found


def test_shortened_paths_have_the_same_corners(rng):
    for _ in range(200):
        corners = rng.normal(0, 300, (int(rng.integers(1, 12)), 2)).round(2)
        corners[rng.random(corners.shape) < 0.2] = 0.0
        lines = [f"{'L' if i else 'M'} {x:.6f} {y:.6f}" for i, (x, y) in enumerate(corners)]
        lines.insert(int(rng.integers(1, len(lines) + 1)), "M 3.000000 -4.500000")
        path = " \n".join([*lines, *(["z"] if rng.random() < 0.5 else [])])
        short = re.search(r'd="([^"]*)"', _compact(f'<path d="{path}"/>'))[1]
        digits = 1 if len(path) > _LONG_PATH else 2
        assert points_of(short, 2) == points_of(path, digits)
        assert len(short) < len(" ".join(path.split()))
    curve = '<path d="M 0 0 Q 1.5 2.25 3 4 L 5 6"/>'
    assert _compact(curve) == curve
