"""What a page says of a measurement is what was measured."""

import importlib

import numpy as np
import pandas as pd
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


def test_the_page_shows_ratios_goals_and_who_is_missing(part):
    measure, page = part("speed.measure"), part("speed.page")
    entries = [
        measure.Entry("ours", [1e-3, 2e-3, 3e-3], "0.5"),
        measure.Entry("peer", [8e-3, 10e-3, 12e-3], "0.5", "objective within 1e-09"),
        measure.Entry("rival", [2e-3, 2e-3, 2e-3]),
    ]
    case = measure.Comparison("Part", "a case", entries, goals={"peer": 4.0, "rival": 3.0})
    rows = pd.DataFrame(case.rows())
    assert list(rows["times slower than ours"]) == pytest.approx([1, 5, 1])
    assert list(rows["median"]) == pytest.approx([2, 10, 2])
    growth = pd.DataFrame(
        {"what": "rows", "size": [10, 100], "threads": 1, "seconds": [1e-3, 1e-2], "peak MB": 9.0}
    )
    text = page.speed_page(rows, growth, {"gone": "does not install", "here": ""}, "")
    missing = "<strong>gone</strong>: does not install"
    told = ("1 of 2 goals are met", "4x: goal met", "3x: goal missed", "exponent 1.00", missing)
    assert all(said in text for said in told)
    assert "<strong>here</strong>" not in text
