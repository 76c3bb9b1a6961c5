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
