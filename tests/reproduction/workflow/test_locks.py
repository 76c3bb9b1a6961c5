"""Locks of dead runs go, locks of living ones stay."""

import json
import subprocess
import sys
import time

import pytest

from reproduction.workflow.locks import mend_lock, running_in, working_folder


@pytest.fixture
def locked(tmp_path, monkeypatch):
    place = tmp_path / ".snakemake" / "locks"
    place.mkdir(parents=True)
    for name in ("0.input.lock", "0.output.lock"):
        (place / name).write_text("results/a.csv\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def locks(folder):
    return sorted(path.name for path in (folder / ".snakemake" / "locks").iterdir())


@pytest.fixture
def live(locked):
    """A process that looks like Snakemake at work in the folder."""
    (locked / "snakemake").write_text("import time\ntime.sleep(60)\n")
    process = subprocess.Popen([sys.executable, "snakemake", "--cores", "1"], cwd=locked)
    while not running_in(locked):
        time.sleep(0.02)
    yield process
    process.kill()
    process.wait()


def test_the_lock_of_a_dead_run_is_removed_and_said(locked, capsys):
    mend_lock(["snakemake", "--cores", "1"])
    assert locks(locked) == []
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "lock is removed" in said
    mend_lock(["snakemake", "--cores", "1"])
    assert capsys.readouterr().err == ""


def test_a_living_run_is_refused_in_one_line_until_it_dies(locked, live):
    with pytest.raises(SystemExit) as ended:
        mend_lock(["snakemake", "--cores", "1"])
    assert f"process {live.pid}" in str(ended.value)
    assert "\n" not in str(ended.value)
    assert len(locks(locked)) == 2
    live.kill()
    live.wait()
    mend_lock(["snakemake", "--cores", "1"])
    assert locks(locked) == []


def test_another_machines_lock_is_not_touched(locked):
    (locked / ".snakemake" / "holder.json").write_text(json.dumps({"host": "elsewhere"}))
    with pytest.raises(SystemExit, match="a run on elsewhere has locked"):
        mend_lock(["snakemake", "--cores", "1"])
    assert len(locks(locked)) == 2


@pytest.mark.parametrize("flag", ["-n", "--nolock", "--unlock"])
def test_calls_without_a_lock_touch_none(locked, flag):
    mend_lock(["snakemake", flag])
    assert len(locks(locked)) == 2


def test_the_folder_of_a_call_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert working_folder(["snakemake"]) == tmp_path
    for words in (["--directory", "x"], ["-d", "x"], ["--directory=x"]):
        assert working_folder(["snakemake", *words]) == tmp_path / "x"


def test_a_folder_that_cannot_be_written_is_named_before_anything_happens(locked, monkeypatch):
    monkeypatch.setattr("reproduction.workflow.locks.os.access", lambda path, mode: False)
    with pytest.raises(SystemExit, match="cannot be written; give write permission"):
        mend_lock(["snakemake", "--cores", "1"])
    assert len(locks(locked)) == 2
