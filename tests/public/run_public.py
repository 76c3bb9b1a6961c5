"""Make the quick run with no mirror, every data set through its public path, and compare the views.

``make public`` starts a server on this machine that answers as the public hosts do, from a mirror.
A copy of the project with no mirror and an empty cache asks it, by ``python -m reproduction data``,
the whole quick workflow, and the views of a full run. The same views are built from the mirror in a
second copy; every file must come out the same to the byte.

``ARGS="--mirror FOLDER --upstream FOLDER"`` names the mirror, and the folder that has the inputs of
files that are made here (tests/reproduction/data/public_server.py says how it is laid out).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "chaos"), str(HERE.parent / "reproduction" / "data")]

import public_server  # noqa: E402
from kills import make_project  # noqa: E402
from web_server import Server  # noqa: E402

from reproduction.data.registry import load_registry  # noqa: E402
from reproduction.pages.evidence import commit, record  # noqa: E402

QUICK = "config/quick.yaml"
SURROGATE = "surrogate"
#: Kinds of sources that are on this machine: none may have served a run without a mirror.
LOCAL = ("mirror", "user")


def environment(root: Path) -> dict[str, str]:
    """Return the variables of a run in a copy of the project: its sources, a cache of its own."""
    given = os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join(filter(None, [str(root / "src"), given]))
    kept = {name: text for name, text in os.environ.items() if not name.startswith("MANYVIEWS_")}
    return {**kept, "PYTHONPATH": path, "XDG_CACHE_HOME": str(root.parent / "cache"),
            "NO_PROXY": "127.0.0.1", "PYTHONDONTWRITEBYTECODE": "1"}  # fmt: skip


def call(root: Path, log: str, *words: str) -> int:
    """Run a Python module in a copy of the project; what it says goes to a file beside it."""
    said = root.parent / f"{log}.txt"
    print(f"{root.parent.name}: python -m {' '.join(words)[:110]} (said in {said})", flush=True)
    with said.open("wb") as stream:
        return subprocess.run(
            [sys.executable, "-m", *words], cwd=root, env=environment(root), check=False,
            stdout=stream, stderr=subprocess.STDOUT,
        ).returncode  # fmt: skip


def digests(folder: Path) -> dict[str, str]:
    """Return the sha256 of every view file."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.glob("*.npz"))
    }


def origins(root: Path) -> dict[str, dict[str, Any]]:
    """Return the provenance of every data set that was fetched, by key."""
    files = sorted((root / "data" / "raw").glob("*/PROVENANCE.json"))
    return {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in files}


@contextmanager
def public_hosts(mirrors: Sequence[Path], upstream: Path | None) -> Iterator[Server]:
    """Answer at the addresses of all public hosts but the package index."""
    with Server() as server:
        public_server.answer_for_all(server, load_registry().values(), mirrors, upstream)
        yield server


def project_in(folder: Path, data: Mapping[str, object]) -> Path:
    """Make a copy of the project with a configuration of where data are looked for."""
    root = folder / "project"
    folder.mkdir()
    make_project(root)
    (root / "data.yaml").write_text(yaml.safe_dump({"data": dict(data)}), encoding="utf-8")
    return root


def views(root: Path, names: Sequence[str], cores: int, name: str, *settings: str) -> int:
    """Build view files in a copy of the project."""
    words = ["snakemake", "--cores", str(cores), "--configfile", *settings, "data.yaml"]
    return call(root, f"views-{name}", *words, "--", *names)


def compare(public: Path, mirror: Path, keys: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return the view files that were compared, and those that differ or are missing."""
    mine, theirs = digests(public), digests(mirror)
    names = [name for name in theirs if name.partition(".")[0] in keys]
    return names, [name for name in names if mine.get(name) != theirs[name]]


def run(mirrors: Sequence[Path], upstream: Path | None, folder: Path, cores: int) -> dict[str, Any]:
    """Run without a mirror, build the views from it, compare; return the figures."""
    wrong: list[str] = []

    def step(status: int, what: str) -> None:
        if status:
            wrong.append(f"{what} ended with {status}; see {folder}")

    print("the public hosts begin to answer: archives are packed, a minute or two", flush=True)
    with public_hosts(mirrors, upstream) as server:
        public = project_in(
            folder / "public", public_server.settings(server, folder / "public" / "cache")
        )
        step(call(public, "data", "reproduction", "data", "--config", "data.yaml"), "data")
        quick = ["--cores", str(cores), "--configfile", QUICK, "data.yaml"]
        step(call(public, "quick", "snakemake", *quick), "the quick run")
        built = sorted((public / "build" / "quick" / "views").glob("*.npz"))
        full = [f"data/views/{path.name}" for path in built]
        step(views(public, full, cores, "full", "config/config.yaml"), "full views")
        asked = len(server.requests)
    mirror = project_in(
        folder / "mirror", {"mirrors": [str(path.resolve()) for path in mirrors], "network": False}
    )
    quick_views = [f"build/quick/views/{path.name}" for path in built]
    step(views(mirror, quick_views, cores, "quick", QUICK), "quick views of the mirror")
    step(views(mirror, full, cores, "full", "config/config.yaml"), "full views of the mirror")
    return {**figures(public, mirror, wrong), "requests": asked}


def figures(public: Path, mirror: Path, wrong: list[str]) -> dict[str, Any]:
    """Return what served each data set, and how many of the view files are alike."""
    served, other = origins(public), origins(mirror)
    real = {key: str(one["source"]) for key, one in other.items() if one["source"] != SURROGATE}
    wrong = list(wrong)
    for key in real:
        kind = str(served.get(key, {}).get("source", "nothing"))
        if kind in ("nothing", SURROGATE) or any(word in kind for word in LOCAL):
            wrong.append(f"{key}: served by {kind}, not through a public path")
    editions = {
        key: str(served[key]["edition"])
        for key in real
        if key in served and served[key].get("edition") != other[key].get("edition")
    }
    alike = {key: kind for key, kind in real.items() if key not in editions}
    counts = {}
    for name, place in (("quick", "build/quick/views"), ("full", "data/views")):
        compared, differing = compare(public / place, mirror / place, alike)
        counts[f"{name} views compared"] = len(compared)
        counts[f"{name} views alike"] = len(compared) - len(differing)
        wrong += [f"{name} run: {one} differs from the mirror's" for one in differing]
    kinds = Counter(str(served[key]["source"]) for key in real if key in served)
    return {
        "real data sets": len(real),
        "by source": dict(sorted(kinds.items())),
        "another edition": editions,
        **counts,
        "wrong": wrong,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mirror", action="append", type=Path, help="mirror folder, repeatable")
    parser.add_argument("--upstream", type=Path, default=os.environ.get(public_server.UPSTREAM))
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, help="new folder that is kept (default: none is)")
    given = parser.parse_args()
    mirrors = [path for path in given.mirror or public_server.MIRRORS if path.is_dir()]
    if not mirrors:
        print("no mirror here to serve from; name one: --mirror FOLDER", file=sys.stderr)
        return 2
    state = commit()
    with tempfile.TemporaryDirectory(prefix="public-") as name:
        folder = given.folder or Path(name)
        folder.mkdir(exist_ok=True)
        found = run(mirrors, given.upstream, folder.resolve(), given.cores)
    print(*(f"{name}: {value}" for name, value in found.items()), sep="\n")
    record("public", "make public", found, state)
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
