"""The library's imports point one way, towards the kernels; what it needs from outside is small."""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import manyviews

ROOT = Path(manyviews.__file__).parent
#: Floors from the ground up: a room uses itself and what lies below. ``compare`` is the one that
#: reads and writes files; nothing imports it but ``files``, the door to its reader.
FLOORS = [
    {"_lazy", "validation", "labels", "seeding", "kernels", "alignment"},
    {"progress", "views", "metrics", "assignment"},
    {"rows"},
    {"base", "preprocessing"},
    {"model_selection", "parts"},
    {"models"},
    {"baselines", "out_of_core"},
    {"compare"},
    {"files"},
]
#: What no room imports, those in which it may be found, and what loops may use beside numpy.
ELSEWHERE = {"reproduction", "snakemake", "pandas", "yaml", "matplotlib"}
ALLOWED = {"compare": {"yaml"}}
LOOPS = {"numpy", "numba", "llvmlite", "manyviews", *sys.stdlib_module_names}


def imports(path):
    """Yield the dotted names that a source file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} has a relative import; write the whole name"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


#: Every module of the library, and what it imports; what of that is the library's own.
EDGES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): set(imports(path))
    for path in sorted(ROOT.rglob("*.py"))
}
OWN = {
    name: {used[10:] for used in names if used.startswith("manyviews.")} & set(EDGES) - {name}
    for name, names in EDGES.items()
}


@pytest.mark.parametrize("name", sorted(EDGES.keys() - {"__init__"}))
def test_every_room_uses_only_what_lies_below(name):
    room = name.partition(".")[0]
    floor = next(n for n, rooms in enumerate(FLOORS) if room in rooms)
    assert {used.partition(".")[0] for used in OWN[name]} <= {room}.union(*FLOORS[:floor])
    outside = {used.partition(".")[0] for used in EDGES[name]}
    assert not outside & (ELSEWHERE - ALLOWED.get(room, set()))
    assert room != "kernels" or outside <= LOOPS
    if room == "files":
        reader = {used for used in OWN[name] if used.startswith("compare")}
        assert all(used.startswith("compare.reading.") for used in reader)


def test_modules_have_no_circle():
    TopologicalSorter(OWN).prepare()  # names the circle
