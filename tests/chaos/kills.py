"""Kill a run at random moments and give the same command again.

One small paper is made without a disturbance, then again and again with a kill in between: of the
whole tree of processes, of the worker that fits, while the page is written. Nothing half-written
may be left, the same command must go on once the folder is unlocked, and every byte of results,
verdicts and page must be that of the undisturbed run.
"""

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import yaml

HERE = Path(__file__).resolve().parent
OUT = "build/quick"
TARGETS = (f"{OUT}/results/cotraining/ledger.csv", f"{OUT}/reports/cotraining.html")
FIT, PAGE = "fit/cotraining/webkb_course/table2.log", "page/cotraining.log"
#: What is killed -> the log whose job has begun by then.
MODES = {"tree": FIT, "worker": FIT, "page": PAGE}


def make_project(root: Path) -> Any:
    """Return a copy of the project, as the tests of the workflow make it."""
    spec = importlib.util.spec_from_file_location("copies", HERE.parent / "workflow/conftest.py")
    assert spec is not None and spec.loader is not None  # noqa: PT018
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    root.parent.mkdir(exist_ok=True)
    project = module.copy_project(root)
    (root / "data.yaml").write_text(yaml.safe_dump({"data": module.OFFLINE}), encoding="utf-8")
    return project


def digests(root: Path) -> dict[str, str]:
    """Return the sha256 of what is the same in every run; times, logs and benchmarks are not."""
    files = (
        path for ending in ("csv", "json", "npz", "html") for path in root.rglob(f"*.{ending}")
    )
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if not path.name.endswith(".timing.csv") and path.name[0] != "."
    }


def start(project: Any, *words: str, targets: tuple[str, ...] = TARGETS) -> Any:
    """Start the quick workflow in a copy of the project; what it says goes to ``said.txt``."""
    command = [sys.executable, "-m", "snakemake", *words, "--configfile", "config/quick.yaml"]
    command += ["data.yaml", "--", *targets]
    with (project.root / "said.txt").open("wb") as said:
        return subprocess.Popen(
            command, cwd=project.root, env=project.environment(), stdout=said, stderr=said
        )


def disturb(project: Any, mode: str, rng: np.random.Generator) -> bool:
    """Start a run and kill it, or the process that works for it; return whether that was done."""
    process = start(project, "--cores", "1")
    while not (project.root / OUT / "results/logs" / MODES[mode]).is_file():
        if process.poll() is not None:
            return False
        time.sleep(0.02)
    time.sleep(float(rng.uniform(0, 1.5)))
    family = []
    with suppress(psutil.NoSuchProcess):
        family = [psutil.Process(process.pid)]
        family += family[0].children(recursive=True)
    killed = 0
    for member in family:
        with suppress(psutil.NoSuchProcess):  # gone, or a zombie
            if mode != "worker" or ".snakemake/scripts" in " ".join(member.cmdline()):
                member.kill()
                killed += 1
    process.wait()
    return killed > 0


def kills(rounds: int = 12) -> dict[str, object]:
    """Kill so many runs, each kind in turn; return the figures."""
    rng = np.random.default_rng(0)
    done, compared, wrong, halves = dict.fromkeys(MODES, 0), 0, [], 0
    with tempfile.TemporaryDirectory() as name:
        quiet, killed = (
            make_project(Path(name) / part / "project") for part in ("quiet", "killed")
        )
        assert start(quiet, "--cores", "1").wait() == 0, (quiet.root / "said.txt").read_text()
        expected, out = digests(quiet.root / OUT), killed.root / OUT
        size = sum((quiet.root / OUT / path).stat().st_size for path in expected)
        for number in range(rounds):
            mode = list(MODES)[number % len(MODES)]
            shutil.rmtree(out, ignore_errors=True)
            if not disturb(killed, mode, rng):
                wrong.append(f"{mode}: the run ended before it could be killed")
                continue
            done[mode] += 1
            half = [path for path, found in digests(out).items() if found != expected.get(path)]
            halves += len(half)
            wrong += [f"{mode}: {path} is half-written" for path in half]
            start(killed, "--unlock").wait()
            if start(killed, "--cores", "1").wait() != 0:
                wrong.append(f"{mode}: {(killed.root / 'said.txt').read_text()[-300:]}")
            elif digests(out) != expected:
                wrong.append(f"{mode}: the files are others")
            else:
                compared += size
            print(f"{number + 1} of {rounds}: {mode}, {len(wrong)} wrong", flush=True)
    return {
        "kills": sum(done.values()), "by kind": done, "half-written files": halves,
        "files compared": len(expected) * sum(done.values()), "bytes alike": compared,
        "wrong": wrong,
    }  # fmt: skip
