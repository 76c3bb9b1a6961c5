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
LOG = "build/quick/results/logs/fit/cotraining/webkb_course/table2.log"


@pytest.fixture
def with_views(built_project):
    """A project that has made its views and no result."""
    shutil.rmtree(built_project.root / "build/quick/results")
    return built_project


def signal_tree(process, number):
    for member in [process, *psutil.Process(process.pid).children(recursive=True)]:
        try:
            member.send_signal(number)
        except psutil.NoSuchProcess:
            continue


def test_after_a_kill_unlocking_is_all_and_a_living_run_is_not_disturbed(with_views):
    project = with_views
    command = [sys.executable, "-m", "snakemake", "--cores", "1"]
    command += ["--configfile", "config/quick.yaml", "data.yaml", "--", TABLE]
    process = subprocess.Popen(
        command,
        cwd=project.root,
        env=project.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not (project.root / LOG).is_file():
        assert process.poll() is None, "the run ended by itself"
        time.sleep(0.01)
    signal_tree(process, signal.SIGSTOP)  # a fit takes less time than the next command
    assert "--unlock" in project.build(TABLE, good=False).said
    signal_tree(process, signal.SIGKILL)
    process.wait()
    left = [path.name for path in (project.root / FOLDER).glob("*") if path.is_file()]
    assert left == [], "something half-written was left"
    project.quick("--unlock")
    project.build(TABLE)
    assert (project.root / TABLE).is_file()


def test_a_failed_job_is_named_and_what_does_not_need_it_is_done(with_views):
    """An edited view file is refused, and a job that does not need it is done."""
    cornell, view = (
        with_views.root / f"build/quick/views/{name}.npz" for name in ("cornell", "webkb_course")
    )
    cornell.unlink()
    when = view.stat()
    view.write_bytes(view.read_bytes()[:1000])
    os.utime(view, ns=(when.st_atime_ns, when.st_mtime_ns))
    said = with_views.build(TABLE, "build/quick/views/cornell.npz", good=False).said
    for text in (
        "is not a readable view file",
        LOG,
        "The run stopped; give the same command again",
    ):
        assert text in said
    assert "Traceback" not in said
    assert cornell.is_file()
