"""Templates escape what they are handed, formulas are set, diagrams have words."""

import json
import re
import string

import numpy as np
import pytest
from jinja2 import DictLoader, UndefinedError
from markupsafe import escape

from reproduction.pages.markup import badge, render, slug, templates
from reproduction.pages.prose import equation


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
    with pytest.raises(UndefinedError, match="varied"):  # what it was not told is an error
        render("choices.md")
    with pytest.raises(ValueError, match="letters or digits"):
        slug("§")


@pytest.mark.parametrize(("n", "text"), [(0, "0 jobs"), (1, "1 job"), (1234, "1,234 jobs")])
def test_a_count_has_its_noun(n, text):
    assert rendered("one.md.j2", "{{ n | some('job') }}", n=n) == text


@pytest.mark.parametrize(
    "latex", [r"\frac{a", r"\begin{aligned}a&=b\end{aligned}", r"\nosuch{a}", "a_", r"\left( a"]
)
def test_a_formula_that_cannot_be_set_is_named(latex):
    with pytest.raises(ValueError, match=re.escape(f"formula {latex!r} cannot be set")):
        equation(latex)
