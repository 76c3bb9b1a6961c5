"""The library's imports point one way, towards the kernels; its modules stay small."""

import ast
import sys
from functools import cache
from pathlib import Path

import manyviews

ROOT = Path(manyviews.__file__).parent
#: Rooms from the ground up: a room uses those named for it, and itself.
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
#: The one room that reads and writes files, and the door to its reader; nothing imports either.
FILES_ROOM, DOOR = "compare", "files"
#: What compiled loops may use beside the standard library.
LOOPS = {"numpy", "numba", "llvmlite"}


@cache
def modules():
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in _sources()}


def _sources():
    return sorted(ROOT.rglob("*.py"))


@cache
def imports(path):
    """Dotted names a source file imports, wherever in it."""
    return tuple(_imports(path))


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} has a relative import; write the whole name"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(path):
    """Modules of the library that a file imports, as dotted names below ``manyviews``."""
    known = modules()
    for name in imports(path):
        inner = name.removeprefix("manyviews.")
        if inner != name and inner in known:
            yield inner


def test_every_room_uses_only_what_lies_below():
    for name, path in modules().items():
        room = name.partition(".")[0]
        if room == "__init__":
            continue
        for used in own_imports(path):
            below = used.partition(".")[0]
            assert below == room or below in MAY_USE[room], f"{name} uses {used}"


def test_modules_have_no_circle():
    edges = {name: set(own_imports(path)) - {name} for name, path in modules().items()}
    placed = set()
    while len(placed) < len(edges):
        free = {name for name, below in edges.items() if below <= placed} - placed
        assert free, f"a circle among {sorted(set(edges) - placed)}"
        placed |= free


def test_the_library_knows_nothing_of_the_reproduction():
    for path in _sources():
        names = {name.partition(".")[0] for name in imports(path)}
        assert "reproduction" not in names, path
        outside = {"snakemake", "pandas", "yaml", "matplotlib"}
        if path.relative_to(ROOT).parts[0] == FILES_ROOM:
            outside -= {"yaml", "matplotlib"}
        assert not names & outside, path


def test_nothing_imports_the_room_that_reads_files():
    for name, path in modules().items():
        used = {inner.partition(".")[0] for inner in own_imports(path)}
        if name.partition(".")[0] not in (FILES_ROOM, DOOR):
            assert not used & {FILES_ROOM, DOOR}, name
        elif name == DOOR:
            rooms = {inner for inner in own_imports(path) if inner.startswith(FILES_ROOM)}
            assert all(inner.startswith(f"{FILES_ROOM}.reading.") for inner in rooms)


def test_kernels_are_loops_on_plain_arrays():
    for path in sorted((ROOT / "kernels").glob("*.py")):
        outside = {name.partition(".")[0] for name in imports(path)}
        assert outside - sys.stdlib_module_names - LOOPS <= {"manyviews"}, path.name


def test_modules_stay_small():
    texts = {name: path.read_text(encoding="utf-8") for name, path in modules().items()}
    assert not {name for name, text in texts.items() if text.count("\n") > 400}
