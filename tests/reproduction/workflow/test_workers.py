"""A script in a fork of the server ends as it would have ended alone."""

import json
import math
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import psutil
import pytest

from reproduction.closure import closure_hash
from reproduction.workflow.usage import COLUMNS, usage_file
from reproduction.workflow.workers import THREAD_VARIABLES, VARIABLE

#: What Snakemake makes of a script: the object comes pickled, then the script's own text follows.
HEAD = """
import pickle, sys
snakemake = pickle.loads({snakemake!r})
__file__ = {script!r}
"""
SCRIPT = """
from reproduction.workflow.workers import share

share(snakemake, __file__)

import os
import sys
import time
from pathlib import Path

{body}
"""
#: A run: starts the server, then the scripts given, one after the other, and says how they ended.
RUN = """
import json, os, subprocess, sys
from reproduction.workflow import workers

server = workers.start_server()
print(json.dumps({"server": server.pid, "place": os.environ[workers.VARIABLE]}), flush=True)
for script in sys.argv[1:]:
    # to files: a pipe would wait for a fork that outlives its script
    with open(script + ".out", "w+") as out, open(script + ".err", "w+") as err:
        code = subprocess.run([sys.executable, script], stdout=out, stderr=err).returncode
        out.seek(0), err.seek(0)
        print(json.dumps([code, out.read(), err.read()]), flush=True)
"""


class Ended(NamedTuple):
    """How a script ended, and what it said."""

    code: int
    out: str
    err: str


@pytest.fixture
def environment():
    return environment_of_jobs()


def environment_of_jobs():
    kept = {key: value for key, value in os.environ.items() if key != VARIABLE}
    return {**kept, **dict.fromkeys(THREAD_VARIABLES, "1"), "COLOUR": "green"}


def written(folder: Path, name: str, body: str) -> Path:
    """A script as Snakemake leaves it to Python."""
    script = folder / f"{name}.py"
    script.write_text(SCRIPT.format(body=body), encoding="utf-8")
    given = SimpleNamespace(log=[str(folder / f"{name}.log")], params=SimpleNamespace(number=7))
    head = HEAD.format(snakemake=pickle.dumps(given), script=str(script))
    wrapped = folder / f"{name}.wrapped.py"
    wrapped.write_text(head + script.read_text(encoding="utf-8"), encoding="utf-8")
    return wrapped


def used(log: Path) -> dict[str, str]:
    """What a job wrote of what it used."""
    head, values = (line.split("\t") for line in usage_file(log).read_text().splitlines())
    assert tuple(head) == COLUMNS
    return dict(zip(head, values, strict=True))


FACTS = """
import manyviews
print("number", snakemake.params.number, Path.cwd().name, os.environ["COLOUR"], __name__)
print("to the terminal", file=sys.stderr)
Path("who").write_text(f"{os.getpid()} {os.getppid()}")
"""


