"""Templates escape what they are handed, and say nothing of what they are not."""

import string

import numpy as np
import pytest
from jinja2 import DictLoader, UndefinedError
from markupsafe import escape

from reproduction.pages.markup import badge, render, templates
from reproduction.pages.said import Said


def rendered(name, source, **data):
    return templates().overlay(loader=DictLoader({name: source})).get_template(name).render(**data)


def test_texts_are_escaped_in_html_alone(rng):
    letters = np.array([*string.printable, *"&<>\"'"])
    text = "".join(rng.choice(letters, 60)) + "<i>'"
    assert rendered("one.html.j2", "{{ text }}", text=text) == str(escape(text))
    assert rendered("one.md.j2", "{{ text }}", text=text) == text


def test_what_is_markup_already_stays_as_it_is():
    said = Said("{n:d} of them", {"n": 3})
    found = rendered("one.html.j2", "{{ cell }}{{ said }}", cell=badge("holds"), said=said)
    assert found == badge("holds").markup + said.markup()


def test_what_a_template_was_not_told_is_an_error():
    with pytest.raises(UndefinedError, match="headline"):
        render("summary.md")
