"""Names of a package that load on first use (PEP 562): what its modules offer in ``__all__``.

``from manyviews.models import MVPLSA`` loads the module of MVPLSA alone: importing the package
costs nothing, and what does not use a model does not depend on its source. A new module is found
by looking; it is listed nowhere.
"""

import ast
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

_OFFERED = re.compile(r"^__all__ = (\[[^\]]*\])", re.MULTILINE)


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package that offers what its modules offer."""
    homes: dict[str, str] = {}
    for path in sorted(Path(file).parent.glob("[a-z]*.py")):
        offered = _OFFERED.search(path.read_text(encoding="utf-8"))
        for name in ast.literal_eval(offered[1]) if offered else ():
            if name in homes:
                raise ImportError(f"{homes[name]} and {package}.{path.stem} both offer {name!r}")
            homes[name] = f"{package}.{path.stem}"

    def __getattr__(name: str) -> Any:  # noqa: N807 - becomes the package's own
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return __getattr__, lambda: sorted(homes)
