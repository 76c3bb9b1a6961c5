"""Make the quick run with no mirror, every data set through its public path, and compare the views.

``make public`` starts a server on this machine that answers as the public hosts do, from a mirror.
A copy of the project with no mirror and an empty cache asks it, by ``python -m reproduction data``
and the whole quick workflow. The same views are built from the mirror in a second copy; every file
must come out the same to the byte.

``ARGS="--mirror FOLDER --upstream FOLDER"`` names the mirror, and the folder that has the inputs of
files that are made here (tests/reproduction/data/public_server.py says how it is laid out).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
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

VIEWS = "build/quick/views"


class Copy:
    """A copy of the project with a configuration of where data are looked for."""

    def __init__(self, folder: Path, data: Mapping[str, object]) -> None:
        self.folder, self.root = folder, folder / "project"
        self.wrong: list[str] = []
        folder.mkdir()
        make_project(self.root)
        (self.root / "data.yaml").write_text(yaml.safe_dump({"data": dict(data)}), encoding="utf-8")

    def call(self, log: str, *words: str) -> None:
        """Run a Python module in the copy, on its sources; what it says goes to a file."""
        path = os.pathsep.join(filter(None, [str(self.root / "src"), os.environ.get("PYTHONPATH")]))
        kept = {name: v for name, v in os.environ.items() if not name.startswith("MANYVIEWS_")}
        own = {"PYTHONPATH": path, "XDG_CACHE_HOME": str(self.folder / "cache"),
               "NO_PROXY": "127.0.0.1", "PYTHONDONTWRITEBYTECODE": "1"}  # fmt: skip
        said = self.folder / f"{log}.txt"
        print(f"python -m {' '.join(words)[:110]} (said in {said})", flush=True)
        with said.open("wb") as stream:
            status = subprocess.run(
                [sys.executable, "-m", *words], cwd=self.root, env={**kept, **own}, check=False,
                stdout=stream, stderr=subprocess.STDOUT,
            ).returncode  # fmt: skip
        self.wrong += [f"{log} ended with {status}; see {said}"] if status else []

    def views(self) -> dict[str, bytes]:
        """Return every view file by its name."""
        return {path.name: path.read_bytes() for path in sorted((self.root / VIEWS).glob("*.npz"))}

    def origins(self) -> dict[str, dict[str, Any]]:
        """Return the provenance of every data set that was fetched, by key."""
        files = sorted((self.root / "data" / "raw").glob("*/PROVENANCE.json"))
        return {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in files}


def run(mirrors: Sequence[Path], upstream: Path | None, folder: Path, cores: int) -> dict[str, Any]:
    """Run without a mirror, build the views from it, compare; return the figures."""
    quick = ["snakemake", "--cores", str(cores), "--configfile", "config/quick.yaml", "data.yaml"]
    print("the public hosts begin to answer: archives are packed, a minute or two", flush=True)
    with Server() as server:
        public_server.answer_for_all(server, load_registry().values(), mirrors, upstream)
        asked = public_server.settings(server, folder / "public" / "cache")
        public = Copy(folder / "public", asked)
        public.call("data", "reproduction", "data", "--config", "data.yaml")
        public.call("quick", *quick)
    local = {"mirrors": [str(path.resolve()) for path in mirrors], "network": False}
    mirror = Copy(folder / "mirror", local)
    mirror.call("views", *quick, "--", *(f"{VIEWS}/{name}" for name in public.views()))
    return {**figures(public, mirror), "requests": len(server.requests)}


def figures(public: Copy, mirror: Copy) -> dict[str, Any]:
    """Return what served each data set, and how many of the view files are alike."""
    served, wrong = public.origins(), [*public.wrong, *mirror.wrong]
    real = {key: one for key, one in mirror.origins().items() if one["source"] != "surrogate"}
    kinds = {key: str(served.get(key, {}).get("source", "nothing")) for key in real}
    for key, kind in kinds.items():
        if any(word in kind for word in ("nothing", "surrogate", "mirror", "user")):
            wrong.append(f"{key}: served by {kind}, not through a public path")
    editions = {
        key: str(served[key]["edition"])
        for key, one in real.items()
        if key in served and served[key].get("edition") != one.get("edition")
    }
    mine, theirs = public.views(), mirror.views()
    compared = [n for n in theirs if (key := n.partition(".")[0]) in real and key not in editions]
    differing = [name for name in compared if mine.get(name) != theirs[name]]
    return {
        "real data sets": len(real),
        "by source": dict(sorted(Counter(kinds.values()).items())),
        "another edition": editions,
        "quick views compared": len(compared),
        "quick views alike": len(compared) - len(differing),
        "wrong": wrong + [f"{name} differs from the mirror's" for name in differing],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mirror", action="append", type=Path, help="mirror folder, repeatable")
    parser.add_argument("--upstream", type=Path, default=os.environ.get(public_server.UPSTREAM))
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    mirrors = [path for path in given.mirror or public_server.MIRRORS if path.is_dir()]
    if not mirrors:
        print("no mirror here to serve from; name one: --mirror FOLDER", file=sys.stderr)
        return 2
    state = commit()
    with tempfile.TemporaryDirectory(prefix="public-") as name:
        found = run(mirrors, given.upstream, Path(name).resolve(), given.cores)
    print(*(f"{name}: {value}" for name, value in found.items()), sep="\n")
    record("public", "make public", found, state)
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
