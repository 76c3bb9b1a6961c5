"""The table of licences names every locked package and what its metadata says."""

import re
from importlib.metadata import PackageNotFoundError, distribution

import pytest

from reproduction.files import ROOT
from reproduction.workflow.licences import ELSEWHERE, PAGE, Licence, locked_licences, page_text
from reproduction.workflow.packaging import locked_conditions, locked_versions


def committed():
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S+) \| (\S+) \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    return {name: (version, licence) for name, version, licence, _ in rows if name != "package"}


def test_the_page_is_in_step_with_the_lock():
    versions = {name: version for name, (version, _) in committed().items()}
    assert versions == locked_versions(), "run `make licences`"


def test_the_page_says_what_the_installed_packages_say():
    page = committed()
    read = [row for row in locked_licences() if row.licence != "not read"]
    assert len(read) > 100
    differing = [row.name for row in read if page[row.name][1] not in (row.licence, "not read")]
    assert not differing, "run `make licences`"


def test_packages_without_a_licence_are_for_other_machines_only():
    conditions = locked_conditions()
    for name, (_, licence) in committed().items():
        assert licence != "not stated", name
        assert licence != "not read" or conditions[name], f"{name} should be installed here"


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_licence_is_looked_up_elsewhere_only_where_the_package_names_none(name, monkeypatch):
    monkeypatch.delitem(ELSEWHERE, name)
    try:
        distribution(name)
    except PackageNotFoundError:
        pytest.skip(f"{name} is not installed here; run `make .venv/.ready`")
    (row,) = [row for row in locked_licences() if row.name == name]
    assert row.licence == "not stated", f"{name} states {row.licence} now: drop it from ELSEWHERE"


def test_copyleft_is_said_aloud():
    rows = [Licence("a", "1", "GPL-3.0-only", "text"), Licence("b", "1", "LGPL-2.1", "text")]
    text = page_text([*rows, Licence("c", "1", "not read", "not installed here: win")])
    assert "Public Licence is named by: a." in text
    assert "could be read for: c." in text
