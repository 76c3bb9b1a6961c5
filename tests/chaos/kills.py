"""Kill a run at random moments and give the same command again.

One small paper is made without a disturbance, then again and again with a kill in between: of the
whole tree of processes, of the worker that fits, while the page is written. Nothing half-written
may be left, the same command must go on once the folder is unlocked, and every byte of results,
verdicts and page must be that of the undisturbed run.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import yaml

HERE = Path(__file__).resolve().parent
OUT = "build/quick"
TARGETS = [f"{OUT}/results/cotraining/ledger.csv", f"{OUT}/reports/cotraining.html"]
LOGS = f"{OUT}/results/logs"
#: What is the same in every run; times, logs and benchmarks are not.
KEPT = ("*.csv", "*.json", "*.npz", "*.html")
MODES = ("tree", "worker", "page")


def make_project(root: Path) -> Any:
    """Return a copy of the project, as the tests of the workflow make it."""
    spec = importlib.util.spec_from_file_location(
        "workflow_conftest", HERE.parent / "workflow" / "conftest.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    project = module.copy_project(root)
    settings = yaml.safe_dump({"data": module.OFFLINE})
    (root / "data.yaml").write_text(settings, encoding="utf-8")
    return project


def digests(root: Path) -> dict[str, str]:
    """Return the sha256 of everything a run promises to make alike."""
    files = (path for pattern in KEPT for path in (root / OUT).rglob(pattern))
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if not path.name.endswith(".timing.csv") and path.name[0] != "."
    }


def start(root: Path, *words: str) -> subprocess.Popen[bytes]:
    """Give the one command in a copy of the project, for the first time and after every kill."""
    command = [sys.executable, "-m", "snakemake", "--cores", "1", *words]
    command += ["--configfile", "config/quick.yaml", "data.yaml", "--", *TARGETS]
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONDONTWRITEBYTECODE": "1",
                   "XDG_CACHE_HOME": str(root.parent / "cache")}  # fmt: skip
    with (root / "said.txt").open("wb") as said:
        return subprocess.Popen(command, cwd=root, env=environment, stdout=said, stderr=said)


def words_of(process: psutil.Process) -> list[str]:
    """Return the command line of a process; one that has just ended has none."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:  # gone, or a zombie
        return []


def kill(process: subprocess.Popen[bytes], mode: str) -> bool:
    """Kill a run, or only the process that works for it; return whether there was one."""
    try:
        below = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return False
    if mode == "worker":
        below = [p for p in below if any(".snakemake/scripts" in word for word in words_of(p))][:1]
    family = below if mode == "worker" else [psutil.Process(process.pid), *below]
    for member in family:
        try:
            member.kill()
        except psutil.NoSuchProcess:
            continue
    if mode != "worker":
        process.wait()
    return bool(family)


def wait_for(process: subprocess.Popen[bytes], root: Path, log: str) -> bool:
    """Wait until a job has begun; false when the run ended before."""
    while process.poll() is None:
        if (root / LOGS / log).is_file():
            return True
        time.sleep(0.02)
    return False


def disturb(root: Path, mode: str, rng: np.random.Generator) -> bool:
    """Start a run and kill it at a random moment; return whether it was killed."""
    process = start(root)
    log = "page/cotraining.log" if mode == "page" else "fit/cotraining/webkb_course/table2.log"
    if not wait_for(process, root, log):
        return False
    time.sleep(float(rng.uniform(0, 1.5)))
    hit = kill(process, mode)
    process.wait()
    return hit


def run(rounds: int = 18) -> dict[str, object]:
    """Kill so many runs, each kind in turn; return the figures."""
    rng = np.random.default_rng(0)
    kills = dict.fromkeys(MODES, 0)
    compared, wrong, halves = 0, [], 0
    with tempfile.TemporaryDirectory() as name:
        quiet = Path(name) / "quiet" / "project"
        quiet.parent.mkdir()
        make_project(quiet)
        assert start(quiet).wait() == 0, (quiet / "said.txt").read_text()
        expected = digests(quiet)
        sizes = {path: (quiet / path).stat().st_size for path in expected}
        root = Path(name) / "killed" / "project"
        root.parent.mkdir()
        make_project(root)
        for number in range(rounds):
            mode = MODES[number % len(MODES)]
            shutil.rmtree(root / OUT, ignore_errors=True)
            if not disturb(root, mode, rng):
                wrong.append(f"{mode}: the run ended before it could be killed")
                continue
            kills[mode] += 1
            left = digests(root)
            half = [path for path in left if left[path] != expected.get(path)]
            halves += len(half)
            wrong += [f"{mode}: {path} is half-written" for path in half]
            start(root, "--unlock").wait()
            if start(root).wait() != 0:
                wrong.append(f"{mode}: {(root / 'said.txt').read_text()[-300:]}")
                continue
            found = digests(root)
            different = [path for path in expected if found.get(path) != expected[path]]
            wrong += [f"{mode}: {path} is another" for path in different]
            compared += sum(sizes[path] for path in expected if path not in different)
            print(f"{number + 1} of {rounds}: {mode}, {len(expected)} files alike", flush=True)
    return {
        "kills": sum(kills.values()), "by kind": kills, "half-written files": halves,
        "files compared": len(expected) * sum(kills.values()), "bytes alike": compared,
        "wrong": wrong,
    }  # fmt: skip
