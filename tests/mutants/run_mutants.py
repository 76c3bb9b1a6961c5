"""Change one place of the sources at random, many times, and see whether the tests notice.

``make mutants`` draws places from every room, changes each in a copy of the project (``<`` becomes
``<=``, ``+`` becomes ``-``, a number grows by one, ...), runs the tests that import the changed
module and then those of its room, and writes ``tests/evidence/mutants.json``: caught and missed by
room, each with its commit. ``--room`` runs one room; ``--seed`` draws the same places again.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from reproduction.files import ROOT
from reproduction.pages.evidence import commit, read_evidence, record

#: Nobody waits longer than this for a test to notice; a mutant that never ends is noticed.
TIMEOUT = 900
#: Room -> its sources and the tests that guard it.
ROOMS = {
    "papers": ("src/reproduction/papers", "tests/papers"),
    "verdicts": ("src/reproduction/verdicts", "tests/reproduction/verdicts"),
    "asprinted": ("src/asprinted", "tests/reproduction/verdicts"),
    "results": ("src/reproduction/results", "tests/reproduction/results"),
    "data": ("src/reproduction/data", "tests/reproduction/data"),
    "pages": ("src/reproduction/pages", "tests/reproduction/pages"),
    "workflow": ("src/reproduction/workflow", "tests/reproduction/workflow"),
    "metrics": ("src/manyviews/metrics.py", "tests/library/test_metrics.py"),
    "models": ("src/manyviews/models", "tests/library/models"),
    "baselines": ("src/manyviews/baselines", "tests/library/baselines"),
    "assignment": ("src/manyviews/assignment", "tests/library/assignment"),
    "kernels": ("src/manyviews/kernels", "tests/library"),
    "compare": ("src/manyviews/compare", "tests/library/compare"),
}
#: Operators and what becomes of them.
OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


class Mutant(NamedTuple):
    """The changed node of a file by its number, and what is seen of the change."""

    file: str
    number: int
    text: str

    def of(self, source: str) -> str:
        """Return the changed source."""
        tree = ast.parse(source)
        node = list(_code(tree))[self.number]
        setattr(node, *_change(node))
        return ast.unparse(tree)


def mutants_of(file: str) -> Iterator[Mutant]:
    """Yield every place of a file that can be changed."""
    source = (ROOT / file).read_text(encoding="utf-8")
    for number, node in enumerate(_code(ast.parse(source))):
        if change := _change(node):
            line, old = source.splitlines()[node.lineno - 1].strip(), ast.unparse(node)
            setattr(node, *change)
            yield Mutant(file, number, f"{file}: {line} [{old} -> {ast.unparse(node)}]")


def _change(node: ast.AST) -> tuple[str, object] | None:
    """Return a field of a node and what it becomes; texts are prose as often as not."""
    match node:
        case ast.Compare(ops=[first, *rest]) if type(first) in OTHER:
            return "ops", [OTHER[type(first)](), *rest]
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op) if type(op) in OTHER:
            return "op", OTHER[type(op)]()
        case ast.Constant(value=bool(value)):
            return "value", not value
        case ast.Constant(value=int(value)):
            return "value", value + 1
        case ast.Constant(value=float(value)):
            return "value", 2 * value + 1
    return None


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that compute: no annotations, no decorators, no ``strict`` of a zip.

    Nor the values that a paper declares (``setting``): `verify` tells when one of them changed.
    """
    for name, value in ast.iter_fields(tree):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                declared = isinstance(child, ast.Call) and ast.unparse(child.func) == "setting"
                wanted = isinstance(child, ast.AST) and getattr(child, "arg", "") != "strict"
                if wanted and not declared:
                    yield child
                    yield from _code(child)


def guards_of(mutant: Mutant, room: str) -> Iterator[list[str]]:
    """Yield what to run: tests that import the module, then all of the room (of the paper)."""
    module = mutant.file.removeprefix("src/").removesuffix(".py").replace("/", ".")
    module = module.removesuffix(".__init__")
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if module in path.read_text(encoding="utf-8"):
            yield [path.relative_to(ROOT).as_posix()]
    paper = module.split(".")[2] if room == "papers" else ""
    yield [ROOMS[room][1], *(["-k", paper] if paper else [])]


def copy_project(target: Path) -> None:
    """Copy sources and tests, compiled loops included; link the rest."""
    skipped = {".git", ".venv", ".snakemake", "build", "dist", "results"}
    for part in ROOT.iterdir():
        if part.name in ("src", "tests"):
            shutil.copytree(part, target / part.name, ignore=shutil.ignore_patterns("*.pyc"))
        elif part.name not in skipped:
            (target / part.name).symlink_to(part)


def passes(project: Path, words: list[str]) -> bool:
    """Whether some tests pass in a copy of the project."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *words]
    more = {"PYTHONPATH": str(project / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=project, env=os.environ | more, timeout=TIMEOUT, capture_output=True,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    if done.returncode == 4:  # else it would count as noticed
        raise FileNotFoundError(f"there are no tests at {' '.join(words)}")
    return done.returncode in (0, 5)  # 5: a file whose tests are all deselected


def caught(project: Path, mutant: Mutant, room: str) -> bool:
    """Whether a test notices a mutant; the file is put back."""
    path = project / mutant.file
    kept = path.read_bytes()
    try:
        path.write_text(mutant.of(kept.decode()), encoding="utf-8")
        return not all(passes(project, words) for words in guards_of(mutant, room))
    finally:
        path.write_bytes(kept)


def drawn(room: str, number: int, seed: int) -> list[Mutant]:
    """Draw places of a room at random."""
    place = ROOT / ROOMS[room][0]
    files = [place] if place.is_file() else sorted(place.rglob("*.py"))
    every = [m for path in files for m in mutants_of(path.relative_to(ROOT).as_posix())]
    return random.Random(f"{room} {seed}").sample(every, min(number, len(every)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--room", choices=sorted(ROOMS), help="one room")
    parser.add_argument("--number", type=int, default=30, help="mutants a room")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    state = commit()
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="mutants.") as folder:
        copy_project(Path(folder))
        for room in [given.room] if given.room else sorted(ROOMS):
            mutants = drawn(room, given.number, given.seed)
            left = [m.text for m in mutants if not caught(Path(folder), m, room)]
            score = {"made": len(mutants), "caught": len(mutants) - len(left), "missed": left}
            print(room, json.dumps(score, indent=2), flush=True)
            rooms = read_evidence("mutants")["figures"].get("rooms", {})
            rooms[room] = {**score, "seed": given.seed, "commit": state}
            record("mutants", "make mutants", {"rooms": dict(sorted(rooms.items()))}, state)
    return 0


if __name__ == "__main__":
    sys.exit(main())
