"""Every example in a docstring runs and prints what it says."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import manyviews

ROOT = Path(manyviews.__file__).parent
MODULES = sorted(
    ".".join(("manyviews", *path.relative_to(ROOT).with_suffix("").parts))
    for path in ROOT.rglob("*.py")
    if path.stem != "__init__" and ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    failed, tried = doctest.testmod(import_module(name))
    assert tried
    assert not failed
