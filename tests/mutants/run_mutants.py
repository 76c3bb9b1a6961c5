"""Change one place of the sources at random, many times, and see whether the tests notice.

``make mutants`` runs the whole suite once and keeps which tests run which function. Then it
draws places from every room, changes each in a copy of the project (``<`` becomes ``<=``, ``+``
becomes ``-``, a number grows by one, ...) and runs the tests that run the function or import its
module, quickest first, for at most three minutes: so a score is a lower bound. It writes
``tests/evidence/mutants.json``: caught and missed by room, each with its commit. ``--room`` runs
some rooms; ``--seed`` draws the same places again. Changes that nobody can tell from the original
do not count; ``equivalent.yaml`` lists them, each with its reason.
"""

import argparse
import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from coverage import CoverageData

from reproduction.facts import facts_of
from reproduction.files import ROOT, read_yaml
from reproduction.pages.evidence import commit, read_evidence, record
from reproduction.workflow.config import load_config

#: Seconds of tests for a mutant, by their time in the whole suite.
BUDGET = 180
#: It runs every program of the workflow.
SMALL_RUN = "tests/chaos/test_small_run.py"
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


class Suite:
    """What the whole suite runs: ``lines[file][line]`` are tests, and the seconds of each.

    It runs on sources as they are written after a change, but unchanged (no comments, other lines).
    A test that fails there, about the writing of the sources, notices nothing.
    """

    def __init__(self, project: Path) -> None:
        self.project = project
        for path in project.glob("src/**/*.py"):
            path.write_text(ast.unparse(ast.parse(path.read_bytes())), encoding="utf-8")
        report = project / "suite.xml"
        words = ["-n", "auto", "--dist", "loadgroup", "--no-loadscope-reorder"]
        words += ["--cov=src", "--cov-context=test", "--cov-report=", f"--junitxml={report}"]
        run_tests(project, [*words, "-o", "junit_family=xunit1"], None)
        self.seconds: dict[str, float] = defaultdict(float)
        self.failing = []
        for case in ElementTree.parse(report).iter("testcase"):
            file = case.get("file")
            name, _, _ = case.get("name").rpartition("@")  # the group of pytest-xdist
            for test in (file, f"{file}::{name}"):
                self.seconds[test] += float(case.get("time"))
            if case.find("failure") is not None or case.find("error") is not None:
                self.failing.append(f"{file}::{name}")
        data = CoverageData(str(project / ".coverage"))
        data.read()
        self.lines = {
            Path(file).relative_to(project).as_posix(): {
                line: {_test(name) for name in names if name}
                for line, names in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
            if file.endswith(".py")  # not templates
        }

    def guards_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that run the changed function or import its module, quick ones first."""
        tree = ast.parse((self.project / mutant.file).read_text(encoding="utf-8"))
        place = list(_code(tree))[mutant.number].lineno
        around = [
            range(node.lineno, node.end_lineno + 1)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.lineno <= place <= node.end_lineno
        ]
        ran = self.lines.get(mutant.file, {})
        tests = {test for line in min(around, key=len, default=ran) for test in ran.get(line, ())}
        # what runs when it is imported leaves no trace, nor do compiled loops: all tests of the
        # module, of those that import it, of those that import these ...
        callers, wider = set(), {mutant.file}
        while wider and not tests:
            callers |= wider
            tests = {
                t for file in wider for names in self.lines.get(file, {}).values() for t in names
            }
            wider = {file for each in wider for file in self.importing(each, self.lines)} - callers
        # nor what runs in other processes: a small run, whole
        tests = tests or {SMALL_RUN}
        files = {test.partition("::")[0] for test in self.seconds}
        tests |= set(self.importing(mutant.file, files))
        chosen, left = [], float(BUDGET)
        for test in sorted(tests & self.seconds.keys(), key=lambda test: self.seconds[test]):
            left -= self.seconds[test]
            if chosen and left < 0:
                break
            chosen.append(test)
        return chosen

    def importing(self, module: str, files: Iterable[str]) -> Iterator[str]:
        """Yield the files that import a module."""
        dotted = module.removeprefix("src/").removesuffix(".py").removesuffix("/__init__")
        name = dotted.replace("/", ".")
        return (file for file in files if name in facts_of(self.project / file).names)

    def notices(self, project: Path, mutant: Mutant) -> bool:
        """Whether a test notices a mutant in a copy of the project; the file is put back."""
        guards = self.guards_of(mutant)
        words = [*guards, *(f"--deselect={test}" for test in self.failing)]
        (project / "guards.txt").write_text("\n".join(words), encoding="utf-8")
        path = project / mutant.file
        kept = path.read_text(encoding="utf-8")
        try:
            path.write_text(mutant.of(kept), encoding="utf-8")
            # one that takes so much longer will not end
            limit = 3 * sum(self.seconds[test] for test in guards) + BUDGET
            return not run_tests(project, ["-x", "@guards.txt"], limit)
        finally:
            path.write_text(kept, encoding="utf-8")


def _test(context: str) -> str:
    """Return the test that ran a line; its whole file when it prepared what others may use."""
    name, _, phase = context.rpartition("|")
    return name.split("::")[0] if phase == "setup" else name.rpartition("@")[0]


def copy_project(target: Path) -> None:
    """Copy sources and tests, compiled loops included; link the rest."""
    target.mkdir()
    skipped = {".git", ".venv", ".snakemake", "build", "dist", "results"}
    for part in ROOT.iterdir():
        if part.name in ("src", "tests"):
            shutil.copytree(part, target / part.name, ignore=shutil.ignore_patterns("*.pyc"))
        elif part.name not in skipped:
            (target / part.name).symlink_to(part)
    for name in load_config().data.mirrors:  # they may lie beside the project
        if (ROOT / name).is_dir() and not (place := target / name).exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to((ROOT / name).resolve())


def run_tests(project: Path, words: list[str], timeout: float | None) -> bool:
    """Whether some tests pass in a copy of the project."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    more = {"PYTHONPATH": str(project / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    pytest = subprocess.Popen(
        command, cwd=project, env=os.environ | more, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        return pytest.wait(timeout) in (0, 5)  # 5: all are deselected
    except subprocess.TimeoutExpired:
        os.killpg(pytest.pid, signal.SIGKILL)  # with the programs it started
        pytest.wait()
        return False


def rooms() -> dict[str, list[Path]]:
    """Return the modules of every room: each package, each of its folders, and the metrics."""
    source = ROOT / "src"
    found = {"manyviews/metrics": [source / "manyviews/metrics.py"]}
    for package in sorted(source.glob("*/__init__.py")):
        found[package.parent.name] = sorted(package.parent.glob("*.py"))
        for folder in sorted(package.parent.glob("[!_]*/")):
            if modules := sorted(folder.rglob("*.py")):
                found[folder.relative_to(source).as_posix()] = modules
    return found


def drawn(room: str, number: int, seed: int) -> list[Mutant]:
    """Draw places of a room at random."""
    files = [path.relative_to(ROOT).as_posix() for path in rooms()[room]]
    every = [mutant for file in files for mutant in mutants_of(file)]
    return random.Random(f"{room} {seed}").sample(every, min(number, len(every)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--room", choices=sorted(rooms()), nargs="+", default=sorted(rooms()))
    parser.add_argument("--number", type=int, default=30, help="mutants a room")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    state, alike = commit(), read_yaml(Path(__file__).with_name("equivalent.yaml"))
    print(f"seed {given.seed}; the whole suite once", flush=True)
    with tempfile.TemporaryDirectory(prefix="mutants.") as folder:
        copy_project(whole := Path(folder) / "whole")
        suite, free = Suite(whole), SimpleQueue[Path]()
        cores = os.cpu_count() or 1
        for core in range(cores):
            free.put(shutil.copytree(whole, Path(folder) / str(core), symlinks=True))

        def missed(mutant: Mutant) -> bool:
            project = free.get()
            try:
                noticed = suite.notices(project, mutant)
            finally:
                free.put(project)
            print("noticed" if noticed else "missed ", mutant.text, flush=True)
            return not noticed

        for room in given.room:
            every = drawn(room, given.number, given.seed)
            mutants = [mutant for mutant in every if mutant.text not in alike]
            with ThreadPoolExecutor(cores) as workers:
                away = list(workers.map(missed, mutants))
            left = [mutant.text for mutant, lost in zip(mutants, away, strict=True) if lost]
            score = {"made": len(mutants), "caught": len(mutants) - len(left), "missed": left}
            score["equivalent"] = [m.text for m in every if m.text in alike]
            print(room, score["caught"], "of", score["made"], flush=True)
            figures = read_evidence("mutants")["figures"].get("rooms", {})
            before = figures.get(room, {})
            again = before.get("seed") == given.seed  # after tests for what slipped through
            score["caught at first"] = before["caught at first"] if again else score["caught"]
            figures[room] = {**score, "seed": given.seed, "commit": state}
            record("mutants", "make mutants", {"rooms": dict(sorted(figures.items()))}, state)
    return 0


if __name__ == "__main__":
    sys.exit(main())
