"""The speed board: tasks take turns, growth is fitted, every row and missing peer is shown."""

import importlib
import os
import subprocess
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


def test_tasks_take_turns_and_the_first_round_does_not_count(part):
    calls = []
    ticks = iter(range(100))
    tasks = {name: (lambda name=name: calls.append(name)) for name in "ab"}
    found = part("measure").take_turns(tasks, 3, clock=lambda: float(next(ticks)))
    assert calls == ["a", "b"] * 4
    assert found == {"a": [1.0] * 3, "b": [1.0] * 3}


def test_the_exponent_of_a_power_is_found(part, rng):
    for power in rng.uniform(0.3, 3.0, 20):
        sizes = np.sort(rng.uniform(1, 1e6, 5))
        seconds = rng.uniform(0.1, 9) * sizes**power
        assert part("measure").exponent(list(sizes), list(seconds)) == pytest.approx(power)


def test_a_peer_that_fails_is_noted_not_raised(part):
    measure = part("measure")
    assert not measure.runs("broken", lambda: 1 / 0)
    assert "division by zero" in measure.UNUSABLE["broken"]
    assert measure.runs("sound", lambda: 1)
    assert set(measure.UNUSABLE) == {"broken"}


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


def test_the_factored_and_the_four_index_em_agree(part):
    comparisons = list(part("topics").mvplsa_cases(quick=True))
    assert [len(comparison.entries) for comparison in comparisons] == [2, 2]


PEAK = "from speed.growth import _peak_mb; print(_peak_mb())"


def test_the_peak_of_memory_is_that_of_the_process_itself():
    big = np.ones(60_000_000)  # 480 MB, which a process that is forked here would inherit
    done = subprocess.run(
        [sys.executable, "-c", PEAK], env={**os.environ, "PYTHONPATH": str(BENCHMARKS)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert 10 < float(done.stdout) < big.nbytes / 2**20
