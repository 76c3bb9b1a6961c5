"""What source files import and compute, read once and kept until they change.

A plan asks for the import closures of some 250 jobs, which share most of their modules, and every
job asks for its own. What a file imports and computes is kept beside the compiled modules, under
the digest of its content, and is as good as they are: nobody parses the file again. A plan speaks
of one moment, so where its modules are may stand as well.

The memory is put in from here because every fit depends on :mod:`reproduction.closure`: with the
memory in it, all results would be stale.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import sys
from functools import cache
from pathlib import Path

from reproduction import closure
from reproduction.files import write_text

_FOLDER = closure.SOURCES / "reproduction" / "__pycache__"


class Remembered:
    """Facts of source files by the digest of their content, in a file between two plans."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, list[str]] = {}
        self.new = False
        with contextlib.suppress(OSError, ValueError):  # the first plan, or a damaged file
            self.known = dict(json.loads(path.read_text(encoding="utf-8")))

    def facts(self, path: Path) -> closure._Facts:
        """Return what a file imports and the digest of what it computes."""
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        if content not in self.known:
            state = path.stat()
            found = closure._read_facts(path, state.st_mtime_ns, state.st_size)
            self.known[content] = [found.digest.hex(), *sorted(found.names)]
            self.new = True
        digest, *names = self.known[content]
        return closure._Facts(frozenset(names), bytes.fromhex(digest))

    def save(self) -> None:
        """Write what is new; a folder that cannot be written costs the next plan two seconds."""
        if self.new:
            with contextlib.suppress(OSError):
                write_text(self.path, json.dumps(self.known, sort_keys=True))


@cache  # once a process, however often the workflow is read
def remember() -> None:
    """Keep what source files import and compute, in this process and for those to come."""
    # another version of Python may parse otherwise, another version of the module read otherwise
    rules = hashlib.sha256(Path(closure.__file__).read_bytes()).hexdigest()[:12]
    remembered = Remembered(_FOLDER / f"{sys.implementation.cache_tag}-{rules}.facts.json")
    atexit.register(remembered.save)
    closure._facts = remembered.facts


@cache
def look_once() -> None:
    """Remember, in this process and from now on, all that a plan asks the file system for."""
    remember()
    for name in ("module_path", "imported_modules", "_facts"):
        setattr(closure, name, cache(getattr(closure, name)))
