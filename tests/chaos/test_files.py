"""A sample of the chaos scripts, small enough for every run of the tests; a disk without room."""

import errno
import zipfile
from pathlib import Path

import numpy as np
import pytest
from files import mutations

from reproduction.data.format import MultiViewData
from reproduction.files import OutputError, write_text

pytestmark = pytest.mark.xdist_group("chaos")


def test_sound_files_are_read_and_mutated_ones_crash_nothing(rng):
    figures = mutations(50, rng)
    assert figures["wrong"] == []
    assert figures["refused"] + figures["read all the same"] == figures["mutations"]
    assert figures["refused"] > figures["formats"]


VIEWS = MultiViewData("toy", {"v": np.ones((2, 2))}, np.zeros(2), ["a"], ["1", "2"])


@pytest.mark.parametrize(
    ("owner", "name", "write"),
    [
        (Path, "write_text", lambda target: write_text(target, "x" * 5000)),
        (zipfile.ZipFile, "writestr", VIEWS.save),
    ],
)
def test_on_a_full_disk_one_line_names_the_file_and_the_old_one_stays(
    tmp_path, monkeypatch, owner, name, write
):
    old = tmp_path / "result.csv"
    old.write_bytes(b"old")

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(owner, name, full)
    with pytest.raises(OutputError, match=r"result.csv cannot be written \(No space left.*\n?$"):
        write(old)
    assert list(tmp_path.iterdir()) == [old]
    assert old.read_bytes() == b"old"
    with pytest.raises(OutputError, match="below cannot be written"):
        write(old / "below")
