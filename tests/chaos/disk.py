"""No room and no right to write: what was there stays, and one line names the file and the mend.

``python tests/chaos/disk.py`` fills a small disk of its own and mounts one that cannot be written,
where the system lets it; where not, the limits of a process stand in for the disk.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

from reproduction.files import ROOT
from reproduction.pages.evidence import commit, record

ROOM = 400
STATIONS = {
    "text": "write_text(target, 'x' * 5000)",
    "json": "write_json(target, list(range(5000)))",
    "views": """
        import numpy as np
        from reproduction.data.format import MultiViewData
        ids = [str(i) for i in range(60)]
        views = {"v": np.sqrt(np.arange(3600.0)).reshape(60, 60)}
        MultiViewData("toy", views, np.zeros(60), ["a"], ids).save(target)
    """,
}
_LIMIT = f"""
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({ROOM}, {ROOM}))
"""


def run_full(folder: Path, body: str, *, limit: bool = True) -> subprocess.CompletedProcess[str]:
    """Write into ``out/`` of a folder, with a limit of size or without; errors are one line."""
    script = "\n".join(
        [
            "import sys",
            "from pathlib import Path",
            "from reproduction.files import write_json, write_text",
            "target = Path('out') / 'result.csv'",
            _LIMIT if limit else "",
            "try:",
            textwrap.indent(textwrap.dedent(body).strip(), "    "),
            "except ValueError as error:",
            "    print(error)",
            "    sys.exit(2)",
        ]
    )
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=environment, capture_output=True,
        text=True, check=False,
    )  # fmt: skip


def problem(done: subprocess.CompletedProcess[str], folder: Path) -> str:
    """Return what is wrong after a write that could not be done; empty if nothing is."""
    said = done.stdout + done.stderr
    if done.returncode != 2 or not done.stdout.startswith("out/result.csv cannot be written ("):
        return f"not told: {said[-300:]}"
    if done.stdout.count("\n") != 1:
        return f"more than a line: {said[-300:]}"
    if [path.name for path in (folder / "out").iterdir()] != ["result.csv"]:
        return "something half-written was left"
    same = (folder / "out" / "result.csv").read_text() == "old"
    return "" if same else "the old file is gone"


@contextlib.contextmanager
def disk(folder: Path, options: str) -> Iterator[bool]:
    """Mount a small disk on a folder for a while; yields whether the system let it."""
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)],
        capture_output=True, check=False,
    )  # fmt: skip
    try:
        yield done.returncode == 0
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", str(folder)], check=True)


def full_disk(folder: Path, body: str) -> str:
    """Write to a disk without room; return what is wrong."""
    with disk(folder, "size=64k") as mounted:
        if not mounted:
            (folder / "out").mkdir()
        else:
            (folder / "out").mkdir()
            filler = folder / "filler"
            with contextlib.suppress(OSError), filler.open("wb", buffering=0) as stream:
                while True:
                    stream.write(bytes(1024))
            with filler.open("r+b") as stream:
                stream.truncate(max(filler.stat().st_size - 8192, 0))
        (folder / "out" / "result.csv").write_text("old")
        return problem(run_full(folder, body, limit=not mounted), folder)


def read_only(folder: Path) -> str:
    """Call the workflow in a folder that cannot be written; return what is wrong, or no answer."""
    with disk(folder, "ro,size=64k") as mounted:
        if not mounted:
            return "not measured: this system mounts no disk for us"
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "1", "--directory", str(folder)],
            cwd=ROOT, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        )  # fmt: skip
        said = done.stdout + done.stderr
        told = done.returncode != 0 and f"the folder {folder} cannot be written" in said
        return "" if told and "Traceback" not in said else f"not told: {said[-300:]}"


def run() -> dict[str, object]:
    """Fill and lock disks; return the figures."""
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        for title, body in STATIONS.items():
            folder = Path(name) / title
            folder.mkdir()
            found = full_disk(folder, body)
            wrong += [f"full disk, {title}: {found}"] if found else []
        folder = Path(name) / "locked"
        folder.mkdir()
        locked = read_only(folder)
        measured = not locked.startswith("not measured")
        wrong += [f"read-only folder: {locked}"] if locked and measured else []
    return {
        "writes to a full disk": len(STATIONS),
        "calls in a read-only folder": 1 if measured else "not measured", "wrong": wrong,
    }  # fmt: skip


def main() -> int:
    argparse.ArgumentParser(description=__doc__).parse_args()
    state = commit()
    figures = run()
    print(*(f"{name}: {value}" for name, value in figures.items()), sep="\n")
    record("disk", "make chaos ARGS=disk", figures, state)
    return 1 if figures["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
