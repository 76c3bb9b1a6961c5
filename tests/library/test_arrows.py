"""The library's imports point one way, towards the kernels; what it needs from outside is small."""

import ast
import sys
from pathlib import Path

import pytest

import manyviews

ROOT = Path(manyviews.__file__).parent
#: Rooms from the ground up: a room uses those named for it, and itself. ``compare`` is the one
#: that reads and writes files; nothing imports it but ``files``, the door to its reader.
MAY_USE = {
    "_lazy": set(),
    "validation": set(),
    "labels": set(),
    "seeding": set(),
    "kernels": set(),
    "alignment": set(),
    "progress": {"validation"},
    "views": {"validation", "alignment"},
    "rows": {"alignment", "views"},
    "base": {"validation", "labels", "alignment", "views", "rows"},
    "metrics": {"validation"},
    "preprocessing": {"validation", "alignment", "views", "rows"},
    "model_selection": {"validation", "labels", "alignment", "views", "rows", "base"},
    "testing": {"_lazy", "views", "model_selection", "kernels"},
    "assignment": {"_lazy", "validation", "kernels"},
    "parts": {"validation", "progress", "preprocessing", "kernels"},
    "models": {
        "_lazy", "validation", "labels", "views", "base", "seeding", "metrics", "preprocessing",
        "progress", "kernels", "assignment", "parts",
    },
    "baselines": {
        "_lazy", "validation", "labels", "views", "base", "seeding", "metrics", "preprocessing",
        "progress", "kernels", "assignment", "parts", "models", "rows",
    },
    "compare": {
        "_lazy", "validation", "labels", "views", "base", "seeding", "metrics", "preprocessing",
        "assignment", "models", "baselines", "model_selection", "parts",
    },
    "files": {"views", "compare"},
}  # fmt: skip
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


@pytest.fixture(scope="module")
def edges():
    """Every module of the library, and what it imports."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): set(imports(path))
        for path in sorted(ROOT.rglob("*.py"))
    }


@pytest.fixture(scope="module")
def own(edges):
    """Every module, and the modules of the library that it imports."""
    return {
        name: {used[10:] for used in names if used.startswith("manyviews.")} & set(edges) - {name}
        for name, names in edges.items()
    }


def test_every_room_uses_only_what_lies_below(edges, own):
    for name, names in edges.items():
        room = name.partition(".")[0]
        if room == "__init__":
            continue
        rooms = {used.partition(".")[0] for used in own[name]}
        assert rooms <= MAY_USE[room] | {room}, name
        outside = {used.partition(".")[0] for used in names}
        assert not outside & (ELSEWHERE - ALLOWED.get(room, set())), name
        assert room != "kernels" or outside <= LOOPS, name
    reader = {used for used in own["files"] if used.startswith("compare")}
    assert all(used.startswith("compare.reading.") for used in reader)


def test_modules_have_no_circle(own):
    placed = set()
    while len(placed) < len(own):
        free = {name for name, below in own.items() if below <= placed} - placed
        assert free, f"a circle among {sorted(set(own) - placed)}"
        placed |= free
