"""Templates escape what they are handed, and say nothing of what they are not."""

import html
import string

import numpy as np
import pytest
from jinja2 import DictLoader, UndefinedError
from results_tree import ROOT

from reproduction.pages.markup import Cell, badge, render, templates
from reproduction.pages.said import Said

ASSETS = ROOT / "src" / "reproduction" / "pages" / "assets"


def rendered(name, source, **data):
    return templates().overlay(loader=DictLoader({name: source})).get_template(name).render(**data)


def test_texts_are_escaped_in_html_alone(rng):
    letters = np.array([*string.printable, *"&<>\"'"])
    text = "".join(rng.choice(letters, 60)) + "<i>'"
    assert rendered("one.html.j2", "{{ text }}", text=text) == html.escape(text)
    assert rendered("one.md.j2", "{{ text }}", text=text) == text


def test_what_is_markup_already_stays_as_it_is():
    said = Said("{n:d} of them", {"n": 3})
    found = rendered("one.html.j2", "{{ cell }}{{ said }}", cell=badge("holds"), said=said)
    assert found == badge("holds").markup + said.markup()


def test_an_indented_line_continues_the_one_before():
    source = "<p>\n  <b>first</b>\n  word\n{% if yes %}\n  {{ yes }}\n{% endif %}\n</p>"
    assert rendered("one.html.j2", source, yes="&") == "<p><b>first</b> word\n&amp;\n</p>"


def test_what_a_template_was_not_told_is_an_error():
    with pytest.raises(UndefinedError, match="headline"):
        render("summary.md")


@pytest.mark.parametrize("path", sorted(ASSETS.glob("*.j2")), ids=lambda path: path.name)
def test_every_template_can_be_read(path):
    assert templates().get_template(path.name)


def test_the_key_of_a_cell_is_not_written_twice():
    assert Cell("5", "5", "5").key == ""
    assert Cell("five", "five", 5.0).key == "5"
