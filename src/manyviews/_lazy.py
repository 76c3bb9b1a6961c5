"""Names of a package that load on first use (PEP 562), as its stub file lists them.

``from manyviews.models import MVPLSA`` loads the module of MVPLSA alone: importing the package
costs nothing, and what does not use a model does not depend on its source. The stub beside a
package is what type checkers read, so the names stand in one place.
"""

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package whose names its stub file imports."""
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    homes = {
        alias.name: f"{package}.{node.module}"
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    def __getattr__(name: str) -> Any:  # noqa: N807 - becomes the package's own
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return __getattr__, lambda: sorted(homes)
