"""Where compiled loops are kept: a folder named by everything they are made of.

numba asks whether the file of a loop has changed, not the files of what the loop calls: an edited
helper would go on computing the old sums. So the folder is named by the text of every kernel, the
versions of Python, numba and llvmlite, and the processor. An edit leads to another folder, and
copies of the same sources share one. Where the sources cannot be read or no folder can be written,
nothing is kept.
"""

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite  # type: ignore[import-untyped]
from llvmlite import binding
from numba import __version__, config, njit
from numba.core.caching import InTreeCacheLocator

SOURCES = Path(__file__).parent
#: Folders of other sources that stay, and the seconds for which a used one stays in any case:
#: another process may be about to write into it.
KEPT, IN_USE = 3, 3600
PREFIX = "manyviews-"


def _seen() -> tuple[tuple[str, int, int], ...]:
    """Return name, time and size of every kernel's source."""
    with os.scandir(SOURCES) as entries:
        files = [entry for entry in entries if entry.name.endswith(".py")]
    stats = [(entry.name, os.stat(entry.path)) for entry in files]
    return tuple(sorted((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats))


def _made_of() -> str:
    """Return the hash of what compiled loops depend on."""
    parts = [sys.version, __version__, llvmlite.__version__, binding.get_host_cpu_name()]
    parts.append(binding.get_host_cpu_features().flatten())
    for path in sorted(SOURCES.glob("*.py")):
        parts += [path.name, hashlib.sha256(path.read_bytes()).hexdigest()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def _folder() -> Path | None:
    """Return the folder of these sources, made and writable; None where there is no such place."""
    at_home = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    places = [Path(config.CACHE_DIR)] if config.CACHE_DIR else [SOURCES / "__pycache__", at_home]
    try:
        name = PREFIX + _made_of()
    except OSError:  # a package inside an archive
        return None
    for place in places:
        folder = place / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
        except OSError:
            continue
        if os.access(folder, os.W_OK | os.X_OK):
            _clear(place, folder)
            return folder
    return None


def _clear(place: Path, folder: Path) -> None:
    """Remove the folders of other sources, but for those used last."""
    used = {}
    for other in place.glob(f"{PREFIX}*"):
        try:
            used[other] = other.stat().st_mtime
        except OSError:  # another process was faster
            continue
    used.pop(folder, None)
    for other in sorted(used, key=lambda path: used[path])[:-KEPT]:
        if used[other] < time.time() - IN_USE:
            shutil.rmtree(other, ignore_errors=True)


SEEN = _seen()
FOLDER = _folder() if SEEN else None


class Locator(InTreeCacheLocator):
    """Tells numba the folder; its own question, whether the loop's file has changed, stays."""

    def get_cache_path(self) -> str:
        """Return the folder of all kernels."""
        return str(FOLDER)

    def ensure_cache_path(self) -> None:
        """Make the folder again if somebody has removed it."""
        os.makedirs(str(FOLDER), exist_ok=True)


def compiled(**options: Any) -> Callable[[Any], Any]:
    """Compile a loop without Python objects (:func:`numba.njit`) and keep the result on disk."""

    def decorate(function: Any) -> Any:
        # a source edited since it was hashed may or may not be what has been imported
        if FOLDER is None or _seen() != SEEN:
            return njit(**options)(function)
        before = config.CACHE_LOCATOR_CLASSES
        config.CACHE_LOCATOR_CLASSES = f"{__name__}.Locator"  # of this loop alone
        try:
            return njit(cache=True, **options)(function)
        finally:
            config.CACHE_LOCATOR_CLASSES = before

    return decorate
