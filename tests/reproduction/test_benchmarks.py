"""What a page says of a measurement is what was measured."""

import importlib

import numpy as np
import pytest

from reproduction.files import ROOT

#: Benchmarks that write a page: they have a block.
NAMES = sorted(
    path.stem
    for path in (ROOT / "benchmarks").glob("*.py")
    if "\ndef block(" in path.read_text(encoding="utf-8")
)


@pytest.fixture
def part(monkeypatch):
    """Import a module of the benchmarks."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_what_was_measured(part, name):
    module, measured = part(name), part("measured")
    told = measured.read_block(module.PAGE, module.BLOCK)
    if module.TABLE.is_file():
        block = module.block(measured.read_csv(module.TABLE))
        assert told == block, f"run benchmarks/{name}.py"
    else:
        assert told == measured.NOT_YET


def test_every_block_of_a_page_has_a_benchmark(part):
    known = {(part(name).PAGE, part(name).BLOCK) for name in NAMES}
    found = {
        (path, line.removeprefix("<!-- measured: ").removesuffix(" -->"))
        for path in (ROOT / "docs").rglob("*.md")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("<!-- measured: ")
    }
    assert found == known != set()


def test_the_exponent_of_a_power_is_found(part, rng):
    for power in rng.uniform(0.3, 3.0, 20):
        sizes = np.sort(rng.uniform(1, 1e6, 5))
        seconds = rng.uniform(0.1, 9) * sizes**power
        found = part("speed.measure").exponent(list(sizes), list(seconds))
        assert found == pytest.approx(power)
