"""Which settings a job reads: declared or found in its sources, and held to while it runs.

A study says which settings its jobs read. Without one a job depends on the settings that the
modules of its paper's room in its import closure mention, and on no others: another value of a
setting that it never reads does not make its result stale. Mention is by name, so the answer may
hold a setting too many, never one too few; what is read at run time all the same, by other ways
than its name, is refused there.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from reproduction.closure import import_closure, module_path
from reproduction.results.jobs import Job
from reproduction.rooms import module_name, settings_class, study_of


@cache
def _mentioned(path: Path, changed: int) -> frozenset[str]:
    """Return the names of all attributes that a source file asks for."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    return frozenset(node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))


def settings_read(job: Job) -> tuple[str, ...]:
    """Return the names of the settings a job reads, in their declared order.

    Where a module calls a method of the settings, or asks for them as a whole, it may read any.
    """
    study = study_of(job.paper)
    if study is not None:
        return study.reads(job.name)
    kind = settings_class(job.paper)
    fields = tuple(kind.model_fields)
    package = module_path(module_name(job.paper))
    own = [p for p in import_closure(job.module) if package and package.parent in p.parents]
    names: set[str] = set()
    for path in own:
        if path.name != "settings.py":
            names |= _mentioned(path, path.stat().st_mtime_ns)
    methods = {name for base in kind.__mro__ for name in vars(base) if name[0] != "_"}
    if names & (methods - set(fields)):
        return fields
    return tuple(name for name in fields if name in names)


def only_read(job: Job, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a paper that a job reads."""
    return {name: values[name] for name in settings_read(job) if name in values}


class ReadSettings:
    """The settings a job was found to read; asking for another one is an error that says so."""

    def __init__(self, settings: Any, job: Job) -> None:
        self._settings = settings
        self._hidden = set(type(settings).model_fields) - set(settings_read(job))
        self._job = job

    def __getattr__(self, name: str) -> Any:
        if name[0] == "_":  # copies ask for such before anything is set
            raise AttributeError(name)
        if name in self._hidden:
            raise ValueError(
                f"{self._job.paper}/{self._job.place} reads the setting {name!r}, which its "
                "modules do not mention by name; write `settings." + name + "` where it is read"
            )
        return getattr(self._settings, name)
