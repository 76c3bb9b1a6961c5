"""A disk without room: what was there stays, and one line names the file and the mend."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

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
#: A file of a process may not grow beyond this, as on a disk that is full.
_LIMIT = f"""
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({ROOM}, {ROOM}))
"""
_SCRIPT = """
import sys
from pathlib import Path
from reproduction.files import write_json, write_text
target = Path('out') / 'result.csv'
{limit}
try:
{body}
except ValueError as error:
    print(error)
    sys.exit(2)
"""


def run_full(folder: Path, body: str, *, limit: bool = True) -> subprocess.CompletedProcess[str]:
    """Write into ``out/`` of a folder, with a limit of size or without; errors are one line."""
    inner = textwrap.indent(textwrap.dedent(body).strip(), "    ")
    script = _SCRIPT.format(limit=_LIMIT if limit else "", body=inner)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=environment, capture_output=True,
        text=True, check=False,
    )  # fmt: skip


def problem(folder: Path, body: str, *, limit: bool = True) -> str:
    """Write over a file; return what is wrong after a refusal, empty if nothing is."""
    (folder / "out").mkdir(parents=True)
    (folder / "out" / "result.csv").write_text("old")
    done = run_full(folder, body, limit=limit)
    said = done.stdout + done.stderr
    if done.returncode != 2 or not done.stdout.startswith("out/result.csv cannot be written ("):
        return f"not told: {said[-300:]}"
    if done.stdout.count("\n") != 1:
        return f"more than a line: {said[-300:]}"
    if [path.name for path in (folder / "out").iterdir()] != ["result.csv"]:
        return "something half-written was left"
    same = (folder / "out" / "result.csv").read_text() == "old"
    return "" if same else "the old file is gone"


def run() -> dict[str, object]:
    """Write where there is no room; return the figures."""
    with tempfile.TemporaryDirectory() as name:
        found = {title: problem(Path(name) / title, body) for title, body in STATIONS.items()}
    return {
        "writes to a full disk": len(STATIONS), "calls in a read-only folder": 0,
        "wrong": [f"{title}: {text}" for title, text in found.items() if text],
    }  # fmt: skip
