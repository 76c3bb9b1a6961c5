"""The documentation runs: every example on a page prints what the page says."""

import csv
import doctest
import os
import re

import pytest

from manyviews import baselines, models
from reproduction.files import ROOT
from reproduction.workflow.method_pages import with_claims

PAGES = sorted(
    path
    for room in ("guide", "methods", "tutorials")
    for path in (ROOT / "docs" / room).glob("*.md")
)
METHODS = [path for path in PAGES if path.parent.name == "methods"]
SECTIONS = (
    "When to use it",
    "When not to use it",
    "The model",
    "Cost",
    "Example",
    "What was found",
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


def test_a_wrong_example_would_be_found():
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "page", None, 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=lambda text: None)
    assert runner.failures == 1


def test_every_public_class_has_its_page():
    found = []
    for path in METHODS:
        head = path.read_text(encoding="utf-8").split("\n## ")[0]
        found += re.findall(r"\{py:class\}`~manyviews\.\w+\.\w+\.(\w+)`", head)
    assert sorted(found) == sorted([*models.__all__, *baselines.__all__])


@pytest.mark.parametrize("path", METHODS, ids=name_of)
def test_a_method_page_says_all_there_is_to_say(path):
    text = path.read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert tuple(headings) == SECTIONS
    assert _BLOCK.search(text), "an example that runs"


def test_links_between_pages_lead_somewhere():
    for path in PAGES:
        for link in re.findall(r"\]\(([^)#]+\.md)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).is_file(), f"{name_of(path)} links to {link}"


def test_claims_are_put_in_from_the_reports(tmp_path):
    folder = tmp_path / "reports" / "tables"
    folder.mkdir(parents=True)
    text = "before\n\n<!-- claims: here -->\nafter"
    assert "once the workflow has run" in with_claims(text, tmp_path)
    with (folder / "claims.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["paper", "statement", "in_print", "text", "inferred"])
        writer.writerow(["here", "A is | better\nthan B.", "holds", "open", "refuted"])
        writer.writerow(["there", "Something else.", "holds", "holds", "holds"])
    assert with_claims(text, tmp_path).splitlines() == [
        "before",
        "",
        "| claim | in print | text | inferred |",
        "| --- | --- | --- | --- |",
        "| A is \\| better than B. | holds | open | refuted |",
        "",
        "after",
    ]


def test_pages_ask_for_claims_of_papers_that_exist():
    papers = {path.parent.name for path in (ROOT / "src/reproduction/papers").glob("*/paper.yaml")}
    asked = {
        key
        for path in METHODS
        for key in re.findall(r"<!-- claims: (\w+) -->", path.read_text(encoding="utf-8"))
    }
    assert asked <= papers
    assert asked
