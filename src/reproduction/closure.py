"""Which source files a result depends on.

Snakemake notices a changed script, not a changed module the script imports. So every rule carries
a hash of the import closure of the module it calls: the module itself and every module of this
project it imports, directly or not. The closure is read from the syntax tree, nothing is executed.
The hash is one of syntax trees without docstrings: comments, line breaks and docstrings change
nothing that is computed, so they change no hash.
"""

import ast
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from reproduction.facts import SOURCES, facts_of, imported_names


def module_path(module: str, sources: Path = SOURCES) -> Path | None:
    """Return the file of a module of this project, or ``None`` if there is no such module."""
    base = sources.joinpath(*module.split("."))
    package = base / "__init__.py"
    if package.is_file():
        return package
    plain = base.with_suffix(".py")
    return plain if "." in module and plain.is_file() else None


@cache  # a plan, and a job, speak of one moment
def imported_modules(path: Path, sources: Path = SOURCES) -> frozenset[str]:
    """Return the project's modules that a source file or a notebook imports when it runs."""
    names = _cells_import(path) if path.suffix == ".ipynb" else facts_of(path).names
    return frozenset(name for name in names if _located(name, sources) is not None)


def _cells_import(notebook: Path) -> frozenset[str]:
    """Return what the code cells of a notebook import."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return imported_names(ast.parse("\n".join(code)))


@cache
def import_closure(module: str, sources: Path = SOURCES) -> tuple[Path, ...]:
    """Return the sorted files a module depends on, packages' ``__init__`` files included."""
    if module_path(module, sources) is None:
        raise ValueError(f"there is no module {module} in {sources}")
    found: dict[str, Path | None] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        path = found[name] = _located(name, sources)
        if path is not None:
            parent = name.rpartition(".")[0]
            waiting.extend(imported_modules(path, sources) | ({parent} if parent else set()))
    return tuple(sorted({path for path in found.values() if path}))


_located = cache(module_path)  # closures share most of their modules


def closure_hash(modules: Iterable[str] | str, sources: Path = SOURCES) -> str:
    """Return a short hash over the sources that one or several modules depend on."""
    names = [modules] if isinstance(modules, str) else list(modules)
    return _digest({path for name in names for path in import_closure(name, sources)}, sources)


def script_hash(path: Path) -> str:
    """Return a short hash of what one file computes, without what it imports."""
    return facts_of(path).digest.hex()[:12]


def package_hash(sources: Path = SOURCES) -> str:
    """Return a short hash over all sources of the project: the version of the code."""
    return _digest(sources.rglob("*.py"), sources)


def _digest(paths: Iterable[Path], sources: Path) -> str:
    files = sorted(paths)
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(sources).as_posix().encode())
        digest.update(b"\0")
        digest.update(facts_of(path).digest)
    return digest.hexdigest()[:16]
