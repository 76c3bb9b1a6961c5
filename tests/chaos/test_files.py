"""A sample of the chaos scripts, small enough for every run of the tests; a disk without room."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from files import formats, hostile, mutations, outcome

pytestmark = pytest.mark.xdist_group("chaos")

STATIONS = {
    "text": "write_text(target, 'x' * 5000)",
    "views": "MultiViewData('toy', {'v': np.sqrt(np.arange(3600.0)).reshape(60, 60)}, np.zeros(60),"
    " ['a'], [str(i) for i in range(60)]).save(target)",
}
#: A file of a process may not grow beyond 400 bytes, as on a disk that is full.
FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))
"""
SCRIPT = """
import sys
from pathlib import Path
import numpy as np
from reproduction.data.format import MultiViewData
from reproduction.files import write_text
target = Path('out') / 'result.csv'
{full}
try:
    {body}
except ValueError as error:
    print(error)
    sys.exit(2)
"""


def test_hostile_files_are_refused_by_name():
    figures = hostile()
    assert figures["wrong"] == []
    assert figures["files"] == figures["refused"] + figures["read without harm"] > 40


def test_sound_files_are_read_and_mutated_ones_crash_nothing(rng):
    figures = mutations(50, rng)
    assert figures["wrong"] == []
    assert figures["refused"] + figures["read all the same"] == figures["mutations"]
    assert figures["refused"] > figures["formats"]


def test_the_judge_can_fail(tmp_path):
    """A reader that raises anything else, or does not name its file, is found."""

    def careless(path):
        raise KeyError("member")

    form = replace(formats()["zip"], read=careless)
    assert outcome(form, form.content, tmp_path) == "KeyError: 'member'"


def write(folder, station, full=FULL):
    script = SCRIPT.format(full=full, body=STATIONS[station])
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are those of Unix")
@pytest.mark.parametrize("station", STATIONS)
def test_on_a_full_disk_one_line_names_the_file_and_the_old_one_stays(tmp_path, station):
    old = tmp_path / "out" / "result.csv"
    old.parent.mkdir()
    old.write_text("old")
    done = write(tmp_path, station)
    assert done.returncode == 2, done.stderr
    assert done.stdout.startswith("out/result.csv cannot be written (")
    assert done.stdout.count("\n") == 1
    assert list(old.parent.iterdir()) == [old]
    assert old.read_text() == "old"
    assert write(tmp_path, station, full="").returncode == 0
