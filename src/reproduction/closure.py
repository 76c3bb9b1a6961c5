"""Which source files a result depends on.

Snakemake notices a changed script, not a changed module the script imports. So every rule carries
a hash of the import closure of the module it calls: the module itself and every module of this
project it imports, directly or not. The closure is read from the syntax tree, nothing is executed.
The hash is one of syntax trees without docstrings: comments, line breaks and docstrings change
nothing that is computed, so they change no hash.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

#: Folder of the packages; a module of any package in it belongs to the project.
SOURCES = Path(__file__).resolve().parents[1]

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def module_path(module: str, sources: Path = SOURCES) -> Path | None:
    """Return the file of a module of this project, or ``None`` if there is no such module."""
    base = sources.joinpath(*module.split("."))
    package = base / "__init__.py"
    if package.is_file():
        return package
    plain = base.with_suffix(".py")
    return plain if "." in module and plain.is_file() else None


@dataclass(frozen=True)
class _Facts:
    """What one source file imports (any names), and the digest of what it computes."""

    names: frozenset[str]
    digest: bytes


def _facts(path: Path) -> _Facts:
    state = path.stat()
    return _read_facts(path, state.st_mtime_ns, state.st_size)


@cache
def _read_facts(path: Path, changed: int, size: int) -> _Facts:
    """Read a file once for every time it changed: many jobs share their modules."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    names: set[str] = set()
    for node in _runtime_nodes(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
            # `from package import module` names a module, `from module import thing` does not
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    words: list[str] = []
    _write_tree(tree, words)
    return _Facts(frozenset(names), hashlib.sha256("\0".join(words).encode()).digest())


def imported_modules(path: Path, sources: Path = SOURCES) -> set[str]:
    """Return the modules of this project that a source file imports anywhere in its text.

    Imports for type checkers only (``if TYPE_CHECKING:``) do not count.
    """
    return {name for name in _facts(path).names if module_path(name, sources) is not None}


def _runtime_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk a syntax tree without the bodies of ``if TYPE_CHECKING:``."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        yield node
        yield from _runtime_nodes(node)


def _write_tree(node: ast.AST, words: list[str]) -> None:
    """Write a syntax tree as words, without positions, docstrings and empty fields.

    ``ast.dump`` writes empty fields in some versions of Python and not in others.
    """
    words.append(type(node).__name__)
    for name, value in ast.iter_fields(node):
        if value is None or value == []:
            continue
        words.append(f"{name}:")
        items = value if isinstance(value, list) else [value]
        if name == "body" and isinstance(node, _DOCUMENTED) and _is_docstring(items[0]):
            items = items[1:]
        for item in items:
            if isinstance(item, ast.AST):
                _write_tree(item, words)
            else:
                words.append(f"{type(item).__name__} {item!r}")
    words.append(".")


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


@cache
def import_closure(module: str, sources: Path = SOURCES) -> tuple[Path, ...]:
    """Return the sorted files a module depends on, packages' ``__init__`` files included."""
    if module_path(module, sources) is None:
        raise ValueError(f"there is no module {module} in {sources}")
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        path = module_path(name, sources)
        if path is None:
            continue
        seen.add(name)
        parent = name.rpartition(".")[0]
        waiting.extend(imported_modules(path, sources) | ({parent} if parent else set()))
    return tuple(sorted({p for p in (module_path(n, sources) for n in seen) if p}))


def closure_hash(modules: Iterable[str] | str, sources: Path = SOURCES) -> str:
    """Return a short hash over the sources that one or several modules depend on."""
    names = [modules] if isinstance(modules, str) else list(modules)
    return _digest({path for name in names for path in import_closure(name, sources)}, sources)


def script_hash(path: Path) -> str:
    """Return a short hash of what one file computes, without what it imports."""
    return _facts(path).digest.hex()[:12]


def package_hash(sources: Path = SOURCES) -> str:
    """Return a short hash over all sources of the project: the version of the code."""
    return _digest(sources.rglob("*.py"), sources)


def _digest(paths: Iterable[Path], sources: Path) -> str:
    files = sorted(paths)
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(sources).as_posix().encode())
        digest.update(b"\0")
        digest.update(_facts(path).digest)
    return digest.hexdigest()[:16]
