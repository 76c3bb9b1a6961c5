"""The examples of the documentation run."""

import doctest
import os
import re

import pytest

from reproduction.files import ROOT

PAGES = sorted(
    path
    for room in ("guide", "methods", "tutorials")
    for path in (ROOT / "docs" / room).glob("*.md")
)


_BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r'load\("([^"]+)"\)')


def examples(path):
    """The examples of a page, one after another; a blank line ends the output of each."""
    return "\n".join(block + "\n" for block in _BLOCK.findall(path.read_text(encoding="utf-8")))


def name_of(path):
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", [path for path in PAGES if examples(path)], ids=name_of)
def test_examples_print_what_they_say(path, monkeypatch):
    text = examples(path)
    for needed in _FILE.findall(text):
        if not (ROOT / needed).is_file():
            pytest.skip(f"{needed} is not there; make it with: snakemake --cores 1 {needed}")
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(text, {}, name_of(path), os.fspath(path), 0)
    runner = doctest.DocTestRunner(verbose=False)
    said = []
    runner.run(test, out=said.append)
    assert runner.tries > 2
    assert not runner.failures, "".join(said)
