"""Templates escape what they are handed, formulas are set, diagrams have words."""

import json
import re
import string
from importlib import resources
from xml.etree import ElementTree

import numpy as np
import pytest
from bs4 import BeautifulSoup
from jinja2 import DictLoader, UndefinedError
from markupsafe import escape

from asprinted.words import AGREEMENT, CLAIM
from reproduction.files import ROOT
from reproduction.pages.diagram import diagram_html
from reproduction.pages.markup import badge, render, slug, templates
from reproduction.pages.prose import equation

DIAGRAM = """
    in data 0 0 Words of / a page
    out result 1 0.5 Class
    in -> out
    in <-> out: agree
"""


def rendered(name, source, **data):
    return templates().overlay(loader=DictLoader({name: source})).get_template(name).render(**data)


def test_texts_are_escaped_in_html_alone(rng):
    letters = np.array([*string.printable, *"&<>\"'"])
    text = "".join(rng.choice(letters, 60)) + "<i>'"
    assert rendered("one.html.j2", "{{ text }}", text=text) == str(escape(text))
    assert rendered("one.html.j2", "{{ cell }}", cell=badge("holds")) == badge("holds").markup
    assert rendered("one.md.j2", "{{ text }}", text=text) == text
    block = rendered("one.html.j2", "{{ text | tojson }}", text=[text, "</script>"])
    assert "<" not in block
    assert json.loads(block) == [text, "</script>"]
    with pytest.raises(UndefinedError, match="asked"):  # what it was not told is an error
        render("choices.md")
    with pytest.raises(ValueError, match="letters or digits"):
        slug("§")


@pytest.mark.parametrize("verdict", [*AGREEMENT, *CLAIM])
def test_a_verdict_has_its_own_colour(verdict):
    css = "v-" + "-".join(verdict.split())
    assert re.fullmatch(rf'<span class="badge {css}">.*{verdict}</span>', badge(verdict).markup)
    style = resources.files("reproduction.pages") / "assets" / "page.css"
    assert f".{css}" in style.read_text()


@pytest.mark.parametrize("display", [False, True])
def test_a_formula_is_set_with_its_source_as_text(display):
    latex = r"\hat{y}=\arg\max_{c} \frac{\ell_t}{\|x_t\|^2},\quad \text{if } x \ge 0"
    root = ElementTree.fromstring(equation(latex, display=display))
    assert root.get("aria-label") == latex
    assert root.get("display") == ("block" if display else "inline")
    assert "\\" not in "".join(root.itertext())


@pytest.mark.parametrize(
    "latex", [r"\frac{a", r"\begin{aligned}a&=b\end{aligned}", r"\nosuch{a}", "a_", r"\left( a"]
)
def test_a_formula_that_cannot_be_set_is_named(latex):
    with pytest.raises(ValueError, match=re.escape(f"formula {latex!r} cannot be set")):
        equation(latex)


@pytest.mark.parametrize("notebook", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=str)
def test_every_formula_of_the_notebooks_can_be_set(notebook):
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            for found in re.finditer(r"\$\$(.+?)\$\$|\$([^$]+?)\$", "".join(cell["source"]), re.S):
                assert equation(found[1] or found[2])


def test_a_diagram_has_boxes_arrows_and_words():
    soup = BeautifulSoup(diagram_html(DIAGRAM, "What to see."), "html.parser")
    svg = soup.select_one("svg")
    assert svg["aria-label"] == "Words of a page to Class; Words of a page and Class (agree)."
    assert [text.text for text in svg.select("tspan")] == ["Words of", "a page", "Class"]
    assert len(svg.select("rect")) == len(svg.select("path.d-arrow")) == 2
    for line in ("in -> away", "lost data 2 0 A box", "in to out"):
        with pytest.raises(ValueError, match=r"'away'|'lost'|'in to out'"):
            diagram_html(f"{DIAGRAM}\n{line}", "A caption.")