COMPILES = """
import numba
numba.njit(lambda number: number + 1)(1)
"""
READS = """
import time
from reproduction.data import format

def slow(*_):
    time.sleep(0.02)
    raise OSError("damaged")

format.zipfile.ZipFile = slow
try:
    format.MultiViewData.load("any.npz")
except format.ViewFormatError:
    print("refused")
"""
HASHES = """
from reproduction import closure, facts
known = facts._facts_of.cache_info().misses
print(closure.closure_hash("reproduction.workflow.workers"))
print(facts._facts_of.cache_info().misses - known)
"""
LEARNS = "import sys; print('colorsys' in sys.modules); import colorsys"
MARK = "import manyviews; print(getattr(manyviews, 'mark', 'clean')); manyviews.mark = 'dirty'"
#: How scripts end, and with which code.
ENDS = {
    "sys.exit(3)": 3,
    "sys.exit()": 0,
    "sys.exit('a text on the terminal')": 1,
    "raise ValueError('an error on the terminal')": 1,
    "os.kill(os.getpid(), 9)": -9,
    "os.kill(os.getpid(), 15)": -15,
}
SCRIPTS = {
    "facts": FACTS,
    "compiles0": COMPILES,
    "compiles1": COMPILES,
    "reads": READS,
    "hashes": HASHES,
    "learns0": LEARNS,
    "learns1": LEARNS,
    "mark0": MARK,
    "mark1": MARK,
}
SCRIPTS |= {f"end{n}": body for n, body in enumerate(ENDS)}


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One run of all scripts, for all tests: servers and scripts take seconds to start."""
    folder = tmp_path_factory.mktemp("run")
    scripts = [written(folder, name, body) for name, body in SCRIPTS.items()]
    done = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, scripts)], cwd=folder, env=environment_of_jobs(),
        capture_output=True, text=True, timeout=240, check=True,
    )  # fmt: skip
    known, *ends = map(json.loads, done.stdout.splitlines())
    ended = {name: Ended(*end) for name, end in zip(SCRIPTS, ends, strict=True)}
    return SimpleNamespace(folder=folder, server=known["server"], ended=ended)


def test_a_fork_is_the_script_in_all_but_its_process(environment, shared):
    fork, folder = shared.ended["facts"], shared.folder
    _, parent = map(int, (folder / "who").read_text().split())
    assert parent not in (shared.server, os.getpid()), "a keeper stands between"
    values = used(folder / "facts.log")
    assert values["process"] == "fork"
    assert float(values["memory_mb"]) > 10
    assert float(values["compile_seconds"]) == float(values["read_seconds"]) == 0
    alone = subprocess.run(
        [sys.executable, str(folder / "facts.wrapped.py")],
        cwd=folder, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert used(folder / "facts.log")["process"] == "own"
    assert fork == (0, alone.stdout, alone.stderr)


def test_the_time_of_compiling_is_told(shared):
    """But for the first fork that has numba at all."""
    assert shared.ended["compiles0"].code == shared.ended["compiles1"].code == 0
    assert math.isnan(float(used(shared.folder / "compiles0.log")["compile_seconds"]))
    values = used(shared.folder / "compiles1.log")
    assert 0 < float(values["compile_seconds"]) < float(values["seconds"])


def test_the_time_of_reading_views_is_told(shared):
    assert shared.ended["reads"].out == "refused\n"
    values = used(shared.folder / "reads.log")
    assert 0.02 <= float(values["read_seconds"]) < float(values["seconds"])


def test_a_fork_knows_the_hashes_of_the_sources(shared):
    said = shared.ended["hashes"].out.split()
    assert said == [closure_hash("reproduction.workflow.workers"), "0"]


def test_what_one_fork_imports_the_next_one_has(shared):
    assert [shared.ended[f"learns{n}"].out for n in range(2)] == ["False\n", "True\n"]


def test_it_ends_as_the_script_ends(shared):
    ends = [shared.ended[f"end{n}"] for n in range(len(ENDS))]
    assert [end.code for end in ends] == list(ENDS.values())
    assert "a text on the terminal" in ends[2].err
    assert "an error on the terminal" in ends[3].err


def test_no_job_sees_what_another_did(shared):
    assert shared.ended["mark0"] == shared.ended["mark1"] == (0, "clean\n", "")


def wait_for(condition, seconds=30.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    pytest.fail("waited in vain")


SLOW = """
Path("who").write_text(str(os.getpid()))
time.sleep(300)
"""


@pytest.fixture
def living(environment, tmp_path):
    """A run whose one job sleeps: the run, the server's facts and the sleeping fork."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(written(tmp_path, "slow", SLOW))],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    known = json.loads(process.stdout.readline())
    who = tmp_path / "who"
    wait_for(lambda: who.is_file() and who.read_text())
    yield process, known, psutil.Process(int(who.read_text()))
    process.kill()
    process.wait()
    process.stdout.close()


def gone(process):
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def test_a_killed_script_takes_its_fork_along(living):
    process, _, fork = living
    (script,) = [
        child
        for child in psutil.Process(process.pid).children()
        if any("wrapped" in part for part in child.cmdline())
    ]
    script.send_signal(signal.SIGKILL)
    wait_for(lambda: gone(fork))


def test_a_killed_run_leaves_nothing(living):
    process, known, fork = living
    server = psutil.Process(known["server"])
    process.kill()
    wait_for(lambda: gone(fork) and gone(server))
    wait_for(lambda: not Path(json.loads(known["place"])["socket"]).parent.exists())


def test_a_killed_server_is_said(living, tmp_path):
    process, known, fork = living
    keeper = fork.parent()
    os.kill(known["server"], signal.SIGKILL)
    keeper.kill()
    assert json.loads(process.stdout.readline())[0] == 1
    fork.kill()


@pytest.mark.parametrize("change", ["threads", "other run", "no server"])
def test_a_script_runs_alone_where_the_server_is_not_its_own(environment, tmp_path, change):
    script = written(tmp_path, "alone", "print('done')")
    facts = {"socket": str(tmp_path / "socket"), "serves": os.getpid()}
    if change == "threads":
        environment["OMP_NUM_THREADS"] = "2"
    elif change == "other run":
        facts["serves"] = 2**22 + 1
    else:
        facts["socket"] = str(tmp_path / "gone" / "socket")
    environment[VARIABLE] = json.dumps(facts)
    done = subprocess.run(
        [sys.executable, str(script)],
        env=environment, capture_output=True, text=True, timeout=30, check=True,
    )  # fmt: skip
    assert done.stdout == "done\n"
    assert used(tmp_path / "alone.log")["process"] == "own"
