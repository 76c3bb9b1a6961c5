"""Seed faults, one at a time, and see whether the tests notice.

``python tests/faults/run_faults.py`` applies every fault of ``faults.yaml`` to a copy of the
sources, runs the tests that should notice, and writes ``score.json``: how many were caught, and
which were missed. ``--only`` and ``--area`` run a part, whose score is not written.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from reproduction.files import ROOT, read_yaml, write_json

HERE = Path(__file__).resolve().parent
SCORE = HERE / "score.json"
#: Nobody waits longer than this for a test to notice.
TIMEOUT = 900


@dataclass(frozen=True)
class Fault:
    """One wrong line: where, what stands there, what is put there, and who should notice."""

    name: str
    area: str
    file: str
    old: str
    new: str
    tests: str

    def apply(self, sources: Path) -> None:
        """Put the fault into a copy of the sources; text that is not there once is an error."""
        path = sources / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(
                f"fault {self.name!r}: {self.file} holds its text {text.count(self.old)} times, "
                "not once; bring faults.yaml up to date"
            )
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


def load_faults(path: Path = HERE / "faults.yaml") -> list[Fault]:
    """Read all faults; a name given twice is an error."""
    faults = [Fault(**entry) for entry in read_yaml(path)]
    names = Counter(fault.name for fault in faults)
    repeated = [name for name, count in names.items() if count > 1]
    if repeated:
        raise ValueError(f"{path}: {repeated[0]!r} is there twice; names must be unique")
    return faults


def run_tests(sources: Path, tests: str) -> int:
    """Run some tests with a copy of the sources in front; return pytest's answer."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(sources),
        "PYTHONDONTWRITEBYTECODE": "1",
        # compiled kernels of one fault must not serve another
        "NUMBA_CACHE_DIR": str(sources.parent / "compiled"),
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    words = _words(tests)
    try:
        done = subprocess.run(
            [*command, *words], cwd=ROOT, env=environment, capture_output=True, text=True,
            timeout=TIMEOUT, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return 1  # a fault that hangs the tests is noticed
    if done.returncode not in (0, 1, 2):
        raise ValueError(f"pytest {tests} did not run:\n{done.stdout[-800:]}")
    return done.returncode


def _words(tests: str) -> list[str]:
    """Split what faults.yaml says into arguments; the part after ``-k`` stays one."""
    places, _, chosen = tests.partition(" -k ")
    return [*places.split(), *(["-k", chosen] if chosen else [])]


def is_caught(fault: Fault) -> bool:
    """Return whether the tests notice a fault."""
    with tempfile.TemporaryDirectory(prefix="fault.") as folder:
        sources = Path(folder) / "src"
        shutil.copytree(ROOT / "src", sources, ignore=shutil.ignore_patterns("__pycache__"))
        fault.apply(sources)
        return run_tests(sources, fault.tests) != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", help="faults whose name holds this text")
    parser.add_argument("--area", help="faults of one area")
    given = parser.parse_args()
    faults = [
        fault
        for fault in load_faults()
        if given.only in (None, fault.name) or str(given.only) in fault.name
    ]
    faults = [fault for fault in faults if given.area in (None, fault.area)]
    caught: dict[str, bool] = {}
    with ThreadPoolExecutor(max_workers=given.jobs) as pool:
        for fault, found in zip(faults, pool.map(is_caught, faults), strict=True):
            caught[fault.name] = found
            print(f"{'caught' if found else 'MISSED'}  {fault.area}: {fault.name}", flush=True)
    missed = [name for name, found in caught.items() if not found]
    print(f"{len(faults) - len(missed)} of {len(faults)} faults caught")
    if given.only is None and given.area is None:
        areas = Counter(fault.area for fault in faults)
        found = Counter(fault.area for fault in faults if caught[fault.name])
        table = {area: {"seeded": areas[area], "caught": found[area]} for area in sorted(areas)}
        write_json(SCORE, {"seeded": len(faults), "areas": table, "missed": missed})
    return 0 if len(missed) <= 0.05 * len(faults) else 1


if __name__ == "__main__":
    sys.exit(main())
