"""Run the quick workflow through Slurm, cancel a job on the way, and compare the results.

``make slurm`` needs a Slurm that answers (docs/scale.md has one for a single machine) and the extra
``slurm``. The same part runs on this machine alone first; every file must come out the same.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from kills import OUT, digests, make_project, start

from reproduction.rooms import paper_keys

#: The status command is for a cluster without accounting, and harmless on others.
SLURM = (
    "--profile", "profiles/slurm", "--slurm-no-account", "--slurm-status-command", "squeue",
    "--jobs", "2", "--slurm-init-seconds-before-status-checks", "3",
    "--seconds-between-status-checks", "3", "--default-resources", "runtime=30", "mem_mb=1500",
)  # fmt: skip
SUBMITTED = re.compile(r"has been submitted with SLURM jobid (\d+)")
FIT = re.compile(SUBMITTED.pattern + r" \(log: \S*/rule_fit_")
RUNNING = ["squeue", "--noheader", "--states", "RUNNING", "--format", "%i"]


def through_slurm(process: Any, root: Path, seconds: float) -> str:
    """Wait for a run and cancel the first fit that has begun; return that job's number."""
    cancelled, end = "", time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.5)
        if not cancelled and any((root / OUT / "results/logs/fit").rglob("*.log")):
            running = subprocess.run(RUNNING, capture_output=True, text=True, check=False).stdout
            submitted = FIT.findall((root / "said.txt").read_text(errors="replace"))
            for number in [job for job in submitted if job in running.split()][:1]:
                subprocess.run(["scancel", number], check=True)
                cancelled = number
    if process.poll() is None:
        process.kill()
    return cancelled


def slurm(partition: str = "debug", seconds: float = 7200) -> dict[str, object]:
    """Run here, then through Slurm; return the figures."""
    if shutil.which("squeue") is None or subprocess.run(["squeue"], check=False).returncode:
        sys.exit("no Slurm answers here; docs/scale.md says how to have one")
    papers = list(paper_keys())
    targets = tuple(f"{OUT}/results/{paper}/ledger.csv" for paper in papers)
    with tempfile.TemporaryDirectory() as name:
        here, there = (make_project(Path(name) / part / "project") for part in ("here", "cluster"))
        alone = start(here, "--cores", "1", targets=targets)
        assert alone.wait() == 0, (here.root / "said.txt").read_text()
        process = start(there, *SLURM, f"slurm_partition={partition}", targets=targets)
        cancelled = through_slurm(process, there.root, seconds)
        status, said = process.wait(), (there.root / "said.txt").read_text(errors="replace")
        expected, found = (digests(project.root / OUT) for project in (here, there))
    wrong = [] if status == 0 else [f"the run ended with {status}: {said[-600:]}"]
    wrong += [] if cancelled else ["no fit was caught in time to be cancelled"]
    wrong += [path for path, digest in expected.items() if found.get(path) != digest]
    return {
        "papers": papers,
        "jobs": len(set(SUBMITTED.findall(said))), "cancelled": int(bool(cancelled)),
        "retried": len(re.findall(r"^Trying to restart job", said, flags=re.MULTILINE)),
        "files compared": len(expected),
        "files alike": sum(found.get(path) == digest for path, digest in expected.items()),
        "wrong": wrong,
    }  # fmt: skip
