"""Jobs ask for the memory that runs have measured."""

import pytest

from reproduction.workflow.memory import PEAKS, measured, memory, peaks, write_peaks

HEAD = "s\th:m:s\tmax_rss\tmax_vms\n"


def benchmark(folder, place, *values):
    path = folder / f"{place}.benchmark.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD + "".join(f"1.0\t0:00:01\t{value}\t0\n" for value in values))


def test_peaks_are_gathered_kept_and_asked_for(tmp_path):
    logs, kept = tmp_path / "logs", tmp_path / "memory.csv"
    benchmark(logs, "fit/p/d/heavy", "1000.4", "1200.6")
    benchmark(logs, "fit/p/d/light", "20")
    benchmark(logs, "page/p", "NA")
    assert write_peaks(logs, kept) == 2
    known = peaks(kept)
    assert known == {"fit/p/d/heavy": 1201.0, "fit/p/d/light": 20.0}
    assert memory("fit/p/d/heavy", 7, known) == 1900
    assert memory("fit/p/d/light", 7, known) == 500
    assert memory("page/p", 7, known) == 7


def test_small_changes_leave_the_file_alone(tmp_path):
    logs, kept = tmp_path / "logs", tmp_path / "memory.csv"
    benchmark(logs, "views/a", "1000")
    benchmark(logs, "views/b", "1000")
    write_peaks(logs, kept)
    before = kept.read_text()
    benchmark(logs, "views/a", "950")
    write_peaks(logs, kept)
    assert kept.read_text() == before
    benchmark(logs, "views/a", "500")
    benchmark(logs, "views/b", "1001")
    write_peaks(logs, kept)
    assert peaks(kept) == {"views/a": 500.0, "views/b": 1001.0}


def test_what_is_no_benchmark_is_named(tmp_path):
    with pytest.raises(ValueError, match="no benchmarks below"):
        measured(tmp_path)
    (tmp_path / "x.benchmark.tsv").write_text("a\tb\n1\t2\n")
    with pytest.raises(ValueError, match=r"x\.benchmark\.tsv is no benchmark"):
        measured(tmp_path)


def test_the_kept_peaks_are_plausible():
    known = peaks(PEAKS)
    assert known, "run `python -m reproduction memory` after a full run"
    assert all(10 < peak < 64_000 for peak in known.values())
    assert list(known) == sorted(known)
