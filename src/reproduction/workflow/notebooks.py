"""The modules that a notebook calls: a page is stale when one of them changes."""

import ast
import json
from pathlib import Path

from reproduction.closure import module_path


def modules_of(notebook: Path) -> list[str]:
    """Return the modules of this project that the code cells of a notebook import."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names: set[str] = set()
    for node in ast.walk(ast.parse("\n".join(code))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return sorted(name for name in names if module_path(name) is not None)
