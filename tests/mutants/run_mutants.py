"""Change one place of the sources at random, many times, and see whether the tests notice.

``make mutants`` draws places from every room, changes each in a copy of the project (``<`` becomes
``<=``, ``+`` becomes ``-``, a number grows by one, ...), runs the tests that import the changed
module and then those of its room, and writes ``tests/evidence/mutants.json``: caught and missed by
room. ``--room`` runs one room, whose score is not written; ``--seed`` draws the same places again.
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
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from reproduction.files import ROOT, read_yaml
from reproduction.pages.evidence import commit, record

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
#: Places whose change changes nothing that anyone could see, as ``file: text [old -> new]``.
EQUIVALENT = Path(__file__).with_name("equivalent.yaml")
#: Operators and what becomes of them.
OPERATORS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="),
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip


class Mutant(NamedTuple):
    """One changed place: ``old``, from byte ``start`` of a file on, becomes ``new``."""

    file: str
    start: int
    old: str
    new: str
    around: str

    def __str__(self) -> str:
        return f"{self.file}: {self.around} [{self.old} -> {self.new}]"

    def of(self, source: bytes) -> bytes:
        """Return the changed source."""
        return source[: self.start] + self.new.encode() + source[self.start + len(self.old) :]


def mutants_of(path: Path, name: str) -> Iterator[Mutant]:
    """Yield every place of a file that can be changed."""
    source = path.read_bytes()
    lines = source.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    for node in _code(ast.parse(source)):
        match node:
            case ast.Compare(left=left, ops=[operator, *_], comparators=[right, *_]):
                pass
            case ast.BinOp(left=left, op=operator, right=right):
                pass
            case ast.BoolOp(op=operator, values=[left, right, *_]):
                pass
            case ast.Constant(lineno=line, end_lineno=end) if line == end and _other(node.value):
                start = starts[line - 1] + node.col_offset
                old = lines[line - 1][node.col_offset : node.end_col_offset].decode()
                around = lines[line - 1].decode().strip()
                yield Mutant(name, start, old, _other(node.value), around)
                continue
            case _:
                continue
        if type(operator) in OPERATORS:
            old, new = OPERATORS[type(operator)]
            start = starts[left.end_lineno - 1] + left.end_col_offset
            gap = source[start : starts[right.lineno - 1] + right.col_offset]
            around = lines[left.end_lineno - 1].decode().strip()
            if old.encode() in gap:
                yield Mutant(name, start + gap.find(old.encode()), old, new, around)


def _other(value: object) -> str:
    """Return another constant; nothing for texts, which are prose as often as not."""
    if isinstance(value, bool):
        return str(not value)
    if isinstance(value, int):
        return str(value + 1)
    return repr(value * 2 + 1) if isinstance(value, float) else ""


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that compute: annotations and decorators are left out."""
    for name, value in ast.iter_fields(tree):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield child
                    yield from _code(child)


def guards_of(mutant: Mutant, room: str) -> list[str]:
    """Return what to run: tests that import the module, then all of the room."""
    module = mutant.file.removeprefix("src/").removesuffix(".py").replace("/", ".")
    module = module.removesuffix(".__init__")
    named = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if module in path.read_text(encoding="utf-8")
    ]
    return [*named, ROOMS[room][1]]


def copy_project(target: Path) -> None:
    """Copy sources and tests; link the rest."""
    skipped = {".git", ".venv", ".snakemake", "build", "dist", "results"}
    for part in ROOT.iterdir():
        if part.name in ("src", "tests"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(part, target / part.name, ignore=ignored)
        elif part.name not in skipped:
            (target / part.name).symlink_to(part)


def passes(project: Path, tests: str) -> bool:
    """Whether some tests pass in a copy of the project."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", tests]
    environment = {**os.environ, "PYTHONPATH": str(project / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    if done.returncode == 4:  # else it would count as noticed
        raise FileNotFoundError(f"there are no tests at {tests}")
    return done.returncode in (0, 5)  # 5: a file whose tests are all deselected


def caught(project: Path, mutant: Mutant, room: str) -> bool:
    """Whether a test notices a mutant; the file is put back."""
    path = project / mutant.file
    kept = path.read_bytes()
    try:
        path.write_bytes(mutant.of(kept))
        return not all(passes(project, tests) for tests in guards_of(mutant, room))
    finally:
        path.write_bytes(kept)


def drawn(room: str, number: int, seed: int) -> list[Mutant]:
    """Draw places of a room at random, those known to be equivalent left out."""
    place = ROOT / ROOMS[room][0]
    known = set(read_yaml(EQUIVALENT) or ()) if EQUIVALENT.is_file() else set()
    every = [
        mutant
        for path in ([place] if place.is_file() else sorted(place.rglob("*.py")))
        for mutant in mutants_of(path, path.relative_to(ROOT).as_posix())
        if str(mutant) not in known
    ]
    return random.Random(f"{room} {seed}").sample(every, min(number, len(every)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--room", choices=sorted(ROOMS), help="one room; its score is not written")
    parser.add_argument("--number", type=int, default=30, help="mutants a room")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    state, rooms, missed = commit(), {}, []
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="mutants.") as folder:
        copy_project(Path(folder))
        for room in [given.room] if given.room else sorted(ROOMS):
            mutants = drawn(room, given.number, given.seed)
            left = [str(m) for m in mutants if not caught(Path(folder), m, room)]
            rooms[room] = {"made": len(mutants), "caught": len(mutants) - len(left)}
            missed += left
            print(room, json.dumps(rooms[room]), *left, sep="\n", flush=True)
    if not given.room:
        figures = {"seed": given.seed, "rooms": rooms, "missed": missed}
        print(f"written: {record('mutants', 'make mutants', figures, state)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
