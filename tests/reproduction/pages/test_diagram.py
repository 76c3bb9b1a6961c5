"""Pictures of the methods: described in a few lines, drawn with words for those who cannot see."""

import pytest
from bs4 import BeautifulSoup

from reproduction.pages.diagram import Arrow, Box, Diagram, diagram_html
from reproduction.rooms import open_module, paper_keys


@pytest.fixture(params=paper_keys())
def diagram(request):
    return open_module(request.param, "diagram").DIAGRAM


def test_every_paper_has_a_picture_with_words(diagram):
    soup = BeautifulSoup(diagram_html(diagram), "html.parser")
    svg = soup.select_one("svg")
    assert svg["role"] == "img"
    assert svg["aria-label"] == diagram.words()
    assert len(svg.select("rect")) == len(diagram.boxes)
    assert len(svg.select("path.d-arrow")) == len(diagram.arrows)
    assert soup.select_one("figcaption").text == diagram.caption
    joined = {name for arrow in diagram.arrows for name in (arrow.start, arrow.end)}
    assert joined == set(diagram.boxes), "a box that no arrow reaches says nothing"


def test_an_arrow_to_nowhere_is_named():
    with pytest.raises(ValueError, match="'away'"):
        Diagram({"here": Box("x", 0, 0)}, (Arrow("here", "away"),), "A caption.")
