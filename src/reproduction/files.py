"""Where the project lies, and writing files so that a failure leaves nothing half-written."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

#: Root of the source tree: config, registry and schemas live in it, not in the package.
ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def atomic_path(target: str | Path) -> Iterator[Path]:
    """Yield a temporary name beside ``target``; rename it on success, remove it on failure."""
    final = Path(target)
    final.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{final.name}.", dir=final.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(final)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(target: str | Path, text: str) -> None:
    """Write ``text`` as UTF-8 with Unix line ends, atomically."""
    with atomic_path(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(target: str | Path, value: Any) -> None:
    """Write ``value`` as sorted, indented JSON, atomically; NaN is refused."""
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
    write_text(target, text + "\n")
