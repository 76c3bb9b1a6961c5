"""The speed board: tasks take turns, growth is fitted, every row and missing peer is shown."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def part(monkeypatch):
    """Import a module of the board."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield lambda name: importlib.import_module(f"speed.{name}")
    for name in [name for name in sys.modules if name.partition(".")[0] == "speed"]:
        del sys.modules[name]


def test_the_exponent_of_a_power_is_found(part, rng):
    for power in rng.uniform(0.3, 3.0, 20):
        sizes = np.sort(rng.uniform(1, 1e6, 5))
        seconds = rng.uniform(0.1, 9) * sizes**power
        assert part("measure").exponent(list(sizes), list(seconds)) == pytest.approx(power)


def test_the_page_shows_ratios_goals_and_who_is_missing(part):
    measure, page = part("measure"), part("page")
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
    assert "1 of 2 goals are met" in text
    assert "4x: goal met" in text
    assert "3x: goal missed" in text
    assert "exponent 1.00" in text
    assert "<strong>gone</strong>: does not install" in text
    assert "<strong>here</strong>" not in text


def test_the_guard_names_what_became_slower_and_what_it_does_not_know(part):
    slower, ratio = part("__main__").slower, part("measure").RATIO
    kept = pd.DataFrame({"case": ["a", "b"], "method": "peer", ratio: [10.0, 10.0]})
    found = pd.DataFrame({"case": ["a", "b", "c"], "method": "peer", ratio: [8.4, 8.2, 5.0]})
    told = slower(kept, found)
    assert [line[:8] for line in told] == ["b, peer:", "c, peer:"]
    assert "no ratios are kept" in slower(kept[:0], found)[0]
