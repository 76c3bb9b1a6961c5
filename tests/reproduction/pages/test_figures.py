"""Figures are the same bytes every time, read in both modes and carry their words and numbers."""

import base64
import io
import re

import numpy as np
import pandas as pd
import pytest

from reproduction.pages.figures import curve, figure_html, figure_svg, new_figure


def test_a_figure_carries_words_numbers_and_no_machine():
    drawing, axes = new_figure()
    data = pd.DataFrame({"x": [1, 1, 2, 2], "value": [1.0, 2.0, 3.0, 3.5]})
    curve(axes, data, "x", label="a method")
    axes.legend()
    axes.set_title("a title")
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
    np.testing.assert_allclose(saved, data)
    with pytest.raises(ValueError, match="'one' needs a text alternative"):
        figure_svg(drawing, "one", " ")
