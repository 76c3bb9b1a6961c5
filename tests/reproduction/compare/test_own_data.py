"""The benchmark on data nobody prepared: its files are read as meant, its table is kept."""

import importlib.util

import pytest

from manyviews.compare.reading.own import read_own
from manyviews.compare.task import recognise
from reproduction.files import ROOT

_SPEC = importlib.util.spec_from_file_location("own_data", ROOT / "benchmarks" / "own_data.py")
own_data = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(own_data)


@pytest.mark.parametrize(
    ("name", "rows", "views", "task"),
    [
        ("wine", 178, 1, "full labels"),
        ("breast cancer", 569, 3, "full labels"),
        ("diabetes", 442, 2, "full labels"),
        ("halves of digits", 1797, 2, "clustering without labels"),
        ("drifting states", 1500, 2, "stream"),
    ],
)
def test_the_files_are_read_as_they_were_meant(tmp_path, name, rows, views, task, monkeypatch):
    # how many clusters there are is looked for on the rows, which takes long
    monkeypatch.setattr("manyviews.compare.task.guessed_clusters", lambda data: 10)
    data = read_own(own_data.SETS[name](tmp_path))
    assert (len(data), data.views.n_views) == (rows, views)
    assert recognise(data).name == task


def test_rows_lack_the_view_that_was_cut(tmp_path):
    data = read_own(own_data.SETS["breast cancer"](tmp_path))
    assert sorted((~data.views.observed).sum(axis=0).tolist()) == [0, 0, 57]


def test_the_table_is_written_between_its_marks_and_other_rows_stay():
    text = "before\n" + "\n".join(own_data.MARKS) + "\nafter\n"
    first = [["wine", "178", "full labels", "9", "0.1", "0.2", "use a | b"]]
    once = own_data.with_table(text, first)
    assert "| wine | 178 | full labels | 9 | 0.1 | 0.2 | use a / b |" in once
    assert once.startswith("before\n")
    assert once.endswith("\nafter\n")
    other = [["diabetes", "442", "full labels", "9", "1.0", "2.0", "none"]]
    both = own_data.with_table(once, other)
    assert both.count("\n| ") == 3
    assert own_data.with_table(both, first) == both
    again = own_data.with_table(both, [["wine", "178", "full labels", "9", "0.5", "0.2", "x"]])
    assert again.count("| wine |") == 1
    assert "| 0.5 |" in again


def test_the_guide_has_a_place_for_the_table():
    text = (ROOT / "docs" / "guide" / "compare.md").read_text(encoding="utf-8")
    assert all(text.count(mark) == 1 for mark in own_data.MARKS)
