"""Pictures of the methods: described in a few lines, drawn with words for those who cannot see."""

import pytest
from bs4 import BeautifulSoup

from reproduction.pages.diagram import diagram_html

LINES = """
    in data 0 0 Words of / a page
    out result 1 0.5 Class
    in -> out
    in <-> out: agree
"""


def test_a_picture_has_boxes_arrows_and_words():
    soup = BeautifulSoup(diagram_html(LINES, "What to see."), "html.parser")
    svg = soup.select_one("svg")
    assert svg["aria-label"] == "Words of a page to Class; Words of a page and Class (agree)."
    assert [text.text for text in svg.select("tspan")] == ["Words of", "a page", "Class"]
    assert len(svg.select("rect")) == len(svg.select("path.d-arrow")) == 2
    assert soup.select_one("figcaption").text == "What to see."


@pytest.mark.parametrize(
    ("line", "named"),
    [("in -> away", "'away'"), ("lost data 2 0 A box", "'lost'"), ("in to out", "'in to out'")],
)
def test_what_cannot_be_drawn_is_named(line, named):
    with pytest.raises(ValueError, match=named):
        diagram_html(f"{LINES}\n{line}", "A caption.")
