"""Run the quick workflow through Slurm, cancel a job on the way, and compare the results.

``make slurm`` needs a Slurm that answers (docs/scale.md has one for a single machine) and the extra
``slurm``. The same part runs on this machine alone first; every file must come out the same.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "chaos"))

from kills import OUT, digests, make_project  # noqa: E402

from reproduction.pages.evidence import commit, record  # noqa: E402
from reproduction.rooms import paper_keys  # noqa: E402

#: For a cluster without accounting; harmless on others.
WITHOUT_ACCOUNTING = ["--slurm-no-account", "--slurm-status-command", "squeue"]
SUBMITTED = re.compile(r"has been submitted with SLURM jobid (\d+)")
FIT = re.compile(SUBMITTED.pattern + r" \(log: \S*/rule_fit_")


def environment(root: Path) -> dict[str, str]:
    """Return the variables of a run in a copy of the project."""
    given = os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join(filter(None, [str(root / "src"), given]))
    return {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(root.parent / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1"}  # fmt: skip


def command(papers: Sequence[str], *more: str) -> list[str]:
    """Return a call of the workflow in small: all results of some papers."""
    targets = [f"{OUT}/results/{paper}/ledger.csv" for paper in papers]
    words = [sys.executable, "-m", "snakemake", *more, "--configfile", "config/quick.yaml"]
    return [*words, "data.yaml", "--", *targets]


def through_slurm(
    root: Path, papers: Sequence[str], partition: str, seconds: float
) -> tuple[int, str, str]:
    """Run through Slurm and cancel the first fit that runs; return status, text, its number."""
    words = command(
        papers, "--profile", "profiles/slurm", *WITHOUT_ACCOUNTING, "--jobs", "2",
        "--slurm-init-seconds-before-status-checks", "3", "--seconds-between-status-checks", "3",
        "--default-resources", f"slurm_partition={partition}", "runtime=30", "mem_mb=1500",
    )  # fmt: skip
    said = root / "slurm.txt"
    cancelled, end = "", time.monotonic() + seconds
    with said.open("wb") as stream:
        process = subprocess.Popen(
            words, cwd=root, env=environment(root), stdout=stream, stderr=stream
        )
        try:
            while process.poll() is None and time.monotonic() < end:
                time.sleep(0.5)
                cancelled = cancelled or cancel_a_fit(root, said.read_text(errors="replace"))
        finally:
            if process.poll() is None:
                process.kill()
    return process.wait(), said.read_text(errors="replace"), cancelled


def cancel_a_fit(root: Path, said: str) -> str:
    """Cancel a fit that has begun; return its number, or an empty text when there is none yet."""
    if not any((root / OUT / "results/logs/fit").rglob("*.log")):
        return ""
    running = subprocess.run(
        ["squeue", "--noheader", "--states", "RUNNING", "--format", "%i"],
        capture_output=True, text=True, check=False,
    ).stdout.split()  # fmt: skip
    fits = [number for number in FIT.findall(said) if number in running]
    for number in fits[:1]:
        subprocess.run(["scancel", number], check=True)
    return "".join(fits[:1])


def run(papers: Sequence[str], partition: str, seconds: float) -> dict[str, object]:
    """Run here, then through Slurm; return the figures."""
    with tempfile.TemporaryDirectory() as name:
        roots = [Path(name) / place / "project" for place in ("here", "cluster")]
        for root in roots:
            root.parent.mkdir()
            make_project(root)
        here, there = roots
        done = subprocess.run(
            command(papers, "--cores", "1"), cwd=here, env=environment(here), check=False,
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        status, said, cancelled = through_slurm(there, papers, partition, seconds)
        expected, found = digests(here), digests(there)
        wrong = [] if status == 0 else [f"the run ended with {status}: {said[-600:]}"]
        wrong += [] if cancelled else ["no fit was caught in time to be cancelled"]
        return {
            "papers": list(papers),
            "jobs": len(set(SUBMITTED.findall(said))), "cancelled": int(bool(cancelled)),
            "retried": len(re.findall(r"^Trying to restart job", said, flags=re.MULTILINE)),
            "files compared": len(expected),
            "files alike": sum(found.get(path) == digest for path, digest in expected.items()),
            "wrong": wrong,
        }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--partition", default="debug")
    parser.add_argument("--seconds", type=float, default=7200)
    parser.add_argument("--papers", nargs="+", choices=paper_keys(), default=paper_keys())
    given = parser.parse_args()
    if shutil.which("squeue") is None or subprocess.run(["squeue"], check=False).returncode:
        print("no Slurm answers here; docs/scale.md says how to have one", file=sys.stderr)
        return 2
    state = commit()
    figures = run(given.papers, given.partition, given.seconds)
    print(*(f"{name}: {value}" for name, value in figures.items()), sep="\n")
    record("slurm", "make slurm", figures, state)
    good = figures["files alike"] == figures["files compared"] and not figures["wrong"]
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
