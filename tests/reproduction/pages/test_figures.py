"""Figures are the same bytes every time, read in both modes and carry their words and numbers."""

import base64
import io
import re
import xml.dom.minidom

import numpy as np
import pandas as pd
import pytest

from reproduction.pages.figures import curve, figure_html, figure_svg, new_figure, standalone_svg


@pytest.fixture
def drawing():
    figure, axes = new_figure()
    frame = pd.DataFrame({"x": [1, 1, 2, 2], "value": [1.0, 2.0, 3.0, 3.5]})
    curve(axes, frame, "x", label="a method")
    axes.legend()
    axes.set_title("a title")
    return figure


@pytest.mark.parametrize("bounded", [True, False])
def test_a_band_stays_within_what_the_metric_can_be(bounded):
    values = [99.0, 100.0, 100.0, 0.0, 0.0, 3.0]
    frame = pd.DataFrame({"x": [1, 1, 1, 2, 2, 2], "value": values})
    _, axes = new_figure()
    curve(axes, frame.assign(metric="accuracy_pct") if bounded else frame, "x")
    band = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert (band.min() == 0.0, band.max() == 100.0) == (bounded, bounded)


def test_a_figure_carries_words_numbers_and_no_machine(rng, drawing):
    data = pd.DataFrame({"x": rng.normal(size=3)})
    said = "One figure", "accuracy rises with <r>", "A caption & more", data
    text = figure_html(drawing, *said)
    assert text == figure_html(drawing, *said)
    assert 'aria-label="accuracy rises with &lt;r&gt;"' in text
    assert "<title>accuracy rises with &lt;r&gt;</title>" in text
    assert "A caption &amp; more" in text
    assert "currentColor" in text
    assert not re.search(r"20\d\d-\d\d-\d\d|Matplotlib v|DOCTYPE|#010203", text)
    kind = r'download="one-figure.csv" href="data:text/csv;charset=utf-8;base64,([^"]+)"'
    saved = pd.read_csv(io.BytesIO(base64.b64decode(re.search(kind, text)[1])))
    np.testing.assert_allclose(saved["x"], data["x"])
    with pytest.raises(ValueError, match="'one' needs a text alternative"):
        figure_svg(drawing, "one", " ")


def test_references_point_to_ids_of_the_same_figure(drawing):
    one, two = (figure_svg(drawing, name, "x") for name in ("a", "b"))
    ids, others = (set(re.findall(r'\bid="([^"]+)"', svg)) for svg in (one, two))
    wanted = set(re.findall(r'(?:url\(|href=")#([^")]+)', one))
    assert wanted
    assert wanted <= ids
    assert not ids & others


def test_a_figure_made_small_has_all_its_parts_and_words(drawing):
    text = standalone_svg(drawing, "one", "rises")
    small = xml.dom.minidom.parseString(text)
    assert small.documentElement.getAttribute("width") == "504pt"
    assert "prefers-color-scheme:dark" in text
    with io.StringIO() as buffer:
        drawing.savefig(buffer, format="svg")
        whole = xml.dom.minidom.parseString(buffer.getvalue())
    for tag in ("path", "use", "text", "rect"):
        found, wanted = (part.getElementsByTagName(tag) for part in (small, whole))
        assert len(found) == len(wanted) > 0
        for one, two in zip(found, wanted, strict=True):
            places = [re.findall(r"-?\d+\.?\d*", part.getAttribute("d")) for part in (one, two)]
            np.testing.assert_allclose(*(np.array(each, dtype=float) for each in places), atol=0.06)
            texts = ["".join(n.data for n in p.childNodes if n.nodeType == 3) for p in (one, two)]
            assert texts[0].split() == texts[1].split()
