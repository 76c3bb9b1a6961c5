"""A disk without room, or a folder that cannot be written: one line that names the file."""

import sys

import pytest
from disk import STATIONS, problem, run_full

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="limits of a process are those of Unix"
)


@pytest.mark.parametrize("body", STATIONS.values(), ids=STATIONS)
def test_what_does_not_fit_is_named_and_the_old_file_stays(tmp_path, body):
    assert problem(tmp_path, body) == ""


def test_a_write_that_succeeds_is_no_refusal(tmp_path):
    assert problem(tmp_path, STATIONS["text"], limit=False).startswith("not told")


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "out").write_text("no folder")
    done = run_full(tmp_path, STATIONS["text"])
    assert done.returncode == 2, done.stdout + done.stderr
    assert "out/result.csv cannot be written" in done.stdout
