"""What a page says of a measurement is what its CSV file holds."""

import importlib
import sys

import pytest

from reproduction.files import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
import measured

#: Benchmarks that write a page: they have a block.
NAMES = sorted(
    path.stem
    for path in (ROOT / "benchmarks").glob("*.py")
    if "\ndef block(" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_what_was_measured(name):
    module = importlib.import_module(name)
    told = measured.read_block(module.PAGE, module.BLOCK)
    if not module.TABLE.is_file():
        assert told == measured.NOT_YET
        return
    assert told == module.block(measured.read_csv(module.TABLE)), f"run benchmarks/{name}.py"


def test_every_block_of_a_page_has_a_benchmark():
    modules = [importlib.import_module(name) for name in NAMES]
    known = {(module.PAGE, module.BLOCK) for module in modules}
    found = {
        (path, line.removeprefix("<!-- measured: ").removesuffix(" -->"))
        for path in (ROOT / "docs").rglob("*.md")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("<!-- measured: ")
    }
    assert found == known
    assert known


def test_blocks_are_replaced_and_read_back(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- measured: a -->\nold\n<!-- end: a -->\nafter\n")
    measured.write_block(page, "a", measured.markdown(["x"], [[1], ["use a | b"]]))
    assert measured.read_block(page, "a") == "\n| x |\n| --- |\n| 1 |\n| use a / b |\n\n"
    assert page.read_text().startswith("before\n")
    assert page.read_text().endswith("after\n")
    with pytest.raises(ValueError, match=r"needs the lines <!-- measured: b -->"):
        measured.write_block(page, "b", "")


def test_tables_are_read_as_they_were_written(tmp_path):
    rows = [{"a": 1, "b": 0.5, "c": "x, y", "d": ""}, {"a": -2, "b": 1e-4, "c": "z", "d": 3.0}]
    measured.write_csv(tmp_path / "t.csv", rows)
    assert measured.read_csv(tmp_path / "t.csv") == rows
