"""A run that is killed goes on when the same command is given again."""

import os
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-kills")]

FOLDER = "build/quick/results/cotraining/webkb_course"
TABLE = f"{FOLDER}/table2.csv"


def signal_tree(process, number):
    family = [process, *psutil.Process(process.pid).children(recursive=True)]
    for member in family:
        try:
            member.send_signal(number)
        except psutil.NoSuchProcess:
            continue


def start(project):
    """Start the run; return its process when a fit is under way, all of it stopped there."""
    command = [sys.executable, "-m", "snakemake", "--cores", "1"]
    command += ["--configfile", "config/quick.yaml", "data.yaml", "--", TABLE]
    environment = {**os.environ, "PYTHONPATH": str(project.root / "src")}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        command, cwd=project.root, env=environment, stdout=quiet, stderr=quiet
    )
    log = project.root / "build/quick/results/logs/fit/cotraining/webkb_course/table2.log"
    while not log.is_file():
        assert process.poll() is None, "the run ended by itself"
        time.sleep(0.01)
    signal_tree(process, signal.SIGSTOP)  # a fit takes less time than the next command
    return process


@pytest.fixture
def with_views(built_project):
    """A project that has made its views and no result."""
    shutil.rmtree(built_project.root / "build/quick/results")
    return built_project


def test_after_a_kill_unlocking_is_all_and_a_living_run_is_not_disturbed(with_views):
    project = with_views
    process = start(project)
    second = project.quick("--cores", "1", "--", TABLE)
    assert second.returncode != 0
    assert "--unlock" in second.stdout + second.stderr
    signal_tree(process, signal.SIGKILL)
    process.wait()
    left = [path.name for path in (project.root / FOLDER).glob("*") if path.is_file()]
    assert left == [], "something half-written was left"
    assert project.quick("--unlock").returncode == 0
    third = project.quick("--cores", "1", "--", TABLE)
    assert third.returncode == 0, third.stdout + third.stderr
    assert (project.root / TABLE).is_file()


def test_a_failed_job_is_named_and_what_does_not_need_it_is_done(with_views):
    """An edited view file is refused, and a job that does not need it is done."""
    project = with_views
    (project.root / "build/quick/views/cornell.npz").unlink()
    view = project.root / "build/quick/views/webkb_course.npz"
    when = view.stat()
    view.write_bytes(view.read_bytes()[:1000])
    os.utime(view, ns=(when.st_atime_ns, when.st_mtime_ns))
    done = project.quick("--cores", "1", "--", TABLE, "build/quick/views/cornell.npz")
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "is not a readable view file" in said
    assert "logs/fit/cotraining/webkb_course/table2.log" in said
    assert "The run stopped; give the same command again" in said
    assert "Traceback" not in said
    assert (project.root / "build/quick/views/cornell.npz").is_file()
