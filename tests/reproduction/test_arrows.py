"""Imports point one way: papers and the workflow use the stations, the stations the library."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import reproduction
from reproduction.closure import SOURCES, imported_modules
from reproduction.rooms import paper_keys

ROOT = Path(reproduction.__file__).parent
#: Floors from the ground up: a room uses itself, the library, and what lies below.
FLOORS = [
    {"files", "__init__"},
    {"facts", "rooms"},
    {"closure"},
    {"data"},
    {"results"},
    {"verdicts"},
    {"pages"},
    {"compare", "papers"},
    {"workflow"},
    {"__main__"},
]
MODULES = sorted(path for path in ROOT.rglob("*.py") if "templates" not in path.parts)
NAMES = [path.relative_to(ROOT).as_posix() for path in MODULES]


def own_imports(path):
    """Modules of the reproduction a file imports, as parts below ``reproduction``."""
    names = [name.split(".") for name in imported_modules(path, SOURCES)]
    return [parts[1:] for parts in names if parts[0] == "reproduction" and len(parts) > 1]


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_no_import_points_upward_and_modules_stay_small(path):
    inside = path.relative_to(ROOT).with_suffix("").parts
    floor = next(number for number, rooms in enumerate(FLOORS) if inside[0] in rooms)
    for parts in own_imports(path):
        above = f"{'/'.join(inside)} imports {'.'.join(parts)}, which is above it"
        assert parts[0] in {inside[0]}.union(*FLOORS[:floor]), above
        if inside[0] == parts[0] == "papers" and len(parts) > 1:
            assert parts[1] == inside[1], f"{inside[1]} looks into the room of {parts[1]}"
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400, "split it"
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno <= 80, f"{node.name} is long; split it"
    if inside[0] != "papers":  # papers are found by looking: no other code spells a key
        strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        methods = {"cotraining", "mvplsa", "sgc"}  # keys of methods, too
        named = strings & set(paper_keys()) - methods
        assert not named


def test_no_circle():
    graph = {}
    for path in MODULES:
        inside = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        graph[inside] = {".".join(parts) for parts in own_imports(path)} - {inside}
    TopologicalSorter(graph).prepare()  # names the circle
