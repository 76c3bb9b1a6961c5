"""What the page on own data says is true: its keys are known, its method runs."""

import re

import numpy as np
import yaml

from manyviews.compare.method import Facts
from manyviews.compare.methods import find_methods
from manyviews.compare.reading.spec import KEYS, TASKS, VIEW_KEYS
from manyviews.views import Views
from reproduction.files import ROOT

GUIDE = (ROOT / "docs" / "guide" / "compare.md").read_text(encoding="utf-8")


def block(language):
    return re.search(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL).group(1)


def test_the_keys_of_the_page_are_those_that_are_read():
    text = block("yaml")
    given = yaml.safe_load(text)
    assert set(given) <= set(KEYS)
    for view in given["views"].values():
        assert isinstance(view, str) or set(view) <= set(VIEW_KEYS)
    assert given["task"] in TASKS
    assert all(task in text for task in TASKS)


def test_the_method_of_the_page_is_found(tmp_path):
    (tmp_path / "forest.py").write_text(block("python"))
    facts = Facts(40, 2, ("a",), (3,), ("numbers",), (False,), (False,), (False,))
    methods, _ = find_methods(facts, "classify", [tmp_path], ["forest"])
    model = methods["forest"].build(facts, methods["forest"].grid[0], 0)
    rows = Views({"a": np.array([[i, i % 2, 1.0] for i in range(20)])})
    assert model.fit(rows, [i % 2 for i in range(20)]).predict(rows).tolist() == [0, 1] * 10
