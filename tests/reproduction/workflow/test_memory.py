"""Jobs ask for the memory that runs have measured."""

from types import SimpleNamespace

import pytest

from reproduction.workflow.memory import PEAKS, measured, memory, peaks, write_peaks
from reproduction.workflow.usage import Usage, write_usage


def used(folder, place, memory):
    """Write what a job used, as the workflow does."""
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    given = SimpleNamespace(log=[str(folder / f"{place}.log")])
    write_usage(given, Usage(0.0, 1.0, 1.0, memory, "fork"))


def test_peaks_are_gathered_kept_and_asked_for(tmp_path):
    logs, kept = tmp_path / "logs", tmp_path / "memory.csv"
    used(logs, "fit/p/d/heavy", 1200.6)
    used(logs, "fit/p/d/light", 20)
    assert write_peaks(logs, kept) == 2
    known = peaks(kept)
    assert known == {"fit/p/d/heavy": 1201.0, "fit/p/d/light": 20.0}
    assert memory("fit/p/d/heavy", 7, known) == 1900
    assert memory("fit/p/d/light", 7, known) == 500
    assert memory("page/p", 7, known) == 7


def test_small_changes_leave_the_file_alone(tmp_path):
    logs, kept = tmp_path / "logs", tmp_path / "memory.csv"
    used(logs, "views/a", 1000)
    used(logs, "views/b", 1000)
    write_peaks(logs, kept)
    before = kept.read_text()
    used(logs, "views/a", 950)
    write_peaks(logs, kept)
    assert kept.read_text() == before
    used(logs, "views/a", 500)
    used(logs, "views/b", 1001)
    write_peaks(logs, kept)
    assert peaks(kept) == {"views/a": 500.0, "views/b": 1001.0}


def test_what_is_no_measurement_is_named(tmp_path):
    with pytest.raises(ValueError, match="no measured jobs below"):
        measured(tmp_path)
    (tmp_path / "x.usage.tsv").write_text("a\tb\n1\t2\n")
    with pytest.raises(ValueError, match=r"x\.usage\.tsv does not say what a job used"):
        measured(tmp_path)


def test_the_kept_peaks_are_plausible():
    known = peaks(PEAKS)
    assert known, "run `python -m reproduction memory` after a full run"
    assert all(10 < peak < 64_000 for peak in known.values())
    assert list(known) == sorted(known)
