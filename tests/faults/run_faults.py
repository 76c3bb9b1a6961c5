"""Seed faults, one at a time, and see whether the tests notice.

``make faults`` applies every fault of ``faults.yaml`` to a copy of the project, runs the tests that
should notice, and writes ``tests/evidence/faults.json``: how many were caught, by which test, and
which were missed. The same tests run without a fault first: a test that fails anyway notices
nothing. ``--only`` and ``--area`` run a part, whose score is not written.
"""

from __future__ import annotations

import argparse
import os
import queue
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inside import context, run_pytest

from reproduction.files import ROOT, read_yaml
from reproduction.pages.evidence import commit, record

HERE = Path(__file__).resolve().parent

#: Nobody waits longer than this for a test to notice.
TIMEOUT = 900
#: At least this share of the seeded faults must be noticed.
WANTED = 0.95
#: Parts of the project that a fault's copy has as copies; the others are links.
_COPIED = ("src", "tests")
PROCESSES = context()
_NOT_NEEDED = {".git", ".venv", ".snakemake", "build", "dist", "results"}


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

    @property
    def compiled(self) -> bool:
        """Whether the fault is in compiled code: the cache knows nothing of what calls it."""
        return self.file.startswith("manyviews/kernels/")


def load_faults(path: Path = HERE / "faults.yaml") -> list[Fault]:
    """Read all faults; a name given twice is an error."""
    faults = [Fault(**entry) for entry in read_yaml(path)]
    names = Counter(fault.name for fault in faults)
    repeated = [name for name, count in names.items() if count > 1]
    if repeated:
        raise ValueError(f"{path}: {repeated[0]!r} is there twice; names must be unique")
    return faults


class Workshop:
    """A copy of the project that faults are put into and taken out of again."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for part in ROOT.iterdir():
            if part.name in _COPIED:
                unwanted = shutil.ignore_patterns("__pycache__")
                shutil.copytree(part, root / part.name, ignore=unwanted)
            elif part.name not in _NOT_NEEDED:
                (root / part.name).symlink_to(part)
        # bytecode goes by the second a file was changed: every fault gets a second of its own
        self._second = 1_000_000_000

    @contextmanager
    def fault(self, fault: Fault) -> Iterator[None]:
        """Put a fault in, and the old file back afterwards."""
        path = self.root / "src" / fault.file
        kept, when = path.read_bytes(), path.stat()
        self._second += 1
        try:
            fault.apply(self.root / "src")
            os.utime(path, (self._second, self._second))
            yield
        finally:
            path.write_bytes(kept)
            os.utime(path, ns=(when.st_atime_ns, when.st_mtime_ns))

    def noticed(self, tests: str, *, compile_anew: bool = False) -> str:
        """Run some tests; return the first that fails, or an empty text."""
        with tempfile.TemporaryDirectory(dir=self.root) as fresh:
            # compiled kernels of one fault must not serve another
            compiled = fresh if compile_anew else str(self.root / ".compiled")
            said = Path(fresh) / "said.txt"
            process = PROCESSES.Process(
                target=run_pytest, args=(str(self.root), _words(tests), compiled, str(said))
            )
            process.start()
            process.join(TIMEOUT)
            if process.exitcode is None:
                process.kill()
                process.join()
                return f"{tests} did not end"
            text = said.read_text(encoding="utf-8", errors="replace")
        if process.exitcode not in (0, 1):  # 2: not even collected, 5: no test of that name
            raise ValueError(f"pytest {tests} did not run:\n{text[-1500:]}")
        if process.exitcode == 0:
            return ""
        first = re.search(r"^(?:FAILED|ERROR) (\S+)", text, flags=re.MULTILINE)
        return first[1] if first else tests


def _words(tests: str) -> list[str]:
    """Split what faults.yaml says into arguments; the part after ``-k`` stays one."""
    places, _, chosen = tests.partition(" -k ")
    return [*places.split(), *(["-k", chosen] if chosen else [])]


def together(tests: Iterable[str]) -> list[str]:
    """Return fewer calls of pytest that run the same tests, and perhaps some more.

    Whole files go into one call; of other files all chosen parts do.
    """
    whole: set[str] = set()
    parts: dict[str, set[str]] = {}
    for chosen in tests:
        places, _, part = chosen.partition(" -k ")
        if part:
            parts.setdefault(places, set()).add(part)
        else:
            whole.update(places.split())
    calls = [f"{places} -k {' or '.join(f'({part})' for part in sorted(chosen))}"
             for places, chosen in sorted(parts.items()) if places not in whole]  # fmt: skip
    return [*([" ".join(sorted(whole))] if whole else []), *calls]


def failing_anyway(tests: Iterable[str], workshops: queue.Queue[Workshop]) -> list[str]:
    """Return the first test of every call that fails without a fault: it could not notice one."""

    def run(chosen: str) -> str:
        shop = workshops.get()
        try:
            return shop.noticed(chosen)
        finally:
            workshops.put(shop)

    with ThreadPoolExecutor(max_workers=workshops.qsize()) as pool:
        return [first for first in pool.map(run, together(tests)) if first]


def seed_all(faults: list[Fault], workshops: queue.Queue[Workshop]) -> dict[str, str]:
    """Seed faults one by one; return for each the test that noticed, or an empty text."""

    def run(fault: Fault) -> str:
        shop = workshops.get()
        try:
            with shop.fault(fault):
                return shop.noticed(fault.tests, compile_anew=fault.compiled)
        finally:
            workshops.put(shop)

    found: dict[str, str] = {}
    with ThreadPoolExecutor(max_workers=workshops.qsize()) as pool:
        for fault, test in zip(faults, pool.map(run, faults), strict=True):
            found[fault.name] = test
            print(f"{'caught' if test else 'MISSED'}  {fault.area}: {fault.name}", flush=True)
    return found


def score(faults: list[Fault], noticed: dict[str, str]) -> dict[str, object]:
    """Return the figures of a whole run: per area, in all, and the list of the missed."""
    seeded = Counter(fault.area for fault in faults)
    caught = Counter(fault.area for fault in faults if noticed[fault.name])
    return {
        "seeded": len(faults),
        "caught": sum(caught.values()),
        "areas": {a: {"seeded": seeded[a], "caught": caught[a]} for a in sorted(seeded)},
        "missed": [fault.name for fault in faults if not noticed[fault.name]],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--only", default="", help="faults whose name holds this text")
    parser.add_argument("--area", help="faults of one area")
    given = parser.parse_args()
    state = commit()
    every = load_faults()
    faults = [f for f in every if given.only in f.name and given.area in (None, f.area)]
    with tempfile.TemporaryDirectory(prefix="faults.") as folder:
        workshops: queue.Queue[Workshop] = queue.Queue()
        for number in range(given.jobs):
            (Path(folder) / str(number)).mkdir()
            workshops.put(Workshop(Path(folder) / str(number)))
        print(f"{len(faults)} faults; first their tests without any", flush=True)
        anyway = failing_anyway((fault.tests for fault in faults), workshops)
        if anyway:
            for first in anyway:
                print(f"{first} fails without a fault", file=sys.stderr)
            return 1
        noticed = seed_all(faults, workshops)
    figures = score(faults, noticed)
    print(f"{figures['caught']} of {len(faults)} faults caught")
    if len(faults) == len(every):
        print(f"written: {record('faults', 'make faults', figures, state)}")
    return 0 if sum(map(bool, noticed.values())) >= WANTED * len(faults) else 1


if __name__ == "__main__":
    sys.exit(main())
