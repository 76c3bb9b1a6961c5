"""The benchmark on data nobody prepared: its files are read as meant, its table is kept."""

import sys

import pytest

from manyviews.compare.reading.own import read_own
from manyviews.compare.task import recognise
from reproduction.files import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
import own_data


@pytest.mark.parametrize(
    ("name", "rows", "views", "task"),
    [
        ("wine", 178, 1, "full labels"),
        ("breast cancer", 569, 3, "full labels"),
        ("diabetes", 442, 2, "full labels"),
        ("halves of digits", 1797, 2, "clustering without labels"),
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


def test_a_row_takes_the_place_of_its_own_and_others_stay():
    names = list(own_data.SETS)
    rows = [{"data": name, "minutes": 1.0} for name in (names[3], names[0])]
    found = own_data.merged(rows, {"data": names[3], "minutes": 2.0})
    assert found == [{"data": names[0], "minutes": 1.0}, {"data": names[3], "minutes": 2.0}]
    assert own_data.merged(found, {"data": names[1], "minutes": 3.0})[1]["data"] == names[1]
