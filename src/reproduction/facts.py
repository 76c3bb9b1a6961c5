"""What source files import and compute, read once and kept until they change.

A plan asks for the import closures of some 250 jobs, which share most of their modules, and every
job asks for its own. What a file imports and computes is kept beside the compiled modules, under
the digest of its content, and is as good as they are: nobody parses the file again.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reproduction.files import write_text

#: Folder of the packages; a module of any package in it belongs to the project.
SOURCES = Path(__file__).resolve().parents[1]

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Facts:
    """What one source file imports (any names), and the digest of what it computes."""

    names: frozenset[str]
    digest: bytes


def facts_of(path: Path) -> Facts:
    """Return what a file imports and computes; it is read once for every time it changed."""
    state = path.stat()
    return _facts_of(path, state.st_mtime_ns, state.st_size)


@cache
def _facts_of(path: Path, changed: int, size: int) -> Facts:
    content = path.read_bytes()
    return memory().facts(content) if path.is_relative_to(SOURCES) else parsed(content)


def parsed(content: bytes) -> Facts:
    """Return the facts of a source file from its syntax tree."""
    tree = ast.parse(content)
    words: list[str] = []
    _write_tree(tree, words)
    return Facts(imported_names(tree), hashlib.sha256("\0".join(words).encode()).digest())


class Memory:
    """Facts of source files by the digest of their content, in a file between two processes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, list[str]] = {}
        self.new = False
        with contextlib.suppress(OSError, ValueError):  # the first process, or a damaged file
            self.known = dict(json.loads(path.read_text(encoding="utf-8")))

    def facts(self, content: bytes) -> Facts:
        """Return the facts of a source file, parsed where they are not known."""
        key = hashlib.sha256(content).hexdigest()
        if key not in self.known:
            found = parsed(content)
            self.known[key] = [found.digest.hex(), *sorted(found.names)]
            self.new = True
        digest, *names = self.known[key]
        return Facts(frozenset(names), bytes.fromhex(digest))

    def save(self) -> None:
        """Write what is new; a folder that cannot be written costs the next plan two seconds."""
        if self.new:
            with contextlib.suppress(OSError):
                write_text(self.path, json.dumps(self.known, sort_keys=True))


@cache
def memory() -> Memory:
    """Return the memory of this checkout; what is new is written when the process ends."""
    # another version of Python may parse otherwise, another version of this module read otherwise
    rules = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    folder = SOURCES / "reproduction" / "__pycache__"
    kept = Memory(folder / f"{sys.implementation.cache_tag}-{rules}.facts.json")
    atexit.register(kept.save)
    return kept


def imported_names(tree: ast.AST) -> frozenset[str]:
    """Return every name that a syntax tree imports when it runs (not for type checkers alone)."""
    names: set[str] = set()
    for node in _runtime_nodes(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
            # `from package import module` names a module, `from module import thing` does not
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(names)


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
